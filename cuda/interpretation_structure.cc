// extract, assemble, contents, the epilogue and what a run gives back.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/buffer.h"
#include "cuda/host_backend.h"
#include "cuda/interpretation.h"
#include "cuda/interpreter.h"
#include "cuda/view.h"
#include "ir/check.h"
#include "ir/coverage.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

bool IsWholeBuffer(const View& view) {
  return IsRowMajor(view.layout()) && view.offset == 0 && view.owner.exists() &&
         view.owner.size() == view.count() * view.width();
}

// Whether the pieces of an `assemble` without a base leave no byte out. Where
// that is not known, what they leave out is poison.
bool CoversProvably(const Function& function, const Op& op) {
  std::vector<CoverWindow> windows;
  for (const Operand& operand : function.OperandsOf(op)) {
    const BufferWindow& at = function.windows[operand.window];
    windows.push_back({function.layouts.Get(at.layout), at.offset});
  }
  const Layout whole = function.LayoutOf(function.Result(op));
  const int64_t bytes = ElementCount(whole.sizes) * WidthOf(whole.dtype);
  return CoverageOf(windows, bytes) == Coverage::kComplete;
}

}  // namespace

absl::Status Interpretation::ExecuteExtract(const Op& op) {
  const Operand& operand = function_.OperandsOf(op)[0];
  const BufferWindow& at = function_.windows[operand.window];
  const Layout layout = function_.layouts.Get(at.layout);
  ASSIGN_OR_RETURN(View value, Read(operand.value()));
  absl::optional<View> window = Compose(value, layout, at.offset);
  if (!window) {
    ASSIGN_OR_RETURN(value, executor_.CopyOf(value));
    window = Compose(value, layout, at.offset);
    PALIMPSEST_CHECK(window.has_value());
    // The next extract of it need not copy again.
    if (function_.is_pure()) values_[operand.ref] = value;
  }
  if (function_.is_pure()) {
    const ValueId result = function_.Result(op);
    values_[result.value] = *window;
    if (meter_ != nullptr) meter_->Share(result.value, operand.ref);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const View out, Destination(op));
  NoteRead(*window);
  NoteWritten(out);
  return executor_.Move(out, *window);
}

absl::Status Interpretation::ExecuteContents(const Op& op) {
  const StorageId storage = function_.OperandsOf(op)[0].storage();
  const Layout layout = function_.LayoutOf(function_.Result(op));
  const View entry = WindowOf(entries_[storage.value], layout, 0);
  if (function_.is_pure()) {
    values_[function_.Result(op).value] = entry;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const View out, Destination(op));
  return executor_.Move(out, entry);
}

absl::Status Interpretation::ExecuteAssemble(const Op& op) {
  ASSIGN_OR_RETURN(const View out, Destination(op));
  std::vector<View> pieces;
  for (const Operand& operand : function_.OperandsOf(op)) {
    ASSIGN_OR_RETURN(View piece, Read(operand.value()));
    NoteRead(piece);
    pieces.push_back(std::move(piece));
  }
  NoteWritten(out);
  if (IsWholeBuffer(out)) return AssembleInto(op, out, std::move(pieces));
  // Pieces are laid out in a row-major buffer.
  ASSIGN_OR_RETURN(const View whole, executor_.Temporary(out.dtype, out.sizes));
  RETURN_IF_ERROR(AssembleInto(op, whole, std::move(pieces)));
  return executor_.Move(out, whole);
}

absl::Status Interpretation::AssembleInto(const Op& op, const View& out,
                                          std::vector<View> pieces) {
  const absl::Span<const Operand> operands = function_.OperandsOf(op);
  const bool has_base = operands[0].window < 0;
  for (size_t i = has_base ? 1 : 0; i < pieces.size(); ++i) {
    if (OverlapOf(pieces[i], out) == ViewOverlap::kNone) continue;
    ASSIGN_OR_RETURN(pieces[i], executor_.CopyOf(pieces[i]));
  }
  if (has_base) {
    RETURN_IF_ERROR(executor_.Move(out, pieces[0]));
  } else if (!CoversProvably(function_, op)) {
    RETURN_IF_ERROR(executor_.MakePoison(out));
  }
  for (size_t i = has_base ? 1 : 0; i < pieces.size(); ++i) {
    const BufferWindow& at = function_.windows[operands[i].window];
    const absl::optional<View> window =
        Compose(out, function_.layouts.Get(at.layout), at.offset);
    PALIMPSEST_CHECK(window.has_value());
    RETURN_IF_ERROR(executor_.Move(*window, pieces[i]));
  }
  return absl::OkStatus();
}

// Values never change, so the order of commits and reads is free.
absl::Status Interpretation::ExecuteEpilogue(const Op& op) {
  const Type& target = function_.targets[op.target];
  const Operand& operand = function_.OperandsOf(op)[0];
  ASSIGN_OR_RETURN(const View value, Read(operand.value()));
  ASSIGN_OR_RETURN(const View window, WritableWindow(target));
  // What is bound need not have been made elsewhere.
  if (op.kind == OpKind::kCommit) {
    NoteRead(value);
    NoteWritten(window);
  }
  return executor_.Move(window, value);
}

// A storage's contents for the caller; where nothing was written to one of the
// caller's, the very buffer that was passed in.
absl::StatusOr<Buffer> Interpretation::StorageForHost(StorageId id) {
  const Storage& storage = function_.Get(id);
  if (storage.kind == StorageKind::kParameter && !is_writable_[id.value]) {
    return inputs_.storages.at(function_.names.Text(storage.name));
  }
  ASSIGN_OR_RETURN(const Buffer buffer, ReadableStorage(id));
  ASSIGN_OR_RETURN(storages_[id.value], buffer.In(kernels::HostBackend()));
  return storages_[id.value];
}

absl::StatusOr<RunResult> Interpretation::ResultOf(const Return& returned,
                                                   int number) {
  const bool is_value = returned.value.valid();
  const Type& type =
      is_value ? function_.Get(returned.value).type : returned.window;
  const Layout layout = function_.LayoutOf(type);
  RunResult result;
  result.dtype = layout.dtype;
  result.sizes.assign(layout.sizes.begin(), layout.sizes.end());
  result.strides.assign(layout.strides.begin(), layout.strides.end());
  if (is_value && function_.is_pure()) {
    View value = values_[returned.value.value];
    if (!IsWholeBuffer(value)) {
      ASSIGN_OR_RETURN(value, executor_.CopyOf(value));
    }
    result.strides = value.strides;
    ASSIGN_OR_RETURN(result.bytes, value.owner.In(kernels::HostBackend()));
    result.group = static_cast<int>(function_.storages.size()) + number;
    return result;
  }
  const Storage& storage = function_.Get(type.storage);
  if (storage.kind == StorageKind::kParameter) {
    result.storage = function_.names.Text(storage.name);
  }
  result.group = type.storage.value;
  result.offset = type.offset;
  ASSIGN_OR_RETURN(result.bytes, StorageForHost(type.storage));
  return result;
}

absl::StatusOr<RunOutputs> Interpretation::Outputs() {
  RunOutputs outputs;
  outputs.effects = std::move(effects_);
  int number = 0;
  for (const Return& returned : function_.returns) {
    ASSIGN_OR_RETURN(RunResult result, ResultOf(returned, number++));
    outputs.results.push_back(std::move(result));
  }
  for (int32_t i = 0; i < static_cast<int32_t>(function_.storages.size());
       ++i) {
    const Storage& storage = function_.storages[i];
    if (storage.kind != StorageKind::kParameter) continue;
    ASSIGN_OR_RETURN(outputs.storages[function_.names.Text(storage.name)],
                     StorageForHost(StorageId{i}));
  }
  return outputs;
}

}  // namespace palimpsest
