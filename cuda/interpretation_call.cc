// Calls: an op of the outside reads all of its operands, then writes those that
// are `mut` (in a pure func their new contents are results), left to right.
//
// A `mut` or `upd` operand that is poison throughout is taken to be written
// only. Where another operand has poison, every output is poison.

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/interpretation.h"
#include "cuda/interpreter.h"
#include "cuda/kernel_registry.h"
#include "cuda/mixing.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Whether the shadow of a row-major view in the host's memory says so anywhere.
bool ShadowSays(uint8_t byte, const View& row_major) {
  const int64_t bytes = row_major.count() * row_major.width();
  if (bytes == 0 || !row_major.has_poison()) return false;
  const uint8_t* poison =
      row_major.owner.poison() + row_major.offset * row_major.width();
  return std::memchr(poison, byte, bytes) != nullptr;
}

bool IsPoisonThroughout(const View& row_major) {
  return ShadowSays(1, row_major) && !ShadowSays(0, row_major);
}

// Row-major, in the host's memory.
absl::StatusOr<View> HostTensor(const Layout& layout) {
  ASSIGN_OR_RETURN(Buffer buffer, Buffer::Allocate(ElementCount(layout.sizes) *
                                                   WidthOf(layout.dtype)));
  return WholeOf(std::move(buffer), layout.dtype, layout.sizes);
}

// What a KernelCall points to.
class CallArguments {
 public:
  CallArguments(const Function& function, const Op& op,
                absl::Span<const View> operands, absl::Span<const View> outputs)
      : name_(function.names.Text(function.calls[op.call].name)) {
    for (const auto& [key, value] : function.calls[op.call].attributes) {
      attributes_.emplace_back(function.names.Text(key), value);
    }
    for (const View& view : operands) {
      operands_.push_back({view.dtype, view.sizes, view.data()});
    }
    for (const View& view : outputs) {
      outputs_.push_back({view.dtype, view.sizes, view.data()});
    }
  }

  KernelCall call() const { return {name_, attributes_, operands_, outputs_}; }

 private:
  std::string name_;
  std::vector<std::pair<std::string, std::string>> attributes_;
  std::vector<CallOperand> operands_;
  std::vector<CallOutput> outputs_;
};

}  // namespace

// Reads the operands as row-major tensors of the host; whether the outputs are
// poison.
absl::StatusOr<bool> Interpretation::ReadCallOperands(
    const Op& op, std::vector<View>& operands) {
  bool poison = false;
  for (const Operand& operand : function_.OperandsOf(op)) {
    ASSIGN_OR_RETURN(View view, Read(operand.value()));
    NoteRead(view);
    ASSIGN_OR_RETURN(view, executor_.ToHost(view));
    if (operand.access != Access::kRead && IsPoisonThroughout(view)) {
      ASSIGN_OR_RETURN(view, HostTensor(view.layout()));
      std::memset(view.data(), 0, view.count() * view.width());
    }
    poison |= ShadowSays(1, view);
    operands.push_back(std::move(view));
  }
  return poison;
}

// The types of what the kernel makes: the results that are no views, then the
// operands that are written.
std::vector<Type> Interpretation::OutputTypesOf(const Op& op) const {
  std::vector<Type> types;
  for (int r = 0; r < function_.calls[op.call].declared_results; ++r) {
    const Type& type = function_.Get(function_.Result(op, r)).type;
    const bool is_view =
        type.storage.valid() && storages_[type.storage.value].exists();
    if (!is_view) types.push_back(type);
  }
  for (const Operand& operand : function_.OperandsOf(op)) {
    if (operand.access == Access::kRead) continue;
    types.push_back(function_.Get(operand.value()).type);
  }
  return types;
}

absl::Status Interpretation::ExecuteCall(const Op& op) {
  std::vector<View> operands;
  ASSIGN_OR_RETURN(const bool poison, ReadCallOperands(op, operands));
  std::vector<View> outputs;
  for (const Type& type : OutputTypesOf(op)) {
    ASSIGN_OR_RETURN(View output, HostTensor(function_.LayoutOf(type)));
    outputs.push_back(std::move(output));
  }
  const CallArguments arguments(function_, op, operands, outputs);
  const KernelCall call = arguments.call();
  const KernelRegistry::Kernel* kernel =
      options_.registry == nullptr ? nullptr
                                   : options_.registry->Find(call.name);
  const bool has_effects = !function_.calls[op.call].pure;
  absl::optional<uint64_t> digest;
  if (!poison && (has_effects || kernel == nullptr)) digest = DigestOf(call);
  if (has_effects) effects_.push_back({std::string(call.name), digest});
  if (kernel != nullptr && !poison) {
    RETURN_IF_ERROR((*kernel)(call));
  } else if (!poison) {
    MixCall(call, *digest);
  }
  for (View& output : outputs) {
    NoteWritten(output);
    ASSIGN_OR_RETURN(output, executor_.FromHost(output));
    if (poison) RETURN_IF_ERROR(executor_.MakePoison(output));
  }
  return FinishCall(op, outputs);
}

// Puts the outputs where they belong.
absl::Status Interpretation::FinishCall(const Op& op,
                                        absl::Span<const View> outputs) {
  size_t next = 0;
  if (function_.is_pure()) {
    for (int r = 0; r < op.results.count; ++r) {
      const View& value = outputs[next++];
      const ValueId result = function_.Result(op, r);
      values_[result.value] = value;
      NoteHeld(result.value, value.count() * value.width());
    }
    return absl::OkStatus();
  }
  for (int r = 0; r < op.results.count; ++r) {
    const ValueId result = function_.Result(op, r);
    if (storages_[function_.Get(result).type.storage.value].exists()) continue;
    ASSIGN_OR_RETURN(const View window, NewResult(result));
    RETURN_IF_ERROR(executor_.Move(window, outputs[next++]));
  }
  for (const Operand& operand : function_.OperandsOf(op)) {
    if (operand.access == Access::kRead) continue;
    ASSIGN_OR_RETURN(const View window,
                     WritableWindow(function_.Get(operand.value()).type));
    RETURN_IF_ERROR(executor_.Move(window, outputs[next++]));
  }
  return absl::OkStatus();
}

}  // namespace palimpsest
