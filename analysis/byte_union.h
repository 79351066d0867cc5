// What windows of one storage touch together, byte by byte.

#ifndef PALIMPSEST_ANALYSIS_BYTE_UNION_H_
#define PALIMPSEST_ANALYSIS_BYTE_UNION_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/partition.h"

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
  // By box: whether it touches a byte that none before it does.
  std::vector<bool> adds;
  // All that is touched, by rising address. Nullopt where there are more than
  // kMaxSequences.
  absl::optional<std::vector<RunSequence>> sequences;

  static constexpr int kMaxSequences = 8;
};

// The union of the boxes' addresses, all in [begin, end). Nullopt where it
// takes more than a million marks, and 64 for each box, to know; what comes
// after all is touched costs none. O(marks + boxes).
absl::optional<ByteUnion> UnionOf(int64_t begin, int64_t end,
                                  absl::Span<const Box> boxes);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_BYTE_UNION_H_
