// Every operation on footprints against bitmaps, for a million random pairs of
// windows of rank up to four. Prints which layer decided how many.

#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <random>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

constexpr int kPairs = 250000;  // Of each family.
constexpr size_t kBits = 16384;
constexpr int64_t kOrigin = -6000;
using Bytes = std::bitset<kBits>;

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // In [low, high].
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % (high - low + 1));
  }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }
  template <typename T>
  T OneOf(std::initializer_list<T> choices) {
    return choices.begin()[Between(0, choices.size() - 1)];
  }
  void Permute(Window& window) {
    for (int64_t i = window.sizes.size(); i-- > 1;) {
      const int64_t j = Between(0, i);
      std::swap(window.sizes[i], window.sizes[j]);
      std::swap(window.strides[i], window.strides[j]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

Window FreeStrides(Random& random) {
  Window window;
  window.dtype =
      random.OneOf({DType::kI8, DType::kI16, DType::kI32, DType::kI64});
  window.offset = random.Between(0, 60);
  for (int64_t rank = random.Between(0, 4); rank > 0; --rank) {
    window.sizes.push_back(random.OneIn(40) ? 0 : random.Between(1, 4));
    window.strides.push_back(
        random.OneOf({-1, 1}) *
        random.OneOf({0, 1, 2, 3, 4, 6, 8, 9, 12, 16, 24, 36, 40}));
  }
  return window;
}

// A basic slice: any steps, flips and permutations.
Window SliceOf(Random& random, DType dtype, absl::Span<const int64_t> shape) {
  const Dims parent = RowMajorStrides(shape);
  Window window;
  window.dtype = dtype;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t step = random.OneIn(3) ? random.Between(2, 5) : 1;
    // Starts near 0 more often, so that many pairs meet.
    const int64_t start = random.Between(0, random.Between(0, shape[i] - 1));
    const int64_t most = (shape[i] - 1 - start) / step + 1;
    const int64_t size = random.OneIn(2) ? most : random.Between(1, most);
    const bool flip = random.OneIn(2);
    window.offset += parent[i] * (flip ? start + step * (size - 1) : start);
    window.sizes.push_back(size);
    window.strides.push_back((flip ? -step : step) * parent[i]);
  }
  if (random.OneIn(4)) {  // A broadcast dimension.
    window.sizes.push_back(2);
    window.strides.push_back(0);
  }
  random.Permute(window);
  return window;
}

Window SliceOfOneParent(Random& random) {
  return SliceOf(random, DType::kI16, {3, 4, 5, 7});
}

Window DTypeView(Random& random) {
  const DType dtype =
      random.OneOf({DType::kI8, DType::kI16, DType::kI32, DType::kI64});
  return SliceOf(random, dtype, {4, 5, 48 / WidthOf(dtype)});
}

Window SliceOfSomeReshape(Random& random) {
  switch (random.Between(0, 6)) {
    case 0:
      return SliceOf(random, DType::kI8, {6, 8, 5});
    case 1:
      return SliceOf(random, DType::kI8, {8, 6, 5});
    case 2:
      return SliceOf(random, DType::kI8, {48, 5});
    case 3:
      return SliceOf(random, DType::kI8, {3, 16, 5});
    case 4:
      return SliceOf(random, DType::kI8, {15, 16});
    case 5:
      return SliceOf(random, DType::kI8, {4, 3, 20});
    default:
      return SliceOf(random, DType::kI8, {240});
  }
}

struct Counts {
  LayerCounts relate;
  LayerCounts overlaps;
  int64_t intersections = 0;  // Found, of pairs that are partial.
  int64_t partial = 0;
};

void Print(absl::string_view family, const Counts& counts) {
  std::cout << family << ": " << kPairs << " pairs\n";
  for (int i = 0; i < kLayers; ++i) {
    const Layer layer = static_cast<Layer>(i);
    std::cout << "  layer " << i << ", " << TextOf(layer) << ": overlap "
              << counts.overlaps.Get(layer) << ", relation "
              << counts.relate.Get(layer) << "\n";
  }
  std::cout << "  intersection is one window for " << counts.intersections
            << " of " << counts.partial << " partial pairs\n";
}

struct Case {
  explicit Case(const Window& w)
      : window(w),
        footprint(w.footprint()),
        bytes(BytesOf<kBits>(w, kOrigin)) {}

  Window window;
  Footprint footprint;
  Bytes bytes;
};

void CheckPair(const Case& a, const Case& b, Counts& counts) {
  const Relation expected = RelationOf(a.bytes, b.bytes);
  const RelateResult related = Relate(a.footprint, b.footprint);
  counts.relate.Add(related.layer);
  ASSERT_EQ(related.relation, expected);
  ASSERT_EQ(Relate(b.footprint, a.footprint).relation, Mirrored(expected));

  const OverlapResult overlaps = Overlaps(a.footprint, b.footprint);
  counts.overlaps.Add(overlaps.layer);
  ASSERT_EQ(overlaps.overlap == Overlap::kNo, expected == Relation::kDisjoint);

  const bool covers = (b.bytes & ~a.bytes).none();
  ASSERT_EQ(Covers(a.footprint, b.footprint).cover,
            covers ? Cover::kYes : Cover::kNo);

  const absl::optional<Footprint> common =
      Intersection(a.footprint, b.footprint);
  if (common) {
    ASSERT_EQ(common->empty() ? Bytes()
                              : BytesOf<kBits>(common->shape().dims(),
                                               common->begin() - kOrigin),
              a.bytes & b.bytes);
  }
  counts.partial += expected == Relation::kPartial ? 1 : 0;
  counts.intersections += expected == Relation::kPartial && common ? 1 : 0;

  ASSERT_EQ(SelfOverlap(a.window.layout()).overlap,
            OverlapsItself(a.window) ? Overlap::kYes : Overlap::kNo);
}

Counts CheckFamily(absl::string_view name, uint64_t seed,
                   Window (*make)(Random&)) {
  Random random(seed);
  Counts counts;
  for (int i = 0; i < kPairs; ++i) {
    const Case a(make(random));
    const Case b(make(random));
    CheckPair(a, b, counts);
    if (testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "pair " << i << ": " << a.window << " and " << b.window;
      break;
    }
  }
  Print(name, counts);
  EXPECT_EQ(counts.overlaps.Get(Layer::kUndecided), 0);
  EXPECT_EQ(counts.relate.Get(Layer::kUndecided), 0);
  return counts;
}

TEST(FootprintRandomTest, FreeStrides) {
  CheckFamily("free strides", 1, FreeStrides);
}

TEST(FootprintRandomTest, SlicesOfOneParentAreDecidedBeforeTheSearch) {
  const Counts counts =
      CheckFamily("slices of one parent", 2, SliceOfOneParent);
  for (const Layer layer : {Layer::kSearch, Layer::kBitset}) {
    EXPECT_EQ(counts.overlaps.Get(layer), 0);
    EXPECT_EQ(counts.relate.Get(layer), 0);
  }
  EXPECT_EQ(counts.intersections, counts.partial);
}

TEST(FootprintRandomTest, DTypeViews) {
  CheckFamily("dtype views of one parent", 3, DTypeView);
}

TEST(FootprintRandomTest, SlicesOfDifferentReshapes) {
  CheckFamily("slices of different reshapes", 4, SliceOfSomeReshape);
}

}  // namespace
}  // namespace palimpsest
