// In an in-place function a value is a window of a storage, and the storages'
// contents change from op to op. In a pure one a value is its contents, and
// only the epilogue changes the caller's storages: all values are read from
// what they held at entry.

#include "analysis/proof_walk.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "analysis/overlapping_calls.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_evaluate.h"
#include "analysis/proof_lifetimes.h"
#include "analysis/proof_route.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 56;

int64_t BytesOf(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

class Walker {
 public:
  Walker(const Function& function, OverlappingCalls overlapping_calls,
         Context& context)
      : function_(function),
        overlapping_calls_(overlapping_calls),
        context_(context),
        evaluator_(function, context),
        values_(function.values.size()),
        lifetimes_(function),
        read_from_(function.storages.size()),
        caller_number_(function.storages.size(), -1),
        others_(context.budget.boxes() - context.contents.boxes()) {}

  absl::StatusOr<Outcome> Run() {
    RETURN_IF_ERROR(CheckSizes());
    MakeStorages();
    for (size_t i = 0; i < function_.ops.size(); ++i) {
      const Op& op = function_.ops[i];
      if (absl::Status status = Step(op); !status.ok()) {
        return absl::Status(
            status.code(),
            absl::StrCat(function_.TextOf(op), " at line ", op.location.line,
                         ": ", status.message()));
      }
      // An op may change the boxes of what it reads.
      for (const Operand& operand : function_.OperandsOf(op)) {
        if (operand.is_value()) Count(values_[operand.ref]);
      }
      ForgetAfter(i);
      RETURN_IF_ERROR(CheckLimits());
    }
    for (const Return& item : function_.returns) AddResult(item);
    for (StorageId id : CallerStorages(function_)) {
      outcome_.storages.push_back(std::move(storages_[id.value]));
      outcome_.storages.back().SortBoxes();
    }
    RETURN_IF_ERROR(CheckLimits());
    return std::move(outcome_);
  }

 private:
  // What a value holds, if that is known; so many boxes of it are in live_.
  struct Held {
    SharedContents contents;
    int64_t boxes = 0;
  };

  void Count(Held& held) {
    const int64_t boxes =
        held.contents == nullptr ? 0 : held.contents->box_count();
    live_ += boxes - held.boxes;
    held.boxes = boxes;
  }

  // So that no sum of a few addresses or positions overflows.
  absl::Status CheckSizes() const {
    bool fits = true;
    for (const Storage& storage : function_.storages) {
      fits &= storage.bytes <= kMaxBytes;
    }
    for (const Value& value : function_.values) {
      fits &= BytesOf(function_.LayoutOf(value.type)) <= kMaxBytes;
    }
    return fits ? absl::OkStatus()
                : absl::UnimplementedError(
                      "a value or storage of more than 2^56 bytes");
  }

  // Also says which boxes are left of those that were made.
  absl::Status CheckLimits() {
    context_.budget.SetBoxes(others_ + live_ + context_.contents.boxes());
    return context_.budget.exhausted() || context_.terms.full()
               ? absl::ResourceExhaustedError("over a limit")
               : absl::OkStatus();
  }

  void MakeStorages() {
    for (const Storage& storage : function_.storages) {
      storages_.emplace_back(storage.bytes);
    }
    int32_t number = 0;
    for (StorageId id : CallerStorages(function_)) {
      caller_number_[id.value] = number++;
      storages_[id.value] = AtEntry(id);
      live_ += storages_[id.value].box_count();
    }
  }

  void ForgetAfter(size_t op) {
    for (ValueId id : lifetimes_.values[op]) Forget(id);
    for (StorageId id : lifetimes_.storages[op]) {
      live_ -= storages_[id.value].box_count();
      storages_[id.value] = Contents();
    }
  }

  Contents AtEntry(StorageId id) {
    return Contents::OfTerm(context_.terms.Input(caller_number_[id.value]),
                            function_.Get(id).bytes);
  }

  absl::Status Step(const Op& op) {
    switch (op.kind) {
      case OpKind::kView:
        return absl::OkStatus();
      case OpKind::kCall:
        return StepCall(op);
      case OpKind::kCommit:
      case OpKind::kBind:
        return StepEpilogue(op);
      default:
        return StepValue(op);
    }
  }

  absl::Status StepEpilogue(const Op& op) {
    // All values are read by now; a parameter's storage may be written next.
    ReadEpilogue(op);
    const SharedContents value = Read(function_.OperandsOf(op)[0].value());
    Write(function_.targets[op.target], *value);
    return absl::OkStatus();
  }

  // Reads what this and the other ops of the epilogue write, and what is
  // returned by value, before the first of them writes.
  void ReadEpilogue(const Op& op) {
    if (in_epilogue_) return;
    in_epilogue_ = true;
    const Op* end = function_.ops.data() + function_.ops.size();
    for (const Op* next = &op; next != end; ++next) {
      Read(function_.OperandsOf(*next)[0].value());
    }
    for (const Return& item : function_.returns) {
      if (item.value.valid()) Read(item.value);
    }
  }

  absl::Status StepValue(const Op& op) {
    const Operands operands = ReadOperands(op);
    if (op.in_place()) return StepInPlace(op, operands);
    const ValueId id = function_.Result(op);
    Contents made =
        op.kind == OpKind::kContents
            ? ContentsAtEntry(op)
            : evaluator_.Evaluate(op, operands, function_.LayoutOf(id));
    SetResult(id, std::move(made));
    return absl::OkStatus();
  }

  absl::Status StepInPlace(const Op& op, const Operands& operands) {
    const Type& type = function_.Get(function_.OperandsOf(op)[0].value()).type;
    const Layout layout = function_.LayoutOf(type);
    const Contents made = evaluator_.Evaluate(op, operands, layout);
    const bool fills = op.kind == OpKind::kFill;
    const WriteRoute route =
        fills ? RouteOfFill(layout, type.offset, context_.budget)
              : RouteOfWrite(layout, type.offset, context_.budget);
    if (route.may_overlap && InfoFor(op.kind).family == KernelFamily::kIndex) {
      return absl::UnimplementedError(
          "an update by index of a window that overlaps itself");
    }
    WriteAlong(route, type.storage, made);
    return absl::OkStatus();
  }

  Contents ContentsAtEntry(const Op& op) {
    const StorageId id = function_.OperandsOf(op)[0].storage();
    return AtEntry(id).Read(function_.LayoutOf(function_.Result(op)), 0,
                            context_.budget);
  }

  absl::Status StepCall(const Op& op) {
    RETURN_IF_ERROR(CheckCall(op));
    const Operands operands = ReadOperands(op);
    std::vector<ValueId> outputs;  // The values that are made or written.
    const int32_t declared = function_.calls[op.call].declared_results;
    for (int i = 0; i < declared; ++i) {
      const ValueId result = function_.Result(op, i);
      if (!IsViewOfOperand(op, result)) outputs.push_back(result);
    }
    const size_t made = outputs.size();
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (operand.access != Access::kRead) outputs.push_back(operand.value());
    }
    std::vector<Layout> layouts;
    for (ValueId id : outputs) layouts.push_back(function_.LayoutOf(id));
    const bool pure = function_.calls[op.call].pure;
    const int64_t occurrence =
        pure ? 0 : static_cast<int64_t>(outcome_.effects.size()) + 1;
    const int32_t id =
        evaluator_.EvaluateCall(op, operands, layouts, occurrence);
    if (!pure) outcome_.effects.push_back(id);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const int32_t number = static_cast<int32_t>(i);
      Contents contents = Contents::OfTerm(context_.terms.Output(id, number),
                                           BytesOf(layouts[i]));
      // In a pure function the updated contents are results after the declared.
      const bool is_result = i < made || function_.is_pure();
      SetResult(is_result ? ResultOf(op, number) : outputs[i],
                std::move(contents));
    }
    return absl::OkStatus();
  }

  // The call's result that holds output `number`.
  ValueId ResultOf(const Op& op, int32_t number) const {
    for (int i = 0; i < op.results.count; ++i) {
      const ValueId result = function_.Result(op, i);
      if (!IsViewOfOperand(op, result) && number-- == 0) return result;
    }
    return ValueId();
  }

  bool IsViewOfOperand(const Op& op, ValueId result) const {
    const StorageId storage = function_.Get(result).type.storage;
    return storage.valid() &&
           absl::c_any_of(
               function_.OperandsOf(op), [&](const Operand& operand) {
                 return operand.is_value() &&
                        function_.Get(operand.value()).type.storage == storage;
               });
  }

  // A callee that is handed memory twice need not read all before it writes,
  // unless that is taken for granted.
  absl::Status CheckCall(const Op& op) {
    if (function_.is_pure() ||
        overlapping_calls_ == OverlappingCalls::kByValue) {
      return absl::OkStatus();
    }
    for (const Operand& written : function_.OperandsOf(op)) {
      if (written.access == Access::kRead) continue;
      for (const Operand& other : function_.OperandsOf(op)) {
        if (MayOverlapDifferently(function_.Get(written.value()).type,
                                  function_.Get(other.value()).type)) {
          return absl::UnimplementedError(absl::StrCat(
              "operand ", function_.TextOf(written.value()),
              " is mut and overlaps ", function_.TextOf(other.value()),
              " otherwise than by the same map"));
        }
      }
    }
    return absl::OkStatus();
  }

  bool MayOverlapDifferently(const Type& a, const Type& b) {
    if (a.storage != b.storage || a == b) return false;
    // What b reads of a buffer that was written through a alone.
    Contents bytes(function_.Get(a.storage).bytes);
    const Layout layout = function_.LayoutOf(a);
    bytes.Write(
        Contents::OfTerm(context_.terms.Literal("mark"), BytesOf(layout)),
        RouteOfFill(layout, a.offset, context_.budget), context_.budget);
    return !bytes.Read(function_.LayoutOf(b), b.offset, context_.budget)
                .boxes()
                .empty();
  }

  Operands ReadOperands(const Op& op) {
    Operands operands;
    for (const Operand& operand : function_.OperandsOf(op)) {
      operands.push_back(operand.is_value() ? Read(operand.value()) : nullptr);
    }
    return operands;
  }

  bool IsWindow(ValueId id) const {
    return function_.Get(id).type.storage.valid();
  }

  // A window's contents are kept until its storage is written.
  SharedContents Read(ValueId id) {
    Held& value = values_[id.value];
    if (value.contents == nullptr) {
      const Type& type = function_.Get(id).type;
      value.contents =
          std::make_shared<Contents>(storages_[type.storage.value].Read(
              function_.LayoutOf(type), type.offset, context_.budget));
      Count(value);
      read_from_[type.storage.value].push_back(id);
    }
    return value.contents;
  }

  void Forget(ValueId id) {
    values_[id.value].contents.reset();
    Count(values_[id.value]);
  }

  void SetResult(ValueId id, Contents made) {
    if (IsWindow(id)) {
      Write(function_.Get(id).type, made);
    } else {
      values_[id.value].contents = std::make_shared<Contents>(std::move(made));
      Count(values_[id.value]);
    }
  }

  void Write(const Type& type, const Contents& value) {
    WriteAlong(
        RouteOfWrite(function_.LayoutOf(type), type.offset, context_.budget),
        type.storage, value);
  }

  void WriteAlong(const WriteRoute& route, StorageId storage,
                  const Contents& value) {
    // A pure function reads its parameters before anything is written.
    if (!function_.is_pure()) {
      for (ValueId id : read_from_[storage.value]) Forget(id);
      read_from_[storage.value].clear();
    }
    Contents& contents = storages_[storage.value];
    live_ -= contents.box_count();
    contents.Write(value, route, context_.budget);
    live_ += contents.box_count();
  }

  void AddResult(const Return& item) {
    const bool by_value = item.value.valid() && function_.is_pure();
    const Type& type =
        item.value.valid() ? function_.Get(item.value).type : item.window;
    const Layout layout = function_.LayoutOf(type);
    Outcome::Result result;
    result.dtype = layout.dtype;
    result.sizes.assign(layout.sizes.begin(), layout.sizes.end());
    if (by_value) {
      result.strides = RowMajorStrides(layout.sizes);
      result.new_storage = new_storages_++;
      result.contents = *Read(item.value);
    } else {
      result.strides.assign(layout.strides.begin(), layout.strides.end());
      const bool is_empty = ElementCount(layout.sizes) == 0;
      result.offset = is_empty ? 0 : type.offset * WidthOf(layout.dtype);
      result.caller_storage = caller_number_[type.storage.value];
      if (result.caller_storage < 0) {
        const auto [slot, is_new] =
            new_storage_numbers_.try_emplace(type.storage, new_storages_);
        if (is_new) ++new_storages_;
        result.new_storage = slot->second;
        result.contents = storages_[type.storage.value].Read(
            layout, type.offset, context_.budget);
      }
    }
    live_ += result.contents.box_count();
    outcome_.results.push_back(std::move(result));
  }

  const Function& function_;
  const OverlappingCalls overlapping_calls_;
  Context& context_;
  Evaluator evaluator_;
  std::vector<Contents> storages_;
  std::vector<Held> values_;
  const Lifetimes lifetimes_;
  std::vector<std::vector<ValueId>> read_from_;  // Kept values, by storage.
  std::vector<int32_t> caller_number_;
  absl::flat_hash_map<StorageId, int32_t> new_storage_numbers_;
  int32_t new_storages_ = 0;
  const int64_t others_;  // Boxes of the budget that are not of this walk.
  int64_t live_ = 0;      // Those of storages_, values_ and the results.
  bool in_epilogue_ = false;
  Outcome outcome_;
};

}  // namespace

std::vector<StorageId> CallerStorages(const Function& function) {
  std::vector<StorageId> storages;
  std::vector<bool> is_known(function.storages.size(), false);
  for (ValueId parameter : function.parameters) {
    const StorageId storage = function.Get(parameter).type.storage;
    if (!is_known[storage.value]) storages.push_back(storage);
    is_known[storage.value] = true;
  }
  return storages;
}

absl::StatusOr<Outcome> Walk(const Function& function,
                             OverlappingCalls overlapping_calls,
                             Context& context) {
  return Walker(function, overlapping_calls, context).Run();
}

}  // namespace proof
}  // namespace palimpsest
