// Each op is checked in one order: its form and roles (infer_form.cc), then
// dtypes and literals, attributes, and at last the sizes by its row's rule. A
// rule may rely on all that came before it.

#include "ir/infer.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/fault.h"
#include "ir/op.h"
#include "ir/op_view.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

bool IsInteger(DType dtype) {
  return InfoFor(dtype).dtype_class == DTypeClass::kInteger;
}

// Whether elements of the op's own dtype stand there.
bool IsData(OperandRole role) {
  switch (role) {
    case OperandRole::kTensor:
    case OperandRole::kOperand:
    case OperandRole::kScalar:
    case OperandRole::kTensors:
    case OperandRole::kLiterals:
      return true;
    default:
      return false;
  }
}

// "floats, integers".
std::string TextOfClasses(absl::string_view classes) {
  std::string text;
  for (char letter : classes) {
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    letter == 'f'   ? "floats"
                    : letter == 'i' ? "integers"
                    : letter == 'b' ? "bool"
                    : letter == 'c' ? "complex"
                                    : "float8");
  }
  return text;
}

// The dtype that the op's data have: that of what it writes or must declare,
// else of its first data operand, else (`where` of literals) of its declared
// result.
absl::StatusOr<DType> DataDType(const OpView& view) {
  if (view.op.in_place()) return view.dtype(0);
  if (view.info.rule == InferenceRule::kDeclared) return view.declared->dtype;
  for (int i = 0; i < view.count(); ++i) {
    if (view.is_value(i) && IsData(RoleOf(view, i))) return view.dtype(i);
  }
  const bool declares = view.info.rule == InferenceRule::kWhere;
  if (declares && view.declared) return view.declared->dtype;
  if (declares) {
    return Fault({}, absl::StrCat(view.function.TextOf(view.op),
                                  " needs a declared type, ` : f32[2,3]`"));
  }
  return Fault({}, absl::StrCat(view.function.TextOf(view.op),
                                " has literals alone; one operand must be a "
                                "value, %x"));
}

absl::Status CheckDataOperand(const OpView& view, int i, DType dtype) {
  if (!view.is_value(i)) {
    const Literal& literal = view.function.literals[view.operands[i].ref];
    const absl::Status fits = CheckLiteral(literal, dtype);
    return fits.ok() ? fits : FaultAt(Place::Operand(i), fits);
  }
  if (view.dtype(i) != dtype) {
    return Fault(Place::Operand(i),
                 absl::StrCat(view.Text(i), ", must have dtype ",
                              InfoFor(dtype).text, " as the others of ",
                              view.function.TextOf(view.op), "; `cast` it"));
  }
  if (RoleOf(view, i) == OperandRole::kScalar && view.rank(i) != 0) {
    return Fault(
        Place::Operand(i),
        absl::StrCat(view.Text(i), ", must be a literal or have rank 0"));
  }
  return absl::OkStatus();
}

absl::Status CheckDTypes(const OpView& view, DType dtype) {
  if (!view.info.Allows(dtype)) {
    return Fault(
        Place::Operand(0),
        absl::StrCat(view.info.text, " is not for ", InfoFor(dtype).text,
                     "; its dtypes are ", TextOfClasses(view.info.classes)));
  }
  for (int i = 0; i < view.count(); ++i) {
    const OperandRole role = RoleOf(view, i);
    if (IsData(role)) {
      RETURN_IF_ERROR(CheckDataOperand(view, i, dtype));
    } else if (role == OperandRole::kMask && view.dtype(i) != DType::kBool) {
      return Fault(
          Place::Operand(i),
          absl::StrCat(view.Text(i), ", must be a mask of dtype bool"));
    } else if ((role == OperandRole::kIndex || role == OperandRole::kIndices) &&
               view.is_value(i) && !IsInteger(view.dtype(i))) {
      return Fault(
          Place::Operand(i),
          absl::StrCat(view.Text(i), ", must be an index of an integer dtype"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDim(AttributeKey key, int64_t dim, const Layout& layout) {
  const int64_t count = DimCount(layout);
  if (dim >= 0 && dim < count) return absl::OkStatus();
  return Fault(Place::Attribute(key),
               absl::StrCat("dimension ", dim, " is out of range for ",
                            TextOf(layout.dtype, layout.sizes), "; it must be ",
                            -count, " to ", count - 1));
}

absl::Status CheckAttributes(const OpView& view, DType dtype) {
  for (AttributeKey key : view.info.attributes) {
    if (key == AttributeKey::kDim) {
      RETURN_IF_ERROR(CheckDim(key, view.dim(), view.layout(0)));
    } else if (key == AttributeKey::kDims) {
      int64_t last = -1;
      for (int64_t dim : view.dims()) {
        RETURN_IF_ERROR(CheckDim(key, dim, view.layout(0)));
        if (dim <= last) {
          return Fault(Place::Attribute(key),
                       absl::StrCat("dimension ", dim, " stands there twice"));
        }
        last = dim;
      }
    } else if (TypeOf(key) == AttributeType::kLiteral) {
      const absl::Status fits =
          CheckLiteral(view.function.LiteralOf(view.op, key), dtype);
      if (!fits.ok()) return FaultAt(Place::Attribute(key), fits);
    }
  }
  return absl::OkStatus();
}

// The sizes of the first operand; what was found out about it is passed on.
absl::Status LikeFirst(const OpView& view, Dims& sizes, absl::Status status) {
  Assign(sizes, view.sizes(0));
  return status;
}

absl::Status Declared(const OpView& view, Dims& sizes, absl::Status status) {
  Assign(sizes, view.declared->sizes);
  return status;
}

absl::Status InferSizes(const OpView& view, Dims& sizes) {
  switch (view.info.rule) {
    case InferenceRule::kDeclared:
      if (view.op.kind == OpKind::kContents) {
        return Declared(view, sizes, CheckContents(view));
      }
      return Declared(view, sizes, CheckConstant(view));
    case InferenceRule::kSame:
    case InferenceRule::kCast:
    case InferenceRule::kEpilogue:
      return LikeFirst(view, sizes, absl::OkStatus());
    case InferenceRule::kCopy:
      return LikeFirst(view, sizes, CheckBroadcastsTo(view, 1, view.sizes(0)));
    case InferenceRule::kElementwise:
    case InferenceRule::kPredicate:
    case InferenceRule::kWhere:
      return ElementwiseSizes(view, sizes);
    case InferenceRule::kReduce:
      return ReduceSizes(view, sizes);
    case InferenceRule::kMatmul:
      return MatmulSizes(view, sizes);
    case InferenceRule::kCat:
      return CatSizes(view, sizes);
    case InferenceRule::kIndexSelect:
      return IndexSelectSizes(view, sizes);
    case InferenceRule::kGather:
      return GatherSizes(view, sizes);
    case InferenceRule::kIndex:
      return IndexSizes(view, sizes);
    case InferenceRule::kIndexCopy:
      return LikeFirst(view, sizes, CheckIndexCopy(view));
    case InferenceRule::kIndexFill:
      return LikeFirst(view, sizes, CheckIndexFill(view));
    case InferenceRule::kIndexPut:
      return LikeFirst(view, sizes, CheckIndexPut(view));
    case InferenceRule::kScatter:
      return LikeFirst(view, sizes, CheckScatter(view));
    case InferenceRule::kMaskedFill:
    case InferenceRule::kMaskedScatter:
      return LikeFirst(view, sizes, CheckMask(view));
    case InferenceRule::kView:
      return Declared(view, sizes, CheckView(view));
    case InferenceRule::kExtract:
      return Declared(view, sizes, CheckExtract(view));
    case InferenceRule::kAssemble:
      return Declared(view, sizes, CheckAssemble(view));
    case InferenceRule::kCall:
      break;
  }
  return Fault({}, "calls declare what they make");
}

// Whether the op's result has the declared dtype, whatever its operands have.
bool DeclaresDType(const OpInfo& info) {
  switch (info.rule) {
    case InferenceRule::kDeclared:
    case InferenceRule::kCast:
    case InferenceRule::kView:
    case InferenceRule::kExtract:
    case InferenceRule::kAssemble:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string OpView::Text(int i) const {
  const Layout of = layout(i);
  return absl::StrCat(function.TextOf(operands[i].value()), ", ",
                      TextOf(of.dtype, of.sizes));
}

absl::Status InferShape(const Function& function, const Op& op,
                        const absl::optional<Layout>& declared, Shape& shape) {
  const OpView view{function, op, InfoFor(op.kind), function.OperandsOf(op),
                    declared};
  const bool needs_declared = DeclaresDType(view.info);
  if (needs_declared && !declared) {
    return Fault({}, absl::StrCat(function.TextOf(op),
                                  " needs a declared type, ` : f32[2,3]`"));
  }
  if (view.info.forms == OpForms::kStructure) {
    shape.dtype = needs_declared ? declared->dtype : view.dtype(0);
  } else {
    ASSIGN_OR_RETURN(const DType dtype, DataDType(view));
    RETURN_IF_ERROR(CheckDTypes(view, dtype));
    RETURN_IF_ERROR(CheckAttributes(view, dtype));
    shape.dtype = needs_declared ? declared->dtype : dtype;
  }
  if (needs_declared && !view.info.Allows(shape.dtype)) {
    return Fault(
        Place::Type(0),
        absl::StrCat(view.info.text, " is not for ", InfoFor(shape.dtype).text,
                     "; its dtypes are ", TextOfClasses(view.info.classes)));
  }
  shape.sizes.clear();
  RETURN_IF_ERROR(InferSizes(view, shape.sizes));
  if (view.info.rule == InferenceRule::kPredicate && !op.in_place()) {
    shape.dtype = DType::kBool;
  }
  return absl::OkStatus();
}

DType DataDTypeOf(const Function& function, const Op& op) {
  absl::optional<Layout> declared;
  if (op.results.count > 0) declared = function.LayoutOf(function.Result(op));
  const OpView view{function, op, InfoFor(op.kind), function.OperandsOf(op),
                    declared};
  if (view.info.forms == OpForms::kStructure) return declared->dtype;
  return *DataDType(view);
}

int UpdatedOperand(const Function& function, const Op& call, int result) {
  int updates = result - function.calls[call.call].declared_results;
  if (updates < 0) return -1;
  const absl::Span<const Operand> operands = function.OperandsOf(call);
  for (int i = 0; i < static_cast<int>(operands.size()); ++i) {
    if (operands[i].access == Access::kUpd && updates-- == 0) return i;
  }
  return -1;
}

}  // namespace palimpsest
