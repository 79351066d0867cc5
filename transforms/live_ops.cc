// One backward walk keeps the storages that somebody reads from here on. None
// is ever taken out: a write to all of a storage hides nothing.

#include "transforms/live_ops.h"

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

std::vector<bool> FindLiveOps(const Function& function) {
  std::vector<bool> seen(function.storages.size(), false);  // From here on.
  const auto storage_of = [&](ValueId value) {
    return function.Get(value).type.storage.value;
  };
  for (ValueId parameter : function.parameters) {
    seen[storage_of(parameter)] = true;
  }
  for (const Return& item : function.returns) {
    seen[storage_of(item.value)] = true;
  }
  std::vector<bool> live(function.ops.size(), false);
  for (size_t i = function.ops.size(); i-- > 0;) {
    const Op& op = function.ops[i];
    bool is_live = op.kind == OpKind::kCall && !function.calls[op.call].pure;
    for (int32_t j = 0; j < op.results.count; ++j) {
      is_live = is_live || seen[storage_of(function.Result(op, j))];
    }
    const auto operands = function.OperandsOf(op);
    for (size_t j = 0; j < operands.size(); ++j) {
      const bool is_written =
          operands[j].access == Access::kMut || (op.in_place() && j == 0);
      is_live =
          is_live || (is_written && seen[storage_of(operands[j].value())]);
    }
    live[i] = is_live;
    if (!is_live || op.kind == OpKind::kView) continue;
    for (const Operand& operand : operands) {
      if (operand.is_value()) seen[storage_of(operand.value())] = true;
    }
  }
  return live;
}

}  // namespace palimpsest
