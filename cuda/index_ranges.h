// Which parts of a function's parameters end up as indices, and in what range
// they must be for a run to succeed.

#ifndef PALIMPSEST_CUDA_INDEX_RANGES_H_
#define PALIMPSEST_CUDA_INDEX_RANGES_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

struct IndexRange {
  int64_t least = 0;
  int64_t end = 0;  // One past the greatest.
};

// A window of a parameter's storage whose integers are used as indices.
struct IndexWindow {
  StorageId storage;
  DType dtype;
  Dims sizes;
  Dims strides;
  int64_t offset;
  IndexRange range;
};

// What one backward walk finds through moves, casts and the addition of
// literals. Not complete: an index can be computed in other ways.
std::vector<IndexWindow> FindIndexWindows(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_INDEX_RANGES_H_
