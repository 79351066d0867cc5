// Which operands an op has, and where it may stand: what can be said without a
// look at types.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/fault.h"
#include "ir/infer.h"
#include "ir/op.h"
#include "ir/op_view.h"
#include "ir/program.h"
#include "ir/status_macros.h"

namespace palimpsest {
namespace {

OpView WithNoneDeclared(const Function& function, const Op& op) {
  static const auto& kUndeclared = *new absl::optional<Layout>;
  return {function, op, InfoFor(op.kind), function.OperandsOf(op), kUndeclared};
}

// "2 operands, x and y": what the row asks for.
std::string Wanted(const OpInfo& info) {
  std::string text = absl::StrCat(info.operands.size(), " operand",
                                  info.operands.size() == 1 ? "" : "s");
  for (size_t i = 0; i < info.operands.size(); ++i) {
    const bool last = i + 1 == info.operands.size();
    absl::StrAppend(&text,
                    i == 0 ? ": "
                    : last ? " and "
                           : ", ",
                    IsList(info.operands[i].role) ? "a list of " : "",
                    info.operands[i].name);
  }
  return text;
}

// A list of literals may be empty.
bool MayBeEmpty(const OpInfo& info) {
  return info.operands.back().role == OperandRole::kLiterals;
}

absl::Status CheckOperandCount(const OpView& view) {
  if (view.op.kind == OpKind::kCall) return absl::OkStatus();
  const int rows = static_cast<int>(view.info.operands.size());
  const bool fits = view.info.list >= 0
                        ? view.count() >= rows - MayBeEmpty(view.info)
                        : view.count() == rows;
  if (fits) return absl::OkStatus();
  return Fault(
      {}, absl::StrCat(view.function.TextOf(view.op), " has ", view.count(),
                       " operands; it takes ", Wanted(view.info)));
}

// The kinds of operands that may stand where the row has that role, a bit each.
constexpr uint32_t Bit(OperandKind kind) {
  return 1u << static_cast<int>(kind);
}
uint32_t KindsFor(OperandRole role) {
  switch (role) {
    case OperandRole::kTensor:
    case OperandRole::kIndex:
    case OperandRole::kMask:
    case OperandRole::kTensors:
    case OperandRole::kWindow:
    case OperandRole::kPieces:
      return Bit(OperandKind::kValue);
    case OperandRole::kOperand:
    case OperandRole::kScalar:
      return Bit(OperandKind::kValue) | Bit(OperandKind::kLiteral);
    case OperandRole::kIndices:
      return Bit(OperandKind::kValue) | Bit(OperandKind::kNone);
    case OperandRole::kLiterals:
      return Bit(OperandKind::kLiteral);
    case OperandRole::kStorage:
      return Bit(OperandKind::kStorage);
  }
  return 0;
}

bool FitsRole(OperandRole role, const Operand& operand) {
  return (KindsFor(role) & Bit(operand.kind)) != 0;
}

absl::string_view Wanted(OperandRole role) {
  switch (role) {
    case OperandRole::kTensor:
    case OperandRole::kTensors:
    case OperandRole::kWindow:
    case OperandRole::kPieces:
      return "a value, %x";
    case OperandRole::kIndex:
      return "an index tensor, %x";
    case OperandRole::kMask:
      return "a mask, %x";
    case OperandRole::kOperand:
      return "a value, %x, or a literal";
    case OperandRole::kScalar:
      return "a literal, or a value of rank 0";
    case OperandRole::kIndices:
      return "an index tensor, %x, or `none`";
    case OperandRole::kLiterals:
      return "a literal";
    case OperandRole::kStorage:
      return "a storage, @s";
  }
  return "";
}

// What the operand may not be, by the number of `at` and `mut`, and its kind.
absl::Status CheckOperandForm(const OpView& view, int i) {
  const Operand& operand = view.operands[i];
  const bool call = view.op.kind == OpKind::kCall;
  const OperandRole role = call ? OperandRole::kTensor : RoleOf(view, i);
  const bool destination = view.op.in_place() && i == 0;
  if (!FitsRole(role, operand) || (destination && !operand.is_value())) {
    return Fault(
        Place::Operand(i),
        absl::StrCat("operand ", i + 1, " of ", view.function.TextOf(view.op),
                     " must be ",
                     destination ? "a value, %x, to write to" : Wanted(role)));
  }
  const bool may_have_window =
      role == OperandRole::kWindow || role == OperandRole::kPieces;
  const bool must_have_window =
      role == OperandRole::kWindow || (role == OperandRole::kPieces && i > 0);
  if ((operand.window >= 0 && !may_have_window) ||
      (operand.window < 0 && must_have_window)) {
    return Fault(Place::Operand(i),
                 must_have_window
                     ? "a window must follow, `%x at [offset N] [strides [..]]`"
                     : "only `extract` and `assemble` take a window, `at ..`");
  }
  const bool marked = operand.access != Access::kRead;
  if (call
          ? marked && operand.access != (view.function.is_pure() ? Access::kUpd
                                                                 : Access::kMut)
          : marked != destination || operand.access == Access::kUpd) {
    return Fault(Place::Operand(i),
                 call
                     ? (view.function.is_pure()
                            ? "`mut` writes in place, which a pure func cannot "
                              "do; mark the operand `upd`"
                            : "`upd` is for a pure func; mark the operand "
                              "`mut`")
                     : "only operands of a call are marked `mut` or `upd`");
  }
  return absl::OkStatus();
}

absl::Status CheckPureForm(const OpView& view) {
  if (view.op.in_place()) {
    return Fault({}, absl::StrCat(view.function.TextOf(view.op),
                                  " writes in place, which a pure func "
                                  "cannot do; leave out the `_`"));
  }
  if (view.op.kind == OpKind::kView) {
    return Fault({}, "a pure func has no views; use `extract`");
  }
  const bool epilogue = view.info.rule == InferenceRule::kEpilogue;
  if (view.op.target >= 0 && !epilogue) {
    return Fault({Place::Part::kTarget},
                 "`into` writes in place, which a pure func cannot do");
  }
  return absl::OkStatus();
}

absl::Status CheckInPlaceFunctionForm(const OpView& view) {
  if (view.info.rule == InferenceRule::kEpilogue ||
      view.op.kind == OpKind::kContents) {
    return Fault({}, absl::StrCat("`", view.info.text,
                                  "` is for a pure func; a func writes in "
                                  "place"));
  }
  return absl::OkStatus();
}

absl::Status CheckTargetForm(const OpView& view) {
  const bool epilogue = view.info.rule == InferenceRule::kEpilogue;
  if (epilogue && view.op.target < 0) {
    return Fault({}, absl::StrCat("`", view.info.text,
                                  " %x` must say where, `to TYPE in @s`"));
  }
  const bool computes = !view.op.in_place() && view.op.kind != OpKind::kView &&
                        view.op.kind != OpKind::kCall;
  if (view.op.target >= 0 && !epilogue && !computes) {
    return Fault({Place::Part::kTarget},
                 absl::StrCat("`into` is for an op that makes a value; ",
                              view.function.TextOf(view.op), " does not"));
  }
  return absl::OkStatus();
}

}  // namespace

OperandRole RoleOf(const Function& function, const Op& op, int i) {
  return RoleOf(WithNoneDeclared(function, op), i);
}

absl::Status CheckForm(const Function& function, const Op& op) {
  const OpView view = WithNoneDeclared(function, op);
  RETURN_IF_ERROR(function.is_pure() ? CheckPureForm(view)
                                     : CheckInPlaceFunctionForm(view));
  const bool may_stand = op.in_place() ? view.info.HasInPlaceForm()
                                       : view.info.forms != OpForms::kInPlace;
  if (!may_stand) {
    return Fault({}, absl::StrCat("`", view.info.text, "` ",
                                  op.in_place() ? "has no form in place; leave "
                                                  "out the `_`"
                                                : "only writes in place; write "
                                                  "it with a trailing `_`"));
  }
  RETURN_IF_ERROR(CheckTargetForm(view));
  RETURN_IF_ERROR(CheckOperandCount(view));
  for (int i = 0; i < view.count(); ++i) {
    RETURN_IF_ERROR(CheckOperandForm(view, i));
  }
  return absl::OkStatus();
}

}  // namespace palimpsest
