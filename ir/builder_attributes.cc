// Windows and attributes of statements, in their canonical form.

#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/fault.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/view_sugar.h"

namespace palimpsest {
namespace {

int32_t SizeOf(size_t size) { return static_cast<int32_t>(size); }

// What an attribute is where the text leaves it out; nullopt where it may not.
absl::optional<AttributeDraft> DefaultOf(AttributeKey key, InferenceRule rule) {
  switch (key) {
    case AttributeKey::kKeepDim:
    case AttributeKey::kAccumulate:
      return AttributeDraft{key, {0}, {}};
    case AttributeKey::kStart:
      return AttributeDraft::Start(Literal::Integer(0));
    case AttributeKey::kStep:
      return AttributeDraft::Step(Literal::Integer(1));
    case AttributeKey::kDims:
      if (rule == InferenceRule::kReduce) return AttributeDraft::DimList({});
      return absl::nullopt;
    case AttributeKey::kDim:
      return absl::nullopt;
  }
  return absl::nullopt;
}

}  // namespace

absl::Status FunctionBuilder::AddWindows(const OpDraft& draft, Op& op) {
  if (draft.windows.empty()) return absl::OkStatus();
  for (int i = 0; i < op.operands.count; ++i) {
    Operand& operand = function_.operands[op.operands.begin + i];
    if (operand.window < 0) continue;
    const WindowDraft& window = draft.windows[operand.window];
    if (op.kind != OpKind::kAssemble && draft.types.empty()) {
      return Fault({}, "extract needs a declared type, ` : f32[2,3]`");
    }
    const Layout shape = op.kind == OpKind::kAssemble
                             ? function_.LayoutOf(operand.value())
                             : ShapeOf(draft.types[0]);
    TypeDraft type;
    type.dtype = shape.dtype;
    type.sizes.assign(shape.sizes.begin(), shape.sizes.end());
    type.strides = window.strides;
    ASSIGN_OR_RETURN(const LayoutId layout,
                     InternLayout(type, {Place::Part::kWindow, i}));
    operand.window = SizeOf(function_.windows.size());
    function_.windows.push_back({layout, window.offset});
  }
  return absl::OkStatus();
}

absl::Status FunctionBuilder::AddAttributes(const OpDraft& draft, Op& op) {
  const OpInfo& info = InfoFor(op.kind);
  for (const AttributeDraft& attribute : draft.attributes) {
    if (!absl::c_linear_search(info.attributes, attribute.key)) {
      return Fault(Place::Attribute(attribute.key),
                   absl::StrCat(info.text, " has no attribute `",
                                TextOf(attribute.key), "`"));
    }
  }
  op.attributes = {SizeOf(function_.attributes.size()),
                   SizeOf(info.attributes.size())};
  for (AttributeKey key : info.attributes) {
    RETURN_IF_ERROR(AddAttribute(draft, op, key));
  }
  return absl::OkStatus();
}

absl::Status FunctionBuilder::AddAttribute(const OpDraft& draft, const Op& op,
                                           AttributeKey key) {
  const OpInfo& info = InfoFor(op.kind);
  const auto given = absl::c_find_if(
      draft.attributes,
      [key](const AttributeDraft& attribute) { return attribute.key == key; });
  absl::optional<AttributeDraft> left_out;
  if (given == draft.attributes.end()) {
    left_out = DefaultOf(key, info.rule);
    if (!left_out) {
      return Fault({}, absl::StrCat(function_.TextOf(op), " needs `",
                                    TextOf(key), "=`"));
    }
  }
  const AttributeDraft& attribute = left_out ? *left_out : *given;
  if (TypeOf(key) == AttributeType::kLiteral) {
    function_.attributes.push_back(
        {key, {function_.AddLiteral(attribute.literal), 1}});
    return absl::OkStatus();
  }
  const int32_t begin = SizeOf(function_.integers.size());
  const absl::Status status = AddIntegers(op, attribute);
  if (!status.ok()) return FaultAt(Place::Attribute(key), status);
  function_.attributes.push_back(
      {key, {begin, SizeOf(function_.integers.size()) - begin}});
  return absl::OkStatus();
}

// In canonical form: dimensions counted from the front, lists of them sorted,
// an empty list of a reduction's spelt out.
absl::Status FunctionBuilder::AddIntegers(const Op& op,
                                          const AttributeDraft& attribute) {
  const AttributeType type = TypeOf(attribute.key);
  std::vector<int64_t>& integers = function_.integers;
  if (type != AttributeType::kList && attribute.integers.size() != 1) {
    return absl::InvalidArgumentError("one number is wanted, not a list");
  }
  if (type == AttributeType::kBoolean) {
    integers.push_back(attribute.integers[0]);
    return absl::OkStatus();
  }
  const int64_t rank =
      function_.LayoutOf(function_.OperandsOf(op)[0].value()).rank();
  if (type == AttributeType::kInteger) {
    ASSIGN_OR_RETURN(const int64_t dim,
                     CanonicalDim(attribute.integers[0], rank));
    integers.push_back(dim);
    return absl::OkStatus();
  }
  const bool all = attribute.integers.empty() &&
                   InfoFor(op.kind).rule == InferenceRule::kReduce;
  if (all) {
    for (int64_t dim = 0; dim < rank; ++dim) integers.push_back(dim);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const Dims dims, CanonicalDims(attribute.integers, rank));
  integers.insert(integers.end(), dims.begin(), dims.end());
  return absl::OkStatus();
}

}  // namespace palimpsest
