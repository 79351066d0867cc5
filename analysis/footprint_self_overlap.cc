// Whether one layout meets itself: sum s_i*k_i = 0 with |k_i| < e_i has a
// solution that is not all zero. At a valid cut (footprint_overlap.cc) the
// lower and the upper dimensions must be zero each on its own, so groups are
// decided one by one.
//
// Strides and offsets count elements, so elements meet in all bytes or in none,
// and all of this is in elements.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "absl/numeric/int128.h"
#include "absl/types/optional.h"
#include "analysis/footprint.h"
#include "analysis/footprint_bitset.h"
#include "analysis/footprint_search.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

using footprint_internal::CountSums;
using footprint_internal::Gcd;
using footprint_internal::Search;
using footprint_internal::SearchNodes;
using footprint_internal::Variables;

// Dimensions by falling stride, which is positive.
class SelfOverlapPass {
 public:
  SelfOverlapPass(const ByteDims& dims, int64_t nodes)
      : dims_(dims), nodes_(nodes) {}

  OverlapResult Run() {
    absl::int128 rest = 0;
    for (const ByteDim dim : dims_) {
      rest += absl::int128(dim.stride) * (dim.extent - 1);
    }
    absl::int128 gcd = 0;
    for (const ByteDim dim : dims_) {
      const absl::int128 reach = dim.extent - 1;
      group_.push_back({dim.stride, -reach, reach});
      rest -= dim.stride * reach;
      gcd = Gcd<absl::int128>(gcd, dim.stride);
      if (rest >= gcd) continue;
      const Overlap overlap = GroupOverlapsItself();
      if (overlap == Overlap::kUnknown) {
        return {Overlap::kUnknown, Layer::kUndecided};
      }
      if (overlap == Overlap::kYes) return {Overlap::kYes, layer_};
      group_.clear();
    }
    return {Overlap::kNo, layer_};
  }

 private:
  // Each of the group's variables in turn is the first one that is not zero; by
  // symmetry it is positive.
  Overlap GroupOverlapsItself() {
    for (size_t i = 0; i + 1 < group_.size(); ++i) {
      if (group_.size() > 2) layer_ = Layer::kSearch;
      Variables<absl::int128> variables(group_.begin() + i, group_.end());
      variables[0].high -= 1;
      variables[0].low = 0;
      const Overlap found =
          Search<absl::int128>(variables, &nodes_).Solve(-variables[0].stride);
      if (found != Overlap::kNo) return found;
    }
    return Overlap::kNo;
  }

  const ByteDims& dims_;
  int64_t nodes_;
  Layer layer_ = Layer::kDigits;
  Variables<absl::int128> group_;
};

}  // namespace

OverlapResult SelfOverlap(const Layout& layout, const FootprintLimits& limits) {
  const FootprintShape shape = FootprintShape::Of(layout);
  if (shape.kind() == FootprintShape::Kind::kEmpty) {
    return {Overlap::kNo, Layer::kBounds};
  }
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.sizes[i] > 1 && layout.strides[i] == 0) {
      return {Overlap::kYes, Layer::kNormalForm};
    }
  }
  if (shape.kind() == FootprintShape::Kind::kTooLarge) {
    return {Overlap::kUnknown, Layer::kUndecided};
  }
  ByteDims dims;
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.sizes[i] == 1) continue;
    dims.push_back({layout.sizes[i], std::abs(layout.strides[i])});
  }
  std::sort(dims.begin(), dims.end(),
            [](ByteDim x, ByteDim y) { return x.stride > y.stride; });
  const int64_t last = shape.last() / WidthOf(layout.dtype);
  absl::int128 count = 1;
  for (const ByteDim dim : dims) {
    count *= dim.extent;
    if (count > last + 1) return {Overlap::kYes, Layer::kNormalForm};
  }
  const OverlapResult digits =
      SelfOverlapPass(dims, SearchNodes(last, limits)).Run();
  if (digits.overlap != Overlap::kUnknown) return digits;
  const absl::optional<int64_t> sums = CountSums(dims, limits.bitset_bytes);
  if (!sums) return {Overlap::kUnknown, Layer::kUndecided};
  return {*sums < count ? Overlap::kYes : Overlap::kNo, Layer::kBitset};
}

}  // namespace palimpsest
