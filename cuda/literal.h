// Literals as elements.

#ifndef PALIMPSEST_CUDA_LITERAL_H_
#define PALIMPSEST_CUDA_LITERAL_H_

#include <cstdint>

#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {

// Writes the literal as an element of the dtype, WidthOf(dtype) bytes; rounded
// once, to nearest even.
void EncodeLiteral(const Literal& literal, DType dtype, uint8_t* element);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_LITERAL_H_
