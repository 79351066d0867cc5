#include "transforms/eliminate_dead.h"

#include <algorithm>
#include <cstdint>
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

// Where the run of the last op before `end` that has any ends. (An empty run
// may begin anywhere.)
int32_t EndBefore(const Function& function, int32_t end, Range Op::*run) {
  for (int32_t i = end; i-- > 0;) {
    const Range& range = function.ops[i].*run;
    if (range.count > 0) return range.begin + range.count;
  }
  return 0;
}

// Moves ops, and their operands and results, to where those before them end.
class Mover {
 public:
  // The ops before `first` stay where they are.
  Mover(Function& function, int32_t first)
      : function_(function),
        first_value_(
            std::max(EndBefore(function, first, &Op::results),
                     static_cast<int32_t>(function.parameters.size()))),
        values_(first_value_),
        operands_(EndBefore(function, first, &Op::operands)),
        renamed_(function.values.size() - first_value_) {}

  void Move(Op op, OpId id) {
    const Range operands = op.operands;
    PALIMPSEST_CHECK(operands.count == 0 || operands_ <= operands.begin);
    op.operands.begin = operands_;
    for (int32_t i = 0; i < operands.count; ++i) {
      Operand operand = function_.operands[operands.begin + i];
      if (operand.is_value()) operand.ref = Renamed(operand.value()).value;
      function_.operands[operands_++] = operand;
    }
    const Range results = op.results;
    PALIMPSEST_CHECK(results.count == 0 || values_ <= results.begin);
    op.results.begin = values_;
    for (int32_t i = 0; i < results.count; ++i) {
      const int32_t result = results.begin + i;
      renamed_[result - first_value_] = {values_};
      Value& value = function_.values[values_++];
      value = function_.values[result];
      value.definition = id;
    }
    function_.ops[id.value] = op;
  }

  void Finish() {
    for (Return& item : function_.returns) {
      if (item.value.valid()) item.value = Renamed(item.value);
    }
    function_.values.resize(values_);
    function_.operands.resize(operands_);
  }

 private:
  ValueId Renamed(ValueId value) const {
    return value.value < first_value_ ? value
                                      : renamed_[value.value - first_value_];
  }

  Function& function_;
  const int32_t first_value_;
  int32_t values_;
  int32_t operands_;
  std::vector<ValueId> renamed_;  // From first_value_ on.
};

}  // namespace

// What is kept moves towards the front of its array, which is right while that
// is never past what is still to be looked at. Before the first dead op nothing
// moves.
Function EliminateDead(Function function) {
  PALIMPSEST_CHECK(function.is_pure());
  const std::vector<bool> live = FindNeededOps(function);
  const auto dead = std::find(live.begin(), live.end(), false);
  auto ops = static_cast<int32_t>(dead - live.begin());
  if (dead != live.end()) {
    Mover mover(function, ops);
    for (size_t i = ops; i < live.size(); ++i) {
      if (live[i]) mover.Move(function.ops[i], OpId{ops++});
    }
    mover.Finish();
    function.ops.resize(ops);
  }
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
