// Writes through windows that touch bytes twice, or whose strides interleave.

#ifndef PALIMPSEST_TRANSFORMS_OVERLAPPING_WRITE_H_
#define PALIMPSEST_TRANSFORMS_OVERLAPPING_WRITE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/window_table.h"
#include "ir/ids.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {

// Simple windows of the same dtype that together touch exactly the bytes that
// `window` touches (they may overlap each other). FailedPrecondition where that
// takes too many.
absl::StatusOr<std::vector<WindowId>> WindowsWithoutOverlap(
    WindowId window, WindowTable& windows);

// Writes `value` through a window, element by element in row-major order: where
// it overlaps itself the last one wins. FailedPrecondition as above, and where
// it has negative strides that are not allowed.
absl::Status WriteInOrder(StorageState& state, WindowId window, ValueId value,
                          OpId source, WindowReader& reader,
                          PureEmitter& emitter);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_OVERLAPPING_WRITE_H_
