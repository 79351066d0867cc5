#include "ir/program.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/printer.h"
#include "ir/type.h"

namespace palimpsest {

const Attribute& Function::Find(const Op& op, AttributeKey key) const {
  for (const Attribute& attribute : AttributesOf(op)) {
    if (attribute.key == key) return attribute;
  }
  PALIMPSEST_CHECK(false && "the op has no such attribute");
  return attributes.front();
}

int64_t Function::IntegerOf(const Op& op, AttributeKey key) const {
  return integers[Find(op, key).integers.begin];
}

absl::Span<const int64_t> Function::ListOf(const Op& op,
                                           AttributeKey key) const {
  const Range range = Find(op, key).integers;
  return absl::MakeConstSpan(integers).subspan(range.begin, range.count);
}

const Literal& Function::LiteralOf(const Op& op, AttributeKey key) const {
  return literals[Find(op, key).integers.begin];
}

std::string Function::TextOf(ValueId id) const {
  return absl::StrCat("%", names.Text(Get(id).name));
}

std::string Function::TextOf(StorageId id) const {
  return absl::StrCat("@", names.Text(Get(id).name));
}

std::string Function::TextOf(const Op& op) const {
  if (op.kind == OpKind::kCall) {
    return absl::StrCat("call \"", names.Text(calls[op.call].name), "\"");
  }
  return absl::StrCat(InfoFor(op.kind).text, op.in_place() ? "_" : "");
}

int32_t Function::AddLiteral(const Literal& literal) {
  literals.push_back(literal);
  return static_cast<int32_t>(literals.size()) - 1;
}

int32_t Function::AddTarget(const Type& type) {
  targets.push_back(type);
  return static_cast<int32_t>(targets.size()) - 1;
}

const Function* Program::Find(absl::string_view name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

bool SameText(const Function& a, const Function& b) {
  return PrintToString(a) == PrintToString(b);
}

std::vector<absl::InlinedVector<DType, 1>> ParameterDTypes(
    const Function& function) {
  std::vector<absl::InlinedVector<DType, 1>> dtypes(function.storages.size());
  for (const ValueId parameter : function.parameters) {
    const Type& type = function.Get(parameter).type;
    dtypes[type.storage.value].push_back(function.LayoutOf(type).dtype);
  }
  return dtypes;
}

}  // namespace palimpsest
