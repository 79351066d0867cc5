// Laws of footprints, for random pairs of windows of each family: what moves
// both alike does not change how they compare, whatever writes the same bytes
// in another way compares alike, and the answers agree with each other.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/footprint.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/analysis/window_families.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

constexpr int kPairs = 20000;  // Of each family.

class FootprintLawsTest : public testing::TestWithParam<Family> {
 protected:
  // Calls law(random, a, b) for many pairs.
  template <typename Law>
  void ForEachPair(Law law) {
    Random random(7);
    for (int i = 0; i < kPairs; ++i) {
      const Window a = GetParam().make(random);
      const Window b = GetParam().make(random);
      law(random, a, b);
      if (HasFatalFailure()) {
        ADD_FAILURE() << "pair " << i << ": " << a << " and " << b;
        return;
      }
    }
  }
};

Relation Compare(FootprintRef a, FootprintRef b) {
  const Relation relation = Relate(a, b).relation;
  EXPECT_NE(relation, Relation::kUnknown);
  return relation;
}
Relation Compare(const Window& a, const Window& b) {
  return Compare(a.footprint(), b.footprint());
}

TEST_P(FootprintLawsTest, TranslatingBothChangesNothing) {
  ForEachPair([](Random&, const Window& a, const Window& b) {
    const Footprint x = a.footprint();
    const Footprint y = b.footprint();
    const int64_t far = int64_t{1} << 60;
    ASSERT_EQ(Compare(Footprint(x.shape(), x.begin() + far),
                      Footprint(y.shape(), y.begin() + far)),
              Compare(x, y));
  });
}

// Each byte becomes `factor` bytes.
Footprint Scaled(const Window& window, int64_t factor) {
  const int64_t width = WidthOf(window.dtype) * factor;
  std::vector<ByteDim> dims = {{width, 1}};
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    dims.push_back({window.sizes[i], window.strides[i] * width});
  }
  FootprintShape shape = FootprintShape::OfBytes(dims);
  const int64_t begin = window.offset * width + shape.first();
  return Footprint(std::move(shape), begin);
}

TEST_P(FootprintLawsTest, ScalingBothChangesNothing) {
  ForEachPair([](Random&, const Window& a, const Window& b) {
    const Relation relation = Compare(a, b);
    // The last is beyond what 64-bit products of strides hold.
    for (const int64_t factor : {int64_t{1}, int64_t{3}, int64_t{1} << 49}) {
      ASSERT_EQ(Compare(Scaled(a, factor), Scaled(b, factor)), relation);
    }
  });
}

// Byte x becomes byte -x.
Footprint Mirrored(const Footprint& x) {
  return Footprint(x.shape(), x.empty() ? 0 : -x.last());
}

TEST_P(FootprintLawsTest, MirroringBothChangesNothing) {
  ForEachPair([](Random&, const Window& a, const Window& b) {
    const Footprint x = a.footprint();
    const Footprint y = b.footprint();
    ASSERT_EQ(Compare(Mirrored(x), Mirrored(y)), Compare(x, y));
  });
}

TEST_P(FootprintLawsTest, TheOrderOfThePairOnlySwapsSides) {
  ForEachPair([](Random&, const Window& a, const Window& b) {
    ASSERT_EQ(Compare(b, a), Mirrored(Compare(a, b)));
  });
}

// The same bytes, other dimensions.
Window Rewritten(Random& random, Window window) {
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    if (random.OneIn(2)) {  // Flip.
      window.offset +=
          std::max<int64_t>(window.sizes[i] - 1, 0) * window.strides[i];
      window.strides[i] *= -1;
    }
    if (window.sizes[i] % 2 == 0 && random.OneIn(2)) {  // Split.
      window.sizes.push_back(window.sizes[i] / 2);
      window.strides.push_back(window.strides[i] * 2);
      window.sizes[i] = 2;
    }
  }
  if (random.OneIn(2)) {  // Broadcast.
    window.sizes.push_back(3);
    window.strides.push_back(0);
  }
  random.Permute(window);  // Transpose.
  return window;
}

TEST_P(FootprintLawsTest, FlipsTransposesSplitsAndBroadcastsChangeNothing) {
  ForEachPair([](Random& random, const Window& a, const Window& b) {
    const Window other = Rewritten(random, a);
    if (!a.footprint().empty()) {
      ASSERT_EQ(Compare(a, other), Relation::kEqual) << other;
    }
    ASSERT_EQ(Compare(other, Rewritten(random, b)), Compare(a, b)) << other;
  });
}

TEST_P(FootprintLawsTest, ACoverOfSomethingOverlapsIt) {
  ForEachPair([](Random&, const Window& a, const Window& b) {
    const Footprint x = a.footprint();
    const Footprint y = b.footprint();
    if (y.empty() || Covers(x, y).cover != Cover::kYes) return;
    ASSERT_EQ(Overlaps(x, y).overlap, Overlap::kYes);
    if (x.shape().bytes() && y.shape().bytes()) {
      ASSERT_GE(*x.shape().bytes(), *y.shape().bytes());
    }
  });
}

TEST_P(FootprintLawsTest, AnIntersectionLiesInBothAndIsEmptyWhereTheyAreApart) {
  ForEachPair([](Random&, const Window& a, const Window& b) {
    const Footprint x = a.footprint();
    const Footprint y = b.footprint();
    const absl::optional<Footprint> common = Intersection(x, y);
    if (!common) return;
    ASSERT_EQ(common->empty(), Overlaps(x, y).overlap == Overlap::kNo);
    ASSERT_EQ(Covers(x, *common).cover, Cover::kYes);
    ASSERT_EQ(Covers(y, *common).cover, Cover::kYes);
    // It is all of b exactly where a covers b.
    if (y.empty()) return;
    ASSERT_EQ(Covers(x, y).cover == Cover::kYes,
              Covers(*common, y).cover == Cover::kYes);
  });
}

TEST_P(FootprintLawsTest, WhatMeetsAPartMeetsTheWhole) {
  ForEachPair([&](Random& random, const Window& a, const Window& b) {
    const Footprint whole = a.footprint();
    const Footprint other = b.footprint();
    const absl::optional<Footprint> part =
        Intersection(whole, GetParam().make(random).footprint());
    if (!part || Overlaps(*part, other).overlap == Overlap::kNo) return;
    ASSERT_EQ(Overlaps(whole, other).overlap, Overlap::kYes);
  });
}

INSTANTIATE_TEST_SUITE_P(Families, FootprintLawsTest,
                         testing::ValuesIn(kFamilies),
                         [](const testing::TestParamInfo<Family>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace palimpsest
