// Whether two runs gave the very same: to the bit, poison and strides included.
// (FindDifference takes some bits for alike, and lets poison differ.)

#ifndef PALIMPSEST_TESTS_CUDA_SAME_BITS_H_
#define PALIMPSEST_TESTS_CUDA_SAME_BITS_H_

#include "absl/status/statusor.h"
#include "cuda/interpreter.h"
#include "gtest/gtest.h"

namespace palimpsest {

// Errors must be alike, too.
testing::AssertionResult SameBits(const absl::StatusOr<RunOutputs>& expected,
                                  const absl::StatusOr<RunOutputs>& actual);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_CUDA_SAME_BITS_H_
