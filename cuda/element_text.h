// Elements as text, for messages and for JSON.

#ifndef PALIMPSEST_CUDA_ELEMENT_TEXT_H_
#define PALIMPSEST_CUDA_ELEMENT_TEXT_H_

#include <cstdint>
#include <string>

#include "ir/type.h"

namespace palimpsest {

// "1.5", "-3", "true", "nan", "(1,-2)": enough digits to tell it from any other
// of its dtype.
std::string ElementText(DType dtype, const uint8_t* element);

bool IsNanElement(DType dtype,
                  const uint8_t* element);  // A part, of a complex.
bool IsFiniteElement(DType dtype, const uint8_t* element);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_ELEMENT_TEXT_H_
