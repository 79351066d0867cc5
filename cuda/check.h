// Tests that two functions do the same: runs both on the same random inputs.

#ifndef PALIMPSEST_CUDA_CHECK_H_
#define PALIMPSEST_CUDA_CHECK_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "cuda/compare.h"
#include "cuda/interpreter.h"
#include "ir/program.h"

namespace palimpsest {

struct CheckOptions {
  int samples = 3;
  uint64_t seed = 0;  // Of the first sample; the next ones count up.
  RunOptions run;
  // Called with the sample's number, from 0. May be empty.
  std::function<void(int)> before_sample;
};

struct CheckReport {
  int samples = 0;  // That were run.
  // The first difference, and the seed of the inputs that show it.
  absl::optional<Difference> difference;
  uint64_t seed = 0;
  // Of the original's results, over all samples.
  int64_t elements = 0;
  int64_t not_finite = 0;
  int64_t poison = 0;  // Elements of which some byte is.

  bool equal() const { return !difference.has_value(); }
  double NotFiniteShare() const {
    return elements == 0 ? 0 : static_cast<double>(not_finite) / elements;
  }
};

// Whether callers can take one for the other: parameters alike in number, type
// and aliasing, storages in size, results in number. Names do not matter.
absl::Status CheckSameSignature(const Function& a, const Function& b);

// An error where the signatures differ or the original cannot be run; where
// only the other cannot, that is a difference.
absl::StatusOr<CheckReport> CheckByRunning(const Function& original,
                                           const Function& other,
                                           const CheckOptions& options);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_CHECK_H_
