#include "cuda/view.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"

namespace palimpsest {
namespace {

// The bytes [first, end) that a view spans, as addresses.
struct Addresses {
  const uint8_t* first;
  const uint8_t* end;
};

absl::optional<Addresses> AddressesOf(const View& view) {
  const absl::optional<Extent> extent = ExtentOf(view.layout());
  if (!extent || extent->count == 0) return absl::nullopt;
  const uint8_t* first =
      static_cast<const uint8_t*>(view.data()) + extent->first * view.width();
  return Addresses{first, first + extent->count * view.width()};
}

}  // namespace

View WholeOf(Buffer buffer, DType dtype, absl::Span<const int64_t> sizes) {
  View view;
  view.base = buffer.mutable_data();
  view.owner = std::move(buffer);
  view.dtype = dtype;
  view.sizes.assign(sizes.begin(), sizes.end());
  view.strides = RowMajorStrides(sizes);
  return view;
}

View WindowOf(Buffer buffer, const Layout& layout, int64_t offset) {
  View view;
  view.base = buffer.mutable_data();
  view.owner = std::move(buffer);
  view.dtype = layout.dtype;
  view.sizes.assign(layout.sizes.begin(), layout.sizes.end());
  view.strides.assign(layout.strides.begin(), layout.strides.end());
  view.offset = offset;
  return view;
}

View Broadcast(const View& view, absl::Span<const int64_t> sizes) {
  View result = view;
  result.sizes.assign(sizes.begin(), sizes.end());
  result.strides.assign(sizes.size(), 0);
  const int shift = static_cast<int>(sizes.size()) - view.rank();
  for (int d = 0; d < view.rank(); ++d) {
    if (view.sizes[d] != 1) result.strides[d + shift] = view.strides[d];
  }
  return result;
}

ViewOverlap OverlapOf(const View& a, const View& b) {
  const absl::optional<Addresses> x = AddressesOf(a);
  const absl::optional<Addresses> y = AddressesOf(b);
  if (!x || !y || x->end <= y->first || y->end <= x->first) {
    return ViewOverlap::kNone;
  }
  if (a.data() != b.data() || a.width() != b.width() || a.sizes != b.sizes) {
    return ViewOverlap::kSome;
  }
  for (int d = 0; d < a.rank(); ++d) {
    if (a.sizes[d] != 1 && a.strides[d] != b.strides[d])
      return ViewOverlap::kSome;
  }
  return ViewOverlap::kSameMap;
}

bool MayOverlapItself(const View& view) {
  absl::InlinedVector<std::pair<int64_t, int64_t>, 8> dims;  // Stride, size.
  for (int d = 0; d < view.rank(); ++d) {
    if (view.sizes[d] == 0) return false;
    if (view.sizes[d] == 1) continue;
    dims.push_back({std::abs(view.strides[d]), view.sizes[d]});
  }
  std::sort(dims.begin(), dims.end());
  int64_t last = 0;  // The greatest distance of two elements so far.
  for (const auto& [stride, size] : dims) {
    if (stride <= last) return true;
    last += stride * (size - 1);
  }
  return false;
}

namespace {

// Digits of an element count in the mixed radix of a value's sizes.
Dims DigitsOf(int64_t number, absl::Span<const int64_t> sizes) {
  Dims digits(sizes.size());
  for (int d = static_cast<int>(sizes.size()) - 1; d >= 0; --d) {
    digits[d] = d == 0 ? number : number % sizes[d];
    number /= sizes[d];
  }
  return digits;
}

int64_t Along(absl::Span<const int64_t> digits,
              absl::Span<const int64_t> strides) {
  int64_t sum = 0;
  for (size_t d = 0; d < digits.size(); ++d) sum += digits[d] * strides[d];
  return sum;
}

// The value's bytes are row-major: any window of it is a window of them.
absl::optional<View> ComposeRowMajor(const View& value, const Layout& layout,
                                     int64_t offset) {
  const int64_t width = WidthOf(layout.dtype);
  const int64_t first = value.offset * value.width();
  if (first % width != 0) return absl::nullopt;
  View view = WindowOf(value.owner, layout, first / width + offset);
  view.base = value.base;
  return view;
}

}  // namespace

absl::optional<View> Compose(const View& value, const Layout& layout,
                             int64_t offset) {
  if (ElementCount(layout.sizes) == 0) return WindowOf(value.owner, layout, 0);
  if (IsRowMajor(value.layout())) return ComposeRowMajor(value, layout, offset);
  if (WidthOf(layout.dtype) != value.width() || value.rank() == 0) {
    return absl::nullopt;
  }
  // Start at the least element, so that digits of steps only add up; where no
  // digit can overflow, a step along the window is a step along the value.
  Dims strides(layout.strides.begin(), layout.strides.end());
  int64_t least = offset;
  for (size_t d = 0; d < strides.size(); ++d) {
    if (strides[d] < 0) least += strides[d] * (layout.sizes[d] - 1);
  }
  const Dims start = DigitsOf(least, value.sizes);
  Dims greatest = start;
  View view = WindowOf(value.owner, layout, 0);
  view.base = value.base;
  view.offset = value.offset + Along(start, value.strides);
  for (size_t d = 0; d < strides.size(); ++d) {
    if (layout.sizes[d] == 1) continue;
    const Dims digits = DigitsOf(std::abs(strides[d]), value.sizes);
    for (size_t k = 0; k < digits.size(); ++k) {
      greatest[k] += digits[k] * (layout.sizes[d] - 1);
    }
    view.strides[d] = Along(digits, value.strides);
    if (strides[d] < 0) {
      view.offset += view.strides[d] * (layout.sizes[d] - 1);
      view.strides[d] = -view.strides[d];
    }
  }
  for (size_t k = 0; k < greatest.size(); ++k) {
    if (greatest[k] >= value.sizes[k]) return absl::nullopt;
  }
  return view;
}

namespace internal {

absl::Status TooManyDimensions(int rank) {
  return absl::InvalidArgumentError(absl::StrCat(
      "a window of ", rank, " dimensions that are not one; at most ",
      kernels::kMaxRank + 1, " can be run"));
}

namespace {

Walk SortedByStrides(const Walk& walk) {
  absl::InlinedVector<int, 8> order(walk.sizes.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int>(d);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(walk.strides[0][a]) > std::abs(walk.strides[0][b]);
  });
  Walk sorted;
  sorted.strides.resize(walk.strides.size());
  for (int d : order) {
    sorted.sizes.push_back(walk.sizes[d]);
    for (size_t t = 0; t < walk.strides.size(); ++t) {
      sorted.strides[t].push_back(walk.strides[t][d]);
    }
  }
  return sorted;
}

// Whether the last dimension of `walk` goes on with dimension `d` of `next`.
bool Continues(const Walk& walk, const Walk& next, size_t d) {
  for (size_t t = 0; t < next.strides.size(); ++t) {
    if (walk.strides[t].back() != next.strides[t][d] * next.sizes[d]) {
      return false;
    }
  }
  return true;
}

}  // namespace

Walk SimplifyWalk(Walk walk, WalkOrder order) {
  if (order == WalkOrder::kAny) walk = SortedByStrides(walk);
  Walk merged;
  merged.strides.resize(walk.strides.size());
  for (size_t d = 0; d < walk.sizes.size(); ++d) {
    if (walk.sizes[d] == 1) continue;
    const bool continues = !merged.sizes.empty() && Continues(merged, walk, d);
    if (continues) {
      merged.sizes.back() *= walk.sizes[d];
    } else {
      merged.sizes.push_back(walk.sizes[d]);
    }
    for (size_t t = 0; t < walk.strides.size(); ++t) {
      if (continues) {
        merged.strides[t].back() = walk.strides[t][d];
      } else {
        merged.strides[t].push_back(walk.strides[t][d]);
      }
    }
  }
  if (merged.sizes.empty()) {
    merged.sizes.push_back(1);
    for (Dims& strides : merged.strides) strides.push_back(0);
  }
  return merged;
}

}  // namespace internal
}  // namespace palimpsest
