// What footprints must decide, by name: pairs that are known to be decided
// wrong or not at all elsewhere, and numbers near 2^63. Exactness for all small
// windows is footprint_exhaustive_test.cc, laws are footprint_laws_test.cc.

#include "analysis/footprint.h"

#include <cstdint>
#include <limits>

#include "absl/types/optional.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/analysis/sliced_tensor.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Relation Compare(const Tensor& a, const Tensor& b) {
  const RelateResult result = Relate(a.footprint(), b.footprint());
  EXPECT_LT(result.layer, Layer::kSearch) << a.window() << ", " << b.window();
  EXPECT_EQ(Relate(b.footprint(), a.footprint()).relation,
            Mirrored(result.relation));
  return result.relation;
}

TEST(FootprintTest, InterleavedElementsAreDisjoint) {
  const Tensor x({64});
  EXPECT_EQ(Compare(x.Slice(0, 0, 64, 2), x.Slice(0, 1, 64, 2)),
            Relation::kDisjoint);
}

TEST(FootprintTest, CheckerboardFieldsAreDisjoint) {
  const Tensor board({8, 8});
  const Tensor black = board.Slice(0, 0, 8, 2).Slice(1, 0, 8, 2);
  EXPECT_EQ(Compare(black, board.Slice(0, 0, 8, 2).Slice(1, 1, 8, 2)),
            Relation::kDisjoint);
  EXPECT_EQ(Compare(black, board.Slice(0, 1, 8, 2).Slice(1, 1, 8, 2)),
            Relation::kDisjoint);
}

TEST(FootprintTest, HeadsOfAThreeDimensionalTensorAreDisjoint) {
  const Tensor qkv({4, 8, 30});
  const Tensor q = qkv.Slice(2, 0, 10);
  const Tensor k = qkv.Slice(2, 10, 20);
  EXPECT_EQ(Compare(q, k), Relation::kDisjoint);
  EXPECT_EQ(Compare(k, qkv.Slice(2, 20, 30)), Relation::kDisjoint);
  EXPECT_EQ(Compare(q, qkv.Slice(2, 9, 20)), Relation::kPartial);
  EXPECT_EQ(Compare(qkv, k), Relation::kContains);
}

TEST(FootprintTest, HalvesOfAMiddleDimensionAreDisjoint) {
  const Tensor x({4, 8, 30});
  EXPECT_EQ(Compare(x.Slice(1, 0, 4), x.Slice(1, 4, 8)), Relation::kDisjoint);
  EXPECT_EQ(Compare(x.Slice(1, 0, 5), x.Slice(1, 4, 8)), Relation::kPartial);
}

TEST(FootprintTest, TimeSlotsOfAKeyValueCacheAreDisjoint) {
  const Tensor cache({16, 8, 1024, 64}, DType::kBF16);
  const Tensor slot = cache.Slice(2, 5, 6);
  EXPECT_EQ(Compare(slot, cache.Slice(2, 6, 7)), Relation::kDisjoint);
  EXPECT_EQ(Compare(slot, cache.Slice(2, 1023, 1024)), Relation::kDisjoint);
  EXPECT_EQ(Compare(cache.Slice(2, 0, 512), cache.Slice(2, 512, 1024)),
            Relation::kDisjoint);
  EXPECT_EQ(Compare(cache.Slice(2, 0, 6), slot), Relation::kContains);
  EXPECT_EQ(Compare(slot, cache.Slice(0, 3, 4)), Relation::kPartial);
}

TEST(FootprintTest, ColumnBlocksOfATransposedMatrixAreDisjoint) {
  const Tensor transposed = Tensor({6, 12}).Transpose(0, 1);
  EXPECT_EQ(Compare(transposed.Slice(1, 0, 3), transposed.Slice(1, 3, 6)),
            Relation::kDisjoint);
  EXPECT_EQ(Compare(transposed.Slice(0, 0, 6), transposed.Slice(0, 6, 12)),
            Relation::kDisjoint);
}

TEST(FootprintTest, NeighbouringDiagonalsAreDisjoint) {
  const Tensor x({9, 9});
  EXPECT_EQ(Compare(x.Diagonal(0), x.Diagonal(1)), Relation::kDisjoint);
  EXPECT_EQ(Compare(x.Diagonal(0), x.Slice(0, 3, 4)), Relation::kPartial);
  EXPECT_EQ(Compare(x.Diagonal(0), x.Slice(0, 3, 4).Slice(1, 3, 4)),
            Relation::kContains);
}

TEST(FootprintTest, ColumnsAreDisjoint) {
  const Tensor x({7, 5});
  EXPECT_EQ(Compare(x.Slice(1, 0, 1), x.Slice(1, 1, 2)), Relation::kDisjoint);
}

TEST(FootprintTest, StridesOfSevenAndThreeMeet) {
  const Tensor x({22});
  EXPECT_EQ(Compare(x.Slice(0, 0, 22, 7), x.Slice(0, 3, 22, 3)),
            Relation::kPartial);
  EXPECT_EQ(Compare(x.Slice(0, 0, 21, 7), x.Slice(0, 1, 7, 3)),
            Relation::kDisjoint);
}

TEST(FootprintTest, ATransposeIsEqualButNotTheSameMap) {
  const Tensor x({4, 4});
  const Tensor t = x.Transpose(0, 1);
  EXPECT_EQ(Compare(x, t), Relation::kEqual);
  EXPECT_FALSE(SameMap(x.window().layout(), 0, t.window().layout(), 0));
  EXPECT_TRUE(SameMap(x.window().layout(), 0, x.window().layout(), 0));
}

TEST(FootprintTest, AFlipIsEqualButNotTheSameMap) {
  const Window x = Tensor({4, 4}).window();
  const Window flipped = Tensor({4, 4}).Flip(1).window();
  EXPECT_EQ(Compare(Tensor({4, 4}), Tensor({4, 4}).Flip(1)), Relation::kEqual);
  EXPECT_FALSE(SameMap(x.layout(), x.offset, flipped.layout(), flipped.offset));
}

TEST(FootprintTest, SameMapIgnoresStridesThatAreNeverTaken) {
  const Window x = {DType::kF32, {4, 1}, {2, 7}, 3};
  const Window y = {DType::kF32, {4, 1}, {2, -1}, 3};
  EXPECT_TRUE(SameMap(x.layout(), x.offset, y.layout(), y.offset));
  const Window empty_x = {DType::kF32, {4, 0}, {2, 7}, 3};
  const Window empty_y = {DType::kF32, {4, 0}, {9, 9}, 8};
  EXPECT_TRUE(SameMap(empty_x.layout(), 3, empty_y.layout(), 8));
}

TEST(FootprintTest, SameMapTellsDTypesApart) {
  const Window x = {DType::kF32, {4}, {1}, 0};
  const Window y = {DType::kI32, {4}, {1}, 0};
  EXPECT_FALSE(SameMap(x.layout(), 0, y.layout(), 0));
}

TEST(FootprintTest, AnEmptyWindowMeetsNothing) {
  const Tensor x({8, 8});
  EXPECT_EQ(Compare(x, x.Slice(0, 3, 3)), Relation::kDisjoint);
  EXPECT_EQ(Compare(x.Slice(0, 3, 3), x.Slice(0, 3, 3)), Relation::kDisjoint);
  EXPECT_EQ(Covers(x.footprint(), x.Slice(0, 3, 3).footprint()).cover,
            Cover::kYes);
}

TEST(FootprintTest, BytesOfAWiderViewAreSeenByEachDType) {
  // Byte 3 of each i32 against the low i16 and against the high one.
  const Footprint low = Footprint::Of({DType::kI16, {8}, {2}}, 0);
  const Footprint high = Footprint::Of({DType::kI16, {8}, {2}}, 1);
  const Footprint byte3 = Footprint::Of({DType::kI8, {8}, {4}}, 3);
  EXPECT_EQ(Relate(low, byte3).relation, Relation::kDisjoint);
  EXPECT_EQ(Relate(high, byte3).relation, Relation::kContains);
  EXPECT_EQ(Relate(low, high).relation, Relation::kDisjoint);
}

TEST(FootprintTest, RealAndImaginaryPartsAreDisjoint) {
  const Footprint pairs = Footprint::Of({DType::kC64, {3, 5}, {10, 2}}, 0);
  const Footprint real = Footprint::Of({DType::kF32, {3, 5}, {20, 4}}, 0);
  const Footprint imaginary = Footprint::Of({DType::kF32, {3, 5}, {20, 4}}, 1);
  EXPECT_EQ(Relate(real, imaginary).relation, Relation::kDisjoint);
  EXPECT_EQ(Relate(pairs, imaginary).relation, Relation::kContains);
}

// A search exceeds any sensible budget here: 1049^3 sums of three strides.
TEST(FootprintTest, ThreeCoprimeStridesAreDecidedByTheBitset) {
  const Footprint a =
      Footprint::Of({DType::kI8, {1049, 1049, 1049}, {36674, 61119, 85569}}, 0);
  const Footprint b = Footprint::Of({DType::kI8, {1}, {1}}, 85568);
  EXPECT_EQ(Overlaps(a, b).overlap, Overlap::kNo);
  const int64_t middle = a.last() / 2;
  const Footprint c =
      Footprint::Of({DType::kI8, {3, 3}, {36674, 61119}}, middle);
  EXPECT_NE(Overlaps(a, c).overlap, Overlap::kUnknown);
  FootprintLimits limits;
  limits.search_nodes = 0;
  limits.bitset_bytes = 1 << 20;
  EXPECT_EQ(Overlaps(a, c, limits).overlap, Overlap::kUnknown);
  EXPECT_EQ(Relate(a, c, limits).relation, Relation::kUnknown);
  EXPECT_EQ(Relate(a, c, limits).layer, Layer::kUndecided);
}

TEST(FootprintTest, ABroadcastOverlapsItself) {
  EXPECT_EQ(SelfOverlap({DType::kF32, {3, 4}, {0, 1}}).overlap, Overlap::kYes);
  EXPECT_EQ(SelfOverlap({DType::kF32, {1, 4}, {0, 1}}).overlap, Overlap::kNo);
  EXPECT_EQ(SelfOverlap({DType::kF32, {0, 4}, {0, 0}}).overlap, Overlap::kNo);
}

TEST(FootprintTest, OverlappingRowsOverlapThemselves) {
  EXPECT_EQ(SelfOverlap({DType::kF32, {3, 4}, {4, 1}}).overlap, Overlap::kNo);
  EXPECT_EQ(SelfOverlap({DType::kF32, {3, 4}, {3, 1}}).overlap, Overlap::kYes);
  EXPECT_EQ(SelfOverlap({DType::kF32, {5, 4}, {4, 4}}).overlap, Overlap::kYes);
  // Interleaved without meeting: 0 2 4, 3 5 7.
  EXPECT_EQ(SelfOverlap({DType::kF32, {3, 2}, {2, 3}}).overlap, Overlap::kNo);
}

TEST(FootprintTest, SlicesNeverOverlapThemselves) {
  const Tensor x({13, 21, 23, 22});
  const Tensor slice = x.Slice(0, 1, 13, 3).Flip(1).Slice(2, 2, 23, 5);
  EXPECT_EQ(SelfOverlap(slice.Transpose(1, 3).window().layout()).overlap,
            Overlap::kNo);
}

TEST(FootprintTest, TheIntersectionOfSlicesIsASlice) {
  const Tensor x({16, 24, 10});
  const absl::optional<Footprint> common =
      Intersection(x.Slice(0, 2, 9).Slice(1, 0, 24, 4).footprint(),
                   x.Slice(0, 5, 16).Slice(1, 2, 24, 6).Flip(2).footprint());
  ASSERT_TRUE(common.has_value());
  const Tensor expected = x.Slice(0, 5, 9).Slice(1, 8, 24, 12);
  EXPECT_EQ(Relate(*common, expected.footprint()).relation, Relation::kEqual);
}

TEST(FootprintTest, RankEightIsKeptInline) {
  const Footprint x =
      Tensor({3, 3, 3, 3, 3, 3, 3, 3}).Slice(7, 0, 2).footprint();
  EXPECT_EQ(x.shape().dims().size(), 9);
  EXPECT_EQ(x.shape().dims().capacity(), 9);
  const Footprint y =
      Tensor({3, 3, 3, 3, 3, 3, 3, 3}).Slice(7, 2, 3).footprint();
  EXPECT_EQ(Relate(x, y).relation, Relation::kDisjoint);
}

TEST(FootprintTest, ExtentsNearTheLargestNumberAreExact) {
  const auto bytes = [](int64_t extent, int64_t stride, int64_t begin) {
    return Footprint(FootprintShape::OfBytes({{extent, stride}}), begin);
  };
  const int64_t half = kMax / 2;
  const Footprint everything = bytes(kMax, 1, 0);
  EXPECT_EQ(everything.end(), kMax);
  EXPECT_EQ(Relate(everything, bytes(2, kMax - 1, 0)).relation,
            Relation::kContains);
  // 0, half against half - 1, kMax - 2.
  EXPECT_EQ(Relate(bytes(2, half, 0), bytes(2, half, half - 1)).relation,
            Relation::kDisjoint);
  EXPECT_EQ(Relate(bytes(3, half, 0), bytes(2, half, half)).relation,
            Relation::kContains);
  // Steps of 2 and 3 over all of it meet at multiples of 6.
  EXPECT_EQ(Relate(bytes(half, 2, 0), bytes(kMax / 3, 3, 1)).relation,
            Relation::kPartial);
  EXPECT_EQ(Relate(bytes(half, 2, 0), bytes(kMax / 6, 6, 1)).relation,
            Relation::kDisjoint);
  EXPECT_EQ(Relate(bytes(half, 2, 1), bytes(kMax / 6, 6, 1)).relation,
            Relation::kContains);
}

TEST(FootprintTest, WhatNumbersDoNotHoldIsUnknown) {
  const Footprint small = Footprint::Of({DType::kI8, {4}, {1}}, 0);
  const Footprint huge[] = {
      Footprint::Of({DType::kI64, {kMax / 2}, {1}}, 0),
      Footprint::Of({DType::kI64, {2}, {kMax}}, 0),
      Footprint::Of({DType::kI64, {2}, {-kMax - 1}}, 0),
      Footprint::Of({DType::kI8, {kMax, 2}, {1, 1}}, 0),
      Footprint::Of({DType::kI64, {2}, {1}}, kMax / 2),
      Footprint::Of({DType::kI8, {8}, {1}}, kMax - 4),
  };
  for (const Footprint& x : huge) {
    EXPECT_EQ(x.shape().kind(), FootprintShape::Kind::kTooLarge);
    EXPECT_EQ(Relate(x, small).relation, Relation::kUnknown);
    EXPECT_EQ(Relate(small, x).relation, Relation::kUnknown);
    EXPECT_EQ(Covers(x, x).cover, Cover::kUnknown);
    EXPECT_EQ(Intersection(x, small), absl::nullopt);
    EXPECT_EQ(Relate(x, Footprint()).relation, Relation::kDisjoint);
  }
  EXPECT_EQ(SelfOverlap({DType::kI64, {2}, {-kMax - 1}}).overlap,
            Overlap::kUnknown);
  EXPECT_EQ(SelfOverlap({DType::kI64, {2, 2}, {-kMax - 1, 0}}).overlap,
            Overlap::kYes);
  EXPECT_TRUE(Footprint::Of({DType::kI64, {kMax, 0}, {kMax, 1}}, 0).empty());
  EXPECT_TRUE(Footprint::Of({DType::kI64, {0}, {1}}, kMax).empty());
}

TEST(FootprintTest, ItsTextShowsBoundsAndTheMergedForm) {
  const Tensor x({4, 8});
  EXPECT_EQ(x.footprint().ToString(), "[0, 128): 128 x 1");
  EXPECT_EQ(x.Slice(1, 4, 8).Flip(0).footprint().ToString(),
            "[16, 128): 4 x 32, 16 x 1");
  EXPECT_EQ(Footprint().ToString(), "empty");
}

}  // namespace
}  // namespace palimpsest
