// Footprints as bitsets, one bit for a byte: exact at any rank, up to a cap.
// For footprint*.cc only.

#ifndef PALIMPSEST_ANALYSIS_FOOTPRINT_BITSET_H_
#define PALIMPSEST_ANALYSIS_FOOTPRINT_BITSET_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"

namespace palimpsest {
namespace footprint_internal {

struct BitsetRelation {
  bool overlap;
  bool a_covers_b;
  bool b_covers_a;
};

// Precondition: neither is empty or too large, and their byte bounds meet.
// Nullopt where it takes more than `cap` bits for one of them.
absl::optional<BitsetRelation> CompareBits(FootprintRef a, FootprintRef b,
                                           int64_t cap);

// Whether both are so small that MeetByElements() takes less than a search.
// Precondition: neither is empty or too large.
bool HaveFewElements(const FootprintShape& a, const FootprintShape& b);

// Whether they meet, by marking the elements of one and looking for those of
// the other. Preconditions: HaveFewElements(), and their byte bounds meet.
bool MeetByElements(FootprintRef a, FootprintRef b);

// How many different sums the dimensions have. Strides are positive and
// falling.
absl::optional<int64_t> CountSums(absl::Span<const ByteDim> dims, int64_t cap);

}  // namespace footprint_internal
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_FOOTPRINT_BITSET_H_
