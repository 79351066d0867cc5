// Inference: what an op's row of the table asks of its operands and attributes,
// and the dtype and sizes that follow for its result. Ops mean what PyTorch's
// op of that name means, except that nothing is promoted: dtypes must agree.
//
// Builder and verifier both check ops here, so each rule stands once.

#ifndef PALIMPSEST_IR_INFER_H_
#define PALIMPSEST_IR_INFER_H_

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

struct Shape {
  DType dtype = DType::kF32;
  Dims sizes;
};

// Checks that such an op may stand in such a function and that it has the
// operands that its row asks for, in number and kind. Precondition of the two
// functions below.
absl::Status CheckForm(const Function& function, const Op& op);

// Checks dtypes, sizes, attributes, literals and windows, and sets `shape` to
// the result's dtype and sizes; for an op in place, those of what it writes.
// `declared` is what the result is declared to have: the rules that cannot
// infer it need it (only dtype and sizes are looked at, for a view the strides
// too). Not for calls.
absl::Status InferShape(const Function& function, const Op& op,
                        const absl::optional<Layout>& declared, Shape& shape);

// Whether the literal stands for an element of that dtype: real numbers for
// real dtypes, integral ones in range for integers, `true` and `false` for
// bool.
absl::Status CheckLiteral(const Literal& literal, DType dtype);

// The dtype of the elements that the op computes with, its literals among them;
// of its result for an op of structure. Precondition: the op passed
// InferShape(), and its result is in the function.
DType DataDTypeOf(const Function& function, const Op& op);

// The role of operand `i`. Not for calls.
OperandRole RoleOf(const Function& function, const Op& op, int i);

// The operand of a call that its result number `result` is the updated contents
// of, -1 for a declared result.
int UpdatedOperand(const Function& function, const Op& call, int result);

// The dimensions that an attribute may name: rank 0 has dimension 0, as in
// torch.
inline int64_t DimCount(const Layout& layout) {
  return layout.rank() == 0 ? 1 : layout.rank();
}

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_INFER_H_
