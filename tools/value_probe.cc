#include "tools/value_probe.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

bool Uses(const Function& function, const Op& op, ValueId value) {
  const absl::Span<const Operand> operands = function.OperandsOf(op);
  return std::any_of(operands.begin(), operands.end(),
                     [value](const Operand& operand) {
                       return operand.is_value() && operand.value() == value;
                     });
}

bool Writes(const Function& function, const Op& op, ValueId value) {
  const absl::Span<const Operand> operands = function.OperandsOf(op);
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool written =
        operands[i].access == Access::kMut || (op.in_place() && i == 0);
    if (written && operands[i].is_value() && operands[i].value() == value) {
      return true;
    }
  }
  return false;
}

// Copies a function op by op, with ops added between them.
class Prober {
 public:
  explicit Prober(const Function& source) : source_(source) {
    Function& function = probe_.function;
    function = source;
    function.ops.clear();
    function.values.resize(function.parameters.size());
    function.returns.clear();
    for (size_t i = 0; i < function.values.size(); ++i) {
      values_.push_back(ValueId{static_cast<int32_t>(i)});
    }
  }

  void AddOp(OpId id) {
    const Op& op = source_.Get(id);
    if (op.kind == OpKind::kCopy) return AddCopy(id, op);
    AddMapped(id, op);
    if (op.kind == OpKind::kClone)
      MakeCall("clone", probe_.function.ops.back());
  }

  ValueProbe Finish(ValueId value) && {
    const ValueId result = AddClone(values_[value.value]);
    Function& function = probe_.function;
    function.returns.push_back({result, {}});
    function.blocks[0].ops = {0, static_cast<int32_t>(function.ops.size())};
    return std::move(probe_);
  }

 private:
  void Append(OpId source, const Op& op) {
    probe_.function.ops.push_back(op);
    probe_.sources.push_back(source);
  }

  // The op itself, of values by their new ids.
  void AddMapped(OpId id, Op op) {
    Function& function = probe_.function;
    const OpId added{static_cast<int32_t>(function.ops.size())};
    for (int32_t i = 0; i < op.operands.count; ++i) {
      Operand& operand = function.operands[op.operands.begin + i];
      if (operand.is_value()) operand.ref = values_[operand.ref].value;
    }
    const int32_t begin = static_cast<int32_t>(function.values.size());
    for (int32_t i = 0; i < op.results.count; ++i) {
      Value value = source_.values[op.results.begin + i];
      value.definition = added;
      values_.push_back(ValueId{begin + i});
      function.values.push_back(value);
    }
    op.results.begin = begin;
    Append(id, op);
  }

  // %temporary = call pure "copy_"(%x), then copy_ %destination, %temporary.
  void AddCopy(OpId id, const Op& op) {
    const int32_t destination = op.operands.begin;
    const int32_t from = destination + 1;
    std::vector<Operand>& operands = probe_.function.operands;
    const ValueId temporary = AddClone(values_[operands[from].ref]);
    MakeCall("copy_", probe_.function.ops.back());
    probe_.sources.back() = id;
    operands[destination].ref = values_[operands[destination].ref].value;
    operands[from].ref = temporary.value;
    Append(id, op);
  }

  void MakeCall(absl::string_view name, Op& op) {
    Function& function = probe_.function;
    Call call;
    call.name = function.names.Intern(name);
    call.pure = true;
    call.declared_results = 1;
    op.kind = OpKind::kCall;
    op.call = static_cast<int32_t>(function.calls.size());
    function.calls.push_back(std::move(call));
  }

  // Of a value by its new id, into a storage of its own.
  ValueId AddClone(ValueId value) {
    Function& function = probe_.function;
    const Layout layout = function.LayoutOf(value);
    const Dims sizes(layout.sizes.begin(), layout.sizes.end());
    const DType dtype = layout.dtype;
    const int32_t op = static_cast<int32_t>(function.ops.size());
    // No name in a text has a blank in it.
    const Name name = function.names.Intern(absl::StrCat("value of ", op));
    function.storages.push_back({name, StorageKind::kLocal, /*declared=*/false,
                                 ElementCount(sizes) * WidthOf(dtype)});
    const StorageId storage{static_cast<int32_t>(function.storages.size()) - 1};
    const ValueId result{static_cast<int32_t>(function.values.size())};
    const Type type = {function.layouts.InternRowMajor(dtype, sizes), storage,
                       0};
    function.values.push_back({type, name, OpId{op}});
    Op clone;
    clone.kind = OpKind::kClone;
    clone.operands = {static_cast<int32_t>(function.operands.size()), 1};
    clone.results = {result.value, 1};
    function.operands.push_back(Operand::Value(value));
    Append(OpId{}, clone);
    return result;
  }

  const Function& source_;
  ValueProbe probe_;
  std::vector<ValueId> values_;  // By id in the source.
};

}  // namespace

Moment LastUseOf(ValueId value, const Function& function) {
  const Moment end = {static_cast<int32_t>(function.ops.size()), "at the end"};
  for (const Return& returned : function.returns) {
    if (returned.value == value) return {end.ops, "as returned"};
  }
  for (int32_t i = end.ops - 1; i >= 0; --i) {
    const Op& op = function.ops[i];
    if (op.kind == OpKind::kView || !Uses(function, op, value)) continue;
    const std::string at =
        absl::StrCat(op.location.line, ": ", PrintOp(function, op));
    if (Writes(function, op, value)) {
      return {i + 1, absl::StrCat("after line ", at)};
    }
    return {i, absl::StrCat("as read by line ", at)};
  }
  return end;
}

ValueProbe ProbeValue(ValueId value, const Moment& moment,
                      const Function& source) {
  Prober prober(source);
  for (int32_t i = 0; i < moment.ops; ++i) prober.AddOp(OpId{i});
  return std::move(prober).Finish(value);
}

}  // namespace palimpsest
