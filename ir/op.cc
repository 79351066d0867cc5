#include "ir/op.h"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/check.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

struct AttributeInfo {
  absl::string_view text;
  AttributeType type;
};

constexpr AttributeInfo kAttributes[] = {
    {"dim", AttributeType::kInteger},
    {"dims", AttributeType::kList},
    {"keepdim", AttributeType::kBoolean},
    {"accumulate", AttributeType::kBoolean},
    {"start", AttributeType::kLiteral},
    {"step", AttributeType::kLiteral},
};

AttributeKey AttributeKeyFromText(absl::string_view text) {
  for (size_t i = 0; i < std::size(kAttributes); ++i) {
    if (kAttributes[i].text == text) return static_cast<AttributeKey>(i);
  }
  PALIMPSEST_CHECK(false && "ops.def names an unknown attribute");
  return AttributeKey::kDim;
}

// In the order of OperandRole.
constexpr absl::string_view kRoles[] = {
    "tensor",  "operand",  "scalar", "index",  "indices", "mask",
    "tensors", "literals", "window", "pieces", "storage"};

OperandRole RoleFromText(absl::string_view text) {
  for (size_t i = 0; i < std::size(kRoles); ++i) {
    if (kRoles[i] == text) return static_cast<OperandRole>(i);
  }
  PALIMPSEST_CHECK(false && "ops.def names an unknown role");
  return OperandRole::kTensor;
}

// A row as ops.def has it.
struct Row {
  OpKind kind;
  absl::string_view text;
  OpForms forms;
  absl::string_view operands;
  absl::string_view attributes;
  InferenceRule rule;
  absl::string_view classes;
  KernelFamily family;
};

constexpr Row kRows[] = {
#define PALIMPSEST_OP(enumerator, text, forms, operands, attributes, rule,  \
                      classes, family)                                      \
  {OpKind::enumerator,  text,    OpForms::forms,      operands, attributes, \
   InferenceRule::rule, classes, KernelFamily::family},
#include "ir/ops.def"
#undef PALIMPSEST_OP
};

char LetterOf(DTypeClass dtype_class) {
  switch (dtype_class) {
    case DTypeClass::kFloat:
      return 'f';
    case DTypeClass::kFloat8:
      return '8';
    case DTypeClass::kInteger:
      return 'i';
    case DTypeClass::kBool:
      return 'b';
    case DTypeClass::kComplex:
      return 'c';
  }
  return '?';
}

uint32_t DTypesOf(absl::string_view classes) {
  uint32_t dtypes = 0;
  for (DType dtype : AllDTypes()) {
    const char letter = LetterOf(InfoFor(dtype).dtype_class);
    if (absl::StrContains(classes, letter)) {
      dtypes |= uint32_t{1} << static_cast<int>(dtype);
    }
  }
  return dtypes;
}

OpInfo InfoFromRow(const Row& row) {
  OpInfo info;
  info.kind = row.kind;
  info.text = row.text;
  info.forms = row.forms;
  for (absl::string_view word :
       absl::StrSplit(row.operands, ' ', absl::SkipEmpty())) {
    const size_t colon = word.find(':');
    info.operands.push_back(
        {word.substr(0, colon), RoleFromText(word.substr(colon + 1))});
    if (IsList(info.operands.back().role)) {
      info.list = static_cast<int>(info.operands.size()) - 1;
    }
  }
  for (absl::string_view word :
       absl::StrSplit(row.attributes, ' ', absl::SkipEmpty())) {
    info.attributes.push_back(AttributeKeyFromText(word));
  }
  info.rule = row.rule;
  info.classes = row.classes;
  info.family = row.family;
  info.dtypes = DTypesOf(row.classes);
  return info;
}

const std::vector<OpInfo>& Table() {
  static const std::vector<OpInfo>& table = *[] {
    auto* infos = new std::vector<OpInfo>;
    for (const Row& row : kRows) infos->push_back(InfoFromRow(row));
    return infos;
  }();
  return table;
}

// NaN equals NaN, and 0.0 differs from -0.0.
bool SameDouble(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

absl::string_view TextOf(AttributeKey key) {
  return kAttributes[static_cast<int>(key)].text;
}

AttributeType TypeOf(AttributeKey key) {
  return kAttributes[static_cast<int>(key)].type;
}

bool HasBrackets(OperandRole role) {
  return role == OperandRole::kIndices || role == OperandRole::kTensors ||
         role == OperandRole::kLiterals;
}

bool IsList(OperandRole role) {
  return HasBrackets(role) || role == OperandRole::kPieces;
}

absl::Span<const OpInfo> AllOps() { return Table(); }

absl::optional<OpKind> OpKindFromText(absl::string_view text) {
  static const auto& kinds = *[] {
    auto* map = new absl::flat_hash_map<absl::string_view, OpKind>;
    for (const OpInfo& info : Table()) map->emplace(info.text, info.kind);
    return map;
  }();
  const auto found = kinds.find(text);
  if (found == kinds.end()) return absl::nullopt;
  return found->second;
}

Literal Literal::Integer(int64_t value) {
  Literal literal;
  literal.kind = Kind::kInteger;
  literal.integer = value;
  return literal;
}

Literal Literal::Unsigned(uint64_t value) {
  Literal literal = Integer(static_cast<int64_t>(value));
  if (literal.integer < 0) literal.kind = Kind::kUnsigned;
  return literal;
}

Literal Literal::Float(double value) {
  Literal literal;
  literal.kind = Kind::kFloat;
  literal.real = value;
  return literal;
}

Literal Literal::Boolean(bool value) {
  Literal literal;
  literal.kind = Kind::kBoolean;
  literal.integer = value ? 1 : 0;
  return literal;
}

Literal Literal::Complex(double real, double imaginary) {
  Literal literal;
  literal.kind = Kind::kComplex;
  literal.real = real;
  literal.imaginary = imaginary;
  return literal;
}

bool operator==(const Literal& a, const Literal& b) {
  return a.kind == b.kind && a.integer == b.integer &&
         SameDouble(a.real, b.real) && SameDouble(a.imaginary, b.imaginary);
}

}  // namespace palimpsest
