// Ops that are no moves: elementwise ones, ones on whole operands, and calls.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_elementwise.h"
#include "analysis/proof_evaluate.h"
#include "analysis/proof_terms.h"
#include "ir/infer.h"
#include "ir/literal_text.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

bool DecidesFailure(OperandRole role) {
  return role == OperandRole::kIndex || role == OperandRole::kIndices ||
         role == OperandRole::kMask;
}

}  // namespace

std::string Evaluator::TextOfAttributes(const Op& op) const {
  std::string text;
  for (const Attribute& attribute : function_.AttributesOf(op)) {
    absl::StrAppend(&text, " ", palimpsest::TextOf(attribute.key), "=");
    if (palimpsest::TypeOf(attribute.key) == AttributeType::kLiteral) {
      AppendLiteral(text, function_.LiteralOf(op, attribute.key));
    } else {
      AppendList(text, function_.ListOf(op, attribute.key));
    }
  }
  return text;
}

Contents Evaluator::EvaluateElements(const Op& op, const Operands& operands,
                                     const Layout& result) {
  const bool is_predicate = InfoFor(op.kind).rule == InferenceRule::kPredicate;
  const DType made = is_predicate ? DType::kBool : result.dtype;
  const DType literal_dtype = LiteralDType(op, result);
  std::string label(InfoFor(op.kind).text);
  std::vector<SharedContents> owned;
  std::vector<ElementOperand> elements;
  const int count = static_cast<int>(operands.size());
  bool has_poison = false;
  for (int i = 0; i < count; ++i) {
    const Operand& operand = function_.OperandsOf(op)[i];
    const DType dtype = operand.is_value()
                            ? function_.LayoutOf(operand.value()).dtype
                            : literal_dtype;
    absl::StrAppend(&label, " ", InfoFor(dtype).text);
    owned.push_back(OperandAt(op, operands, i, dtype, result.sizes));
    elements.push_back({owned.back().get(), WidthOf(dtype)});
    has_poison |= owned.back()->defined() != owned.back()->bytes();
  }
  absl::StrAppend(&label, " -> ", InfoFor(made).text);
  // Where one operand of `where` is poison the other may be chosen.
  if (op.kind == OpKind::kWhere && has_poison) {
    return EvaluateWhole(op, operands, result);
  }
  const int64_t elements_made = ElementCount(result.sizes);
  absl::optional<Contents> contents =
      Elementwise(context_.terms.Label(label), elements_made, WidthOf(made),
                  elements, context_.terms, context_.budget);
  if (!contents) return EvaluateWhole(op, operands, result);
  if (made == result.dtype) return *std::move(contents);
  return CastOfBool(*std::move(contents), result);
}

WholeOperand Evaluator::WholeOperandAt(const Op& op, const Operands& operands,
                                       int i, DType literal_dtype) {
  const Operand& operand = function_.OperandsOf(op)[i];
  WholeOperand whole;
  switch (operand.kind) {
    case OperandKind::kValue: {
      const Layout layout = function_.LayoutOf(operand.value());
      const bool updated =
          operand.access != Access::kRead && op.kind == OpKind::kCall;
      whole.form =
          updated ? WholeOperand::Form::kUpdated : WholeOperand::Form::kValue;
      whole.dtype = layout.dtype;
      whole.sizes.assign(layout.sizes.begin(), layout.sizes.end());
      whole.contents = context_.contents.Intern(*operands[i]);
      break;
    }
    case OperandKind::kLiteral:
      whole.form = WholeOperand::Form::kLiteral;
      whole.dtype = literal_dtype;
      whole.contents = context_.contents.Intern(
          *OperandAt(op, operands, i, literal_dtype, {}));
      break;
    default:
      whole.form = WholeOperand::Form::kNone;
      break;
  }
  return whole;
}

// An index can be out of range, a masked_scatter's source too short, and poison
// is no index and no condition; what an op makes of poison is poison, though it
// has a term. It depends on the indices or the mask, and sizes.
void Evaluator::NoteFailure(const Op& op, const Operands& operands) {
  WholeOp failure;
  std::string label = absl::StrCat("failure of ", InfoFor(op.kind).text,
                                   TextOfAttributes(op), " of");
  const absl::Span<const Operand> given = function_.OperandsOf(op);
  const int count = static_cast<int>(given.size());
  for (int i = 0; i < count; ++i) {
    if (DecidesFailure(RoleOf(function_, op, i))) {
      failure.operands.push_back(WholeOperandAt(op, operands, i, DType::kU8));
    } else if (given[i].is_value()) {
      const Layout layout = function_.LayoutOf(given[i].value());
      absl::StrAppend(&label, " ",
                      palimpsest::TextOf(layout.dtype, layout.sizes));
    } else {
      label += " literal";
    }
  }
  failure.label = context_.terms.Label(label);
  const int32_t id = context_.terms.Op(std::move(failure));
  if (context_.known_ops >= 0 && id >= context_.known_ops &&
      context_.unmatched.empty()) {
    context_.unmatched = function_.TextOf(op);
  }
}

Contents Evaluator::EvaluateWhole(const Op& op, const Operands& operands,
                                  const Layout& result) {
  const DType literal_dtype = LiteralDType(op, result);
  const bool is_predicate = InfoFor(op.kind).rule == InferenceRule::kPredicate;
  const DType made = is_predicate ? DType::kBool : result.dtype;
  WholeOp whole;
  whole.label = context_.terms.Label(
      absl::StrCat(InfoFor(op.kind).text, TextOfAttributes(op), " -> ",
                   palimpsest::TextOf(made, result.sizes)));
  for (int i = 0; i < static_cast<int>(operands.size()); ++i) {
    whole.operands.push_back(WholeOperandAt(op, operands, i, literal_dtype));
  }
  Contents contents = OutputOf(std::move(whole), {made, result.sizes, {}});
  return made == result.dtype ? contents
                              : CastOfBool(std::move(contents), result);
}

Contents Evaluator::OutputOf(WholeOp whole, const Layout& made) {
  const TermId term =
      context_.terms.Output(context_.terms.Op(std::move(whole)), 0);
  return Contents::OfTerm(term, ElementCount(made.sizes) * WidthOf(made.dtype));
}

// As the op `cast` makes it.
Contents Evaluator::CastOfBool(Contents bools, const Layout& result) {
  if (context_.element_terms == ElementTerms::kPerOp) {
    WholeOp cast;
    cast.label = context_.terms.Label(
        absl::StrCat(InfoFor(OpKind::kCast).text, " -> ",
                     palimpsest::TextOf(result.dtype, result.sizes)));
    WholeOperand operand;
    operand.dtype = DType::kBool;
    operand.sizes.assign(result.sizes.begin(), result.sizes.end());
    operand.contents = context_.contents.Intern(bools);
    cast.operands.push_back(std::move(operand));
    return OutputOf(std::move(cast), result);
  }
  const int32_t label = context_.terms.Label(
      absl::StrCat("cast bool -> ", InfoFor(result.dtype).text));
  return *Elementwise(label, ElementCount(result.sizes), WidthOf(result.dtype),
                      {{&bools, 1}}, context_.terms, context_.budget);
}

int32_t Evaluator::EvaluateCall(const Op& op, const Operands& operands,
                                absl::Span<const Layout> outputs,
                                int64_t occurrence) {
  const Call& call = function_.calls[op.call];
  std::string label =
      absl::StrCat("call \"", absl::CEscape(function_.names.Text(call.name)),
                   "\"", call.pure ? " pure" : "", " {");
  for (const auto& [key, value] : call.attributes) {
    absl::StrAppend(&label, "\"", absl::CEscape(function_.names.Text(key)),
                    "\"=\"", absl::CEscape(value), "\" ");
  }
  absl::StrAppend(&label, "} ->");
  for (const Layout& output : outputs) {
    absl::StrAppend(&label, " ",
                    palimpsest::TextOf(output.dtype, output.sizes));
  }
  WholeOp whole;
  whole.label = context_.terms.Label(label);
  whole.occurrence = occurrence;
  whole.is_call = true;
  for (int i = 0; i < static_cast<int>(operands.size()); ++i) {
    whole.operands.push_back(WholeOperandAt(op, operands, i, DType::kU8));
  }
  return context_.terms.Op(std::move(whole));
}

}  // namespace proof
}  // namespace palimpsest
