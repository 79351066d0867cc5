// View sugar: the window that torch's view op of a name gives, computed from
// the window it is taken of. The one place that knows these ops; all that is
// built from them is a `view`.

#ifndef PALIMPSEST_IR_VIEW_SUGAR_H_
#define PALIMPSEST_IR_VIEW_SUGAR_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {

// A window that is in no table yet. Offset and strides count elements.
struct StridedWindow {
  DType dtype = DType::kF32;
  Dims sizes;
  Dims strides;
  int64_t offset = 0;

  Layout layout() const { return {dtype, sizes, strides}; }
};

// Dimensions and indices may count from behind. Every result lies where the
// arithmetic says; whether that is inside the storage is the view's matter.
absl::StatusOr<StridedWindow> SliceOf(const StridedWindow& x, int64_t dim,
                                      int64_t start, int64_t end, int64_t step);
absl::StatusOr<StridedWindow> SelectOf(const StridedWindow& x, int64_t dim,
                                       int64_t index);
absl::StatusOr<StridedWindow> PermuteOf(const StridedWindow& x,
                                        absl::Span<const int64_t> dims);
absl::StatusOr<StridedWindow> TransposeOf(const StridedWindow& x, int64_t dim0,
                                          int64_t dim1);
// One size may be -1: whatever makes the counts equal.
absl::StatusOr<StridedWindow> ReshapeOf(const StridedWindow& x,
                                        absl::Span<const int64_t> sizes);
// A size of -1 keeps the dimension's.
absl::StatusOr<StridedWindow> ExpandOf(const StridedWindow& x,
                                       absl::Span<const int64_t> sizes);
absl::StatusOr<StridedWindow> DiagonalOf(const StridedWindow& x, int64_t offset,
                                         int64_t dim1, int64_t dim2);
absl::StatusOr<StridedWindow> UnfoldOf(const StridedWindow& x, int64_t dim,
                                       int64_t size, int64_t step);
// Removes those of `dims` that have size 1; with nullopt all that have.
absl::StatusOr<StridedWindow> SqueezeOf(
    const StridedWindow& x,
    const absl::optional<absl::Span<const int64_t>>& dims);
absl::StatusOr<StridedWindow> UnsqueezeOf(const StridedWindow& x, int64_t dim);
absl::StatusOr<StridedWindow> FlipViewOf(const StridedWindow& x,
                                         absl::Span<const int64_t> dims);
absl::StatusOr<StridedWindow> BitcastOf(const StridedWindow& x, DType dtype);
absl::StatusOr<StridedWindow> RealOf(const StridedWindow& x);
absl::StatusOr<StridedWindow> ImagOf(const StridedWindow& x);

// The dimension counted from the front; an error that names the range unless
// -count <= dim < count. Rank 0 counts as one dimension.
absl::StatusOr<int64_t> CanonicalDim(int64_t dim, int64_t rank);

// The same for a list: sorted, each at most once; no dimensions of rank 0.
absl::StatusOr<Dims> CanonicalDims(absl::Span<const int64_t> dims,
                                   int64_t rank);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_VIEW_SUGAR_H_
