#include "transforms/eliminate_dead.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

bool HasEffect(const Function& function, const Op& op) {
  if (op.kind == OpKind::kCall) return !function.calls[op.call].pure;
  return op.kind == OpKind::kCommit || op.kind == OpKind::kBind;
}

// By OpId: one backward walk, since values are defined before they are used.
std::vector<bool> FindNeededOps(const Function& function) {
  std::vector<bool> live(function.ops.size(), false);
  auto use = [&](ValueId value) {
    const OpId definition = function.Get(value).definition;
    if (definition.valid()) live[definition.value] = true;
  };
  for (const Return& item : function.returns) {
    if (item.value.valid()) use(item.value);
  }
  for (size_t i = function.ops.size(); i-- > 0;) {
    const Op& op = function.ops[i];
    if (HasEffect(function, op)) live[i] = true;
    if (!live[i]) continue;
    for (const Operand& operand : function.OperandsOf(op)) {
      if (operand.is_value()) use(operand.value());
    }
  }
  return live;
}

}  // namespace

// Ops and values move towards the front of their arrays: what is kept is never
// more than what was looked at.
Function EliminateDead(Function function) {
  PALIMPSEST_CHECK(function.is_pure());
  const std::vector<bool> live = FindNeededOps(function);
  std::vector<ValueId> renamed(function.values.size());
  std::vector<Operand> operands;
  operands.reserve(function.operands.size());
  int32_t values = static_cast<int32_t>(function.parameters.size());
  for (ValueId parameter : function.parameters) {
    renamed[parameter.value] = parameter;  // The first values.
  }
  int32_t ops = 0;
  for (size_t i = 0; i < function.ops.size(); ++i) {
    if (!live[i]) continue;
    Op op = function.ops[i];
    const int32_t first_operand = static_cast<int32_t>(operands.size());
    for (Operand operand : function.OperandsOf(op)) {
      if (operand.is_value()) operand.ref = renamed[operand.ref].value;
      operands.push_back(operand);
    }
    op.operands.begin = first_operand;
    for (int j = 0; j < op.results.count; ++j) {
      const ValueId result = function.Result(op, j);
      renamed[result.value] = {values + j};
      function.values[values + j] = function.Get(result);
      function.values[values + j].definition = {ops};
    }
    op.results.begin = values;
    values += op.results.count;
    function.ops[ops++] = op;
  }
  for (Return& item : function.returns) {
    if (item.value.valid()) item.value = renamed[item.value.value];
  }
  function.values.resize(values);
  function.ops.resize(ops);
  function.operands = std::move(operands);
  function.blocks[0].ops = {0, ops};
  return function;
}

void NumberValues(Function& function) {
  absl::flat_hash_set<Name> taken;
  for (ValueId parameter : function.parameters) {
    taken.insert(function.Get(parameter).name);
  }
  int32_t number = 0;
  for (Value& value : function.values) {
    if (!value.definition.valid()) continue;
    do {
      ++number;
    } while (taken.contains(Name::Number(number)));
    value.name = Name::Number(number);
  }
}

}  // namespace palimpsest
