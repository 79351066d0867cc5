// Elementwise ops in both forms, copies and fills.

#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/op.h"
#include "ir/type.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_draft.h"

namespace palimpsest {
namespace {

// Ops that keep tame numbers tame. The others come now and then.
constexpr OpKind kTame[] = {
    OpKind::kAdd,       OpKind::kAdd,        OpKind::kSub,
    OpKind::kMaximum,   OpKind::kMinimum,    OpKind::kNeg,
    OpKind::kRelu,      OpKind::kAbs,        OpKind::kEq,
    OpKind::kLt,        OpKind::kWhere,      OpKind::kBitwiseXor,
    OpKind::kBitwiseOr, OpKind::kLogicalNot, OpKind::kFloor,
    OpKind::kTanh,      OpKind::kSin};

bool IsElementwise(OpKind kind) {
  return kind != OpKind::kCast &&
         InfoFor(kind).family == KernelFamily::kElementwise;
}

OpKind RandomElementwise(Choices& choices) {
  if (!choices.OneIn(8)) return choices.Of(kTame);
  std::vector<OpKind> all;
  for (const OpInfo& info : AllOps()) {
    if (IsElementwise(info.kind)) all.push_back(info.kind);
  }
  return choices.Of(all);
}

// Ops whose second operand decides whether the result is finite.
bool WantsLiteral(OpKind kind) {
  return kind == OpKind::kPow || kind == OpKind::kRemainder ||
         kind == OpKind::kFmod || kind == OpKind::kDiv;
}

// Ops that of a number below zero, or of zero, are not finite.
bool WantsPositive(OpKind kind) {
  return kind == OpKind::kLog || kind == OpKind::kLog2 ||
         kind == OpKind::kLog1p || kind == OpKind::kSqrt ||
         kind == OpKind::kRsqrt || kind == OpKind::kReciprocal;
}

// 1 more than its magnitude, in the same form as the statement to come.
absl::optional<ValueId> MakePositive(ProgramDraft& draft, OpForm form,
                                     ValueId value) {
  OpDraft magnitude;
  magnitude.kind = OpKind::kAbs;
  OpDraft sum;
  sum.kind = OpKind::kAdd;
  magnitude.form = sum.form = form;
  magnitude.AddValue(value);
  const absl::optional<OpId> id = draft.Append(std::move(magnitude));
  if (!id) return absl::nullopt;
  const Function& function = draft.function();
  if (form == OpForm::kValue) value = function.Result(function.Get(*id));
  sum.AddValue(value);
  sum.AddLiteral(Literal::Integer(1));
  const absl::optional<OpId> next = draft.Append(std::move(sum));
  if (!next) return absl::nullopt;
  return form == OpForm::kValue ? function.Result(function.Get(*next)) : value;
}

// The operand that gives dtype and sizes. In place it is written; `where_`
// takes it for its mask.
absl::optional<ValueId> PickShape(ProgramDraft& draft, Choices& choices,
                                  const OpDraft& statement) {
  if (statement.kind != OpKind::kWhere || statement.form == OpForm::kValue) {
    return PickFirst(draft, choices, statement.form, InfoFor(statement.kind));
  }
  return draft.Pick(choices, [&](ValueId value) {
    return draft.LayoutOf(value).dtype == DType::kBool &&
           draft.IsWritable(value) && !draft.MayBeUndefined(value);
  });
}

// What stands before that operand: a mask, or now and then a literal.
bool AddLeading(ProgramDraft& draft, Choices& choices, DType dtype,
                const Dims& sizes, OpDraft& statement) {
  if (statement.form == OpForm::kInPlace) return true;
  if (statement.kind == OpKind::kWhere) {
    const auto mask = draft.MaskFor(choices, sizes);
    if (mask) statement.AddValue(*mask);
    return mask.has_value();
  }
  const bool may_turn = InfoFor(statement.kind).operands.size() == 2 &&
                        !WantsLiteral(statement.kind);
  if (may_turn && choices.OneIn(5)) {
    statement.AddLiteral(RandomLiteral(choices, dtype));
  }
  return true;
}

}  // namespace

void AddElementwise(ProgramDraft& draft, Choices& choices, OpForm form) {
  OpDraft statement;
  statement.kind = RandomElementwise(choices);
  statement.form = form;
  const OpInfo& info = InfoFor(statement.kind);
  auto first = PickShape(draft, choices, statement);
  if (first && WantsPositive(statement.kind) &&
      InfoFor(OpKind::kAbs).Allows(draft.LayoutOf(*first).dtype)) {
    first = MakePositive(draft, form, *first);
  }
  if (!first) return;
  const Layout layout = draft.LayoutOf(*first);
  const DType dtype = layout.dtype;
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
  if (!AddLeading(draft, choices, dtype, sizes, statement)) return;
  statement.AddValue(*first);
  while (statement.operands.size() < info.operands.size()) {
    if (WantsLiteral(statement.kind)) {
      statement.AddLiteral(Literal::Integer(2));
    } else {
      AddOperand(draft, choices, dtype, sizes, statement);
    }
  }
  if (form == OpForm::kValue) {
    const bool predicate = info.rule == InferenceRule::kPredicate;
    PlaceResult(draft, choices, predicate ? DType::kBool : dtype, sizes,
                statement);
  }
  draft.Append(std::move(statement));
}

void AddCopy(ProgramDraft& draft, Choices& choices) {
  OpDraft statement;
  statement.kind = OpKind::kCopy;
  statement.form = OpForm::kInPlace;
  const auto to =
      PickFirst(draft, choices, OpForm::kInPlace, InfoFor(OpKind::kCopy));
  if (!to) return;
  const Layout layout = draft.LayoutOf(*to);
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
  const auto from = draft.OperandFor(choices, layout.dtype, sizes);
  if (!from) return;
  statement.AddValue(*to);
  statement.AddValue(*from);
  draft.Append(std::move(statement));
}

void AddFill(ProgramDraft& draft, Choices& choices) {
  OpDraft statement;
  statement.kind = OpKind::kFill;
  statement.form = OpForm::kInPlace;
  const auto to = draft.Pick(choices, [&](ValueId value) {
    return !draft.IsFrozen(value) &&
           InfoFor(OpKind::kFill).Allows(draft.LayoutOf(value).dtype);
  });
  if (!to) return;
  const DType dtype = draft.LayoutOf(*to).dtype;
  statement.AddValue(*to);
  const auto scalar = draft.Pick(choices, [&](ValueId value) {
    const Layout layout = draft.LayoutOf(value);
    return layout.dtype == dtype && layout.rank() == 0;
  });
  if (scalar && choices.OneIn(2)) {
    statement.AddValue(*scalar);
  } else {
    statement.AddLiteral(RandomLiteral(choices, dtype));
  }
  draft.Append(std::move(statement));
}

}  // namespace palimpsest
