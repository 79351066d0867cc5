// What windows of one storage touch together, byte by byte.

#ifndef PALIMPSEST_ANALYSIS_BYTE_UNION_H_
#define PALIMPSEST_ANALYSIS_BYTE_UNION_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/window_table.h"

namespace palimpsest {

// `count` runs of `length` bytes, `step` bytes from start to start.
struct RunSequence {
  int64_t begin = 0;
  int64_t length = 0;
  int64_t count = 1;
  int64_t step = 0;
};

struct ByteUnion {
  int64_t bytes = 0;
  // By window: whether it touches a byte that none before it does.
  std::vector<bool> adds;
  // All that is touched, by rising address. Nullopt where there are more than
  // kMaxSequences.
  absl::optional<std::vector<RunSequence>> sequences;

  static constexpr int kMaxSequences = 8;
};

// The union of the windows' bytes, all in [begin, end). Nullopt where it takes
// more than 2^18 steps, and 64 for each window, to know: a step marks 64 units
// that lie close, or one; what comes after all is touched costs none. Likewise
// where there are more than 64 units for each of these steps. O(steps).
// Precondition: no window is empty.
absl::optional<ByteUnion> UnionOf(int64_t begin, int64_t end,
                                  absl::Span<const Window* const> windows);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_BYTE_UNION_H_
