// Windows and attributes of statements, in their canonical form.

#include <cstdint>

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
  for (int i = 0; i < op.operands.count; ++i) {
    Operand& operand = function_.operands[op.operands.begin + i];
    if (operand.window < 0) continue;
    const WindowDraft& window = draft.windows[operand.window];
    TypeDraft type;
    type.strides = window.strides;
    if (op.kind == OpKind::kAssemble) {
      const Layout piece = function_.LayoutOf(operand.value());
      type.dtype = piece.dtype;
      type.sizes.assign(piece.sizes.begin(), piece.sizes.end());
    } else if (!draft.types.empty()) {
      type.dtype = draft.types[0].dtype;
      type.sizes = draft.types[0].sizes;
    } else {
      return Fault({}, "extract needs a declared type, ` : f32[2,3]`");
    }
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
  AttributeDraft attribute;
  if (given != draft.attributes.end()) {
    attribute = *given;
  } else if (auto left_out = DefaultOf(key, info.rule)) {
    attribute = *left_out;
  } else {
    return Fault(
        {}, absl::StrCat(function_.TextOf(op), " needs `", TextOf(key), "=`"));
  }
  if (TypeOf(key) == AttributeType::kLiteral) {
    function_.attributes.push_back(
        {key, {function_.AddLiteral(attribute.literal), 1}});
    return absl::OkStatus();
  }
  const absl::StatusOr<Dims> integers = AttributeIntegers(op, attribute);
  if (!integers.ok()) {
    return FaultAt(Place::Attribute(key), integers.status());
  }
  function_.attributes.push_back(
      {key, {SizeOf(function_.integers.size()), SizeOf(integers->size())}});
  absl::c_copy(*integers, std::back_inserter(function_.integers));
  return absl::OkStatus();
}

// The canonical form: dimensions counted from the front, lists of them sorted,
// an empty list of a reduction's spelt out.
absl::StatusOr<Dims> FunctionBuilder::AttributeIntegers(
    const Op& op, const AttributeDraft& attribute) const {
  const AttributeType type = TypeOf(attribute.key);
  if (type != AttributeType::kList && attribute.integers.size() != 1) {
    return absl::InvalidArgumentError("one number is wanted, not a list");
  }
  if (type == AttributeType::kBoolean) return attribute.integers;
  const int64_t rank =
      function_.LayoutOf(function_.OperandsOf(op)[0].value()).rank();
  if (type == AttributeType::kInteger) {
    ASSIGN_OR_RETURN(const int64_t dim,
                     CanonicalDim(attribute.integers[0], rank));
    return Dims{dim};
  }
  const bool all = attribute.integers.empty() &&
                   InfoFor(op.kind).rule == InferenceRule::kReduce;
  if (!all) return CanonicalDims(attribute.integers, rank);
  Dims dims(rank);
  for (int64_t i = 0; i < rank; ++i) dims[i] = i;
  return dims;
}

}  // namespace palimpsest
