// Sums and products of numbers that are not negative, at most INT64_MAX.

#ifndef PALIMPSEST_ANALYSIS_SATURATING_H_
#define PALIMPSEST_ANALYSIS_SATURATING_H_

#include <cstdint>
#include <limits>

namespace palimpsest {

inline int64_t SaturatingSum(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return std::numeric_limits<int64_t>::max();
}

inline int64_t SaturatingProduct(int64_t a, int64_t b) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return std::numeric_limits<int64_t>::max();
}

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_SATURATING_H_
