// Whether boxes laid in a buffer fill it.

#ifndef PALIMPSEST_ANALYSIS_FILL_H_
#define PALIMPSEST_ANALYSIS_FILL_H_

#include <cstdint>

#include "absl/types/span.h"
#include "analysis/partition.h"

namespace palimpsest {

// Whether the boxes' places in the target cover [0, bytes). Exact where it says
// yes; no where that is not so, or where there are more than 2^20 units to mark
// or it takes more than 2^18 steps. Precondition: the boxes lie in [0, bytes).
bool SurelyFill(int64_t bytes, absl::Span<const Box> boxes);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_FILL_H_
