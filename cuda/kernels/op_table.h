// What the kernels' dispatch takes from ops.def, at compile time.

#ifndef PALIMPSEST_CUDA_KERNELS_OP_TABLE_H_
#define PALIMPSEST_CUDA_KERNELS_OP_TABLE_H_

#include "cuda/kernel.h"

namespace palimpsest::kernels {

constexpr bool SameText(const char* a, const char* b) {
  for (; *a != 0 && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}

constexpr int WordsIn(const char* text) {
  int words = *text == 0 ? 0 : 1;
  for (; *text != 0; ++text) words += *text == ' ';
  return words;
}

constexpr int ArityOf(Op op) {
  switch (op) {
#define PALIMPSEST_OP(enumerator, text, forms, operands, attributes, rule, \
                      classes, family)                                     \
  case Op::enumerator:                                                     \
    return WordsIn(operands);
#include "ir/ops.def"
#undef PALIMPSEST_OP
  }
  return 0;
}

constexpr bool IsOfFamily(Op op, const char* name) {
  switch (op) {
#define PALIMPSEST_OP(enumerator, text, forms, operands, attributes, rule, \
                      classes, family)                                     \
  case Op::enumerator:                                                     \
    return SameText(#family, name);
#include "ir/ops.def"
#undef PALIMPSEST_OP
  }
  return false;
}

// Whether the op's result is of dtype bool whatever its operands are.
constexpr bool IsPredicate(Op op) {
  switch (op) {
#define PALIMPSEST_OP(enumerator, text, forms, operands, attributes, rule, \
                      classes, family)                                     \
  case Op::enumerator:                                                     \
    return SameText(#rule, "kPredicate");
#include "ir/ops.def"
#undef PALIMPSEST_OP
  }
  return false;
}

constexpr const char* ClassesOf(Op op) {
  switch (op) {
#define PALIMPSEST_OP(enumerator, text, forms, operands, attributes, rule, \
                      classes, family)                                     \
  case Op::enumerator:                                                     \
    return classes;
#include "ir/ops.def"
#undef PALIMPSEST_OP
  }
  return "";
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_OP_TABLE_H_
