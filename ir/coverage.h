// Coverage: whether strided windows together touch every byte of a buffer.
//
// Windows repeat at a granule: the largest number of bytes that divides the
// buffer, every offset and stride, and every run of adjacent bytes. So a bitmap
// with one bit per granule decides, exactly; for the slices of a tensor it is a
// few bits. Where even that would cost too much the answer is kUnknown.

#ifndef PALIMPSEST_IR_COVERAGE_H_
#define PALIMPSEST_IR_COVERAGE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {

enum class Coverage {
  kComplete,    // Proved: every byte.
  kIncomplete,  // Proved: not every byte.
  kUnknown,     // Neither.
};

struct CoverWindow {
  Layout layout;
  int64_t offset;  // In elements, from the buffer's start.
};

// Precondition: the windows lie inside the buffer.
Coverage CoverageOf(absl::Span<const CoverWindow> windows, int64_t bytes);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_COVERAGE_H_
