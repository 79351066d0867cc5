// Literals as the bytes of an element. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_LITERAL_H_
#define PALIMPSEST_ANALYSIS_PROOF_LITERAL_H_

#include <string>

#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {

// The literal, rounded once to the dtype: WidthOf(dtype) bytes, little-endian.
// Precondition: CheckLiteral() passes, and the dtype is no float8.
std::string BytesOfLiteral(const Literal& literal, DType dtype);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_LITERAL_H_
