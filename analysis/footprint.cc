#include "analysis/footprint.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// One below the largest number, so that the byte after the last has one too.
constexpr int64_t kLargestByte = std::numeric_limits<int64_t>::max() - 1;

// Sorts by falling stride and merges equal strides.
void MergeEqualStrides(ByteDims& dims) {
  // Insertion sort: a handful of dimensions, mostly sorted already.
  for (size_t i = 1; i < dims.size(); ++i) {
    for (size_t j = i; j > 0 && dims[j - 1].stride < dims[j].stride; --j) {
      std::swap(dims[j - 1], dims[j]);
    }
  }
  size_t count = 0;
  for (const ByteDim dim : dims) {
    if (count > 0 && dims[count - 1].stride == dim.stride) {
      dims[count - 1].extent += dim.extent - 1;
    } else {
      dims[count++] = dim;
    }
  }
  dims.resize(count);
}

// Merges two dimensions wherever the larger stride is a multiple m of the
// smaller and the smaller dimension has no less than m steps: {0..e-1} +
// m*{0..f-1} has no gaps then. Each pair needs one look from its smaller stride
// upwards: merging lengthens the smaller dimension and never helps a yet
// smaller one.
void MergeProgressions(ByteDims& dims) {
  for (int i = static_cast<int>(dims.size()) - 1; i > 0; --i) {
    ByteDim& small = dims[i];
    for (int j = i - 1; j >= 0; --j) {
      const ByteDim large = dims[j];
      if (large.stride / small.stride > small.extent) break;
      if (large.stride % small.stride != 0) continue;
      small.extent += large.stride / small.stride * (large.extent - 1);
      dims.erase(dims.begin() + j);
      // All larger strides again; `small` has moved.
      return MergeProgressions(dims);
    }
  }
}

}  // namespace

FootprintShape FootprintShape::Of(const Layout& layout) {
  const int64_t width = WidthOf(layout.dtype);
  ByteDims dims;
  for (int i = 0; i < layout.rank(); ++i) {
    // A product that does not fit is replaced by one that is too large as well.
    int64_t stride = 0;
    if (__builtin_mul_overflow(layout.strides[i], width, &stride)) {
      stride = std::numeric_limits<int64_t>::max();
    }
    dims.push_back({layout.sizes[i], stride});
  }
  dims.push_back({width, 1});
  return OfBytes(dims);
}

FootprintShape FootprintShape::OfBytes(absl::Span<const ByteDim> dims) {
  FootprintShape shape;
  for (const ByteDim dim : dims) {
    if (dim.extent <= 0) return shape;
  }
  absl::int128 first = 0;
  absl::int128 last = 0;
  for (const ByteDim dim : dims) {
    if (dim.extent == 1 || dim.stride == 0) continue;
    const absl::int128 reach = absl::int128(dim.stride) * (dim.extent - 1);
    if (reach < 0) first += reach;
    last += reach < 0 ? -reach : reach;
    if (last > kLargestByte) {
      shape.kind_ = Kind::kTooLarge;
      return shape;
    }
    shape.dims_.push_back({dim.extent, std::abs(dim.stride)});
  }
  shape.kind_ = Kind::kBytes;
  shape.first_ = static_cast<int64_t>(first);
  shape.last_ = static_cast<int64_t>(last);
  shape.Finish();
  return shape;
}

void FootprintShape::Finish() {
  MergeEqualStrides(dims_);
  merged_ = dims_;
  MergeProgressions(merged_);
  absl::Span<const ByteDim> coarse = merged_;
  if (!coarse.empty() && coarse.back().stride == 1) {
    run_ = coarse.back().extent;
    coarse.remove_suffix(1);
  }
  for (const ByteDim dim : coarse) step_ = std::gcd(step_, dim.stride);
}

absl::optional<int64_t> FootprintShape::bytes() const {
  if (kind_ == Kind::kEmpty) return 0;
  if (kind_ == Kind::kTooLarge) return absl::nullopt;
  int64_t count = 1;
  int64_t reach = 0;
  for (auto dim = merged_.rbegin(); dim != merged_.rend(); ++dim) {
    if (dim->stride <= reach) return absl::nullopt;
    reach += dim->stride * (dim->extent - 1);
    count *= dim->extent;
  }
  return count;
}

Footprint::Footprint(FootprintShape shape, int64_t begin)
    : shape_(std::move(shape)), begin_(begin) {
  if (!empty() && begin > kLargestByte - shape_.last()) {
    shape_ = FootprintShape::OfBytes({{2, kLargestByte}, {2, kLargestByte}});
  }
}

Footprint Footprint::Of(const Layout& layout, int64_t offset) {
  FootprintShape shape = FootprintShape::Of(layout);
  const absl::int128 begin =
      absl::int128(offset) * WidthOf(layout.dtype) + shape.first();
  if (begin < std::numeric_limits<int64_t>::min() || begin > kLargestByte) {
    // The constructor says what is too large; an empty window is not.
    return Footprint(std::move(shape), std::numeric_limits<int64_t>::max());
  }
  return Footprint(std::move(shape), static_cast<int64_t>(begin));
}

std::string Footprint::ToString() const {
  if (empty()) return "empty";
  if (shape_.kind() == FootprintShape::Kind::kTooLarge) return "too large";
  std::string text = absl::StrCat("[", begin(), ", ", end(), ")");
  absl::string_view separator = ": ";
  for (const ByteDim dim : shape_.merged()) {
    absl::StrAppend(&text, separator, dim.extent, " x ", dim.stride);
    separator = ", ";
  }
  return text;
}

absl::string_view TextOf(Layer layer) {
  constexpr absl::string_view kTexts[kLayers] = {
      "bounds", "normal form", "residues", "digits",
      "search", "bitset",      "undecided"};
  return kTexts[static_cast<int>(layer)];
}

absl::string_view TextOf(Relation relation) {
  constexpr absl::string_view kTexts[] = {"disjoint", "equal",   "contains",
                                          "inside",   "partial", "unknown"};
  return kTexts[static_cast<int>(relation)];
}

RelateResult Relate(FootprintRef a, FootprintRef b,
                    const FootprintLimits& limits) {
  const OverlapResult overlap = Overlaps(a, b, limits);
  if (overlap.overlap == Overlap::kNo) {
    return {Relation::kDisjoint, overlap.layer};
  }
  const CoverResult covers = Covers(a, b, limits);
  const CoverResult covered = Covers(b, a, limits);
  const Layer layer = std::max({overlap.layer, covers.layer, covered.layer});
  if (overlap.overlap == Overlap::kUnknown || covers.cover == Cover::kUnknown ||
      covered.cover == Cover::kUnknown) {
    return {Relation::kUnknown, Layer::kUndecided};
  }
  if (covers.cover == Cover::kYes) {
    return {
        covered.cover == Cover::kYes ? Relation::kEqual : Relation::kContains,
        layer};
  }
  return {covered.cover == Cover::kYes ? Relation::kInside : Relation::kPartial,
          layer};
}

bool SameMap(const Layout& a, int64_t a_offset, const Layout& b,
             int64_t b_offset) {
  if (a.dtype != b.dtype || a.sizes != b.sizes) return false;
  if (absl::c_linear_search(a.sizes, 0)) return true;
  if (a_offset != b_offset) return false;
  for (int i = 0; i < a.rank(); ++i) {
    if (a.sizes[i] != 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

}  // namespace palimpsest
