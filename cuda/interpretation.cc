#include "cuda/interpretation.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/buffer.h"
#include "cuda/cost_meter.h"
#include "cuda/interpreter.h"
#include "cuda/run_op.h"
#include "cuda/view.h"
#include "ir/ids.h"
#include "ir/location.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// The same error, with the op in front, and located at it.
absl::Status AtOp(const Function& function, const Op& op,
                  const absl::Status& status) {
  return AtLocation(
      op.location,
      absl::Status(status.code(),
                   absl::StrCat(function.TextOf(op), ": ", status.message())));
}

// Whether a new storage is written in full by a result that is this window.
bool Fills(const View& view, int64_t bytes) {
  return view.count() * view.width() == bytes && !MayOverlapItself(view);
}

}  // namespace

Interpretation::Interpretation(const Function& function,
                               const RunInputs& inputs,
                               const RunOptions& options,
                               kernels::Backend& backend)
    : function_(function),
      inputs_(inputs),
      options_(options),
      backend_(backend),
      executor_(backend),
      entries_(function.storages.size()),
      storages_(function.storages.size()),
      is_writable_(function.storages.size(), false),
      values_(function.is_pure() ? function.values.size() : 0),
      dying_(function.ops.size()) {
  if (options.measure == Measure::kCost) {
    meter_ = std::make_unique<CostMeter>(function);
  }
}

absl::StatusOr<RunOutputs> Interpretation::Run() {
  RETURN_IF_ERROR(TakeInputs());
  FindLastUses();
  for (const Op& op : function_.ops) {
    absl::Status status = Execute(op);
    // So that a device's errors are those of their op.
    if (status.ok()) status = executor_.Finish();
    if (!status.ok()) return AtOp(function_, op, status);
    if (meter_ != nullptr) meter_->EndOp(op);
    Release(dying_[current_op_++]);
  }
  ASSIGN_OR_RETURN(RunOutputs outputs, Outputs());
  RETURN_IF_ERROR(executor_.Finish());
  if (meter_ != nullptr) outputs.costs = meter_->TakeCosts();
  return outputs;
}

absl::Status Interpretation::TakeInputs() {
  for (size_t i = 0; i < function_.storages.size(); ++i) {
    const Storage& storage = function_.storages[i];
    if (storage.kind != StorageKind::kParameter) continue;
    const std::string name = function_.names.Text(storage.name);
    const auto it = inputs_.storages.find(name);
    if (it == inputs_.storages.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("no contents given for storage @", name));
    }
    if (it->second.size() != storage.bytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("storage @", name, " has ", storage.bytes,
                       " bytes; contents of ", it->second.size(), " given"));
    }
    ASSIGN_OR_RETURN(entries_[i], it->second.In(backend_));
    storages_[i] = entries_[i];
  }
  if (!function_.is_pure()) return absl::OkStatus();
  for (ValueId parameter : function_.parameters) {
    const Type& type = function_.Get(parameter).type;
    values_[parameter.value] = WindowOf(storages_[type.storage.value],
                                        function_.LayoutOf(type), type.offset);
  }
  return absl::OkStatus();
}

void Interpretation::FindLastUses() {
  const bool is_pure = function_.is_pure();
  const auto memory_of = [&](ValueId id) {
    return is_pure ? id.value : function_.Get(id).type.storage.value;
  };
  std::vector<int32_t> last(
      is_pure ? function_.values.size() : function_.storages.size(), -1);
  for (size_t i = 0; i < function_.ops.size(); ++i) {
    const Op& op = function_.ops[i];
    if (op.kind == OpKind::kView) continue;
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (operand.is_value()) {
        last[memory_of(operand.value())] = static_cast<int32_t>(i);
      }
    }
    for (int r = 0; r < op.results.count; ++r) {
      last[memory_of(function_.Result(op, r))] = static_cast<int32_t>(i);
    }
  }
  for (const Return& returned : function_.returns) {
    if (returned.value.valid()) last[memory_of(returned.value)] = -1;
  }
  for (size_t m = 0; m < last.size(); ++m) {
    const bool is_callers =
        !is_pure && function_.storages[m].kind == StorageKind::kParameter;
    if (last[m] >= 0 && !is_callers) {
      dying_[last[m]].push_back(static_cast<int32_t>(m));
    }
  }
}

void Interpretation::Release(const std::vector<int32_t>& dying) {
  for (int32_t memory : dying) {
    if (meter_ != nullptr) meter_->Release(memory);
    if (function_.is_pure()) {
      values_[memory] = View();
    } else {
      storages_[memory] = Buffer();
    }
  }
}

absl::StatusOr<Buffer> Interpretation::ReadableStorage(StorageId id) {
  Buffer& buffer = storages_[id.value];
  if (!buffer.exists()) {
    // A declared buffer that nothing used before, or a result of `bind`.
    ASSIGN_OR_RETURN(buffer,
                     Buffer::AllocatePoison(function_.Get(id).bytes, backend_));
    is_writable_[id.value] = true;
    if (!function_.is_pure()) NoteHeld(id.value, function_.Get(id).bytes);
  }
  return buffer;
}

absl::StatusOr<Buffer> Interpretation::WritableStorage(StorageId id) {
  ASSIGN_OR_RETURN(Buffer buffer, ReadableStorage(id));
  if (is_writable_[id.value]) return buffer;
  ASSIGN_OR_RETURN(buffer, buffer.Clone());
  storages_[id.value] = buffer;
  is_writable_[id.value] = true;
  return buffer;
}

absl::StatusOr<View> Interpretation::Read(ValueId id) {
  if (function_.is_pure()) return values_[id.value];
  const Type& type = function_.Get(id).type;
  ASSIGN_OR_RETURN(Buffer buffer, ReadableStorage(type.storage));
  return WindowOf(std::move(buffer), function_.LayoutOf(type), type.offset);
}

absl::StatusOr<View> Interpretation::ReadOperand(const Op& op, int i,
                                                 DType literal_dtype) {
  const Operand& operand = function_.OperandsOf(op)[i];
  if (operand.is_value()) return Read(operand.value());
  return executor_.ValueOf(
      absl::MakeConstSpan(&function_.literals[operand.ref], 1), literal_dtype,
      {});
}

absl::StatusOr<View> Interpretation::WritableWindow(const Type& type) {
  ASSIGN_OR_RETURN(Buffer buffer, WritableStorage(type.storage));
  return WindowOf(std::move(buffer), function_.LayoutOf(type), type.offset);
}

// Memory for a result that is the first value of its storage, or for a value of
// a pure func.
absl::StatusOr<View> Interpretation::NewResult(ValueId result) {
  const Type& type = function_.Get(result).type;
  const Layout layout = function_.LayoutOf(type);
  if (function_.is_pure()) {
    ASSIGN_OR_RETURN(values_[result.value],
                     executor_.Temporary(layout.dtype, layout.sizes));
    const View& value = values_[result.value];
    NoteHeld(result.value, value.count() * value.width());
    return value;
  }
  const int64_t bytes = function_.Get(type.storage).bytes;
  Buffer& buffer = storages_[type.storage.value];
  is_writable_[type.storage.value] = true;
  NoteHeld(type.storage.value, bytes);
  if (Fills(WindowOf(Buffer(), layout, type.offset), bytes)) {
    ASSIGN_OR_RETURN(buffer, Buffer::Allocate(bytes, backend_));
  } else {
    ASSIGN_OR_RETURN(buffer, Buffer::AllocatePoison(bytes, backend_));
  }
  return WindowOf(buffer, layout, type.offset);
}

// The memory of an update's first operand, where that dies here: the result may
// have it.
absl::optional<View> Interpretation::TakeOver(const Op& op) {
  const absl::Span<const Operand> operands = function_.OperandsOf(op);
  const OpInfo& info = InfoFor(op.kind);
  const bool is_update =
      (info.family == KernelFamily::kIndex && info.HasInPlaceForm()) ||
      (op.kind == OpKind::kAssemble && operands[0].window < 0);
  if (!function_.is_pure() || !is_update) return absl::nullopt;
  const int32_t base = operands[0].ref;
  bool dies = false;
  for (int32_t value : dying_[current_op_]) dies |= value == base;
  const View& view = values_[base];
  if (!dies || !view.owner.is_unique() || !IsRowMajor(view.layout()) ||
      view.offset != 0 || view.owner.size() != view.count() * view.width()) {
    return absl::nullopt;
  }
  return view;
}

absl::StatusOr<View> Interpretation::Destination(const Op& op) {
  if (op.in_place()) {
    return WritableWindow(
        function_.Get(function_.OperandsOf(op)[0].value()).type);
  }
  if (op.target >= 0) return WritableWindow(function_.targets[op.target]);
  const ValueId result = function_.Result(op);
  if (absl::optional<View> taken = TakeOver(op)) {
    NoteHeld(result.value, taken->count() * taken->width());
    return values_[result.value] = *taken;
  }
  return NewResult(result);
}

// A literal has the dtype of the value beside it, or else the result's.
DType Interpretation::LiteralDTypeOf(const Op& op, DType result) const {
  const absl::Span<const Operand> operands = function_.OperandsOf(op);
  const size_t first = op.kind == OpKind::kWhere ? 1 : 0;
  for (size_t i = first; i < operands.size(); ++i) {
    if (operands[i].is_value()) {
      return function_.LayoutOf(operands[i].value()).dtype;
    }
  }
  return result;
}

absl::Status Interpretation::Execute(const Op& op) {
  switch (op.kind) {
    case OpKind::kView:
      return absl::OkStatus();
    case OpKind::kExtract:
      return ExecuteExtract(op);
    case OpKind::kContents:
      return ExecuteContents(op);
    case OpKind::kAssemble:
      return ExecuteAssemble(op);
    case OpKind::kCall:
      return ExecuteCall(op);
    case OpKind::kCommit:
    case OpKind::kBind:
      return ExecuteEpilogue(op);
    default:
      return ExecuteTableOp(op);
  }
}

absl::Status Interpretation::ExecuteTableOp(const Op& op) {
  OpWindows windows;
  ASSIGN_OR_RETURN(windows.out, Destination(op));
  const DType literal_dtype = LiteralDTypeOf(op, windows.out.dtype);
  for (int i = 0; i < op.operands.count; ++i) {
    windows.operands.emplace_back();
    if (op.kind == OpKind::kConstant ||
        function_.OperandsOf(op)[i].kind == OperandKind::kNone) {
      continue;
    }
    ASSIGN_OR_RETURN(windows.operands.back(),
                     ReadOperand(op, i, literal_dtype));
  }
  // Before the op writes to the mask.
  ASSIGN_OR_RETURN(const int64_t masked, CountMasked(op, windows));
  IndexActivity activity;
  RETURN_IF_ERROR(RunTableOp(op, windows, activity));
  NoteTableOp(op, windows, activity, masked);
  return absl::OkStatus();
}

absl::Status Interpretation::RunTableOp(const Op& op, OpWindows windows,
                                        IndexActivity& activity) {
  if (op.in_place() || !MayOverlapItself(windows.out)) {
    return RunOp(executor_, function_, op, windows, activity);
  }
  // The value as a whole is made, and then written in row-major order.
  const View out = windows.out;
  ASSIGN_OR_RETURN(windows.out, executor_.Temporary(out.dtype, out.sizes));
  RETURN_IF_ERROR(RunOp(executor_, function_, op, windows, activity));
  return executor_.Move(out, windows.out);
}

}  // namespace palimpsest
