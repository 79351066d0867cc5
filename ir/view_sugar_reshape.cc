// `reshape`: the one view that not every window has.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/view_sugar.h"
#include "ir/view_sugar_arithmetic.h"

namespace palimpsest {
namespace {

// The sizes with -1 replaced, checked to have as many elements as x.
absl::StatusOr<Dims> ReshapedSizes(const StridedWindow& x,
                                   absl::Span<const int64_t> sizes) {
  Dims result(sizes.begin(), sizes.end());
  const int64_t count = ElementCount(x.sizes);
  const auto unknown = absl::c_find(result, -1);
  if (unknown != result.end()) {
    *unknown = 1;
    RETURN_IF_ERROR(CheckSizes(x.dtype, result));
    const int64_t known = ElementCount(result);
    if (known == 0) {
      return SugarError(
          "the size -1 could be any, since another is 0; write it out");
    }
    *unknown = count / known;
  }
  RETURN_IF_ERROR(CheckSizes(x.dtype, result));
  if (ElementCount(result) == count) return result;
  return SugarError(TextOf(x), " has ", count, " elements, ", TextOf(sizes),
                    " has not; a reshape keeps them all");
}

// Strides for the sizes that visit x in the same order, where there are any.
// Both are walked from the last dimension: a run of x's dimensions that lie
// evenly behind each other may be cut anew in any way.
absl::optional<Dims> ReshapedStrides(const StridedWindow& x,
                                     absl::Span<const int64_t> sizes) {
  Dims strides(sizes.size());
  int64_t to = static_cast<int64_t>(sizes.size()) - 1;
  int64_t run_stride = x.strides.empty() ? 1 : x.strides.back();
  int64_t run_count = 1;
  int64_t cut_count = 1;
  for (int64_t from = RankOf(x) - 1; from >= 0; --from) {
    run_count *= x.sizes[from];
    const bool ends = from == 0 || (x.sizes[from - 1] != 1 &&
                                    absl::int128(x.strides[from - 1]) !=
                                        absl::int128(run_count) * run_stride);
    if (!ends) continue;
    while (to >= 0 && (cut_count < run_count || sizes[to] == 1)) {
      if (__builtin_mul_overflow(cut_count, run_stride, &strides[to])) {
        return absl::nullopt;
      }
      cut_count *= sizes[to--];
    }
    if (cut_count != run_count) return absl::nullopt;
    if (from > 0) {
      run_stride = x.strides[from - 1];
      run_count = 1;
      cut_count = 1;
    }
  }
  if (RankOf(x) == 0) {
    std::fill(strides.begin(), strides.end(), 1);
    to = -1;
  }
  if (to >= 0) return absl::nullopt;
  return strides;
}

}  // namespace

absl::StatusOr<StridedWindow> ReshapeOf(const StridedWindow& x,
                                        absl::Span<const int64_t> sizes) {
  ASSIGN_OR_RETURN(const Dims new_sizes, ReshapedSizes(x, sizes));
  StridedWindow result{x.dtype, new_sizes, {}, x.offset};
  if (ElementCount(x.sizes) == 0) {
    result.strides =
        new_sizes == x.sizes ? x.strides : RowMajorStrides(new_sizes);
    return result;
  }
  const absl::optional<Dims> strides = ReshapedStrides(x, new_sizes);
  if (!strides) {
    return SugarError(TextOf(x), " with strides ", TextOf(x.strides),
                      " is no view with sizes ", TextOf(new_sizes),
                      "; `clone` it first");
  }
  result.strides = *strides;
  return result;
}

}  // namespace palimpsest
