// Boxes of bytes as boxes of elements.

#ifndef PALIMPSEST_ANALYSIS_ELEMENT_BOX_H_
#define PALIMPSEST_ANALYSIS_ELEMENT_BOX_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "analysis/partition.h"
#include "ir/type.h"

namespace palimpsest {

// A box counted in elements of one dtype, with its places in two buffers.
struct ElementBox {
  DType dtype;
  Dims sizes;
  int64_t subject = 0;
  int64_t target = 0;
  Dims subject_strides;
  Dims target_strides;
};

// The box in elements of `preferred` where these hold it, else of the widest
// unsigned integers that do. Dimensions of one element are dropped.
ElementBox InElements(const Box& box, DType preferred);

// The target strides of a box that is a whole window (Box::Of), in elements of
// `width` bytes, one for each of the window's dimensions; nullopt where the
// target does not hold the elements whole and aligned.
absl::optional<Dims> TargetStrides(const Box& box, int64_t width);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_ELEMENT_BOX_H_
