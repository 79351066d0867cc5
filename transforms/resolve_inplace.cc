// Storage-level mutation tracking, in one forward walk.
//
//     add_ %row, %y          becomes      %1 = extract %base at .. : ..
//                                         %2 = add %1, %y : ..
//                                         (in the log: %2 at %row)
//
// Every storage has a log of definitions (analysis/write_log.h). Then
//
//   1. a view is nothing: a value's type says which window it is;
//   2. an op reads each operand's window from the logs (window_reader.h), does
//      its pure form, and an op in place writes the result to its destination's
//      window: one entry in a log, and no op before somebody reads it;
//   3. at the end the live writes of the caller's storages are committed and
//      the results are read (epilogue.h).
//
// It is right because reads are: whatever the program's views, a read finds the
// newest definition of each of its bytes.

#include "transforms/resolve_inplace.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/ids.h"
#include "ir/location.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "transforms/eliminate_dead.h"
#include "transforms/epilogue.h"
#include "transforms/live_ops.h"
#include "transforms/overlapping_write.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {
namespace {

// Sums of a few places in a storage must fit int64_t.
constexpr int64_t kMaxStorageBytes = int64_t{1} << 56;

class Resolver {
 public:
  Resolver(const Function& source, const ResolveOptions& options)
      : source_(source),
        options_(options),
        emitter_(source, options.negative_strides),
        reader_(emitter_, EntryTime(0)),
        windows_(source.values.size()) {}

  absl::StatusOr<Resolution> Run() {
    MakeLogs();
    const std::vector<bool> live = FindLiveOps(source_);
    for (size_t i = 0; i < source_.ops.size(); ++i) {
      if (!live[i] || source_.ops[i].kind == OpKind::kView) continue;
      const OpId id{static_cast<int32_t>(i)};
      SetSource(id);
      if (absl::Status status = Step(id, source_.Get(id)); !status.ok()) {
        return AtOp(source_.Get(id), status);
      }
    }
    SetSource(OpId());
    EmitEpilogue(source_, absl::MakeSpan(states_), reader_, emitter_);
    Resolution resolution;
    for (const StorageState& state : states_) {
      resolution.stats.dead_writes += state.dead_writes;
      resolution.stats.candidates += state.log.candidates();
    }
    resolution.stats.forwarded_reads = reader_.forwarded_reads();
    resolution.stats.layers = emitter_.windows().layer_counts();
    // Before what comes next takes memory of its own.
    states_ = std::vector<StorageState>();
    windows_ = std::vector<WindowId>();
    resolution.function = EliminateDead(std::move(emitter_.function()));
    NumberValues(resolution.function);
    return resolution;
  }

 private:
  absl::Status AtOp(const Op& op, const absl::Status& status) const {
    return AtLocation(
        op.location,
        absl::Status(status.code(),
                     absl::StrCat(source_.TextOf(op), ": ", status.message())));
  }

  void SetSource(OpId id) {
    emitter_.SetSource(
        id, id.valid() ? source_.Get(id).location : SourceLocation());
    reader_.SetSource(id);
  }

  // At entry a caller's storage reads as its parameters, the first of them in
  // front, and behind them its contents, unless a parameter is just that.
  void MakeLogs() {
    states_.reserve(source_.storages.size());
    for (const Storage& storage : source_.storages) {
      states_.push_back({WriteLog(emitter_.windows(), storage.bytes), {}, {}});
    }
    for (size_t i = 0; i < source_.parameters.size(); ++i) {
      StorageState& state = StateOf(source_.parameters[i]);
      if (state.contents.valid()) continue;
      const ValueId parameter = emitter_.function().parameters[i];
      state.contents = emitter_.function().Get(parameter).type.storage;
    }
    std::vector<bool> has_contents(states_.size(), false);
    for (const ValueId parameter : source_.parameters) {
      const int32_t storage = source_.Get(parameter).type.storage.value;
      if (IsContents(parameter)) has_contents[storage] = true;
    }
    for (const ValueId parameter : source_.parameters) {
      const int32_t storage = source_.Get(parameter).type.storage.value;
      if (has_contents[storage]) continue;
      AddContents(states_[storage], source_.LayoutOf(parameter).dtype);
      has_contents[storage] = true;
    }
    for (size_t i = source_.parameters.size(); i-- > 0;) {
      StorageState& state = StateOf(source_.parameters[i]);
      const WindowId window = WindowOf(source_.parameters[i]);
      if (emitter_.windows().Get(window).empty()) continue;
      // Rather a parameter than the contents, where both are everything.
      if (emitter_.windows().Get(window).bytes() == state.log.bytes()) {
        state.widest = WindowId();
      }
      reader_.NoteWindow(state, window);
      state.log.Add({EntryTime(i), window, emitter_.function().parameters[i],
                     OpId(), DefinitionKind::kInitial});
    }
  }

  // Whether the value's elements are all bytes of its storage, in order.
  bool IsContents(ValueId value) {
    const Window& window = emitter_.windows().Get(WindowOf(value));
    return window.bytes() == StateOf(value).log.bytes() &&
           IsRowMajor(source_.LayoutOf(value));
  }

  int64_t EntryTime(size_t parameter) const {
    return static_cast<int64_t>(source_.parameters.size() - parameter);
  }

  void AddContents(StorageState& state, DType dtype) {
    const int64_t bytes = state.log.bytes();
    if (bytes == 0) return;
    if (bytes % WidthOf(dtype) != 0) dtype = DType::kU8;
    const WindowId all =
        emitter_.windows().InternRow(dtype, 0, bytes / WidthOf(dtype));
    reader_.NoteWindow(state, all);
    state.log.Add({0, all, ValueId(), OpId(), DefinitionKind::kInitial});
  }

  StorageState& StateOf(ValueId value) {
    return states_[source_.Get(value).type.storage.value];
  }
  WindowId WindowOf(ValueId value) {
    WindowId& known = windows_[value.value];
    if (!known.valid()) {
      known = emitter_.windows().Intern(source_.Get(value).type);
    }
    return known;
  }
  ValueId Read(ValueId value) {
    return reader_.Read(StateOf(value), WindowOf(value));
  }

  absl::Status Step(OpId id, const Op& op) {
    if (op.kind == OpKind::kCall) return StepCall(id, op);
    return op.in_place() ? StepInPlace(id, op) : StepValue(id, op);
  }

  absl::Status StepValue(OpId id, const Op& op) {
    const ValueId result = source_.Result(op);
    ValueId value;
    if (op.kind == OpKind::kClone) {
      value = Read(source_.OperandsOf(op)[0].value());
    } else {
      value = AppendPure(op, RowMajorOf(result));
    }
    return Write(id, op, result, value);
  }

  absl::Status StepInPlace(OpId id, const Op& op) {
    const ValueId destination = source_.OperandsOf(op)[0].value();
    RETURN_IF_ERROR(CheckDestination(op, destination));
    if (emitter_.windows().Get(WindowOf(destination)).empty()) {
      return absl::OkStatus();
    }
    if (op.kind == OpKind::kFill) return Fill(id, op, destination);
    if (op.kind == OpKind::kCopy) return Copy(id, op, destination);

    const LayoutId layout = RowMajorOf(destination);
    ValueId value;
    if (InfoFor(op.kind).rule == InferenceRule::kPredicate &&
        source_.LayoutOf(destination).dtype != DType::kBool) {
      const LayoutId truth =
          emitter_.RowMajor(DType::kBool, source_.LayoutOf(destination).sizes);
      value = emitter_.AppendOne(
          OpKind::kCast, {Operand::Value(AppendPure(op, truth))}, layout);
    } else {
      value = AppendPure(op, layout);
    }
    return Write(id, op, destination, value);
  }

  absl::Status Copy(OpId id, const Op& op, ValueId destination) {
    const ValueId from = source_.OperandsOf(op)[1].value();
    if (&StateOf(from) == &StateOf(destination) &&
        WindowOf(from) == WindowOf(destination)) {
      return absl::OkStatus();
    }
    const ValueId value = Read(from);
    const Layout layout = source_.LayoutOf(destination);
    const Layout given = emitter_.LayoutOf(value);
    Dims strides(layout.rank(), 0);
    const Dims row_major = RowMajorStrides(given.sizes);
    for (int i = 0; i < given.rank(); ++i) {
      if (given.sizes[i] != 1)
        strides[layout.rank() - given.rank() + i] = row_major[i];
    }
    return Write(
        id, op, destination,
        emitter_.Extract(value, {layout.dtype, layout.sizes, strides}, 0));
  }

  // All elements get one value, so each byte is written once, in any order.
  absl::Status Fill(OpId id, const Op& op, ValueId destination) {
    const Operand value = ReadOperand(source_.OperandsOf(op)[1]);
    const DType dtype = source_.LayoutOf(destination).dtype;
    ASSIGN_OR_RETURN(
        const std::vector<WindowId> windows,
        WindowsWithoutOverlap(WindowOf(destination), emitter_.windows()));
    for (WindowId window : windows) {
      const absl::Span<const int64_t> sizes =
          emitter_.windows().LayoutOf(window).sizes;
      ValueId filled;
      // A move, except that ops write a bool as 0 or 1.
      if (value.is_value() && dtype != DType::kBool) {
        const Dims once(sizes.size(), 0);
        filled = emitter_.Extract(value.value(), {dtype, sizes, once}, 0);
      } else {
        Op& full = emitter_.Append(OpKind::kFull, {value},
                                   {emitter_.RowMajor(dtype, sizes)});
        KeepTag(op, full);
        filled = emitter_.function().Result(full);
      }
      reader_.Write(StateOf(destination), window, filled, id);
    }
    return absl::OkStatus();
  }

  absl::Status StepCall(OpId id, const Op& op) {
    RETURN_IF_ERROR(CheckCall(op));
    const absl::Span<const Operand> given = source_.OperandsOf(op);
    std::vector<Operand> operands;
    std::vector<ValueId> updated;
    for (const Operand& operand : given) {
      operands.push_back(ReadOperand(operand));
      if (operand.access != Access::kMut) continue;
      operands.back().access = Access::kUpd;
      updated.push_back(operand.value());
    }
    std::vector<ValueId> made;  // Results with a storage of their own.
    for (int i = 0; i < op.results.count; ++i) {
      if (!IsViewOfOperand(op, source_.Result(op, i))) {
        made.push_back(source_.Result(op, i));
      }
    }
    std::vector<LayoutId> layouts;
    for (ValueId result : made) layouts.push_back(RowMajorOf(result));
    for (ValueId operand : updated) layouts.push_back(RowMajorOf(operand));

    Function& function = emitter_.function();
    Op& pure = emitter_.Append(OpKind::kCall, operands, layouts);
    KeepTag(op, pure);
    pure.call = static_cast<int32_t>(function.calls.size());
    const int32_t first = pure.results.begin;
    Call call = source_.calls[op.call];
    call.declared_results = static_cast<int32_t>(made.size());
    function.calls.push_back(std::move(call));

    made.insert(made.end(), updated.begin(), updated.end());
    for (size_t i = 0; i < made.size(); ++i) {
      RETURN_IF_ERROR(
          Write(id, op, made[i], ValueId{first + static_cast<int32_t>(i)}));
    }
    return absl::OkStatus();
  }

  // A declared result in an operand's storage is a view taken after the writes.
  bool IsViewOfOperand(const Op& op, ValueId result) const {
    for (const Operand& operand : source_.OperandsOf(op)) {
      if (operand.is_value() && source_.Get(operand.value()).type.storage ==
                                    source_.Get(result).type.storage) {
        return true;
      }
    }
    return false;
  }

  absl::Status CheckCall(const Op& op) {
    const absl::Span<const Operand> operands = source_.OperandsOf(op);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].access != Access::kMut) continue;
      RETURN_IF_ERROR(CheckDestination(op, operands[i].value()));
      if (options_.overlapping_calls == OverlappingCalls::kByValue) continue;
      for (size_t j = 0; j < operands.size(); ++j) {
        if (i == j ||
            !OverlapDifferently(operands[i].value(), operands[j].value())) {
          continue;
        }
        return absl::FailedPreconditionError(absl::StrCat(
            "operand ", source_.TextOf(operands[i].value()),
            " is mut and overlaps ", source_.TextOf(operands[j].value()),
            " otherwise than by the same map, so only the callee knows what it "
            "does; --overlapping-calls=by-value takes it to read all operands "
            "first"));
      }
    }
    return absl::OkStatus();
  }

  bool OverlapDifferently(ValueId a, ValueId b) {
    if (&StateOf(a) != &StateOf(b) || WindowOf(a) == WindowOf(b)) return false;
    return emitter_.windows().MayOverlap(emitter_.windows().Get(WindowOf(a)),
                                         emitter_.windows().Get(WindowOf(b)));
  }

  absl::Status CheckDestination(const Op& op, ValueId destination) {
    if (op.kind == OpKind::kFill ||
        emitter_.windows().Get(WindowOf(destination)).self_overlap() ==
            Overlap::kNo) {
      return absl::OkStatus();
    }
    const std::string what = absl::StrCat(
        "the destination ", source_.TextOf(destination), " overlaps itself");
    if (options_.overlapping_writes == OverlappingWrites::kRefuse) {
      return absl::FailedPreconditionError(absl::StrCat(
          what,
          ", so which write wins is undefined in eager frameworks; write "
          "to a window without overlap, or say "
          "--overlapping-writes=sequential"));
    }
    if (op.in_place() && InfoFor(op.kind).family == KernelFamily::kIndex) {
      return absl::FailedPreconditionError(absl::StrCat(
          what,
          " and an update by index writes only some of its elements; "
          "update a copy and copy_ it back"));
    }
    return absl::OkStatus();
  }

  absl::Status Write(OpId id, const Op& op, ValueId destination,
                     ValueId value) {
    StorageState& state = StateOf(destination);
    const WindowId window = WindowOf(destination);
    if (emitter_.windows().Get(window).empty()) return absl::OkStatus();
    RETURN_IF_ERROR(CheckDestination(op, destination));
    if (emitter_.windows().Get(window).is_simple()) {
      reader_.Write(state, window, value, id);
      return absl::OkStatus();
    }
    return WriteInOrder(state, window, value, id, reader_, emitter_);
  }

  Operand ReadOperand(const Operand& operand) {
    if (!operand.is_value()) return operand;
    Operand read = Operand::Value(Read(operand.value()));
    if (operand.window >= 0) {
      read.window = static_cast<int32_t>(emitter_.function().windows.size());
      emitter_.function().windows.push_back(source_.windows[operand.window]);
    }
    return read;
  }

  // The op in its pure form on what its operands read as.
  ValueId AppendPure(const Op& op, LayoutId result) {
    operands_.clear();
    for (const Operand& operand : source_.OperandsOf(op)) {
      operands_.push_back(ReadOperand(operand));
    }
    Op& pure = emitter_.Append(op.kind, operands_, {result});
    pure.attributes = op.attributes;
    KeepTag(op, pure);
    return emitter_.function().Result(pure);
  }

  static void KeepTag(const Op& op, Op& pure) {
    pure.has_tag = op.has_tag;
    pure.tag = op.tag;
  }

  LayoutId RowMajorOf(ValueId value) {
    return emitter_.RowMajorOf(source_.Get(value).type.layout);
  }

  const Function& source_;
  const ResolveOptions& options_;
  PureEmitter emitter_;
  WindowReader reader_;
  std::vector<StorageState> states_;  // By the source's StorageId.
  std::vector<WindowId> windows_;     // By the source's ValueId, once known.
  std::vector<Operand> operands_;
};

}  // namespace

absl::StatusOr<Resolution> ResolveInPlace(const Function& function,
                                          const ResolveOptions& options) {
  if (function.is_pure()) return Resolution{function, {}};
  for (size_t i = 0; i < function.storages.size(); ++i) {
    if (function.storages[i].bytes <= kMaxStorageBytes) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "storage ", function.TextOf(StorageId{static_cast<int32_t>(i)}),
        " has more than 2^56 bytes"));
  }
  return Resolver(function, options).Run();
}

}  // namespace palimpsest
