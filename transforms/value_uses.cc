#include "transforms/value_uses.h"

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

template <typename Visit>
void ForEachUse(const Function& function, OpId returned, Visit visit) {
  for (size_t i = 0; i < function.ops.size(); ++i) {
    const OpId id{static_cast<int32_t>(i)};
    const absl::Span<const Operand> operands =
        function.OperandsOf(function.Get(id));
    for (size_t j = 0; j < operands.size(); ++j) {
      if (!operands[j].is_value()) continue;
      visit(operands[j].value(), ValueUse{id, static_cast<int32_t>(j)});
    }
  }
  for (size_t i = 0; i < function.returns.size(); ++i) {
    const ValueId value = function.returns[i].value;
    if (!value.valid()) continue;
    visit(value, ValueUse{returned, static_cast<int32_t>(i)});
  }
}

}  // namespace

ValueUses::ValueUses(const Function& function)
    : returned_{static_cast<int32_t>(function.ops.size())},
      begins_(function.values.size() + 1, 0) {
  ForEachUse(function, returned_,
             [&](ValueId value, ValueUse) { ++begins_[value.value + 1]; });
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  uses_.resize(begins_.back());
  std::vector<int32_t> next(begins_.begin(), begins_.end() - 1);
  ForEachUse(function, returned_, [&](ValueId value, ValueUse use) {
    uses_[next[value.value]++] = use;
  });
}

}  // namespace palimpsest
