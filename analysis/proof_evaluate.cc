// Moves, and ops that make bytes from nothing.

#include "analysis/proof_evaluate.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_elementwise.h"
#include "analysis/proof_literal.h"
#include "analysis/proof_route.h"
#include "analysis/proof_terms.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

int64_t BytesOf(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

// The shortest string that `element` is a repetition of.
absl::string_view PeriodOf(absl::string_view element) {
  size_t length = element.size();
  while (length % 2 == 0 && element.substr(0, length / 2) ==
                                element.substr(length / 2, length / 2)) {
    length /= 2;
  }
  return element.substr(0, length);
}

}  // namespace

// All bytes are repetitions of one element.
Contents Evaluator::Filled(absl::string_view element, int64_t bytes) {
  Contents contents(bytes);
  if (bytes == 0) return contents;
  const absl::string_view period = PeriodOf(element);
  const int64_t length = static_cast<int64_t>(period.size());
  Box box(2, context_.terms.Literal(period));
  box.AddRow(bytes / length, {length, 0});
  box.AddRow(length, {1, 1});
  box.Normalize();
  contents.Add(std::move(box));
  return contents;
}

Contents Evaluator::Broadcast(const Contents& from, const Layout& of,
                              absl::Span<const int64_t> sizes) {
  if (of.sizes == sizes) return from;
  const Dims row_major = RowMajorStrides(of.sizes);
  Dims strides(sizes.size(), 0);
  const size_t skipped = sizes.size() - of.sizes.size();
  for (size_t i = 0; i < of.sizes.size(); ++i) {
    if (of.sizes[i] != 1) strides[skipped + i] = row_major[i];
  }
  return from.Read({of.dtype, sizes, strides}, 0, context_.budget);
}

// The dtype that the op's literals have: that of its data.
DType Evaluator::LiteralDType(const Op& op, const Layout& result) const {
  if (op.in_place()) {
    return function_.LayoutOf(function_.OperandsOf(op)[0].value()).dtype;
  }
  const absl::Span<const Operand> operands = function_.OperandsOf(op);
  for (size_t i = op.kind == OpKind::kWhere ? 1 : 0; i < operands.size(); ++i) {
    if (operands[i].is_value()) {
      return function_.LayoutOf(operands[i].value()).dtype;
    }
  }
  return result.dtype;
}

// Operand `i`, a value or a literal, broadcast to these sizes.
SharedContents Evaluator::OperandAt(const Op& op, const Operands& operands,
                                    int i, DType dtype,
                                    absl::Span<const int64_t> sizes) {
  const Operand& operand = function_.OperandsOf(op)[i];
  if (!operand.is_value()) {
    return std::make_shared<Contents>(
        Filled(BytesOfLiteral(function_.literals[operand.ref], dtype),
               ElementCount(sizes) * WidthOf(dtype)));
  }
  const Layout layout = function_.LayoutOf(operand.value());
  if (layout.sizes == sizes) return operands[i];
  return std::make_shared<Contents>(Broadcast(*operands[i], layout, sizes));
}

Contents Evaluator::Evaluate(const Op& op, const Operands& operands,
                             const Layout& result) {
  switch (op.kind) {
    case OpKind::kEmpty:
      return Contents(BytesOf(result));
    case OpKind::kFull:
    case OpKind::kFill:
      return Full(op, operands, result);
    case OpKind::kConstant:
      return Literals(op, result);
    case OpKind::kIota:
      return Iota(op, result);
    case OpKind::kClone:
      return *operands[0];
    case OpKind::kCopy:
      return *OperandAt(op, operands, 1, result.dtype, result.sizes);
    case OpKind::kCat:
      return Cat(op, operands, result);
    case OpKind::kFlip:
      return Flip(op, operands, result);
    case OpKind::kAssemble:
      return Assemble(op, operands, result);
    case OpKind::kExtract: {
      const BufferWindow& window =
          function_.windows[function_.OperandsOf(op)[0].window];
      return operands[0]->Read(function_.layouts.Get(window.layout),
                               window.offset, context_.budget);
    }
    default:
      break;
  }
  const KernelFamily family = InfoFor(op.kind).family;
  if (family == KernelFamily::kIndex || op.kind == OpKind::kWhere) {
    NoteFailure(op, operands);
  }
  if (family != KernelFamily::kElementwise) {
    return EvaluateWhole(op, operands, result);
  }
  context_.has_elementwise_ops = true;
  return context_.element_terms == ElementTerms::kPerBox
             ? EvaluateElements(op, operands, result)
             : EvaluateWhole(op, operands, result);
}

Contents Evaluator::Full(const Op& op, const Operands& operands,
                         const Layout& result) {
  const int value = op.kind == OpKind::kFill ? 1 : 0;
  SharedContents filled =
      OperandAt(op, operands, value, result.dtype, result.sizes);
  if (result.dtype != DType::kBool ||
      !function_.OperandsOf(op)[value].is_value()) {
    return *filled;
  }
  // No move: it reads its value as byte != 0.
  return *Elementwise(context_.terms.Label("full bool"),
                      ElementCount(result.sizes), 1, {{filled.get(), 1}},
                      context_.terms, context_.budget);
}

Contents Evaluator::Literals(const Op& op, const Layout& result) {
  std::string bytes;
  std::string first;
  bool alike = true;
  for (const Operand& operand : function_.OperandsOf(op)) {
    const std::string element =
        BytesOfLiteral(function_.literals[operand.ref], result.dtype);
    if (bytes.empty()) first = element;
    alike &= element == first;
    bytes += element;
  }
  if (alike && !bytes.empty()) return Filled(first, BytesOf(result));
  return Contents::OfTerm(context_.terms.Literal(bytes), BytesOf(result));
}

Contents Evaluator::Iota(const Op& op, const Layout& result) {
  WholeOp whole;
  whole.label = context_.terms.Label(absl::StrCat(
      "iota", TextOfAttributes(op), " ", InfoFor(result.dtype).text));
  return Contents::OfTerm(
      context_.terms.Output(context_.terms.Op(std::move(whole)), 0),
      BytesOf(result));
}

Contents Evaluator::Cat(const Op& op, const Operands& operands,
                        const Layout& result) {
  const int64_t dim = function_.IntegerOf(op, AttributeKey::kDim);
  const Dims strides = RowMajorStrides(result.sizes);
  Contents contents(BytesOf(result));
  int64_t at = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Layout layout =
        function_.LayoutOf(function_.OperandsOf(op)[i].value());
    contents.Write(*operands[i],
                   RouteOfWrite({result.dtype, layout.sizes, strides},
                                at * strides[dim], context_.budget),
                   context_.budget);
    at += layout.sizes[dim];
  }
  contents.SortBoxes();
  return contents;
}

Contents Evaluator::Flip(const Op& op, const Operands& operands,
                         const Layout& result) {
  Dims strides = RowMajorStrides(result.sizes);
  int64_t offset = 0;
  for (int64_t dim : function_.ListOf(op, AttributeKey::kDims)) {
    if (result.sizes.empty() || result.sizes[dim] == 0) continue;
    offset += (result.sizes[dim] - 1) * strides[dim];
    strides[dim] *= -1;
  }
  return operands[0]->Read({result.dtype, result.sizes, strides}, offset,
                           context_.budget);
}

Contents Evaluator::Assemble(const Op& op, const Operands& operands,
                             const Layout& result) {
  const absl::Span<const Operand> given = function_.OperandsOf(op);
  const bool has_base = given[0].window < 0;
  Contents contents = has_base ? *operands[0] : Contents(BytesOf(result));
  for (size_t i = has_base ? 1 : 0; i < given.size(); ++i) {
    const BufferWindow& window = function_.windows[given[i].window];
    contents.Write(*operands[i],
                   RouteOfWrite(function_.layouts.Get(window.layout),
                                window.offset, context_.budget),
                   context_.budget);
  }
  contents.SortBoxes();
  return contents;
}

}  // namespace proof
}  // namespace palimpsest
