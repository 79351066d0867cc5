// Division that rounds down, also below zero.

#ifndef PALIMPSEST_ANALYSIS_FLOOR_DIV_H_
#define PALIMPSEST_ANALYSIS_FLOOR_DIV_H_

#include <cstdint>

namespace palimpsest {

// Precondition: b > 0.
inline int64_t FloorDiv(int64_t a, int64_t b) {
  if (a >= 0 && a < b) return 0;  // Often, and a division is slow.
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_FLOOR_DIV_H_
