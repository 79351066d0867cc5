// Writes through windows that touch bytes twice.

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

// Windows of the same dtype none of which overlaps itself and that together
// touch exactly the bytes that `window` touches (they may overlap each other).
// FailedPrecondition where that takes too many.
absl::StatusOr<std::vector<WindowId>> WindowsWithoutOverlap(
    WindowId window, WindowTable& windows);

// Writes `value` through a window that overlaps itself, element by element in
// row-major order: the last one wins.
absl::Status WriteInOrder(StorageState& state, WindowId window, ValueId value,
                          OpId source, WindowReader& reader,
                          PureEmitter& emitter);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_OVERLAPPING_WRITE_H_
