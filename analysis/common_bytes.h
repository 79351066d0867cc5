// How many bytes of one window others of its storage have, too.

#ifndef PALIMPSEST_ANALYSIS_COMMON_BYTES_H_
#define PALIMPSEST_ANALYSIS_COMMON_BYTES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {

struct PlacedLayout {
  Layout layout;
  int64_t offset = 0;  // In elements.
};

// Each byte counted once. Exact where digits tell what a window and one other
// have in common, or where it takes no more than 2^16 steps to mark all bytes;
// else no less than that, and no more than the window has. Precondition: all
// lie in a storage. O(d^2) for each of the others, and those steps.
int64_t CommonBytes(const PlacedLayout& window,
                    absl::Span<const PlacedLayout> others);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_COMMON_BYTES_H_
