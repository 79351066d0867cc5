// Fewer boxes for the same moves.

#ifndef PALIMPSEST_ANALYSIS_JOINED_BOXES_H_
#define PALIMPSEST_ANALYSIS_JOINED_BOXES_H_

#include <vector>

#include "analysis/partition.h"

namespace palimpsest {

// Joins disjoint boxes of a partition's inside, where two are one strided box
// in the subject's buffer and in the other's; they then have no addresses any
// more. Greedy: not always the fewest. O(n^3 d^2) for n boxes.
void JoinBoxes(std::vector<Box>& boxes);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_JOINED_BOXES_H_
