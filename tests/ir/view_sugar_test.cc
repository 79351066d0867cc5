// View sugar against its definition: torch's op on a tensor whose elements are
// their own addresses. The oracle moves elements; it knows nothing of strides.

#include "ir/view_sugar.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// A tensor of addresses, row-major.
struct Tensor {
  std::vector<int64_t> sizes;
  std::vector<int64_t> elements;

  friend bool operator==(const Tensor& a, const Tensor& b) {
    return a.sizes == b.sizes && a.elements == b.elements;
  }
};

using Index = std::vector<int64_t>;

// Every index of a tensor with those sizes, in row-major order.
std::vector<Index> Indices(const std::vector<int64_t>& sizes) {
  std::vector<Index> indices = {{}};
  for (int64_t size : sizes) {
    std::vector<Index> next;
    for (const Index& index : indices) {
      for (int64_t k = 0; k < size; ++k) {
        next.push_back(index);
        next.back().push_back(k);
      }
    }
    indices = next;
  }
  return indices;
}

int64_t At(const Tensor& x, const Index& index) {
  int64_t place = 0;
  for (size_t i = 0; i < index.size(); ++i)
    place = place * x.sizes[i] + index[i];
  return x.elements[place];
}

// The tensor whose element at an index is x's at `from(index)`.
template <typename From>
Tensor Gathered(const Tensor& x, std::vector<int64_t> sizes, const From& from) {
  Tensor result{std::move(sizes), {}};
  for (const Index& index : Indices(result.sizes)) {
    result.elements.push_back(At(x, from(index)));
  }
  return result;
}

Tensor Addresses(const StridedWindow& window) {
  Tensor result{{window.sizes.begin(), window.sizes.end()}, {}};
  for (const Index& index : Indices(result.sizes)) {
    int64_t address = window.offset;
    for (size_t i = 0; i < index.size(); ++i) {
      address += index[i] * window.strides[i];
    }
    result.elements.push_back(address);
  }
  return result;
}

// All windows of rank 3 or less with small sizes and telling strides.
std::vector<StridedWindow> SmallWindows() {
  std::vector<StridedWindow> windows = {{DType::kF32, {}, {}, 5}};
  for (size_t begin = 0, rank = 1; rank <= 3; ++rank) {
    const size_t end = windows.size();
    for (; begin < end; ++begin) {
      for (int64_t size : {0, 1, 2, 3}) {
        for (int64_t stride : {-6, 0, 1, 2}) {
          StridedWindow wider = windows[begin];
          wider.sizes.push_back(size);
          wider.strides.push_back(stride);
          windows.push_back(wider);
        }
      }
    }
  }
  return windows;
}

void ExpectSame(const absl::StatusOr<StridedWindow>& window,
                const Tensor& expected, const StridedWindow& x) {
  ASSERT_TRUE(window.ok()) << window.status().message();
  const Tensor actual = Addresses(*window);
  ASSERT_TRUE(actual == expected)
      << "of " << TextOf(x.sizes) << " strides " << TextOf(x.strides) << ": "
      << TextOf(window->sizes) << " strides " << TextOf(window->strides)
      << ", expected " << TextOf(expected.sizes);
}

class ViewSugarTest : public testing::Test {
 protected:
  // Calls check(x, its addresses, rank) for each small window.
  template <typename Check>
  void ForEach(const Check& check) {
    for (const StridedWindow& x : SmallWindows()) {
      check(x, Addresses(x), static_cast<int64_t>(x.sizes.size()));
      if (HasFatalFailure()) return;
    }
  }
};

TEST_F(ViewSugarTest, SliceTakesEveryStepthFromStartToEnd) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    for (int64_t dim = -rank; dim < rank; ++dim) {
      const int64_t d = dim < 0 ? dim + rank : dim;
      for (int64_t start : {-4, -1, 0, 1, 3}) {
        for (int64_t end : {-4, -1, 0, 2, 4}) {
          for (int64_t step : {1, 2}) {
            const int64_t n = t.sizes[d];
            const int64_t from =
                std::clamp<int64_t>(start < 0 ? start + n : start, 0, n);
            const int64_t to =
                std::clamp<int64_t>(end < 0 ? end + n : end, 0, n);
            std::vector<int64_t> sizes = t.sizes;
            sizes[d] = 0;
            for (int64_t k = from; k < to; k += step) ++sizes[d];
            ExpectSame(SliceOf(x, dim, start, end, step),
                       Gathered(t, sizes,
                                [&](Index index) {
                                  index[d] = from + index[d] * step;
                                  return index;
                                }),
                       x);
          }
        }
      }
    }
  });
}

TEST_F(ViewSugarTest, SelectFixesOneIndex) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    for (int64_t d = 0; d < rank; ++d) {
      for (int64_t k = -t.sizes[d]; k < t.sizes[d]; ++k) {
        std::vector<int64_t> sizes = t.sizes;
        sizes.erase(sizes.begin() + d);
        ExpectSame(SelectOf(x, d, k),
                   Gathered(t, sizes,
                            [&](Index index) {
                              index.insert(index.begin() + d,
                                           k < 0 ? k + t.sizes[d] : k);
                              return index;
                            }),
                   x);
      }
      EXPECT_FALSE(SelectOf(x, d, t.sizes[d]).ok());
      EXPECT_FALSE(SelectOf(x, d, -t.sizes[d] - 1).ok());
    }
  });
}

TEST_F(ViewSugarTest, PermuteReordersDimensions) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    std::vector<int64_t> dims(rank);
    for (int64_t i = 0; i < rank; ++i) dims[i] = i;
    do {
      std::vector<int64_t> sizes(rank);
      for (int64_t i = 0; i < rank; ++i) sizes[i] = t.sizes[dims[i]];
      ExpectSame(PermuteOf(x, dims),
                 Gathered(t, sizes,
                          [&](const Index& index) {
                            Index from(rank);
                            for (int64_t i = 0; i < rank; ++i) {
                              from[dims[i]] = index[i];
                            }
                            return from;
                          }),
                 x);
    } while (std::next_permutation(dims.begin(), dims.end()));
  });
}

TEST_F(ViewSugarTest, TransposeSwapsTwoDimensions) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    for (int64_t a = 0; a < rank; ++a) {
      for (int64_t b = 0; b < rank; ++b) {
        std::vector<int64_t> sizes = t.sizes;
        std::swap(sizes[a], sizes[b]);
        ExpectSame(TransposeOf(x, a - rank, b),
                   Gathered(t, sizes,
                            [&](Index index) {
                              std::swap(index[a], index[b]);
                              return index;
                            }),
                   x);
      }
    }
  });
}

// Strides that give those addresses, where there are any.
bool IsSomeView(const Tensor& t) {
  if (t.elements.empty()) return true;
  StridedWindow window{
      DType::kF32, Dims(t.sizes.begin(), t.sizes.end()), {}, t.elements[0]};
  for (size_t i = 0; i < t.sizes.size(); ++i) {
    Index second(t.sizes.size(), 0);
    if (t.sizes[i] > 1) second[i] = 1;
    window.strides.push_back(At(t, second) - t.elements[0]);
  }
  return Addresses(window) == t;
}

TEST_F(ViewSugarTest, ReshapeKeepsTheOrderAndFailsWhereItIsNoView) {
  const std::vector<std::vector<int64_t>> shapes = {
      {},        {0},    {1},    {2},    {3},    {4},         {6},
      {8},       {9},    {12},   {18},   {2, 2}, {4, 1},      {1, 3},
      {2, 3},    {3, 2}, {3, 3}, {2, 4}, {4, 3}, {2, 2, 2},   {3, 1, 2},
      {2, 3, 2}, {9, 2}, {1, 1}, {3, 0}, {6, 3}, {2, 1, 1, 3}};
  int64_t views = 0;
  ForEach([&](const StridedWindow& x, const Tensor& t, int64_t) {
    for (const std::vector<int64_t>& sizes : shapes) {
      const Tensor reshaped{sizes, t.elements};
      const auto window = ReshapeOf(x, sizes);
      if (ElementCount(sizes) != static_cast<int64_t>(t.elements.size())) {
        EXPECT_FALSE(window.ok());
      } else if (IsSomeView(reshaped)) {
        ExpectSame(window, reshaped, x);
        ++views;
      } else {
        EXPECT_FALSE(window.ok());
      }
    }
  });
  EXPECT_GT(views, 1000);
}

TEST_F(ViewSugarTest, ReshapeFindsTheSizeThatIsLeftOut) {
  const StridedWindow x{DType::kF32, {4, 6}, {6, 1}, 0};
  EXPECT_EQ(TextOf(ReshapeOf(x, {3, -1})->sizes), "[3,8]");
  EXPECT_FALSE(ReshapeOf(x, {5, -1}).ok());
  EXPECT_FALSE(ReshapeOf(x, {-1, -1}).ok());
  EXPECT_FALSE(ReshapeOf(x, {0, -1}).ok());
  EXPECT_FALSE(ReshapeOf(x, {-2, -12}).ok());
}

TEST_F(ViewSugarTest, ExpandRepeatsDimensionsOfOne) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    std::vector<int64_t> sizes = t.sizes;
    for (int64_t& size : sizes) size = size == 1 ? 3 : -1;
    sizes.insert(sizes.begin(), 2);
    std::vector<int64_t> expected = sizes;
    for (int64_t i = 0; i < rank; ++i) {
      if (expected[i + 1] == -1) expected[i + 1] = t.sizes[i];
    }
    ExpectSame(ExpandOf(x, sizes),
               Gathered(t, expected,
                        [&](Index index) {
                          index.erase(index.begin());
                          for (int64_t i = 0; i < rank; ++i) {
                            if (t.sizes[i] == 1) index[i] = 0;
                          }
                          return index;
                        }),
               x);
    EXPECT_EQ(ExpandOf(x, {}).ok(), rank == 0);
  });
  EXPECT_FALSE(ExpandOf({DType::kF32, {2}, {1}, 0}, {3}).ok());
  EXPECT_FALSE(ExpandOf({DType::kF32, {2}, {1}, 0}, {-1, 2}).ok());
}

TEST_F(ViewSugarTest, DiagonalPairsTwoIndices) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    for (int64_t a = 0; a < rank; ++a) {
      for (int64_t b = 0; b < rank; ++b) {
        for (int64_t offset = -3; a != b && offset <= 3; ++offset) {
          std::vector<int64_t> sizes = t.sizes;
          sizes.erase(sizes.begin() + std::max(a, b));
          sizes.erase(sizes.begin() + std::min(a, b));
          int64_t count = 0;
          for (int64_t i = 0; i < t.sizes[a]; ++i) {
            count += i + offset >= 0 && i + offset < t.sizes[b];
          }
          sizes.push_back(count);
          ExpectSame(
              DiagonalOf(x, offset, a, b - rank),
              Gathered(t, sizes,
                       [&](Index index) {
                         const int64_t k = index.back();
                         index.pop_back();
                         const int64_t at_a = k - std::min<int64_t>(offset, 0);
                         const int64_t at_b = k + std::max<int64_t>(offset, 0);
                         index.insert(index.begin() + std::min(a, b),
                                      a < b ? at_a : at_b);
                         index.insert(index.begin() + std::max(a, b),
                                      a < b ? at_b : at_a);
                         return index;
                       }),
              x);
        }
      }
    }
  });
}

TEST_F(ViewSugarTest, UnfoldMakesAWindowOfEachStep) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    for (int64_t d = 0; d < rank; ++d) {
      for (int64_t size = 0; size <= t.sizes[d]; ++size) {
        for (int64_t step : {1, 2}) {
          std::vector<int64_t> sizes = t.sizes;
          sizes[d] = (t.sizes[d] - size) / step + 1;
          sizes.push_back(size);
          ExpectSame(UnfoldOf(x, d, size, step),
                     Gathered(t, sizes,
                              [&](Index index) {
                                const int64_t k = index.back();
                                index.pop_back();
                                index[d] = index[d] * step + k;
                                return index;
                              }),
                     x);
        }
      }
      EXPECT_FALSE(UnfoldOf(x, d, t.sizes[d] + 1, 1).ok());
    }
  });
  EXPECT_EQ(TextOf(UnfoldOf({DType::kF32, {}, {}, 0}, 0, 1, 1)->sizes), "[1]");
}

TEST_F(ViewSugarTest, SqueezeAndUnsqueezeKeepTheElements) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    std::vector<int64_t> squeezed;
    for (int64_t size : t.sizes) {
      if (size != 1) squeezed.push_back(size);
    }
    ExpectSame(SqueezeOf(x, absl::nullopt), {squeezed, t.elements}, x);
    for (int64_t d = 0; d <= rank; ++d) {
      std::vector<int64_t> sizes = t.sizes;
      sizes.insert(sizes.begin() + d, 1);
      ExpectSame(UnsqueezeOf(x, d - rank - 1), {sizes, t.elements}, x);
      if (d == rank) continue;
      const Dims dims = {d};
      sizes = t.sizes;
      if (sizes[d] == 1) sizes.erase(sizes.begin() + d);
      ExpectSame(SqueezeOf(x, absl::MakeConstSpan(dims)), {sizes, t.elements},
                 x);
    }
  });
}

TEST_F(ViewSugarTest, FlipViewCountsFromBehind) {
  ForEach([](const StridedWindow& x, const Tensor& t, int64_t rank) {
    for (int64_t mask = 0; mask < (1 << rank); ++mask) {
      Dims dims;
      for (int64_t d = 0; d < rank; ++d) {
        if (mask >> d & 1) dims.push_back(d - rank);
      }
      ExpectSame(FlipViewOf(x, dims),
                 Gathered(t, t.sizes,
                          [&](Index index) {
                            for (int64_t d = 0; d < rank; ++d) {
                              if (mask >> d & 1) {
                                index[d] = t.sizes[d] - 1 - index[d];
                              }
                            }
                            return index;
                          }),
                 x);
    }
  });
}

// The addresses of the bytes, element by element.
std::vector<int64_t> Bytes(const StridedWindow& window) {
  std::vector<int64_t> bytes;
  for (int64_t element : Addresses(window).elements) {
    for (int64_t k = 0; k < WidthOf(window.dtype); ++k) {
      bytes.push_back(element * WidthOf(window.dtype) + k);
    }
  }
  return bytes;
}

TEST_F(ViewSugarTest, BitcastKeepsTheBytes) {
  int64_t casts = 0;
  for (const StridedWindow& window : SmallWindows()) {
    for (int64_t offset : {4, 5}) {
      StridedWindow x = window;
      x.offset = offset;
      for (DType dtype : {DType::kI32, DType::kF64, DType::kF16, DType::kU8}) {
        const auto cast = BitcastOf(x, dtype);
        if (!cast.ok()) continue;
        ++casts;
        ASSERT_EQ(Bytes(*cast), Bytes(x));
        EXPECT_EQ(cast->dtype, dtype);
      }
    }
  }
  EXPECT_GT(casts, 1000);
}

TEST_F(ViewSugarTest, AWiderBitcastNeedsWholeElements) {
  const auto cast = [](Dims sizes, Dims strides, int64_t offset) {
    return BitcastOf({DType::kF32, sizes, strides, offset}, DType::kF64).ok();
  };
  EXPECT_TRUE(cast({3, 2}, {2, 1}, 2));
  EXPECT_FALSE(cast({3, 2}, {2, 1}, 1)) << "offset";
  EXPECT_FALSE(cast({3, 2}, {3, 1}, 2)) << "stride";
  EXPECT_FALSE(cast({3, 3}, {4, 1}, 2)) << "size";
  EXPECT_FALSE(cast({3, 2}, {2, 2}, 2)) << "last stride";
  EXPECT_FALSE(cast({}, {}, 0)) << "rank";
}

TEST_F(ViewSugarTest, RealAndImagAreEveryOtherFloat) {
  const StridedWindow x{DType::kC64, {2, 3}, {-3, 1}, 4};
  const StridedWindow real = *RealOf(x);
  const StridedWindow imag = *ImagOf(x);
  EXPECT_EQ(real.dtype, DType::kF32);
  EXPECT_EQ(real.offset, 8);
  EXPECT_EQ(imag.offset, 9);
  EXPECT_EQ(TextOf(imag.strides), "[-6,2]");
  EXPECT_FALSE(RealOf(real).ok());
}

TEST_F(ViewSugarTest, WhatDoesNotFit64BitsIsRefused) {
  const StridedWindow x{DType::kC128, {4, 4}, {INT64_MAX, 1}, INT64_MAX - 1};
  EXPECT_FALSE(SelectOf(x, 0, 3).ok());
  EXPECT_FALSE(SliceOf(x, 0, 0, 4, 2).ok());
  EXPECT_FALSE(RealOf(x).ok());
  EXPECT_FALSE(BitcastOf(x, DType::kF32).ok());
  EXPECT_FALSE(FlipViewOf(x, {0}).ok());
  EXPECT_FALSE(DiagonalOf(x, INT64_MIN, 0, 1).ok());
  EXPECT_FALSE(UnsqueezeOf(x, 0).ok());
}

}  // namespace
}  // namespace palimpsest
