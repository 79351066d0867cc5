// One element as a number, whatever its dtype.

#ifndef PALIMPSEST_TOOLS_ELEMENT_NUMBER_H_
#define PALIMPSEST_TOOLS_ELEMENT_NUMBER_H_

#include <cstdint>

#include "cuda/kernels/number.h"
#include "ir/type.h"

namespace palimpsest {

// Calls visit(TypeTag<T>) with the element type of `dtype`.
template <typename Visitor>
void VisitElementType(DType dtype, Visitor visit) {
  kernels::VisitType(static_cast<kernels::Type>(dtype),
                     [&](auto tag) -> const char* {
                       visit(tag);
                       return nullptr;
                     });
}

template <typename T>
T ElementAt(const uint8_t* bytes, int64_t index) {
  T element;
  memcpy(&element, bytes + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return element;
}

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_ELEMENT_NUMBER_H_
