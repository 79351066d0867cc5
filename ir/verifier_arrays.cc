#include "ir/verifier_arrays.h"

#include <cstdint>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

template <typename Array>
bool Has(const Array& array, int32_t index) {
  return index >= 0 && static_cast<size_t>(index) < array.size();
}

template <typename Array>
bool HasRange(const Array& array, Range range) {
  return range.begin >= 0 && range.count >= 0 &&
         static_cast<int64_t>(range.begin) + range.count <=
             static_cast<int64_t>(array.size());
}

// Whether the text reads back as one name.
bool IsName(absl::string_view text) {
  return !text.empty() && absl::c_all_of(text, [](char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '.';
  });
}

// The same for the key of a call's attribute.
bool IsKey(absl::string_view text) {
  return IsName(text) && !absl::ascii_isdigit(text[0]) &&
         !absl::StrContains(text, '.');
}

class ArrayChecker {
 public:
  explicit ArrayChecker(const Function& function) : f_(function) {}

  absl::Status CheckIds() const;          // Rule 1.
  absl::Status CheckNames() const;        // Rule 2.
  absl::Status CheckDefinitions() const;  // Rule 3.
  absl::Status CheckLayouts() const;      // Rule 5.

 private:
  bool HasNameText(Name name) const {
    return name.is_number() || IsName(f_.names.Text(name));
  }

  // Whether the ids in there are in range.
  bool IdsOf(const Operand& operand) const;
  bool IdsOf(const Type& type) const;
  bool IdsOf(const Attribute& attribute) const;
  bool IdsOf(const Op& op) const;

  const Function& f_;
};

bool ArrayChecker::IdsOf(const Operand& operand) const {
  if (operand.window >= 0 &&
      (!Has(f_.windows, operand.window) ||
       !f_.layouts.Contains(f_.windows[operand.window].layout))) {
    return false;
  }
  switch (operand.kind) {
    case OperandKind::kValue:
      return Has(f_.values, operand.ref);
    case OperandKind::kLiteral:
      return Has(f_.literals, operand.ref);
    case OperandKind::kStorage:
      return Has(f_.storages, operand.ref);
    case OperandKind::kNone:
      return true;
  }
  return false;
}

bool ArrayChecker::IdsOf(const Type& type) const {
  return f_.layouts.Contains(type.layout) &&
         (!type.storage.valid() || Has(f_.storages, type.storage.value));
}

bool ArrayChecker::IdsOf(const Attribute& attribute) const {
  if (TypeOf(attribute.key) == AttributeType::kLiteral) {
    return Has(f_.literals, attribute.integers.begin);
  }
  const bool one = TypeOf(attribute.key) != AttributeType::kList;
  return HasRange(f_.integers, attribute.integers) &&
         (!one || attribute.integers.count == 1);
}

bool ArrayChecker::IdsOf(const Op& op) const {
  const bool ranges = HasRange(f_.operands, op.operands) &&
                      HasRange(f_.values, op.results) &&
                      HasRange(f_.attributes, op.attributes) &&
                      HasRange(f_.sources, op.sources);
  const bool call = op.kind == OpKind::kCall;
  if (!ranges || (op.call >= 0) != call) return false;
  if (call &&
      (!Has(f_.calls, op.call) || !f_.names.Contains(f_.calls[op.call].name))) {
    return false;
  }
  if (op.target >= 0 &&
      (!Has(f_.targets, op.target) || !IdsOf(f_.targets[op.target]))) {
    return false;
  }
  for (const Operand& operand : f_.OperandsOf(op)) {
    if (!IdsOf(operand)) return false;
  }
  for (const Attribute& attribute : f_.AttributesOf(op)) {
    if (!IdsOf(attribute)) return false;
  }
  return true;
}

absl::Status ArrayChecker::CheckIds() const {
  for (ValueId id : f_.parameters) {
    if (!Has(f_.values, id.value)) return BrokenRule(1, "a parameter");
  }
  for (const Value& value : f_.values) {
    if (!IdsOf(value.type) || !f_.names.Contains(value.name)) {
      return BrokenRule(1, "value ", &value - f_.values.data());
    }
  }
  for (const Op& op : f_.ops) {
    if (!IdsOf(op)) {
      return BrokenRule(1, "op ", &op - f_.ops.data(), ", `",
                        InfoFor(op.kind).text, "`");
    }
  }
  for (const Return& result : f_.returns) {
    if (result.value.valid() ? !Has(f_.values, result.value.value)
                             : !IdsOf(result.window)) {
      return BrokenRule(1, "a return");
    }
  }
  return absl::OkStatus();
}

absl::Status ArrayChecker::CheckNames() const {
  absl::flat_hash_set<Name> names;
  names.reserve(f_.values.size());
  for (const Value& value : f_.values) {
    if (!HasNameText(value.name)) {
      return BrokenRule(2, "%", f_.names.Text(value.name), " is no name");
    }
    if (!names.insert(value.name).second) {
      return BrokenRule(2, "two values are named %", f_.names.Text(value.name));
    }
  }
  names.clear();
  for (const Storage& storage : f_.storages) {
    if (!f_.names.Contains(storage.name)) {
      return BrokenRule(2, "a storage has no name");
    }
    if (!HasNameText(storage.name)) {
      return BrokenRule(2, "@", f_.names.Text(storage.name), " is no name");
    }
    if (!names.insert(storage.name).second) {
      return BrokenRule(2, "two storages are named @",
                        f_.names.Text(storage.name));
    }
  }
  for (const Call& call : f_.calls) {
    for (const auto& [key, value] : call.attributes) {
      if (!f_.names.Contains(key) || !IsKey(f_.names.Text(key))) {
        return BrokenRule(2, "an attribute of a call has no word for its key");
      }
    }
  }
  if (!IsName(f_.name)) return BrokenRule(2, "@", f_.name, " is no name");
  return absl::OkStatus();
}

absl::Status ArrayChecker::CheckDefinitions() const {
  const int32_t parameters = static_cast<int32_t>(f_.parameters.size());
  for (int32_t i = 0; i < parameters; ++i) {
    if (f_.parameters[i].value != i || f_.values[i].definition.valid()) {
      return BrokenRule(3, "parameter ", i, " must be value ", i,
                        ", without an op");
    }
  }
  int32_t next = parameters;
  for (const Op& op : f_.ops) {
    if (op.results.count > 0 && op.results.begin != next) {
      return BrokenRule(3, DescribeOp(f_, op), ": its first result must be ",
                        "value ", next);
    }
    for (int32_t i = 0; i < op.results.count; ++i, ++next) {
      if (f_.values[next].definition.value != &op - f_.ops.data()) {
        return BrokenRule(3, DescribeOp(f_, op), ": its result ",
                          f_.TextOf(ValueId{next}), " names another op");
      }
    }
  }
  if (next != static_cast<int32_t>(f_.values.size())) {
    return BrokenRule(3, "value ", next, " is no op's result");
  }
  const bool one_block =
      f_.blocks.size() == 1 && f_.blocks[0].ops.begin == 0 &&
      f_.blocks[0].ops.count == static_cast<int32_t>(f_.ops.size()) &&
      f_.blocks[0].parameters.begin == 0 &&
      f_.blocks[0].parameters.count == parameters;
  if (!one_block) {
    return BrokenRule(3, "block 0 must hold all parameters and ops");
  }
  return absl::OkStatus();
}

absl::Status ArrayChecker::CheckLayouts() const {
  for (int32_t i = 0; i < f_.layouts.size(); ++i) {
    const Layout layout = f_.layouts.Get(LayoutId{i});
    const absl::Status fits = CheckSizes(layout.dtype, layout.sizes);
    if (!fits.ok()) {
      return BrokenRule(5, "layout ", i, ": ", fits.message());
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string DescribeOp(const Function& function, const Op& op) {
  return absl::StrCat("op ", &op - function.ops.data(), ", `",
                      function.TextOf(op), "`");
}

absl::Status CheckArrays(const Function& function) {
  const ArrayChecker checker(function);
  RETURN_IF_ERROR(checker.CheckIds());
  RETURN_IF_ERROR(checker.CheckNames());
  RETURN_IF_ERROR(checker.CheckDefinitions());
  return checker.CheckLayouts();
}

}  // namespace palimpsest
