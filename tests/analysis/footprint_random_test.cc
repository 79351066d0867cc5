// Every operation on footprints against bitmaps, for a million random pairs of
// windows of rank up to four. Prints which layer decided how many.

#include <bitset>
#include <cstdint>
#include <iostream>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "analysis/footprint.h"
#include "gtest/gtest.h"
#include "tests/analysis/window_families.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

constexpr int kPairs = 250000;  // Of each family.
constexpr size_t kBits = 16384;
constexpr int64_t kOrigin = -6000;
using Bytes = std::bitset<kBits>;

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
  FootprintLimits search_only;
  search_only.bitset_bytes = 0;
  const Overlap searched =
      Overlaps(a.footprint, b.footprint, search_only).overlap;
  if (searched != Overlap::kUnknown) {
    ASSERT_EQ(searched, overlaps.overlap);
  }

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
