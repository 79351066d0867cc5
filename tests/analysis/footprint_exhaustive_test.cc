// Every operation on footprints against enumeration, for every pair of small
// windows at every distance.
//
// How two footprints compare depends on their normal forms and on their
// distance alone. So every window is compared with its normal form, and every
// pair of normal forms at each distance in bytes stands for all pairs of
// windows.

#include <bitset>
#include <cstdint>
#include <iostream>
#include <ostream>
#include <set>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/footprint.h"
#include "analysis/footprint_bitset.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

constexpr size_t kBits = 320;
using Bytes = std::bitset<kBits>;
constexpr DType kDTypes[] = {DType::kI8, DType::kI16, DType::kI32};

// All windows with up to `max_rank` dimensions of up to three elements.
std::vector<Window> AllWindows(int max_rank, int64_t max_stride) {
  std::vector<Window> windows;
  for (const DType dtype : kDTypes) {
    std::vector<Window> with_rank = {{dtype, {}, {}, 0}};
    for (int rank = 0;; ++rank) {
      windows.insert(windows.end(), with_rank.begin(), with_rank.end());
      if (rank == max_rank) break;
      std::vector<Window> longer;
      for (const Window& window : with_rank) {
        for (int64_t size = 0; size <= 3; ++size) {
          for (int64_t stride = -max_stride; stride <= max_stride; ++stride) {
            longer.push_back(window);
            longer.back().sizes.push_back(size);
            longer.back().strides.push_back(stride);
          }
        }
      }
      with_rank.swap(longer);
    }
  }
  return windows;
}

// One shape for each normal form, in the order of the first window that has it.
struct Normal {
  FootprintShape shape;
  Bytes bytes;  // From the first byte on.
};
std::vector<Normal> NormalForms(const std::vector<Window>& windows) {
  std::set<std::vector<int64_t>> seen;
  std::vector<Normal> normals;
  for (const Window& window : windows) {
    const FootprintShape shape = FootprintShape::Of(window.layout());
    std::vector<int64_t> key = {static_cast<int64_t>(shape.kind())};
    for (const ByteDims* dims : {&shape.dims(), &shape.merged()}) {
      for (const ByteDim dim : *dims) {
        key.insert(key.end(), {dim.extent, dim.stride});
      }
      key.push_back(-1);
    }
    if (!seen.insert(key).second) continue;
    normals.push_back({shape, BytesOf<kBits>(window, shape.first())});
  }
  return normals;
}

TEST(FootprintExhaustiveTest, ANormalFormTouchesTheBytesOfItsWindow) {
  constexpr int64_t kOrigin = -160;
  for (const Window& window : AllWindows(3, 3)) {
    const Footprint footprint = window.footprint();
    const Bytes bytes = BytesOf<kBits>(window, kOrigin);
    if (bytes.none()) {
      ASSERT_TRUE(footprint.empty()) << window;
      continue;
    }
    const int64_t begin = footprint.begin() - kOrigin;
    ASSERT_EQ(bytes, BytesOf<kBits>(footprint.shape().dims(), begin)) << window;
    ASSERT_EQ(bytes, BytesOf<kBits>(footprint.shape().merged(), begin))
        << window;
    ASSERT_TRUE(bytes[footprint.begin() - kOrigin]) << window;
    ASSERT_TRUE(bytes[footprint.last() - kOrigin]) << window;
    ASSERT_EQ(footprint.shape().is_interval(),
              static_cast<int64_t>(bytes.count()) ==
                  footprint.end() - footprint.begin())
        << window;
    if (const auto count = footprint.shape().bytes()) {
      ASSERT_EQ(*count, static_cast<int64_t>(bytes.count())) << window;
    }
  }
}

TEST(FootprintExhaustiveTest, SelfOverlapIsExact) {
  for (const Window& window : AllWindows(3, 6)) {
    const Overlap expected =
        OverlapsItself(window) ? Overlap::kYes : Overlap::kNo;
    ASSERT_EQ(SelfOverlap(window.layout()).overlap, expected) << window;
    FootprintLimits no_search;
    no_search.search_nodes = 0;
    ASSERT_EQ(SelfOverlap(window.layout(), no_search).overlap, expected)
        << window;
  }
}

TEST(FootprintExhaustiveTest, SameMapIsExact) {
  const std::vector<Window> windows = AllWindows(2, 1);
  std::vector<std::vector<int64_t>> elements;
  for (const Window& window : windows) elements.push_back(ElementsOf(window));
  for (size_t i = 0; i < windows.size(); ++i) {
    for (size_t j = 0; j < windows.size(); ++j) {
      const Window& a = windows[i];
      const Window& b = windows[j];
      ASSERT_EQ(SameMap(a.layout(), 0, b.layout(), 0),
                a.dtype == b.dtype && a.sizes == b.sizes &&
                    elements[i] == elements[j])
          << a << " and " << b;
      ASSERT_EQ(SameMap(a.layout(), 0, b.layout(), 1),
                a.dtype == b.dtype && a.sizes == b.sizes && elements[i].empty())
          << a << " and " << b;
    }
  }
}

// What shows in a failure.
struct Pair {
  FootprintRef a;
  FootprintRef b;

  friend std::ostream& operator<<(std::ostream& out, const Pair& pair) {
    return out << Footprint(pair.a.shape(), pair.a.begin()).ToString()
               << " and "
               << Footprint(pair.b.shape(), pair.b.begin()).ToString();
  }
};

enum class Scope { kRelation, kAll };

// Checks every operation on a and b, both ways round.
void CheckPair(const Pair& pair, const Bytes& a, const Bytes& b, Scope scope,
               LayerCounts& counts, int64_t& missed) {
  const Relation expected = RelationOf(a, b);
  const RelateResult related = Relate(pair.a, pair.b);
  ASSERT_EQ(related.relation, expected) << pair;
  counts.Add(related.layer);
  ASSERT_EQ(Relate(pair.b, pair.a).relation, Mirrored(expected)) << pair;
  if (scope == Scope::kRelation) return;

  const Overlap overlap =
      expected == Relation::kDisjoint ? Overlap::kNo : Overlap::kYes;
  ASSERT_EQ(Overlaps(pair.a, pair.b).overlap, overlap) << pair;
  ASSERT_EQ(Overlaps(pair.b, pair.a).overlap, overlap) << pair;
  // The nets below the digits, each by itself.
  FootprintLimits no_search;
  no_search.search_nodes = 0;
  ASSERT_EQ(Overlaps(pair.a, pair.b, no_search).overlap, overlap) << pair;
  FootprintLimits search_only;
  search_only.bitset_bytes = 0;
  ASSERT_EQ(Overlaps(pair.a, pair.b, search_only).overlap, overlap) << pair;
  if (!a.none() && !b.none() && pair.b.begin() <= pair.a.last()) {
    ASSERT_EQ(footprint_internal::MeetByElements(pair.a, pair.b),
              overlap == Overlap::kYes)
        << pair;
    const auto bits = footprint_internal::CompareBits(pair.a, pair.b, kBits);
    ASSERT_TRUE(bits.has_value()) << pair;
    ASSERT_EQ(bits->overlap, overlap == Overlap::kYes) << pair;
    ASSERT_EQ(bits->a_covers_b, (b & ~a).none()) << pair;
    ASSERT_EQ(bits->b_covers_a, (a & ~b).none()) << pair;
  }
  const auto cover = [](bool covers) {
    return covers ? Cover::kYes : Cover::kNo;
  };
  ASSERT_EQ(Covers(pair.a, pair.b).cover, cover((b & ~a).none())) << pair;
  ASSERT_EQ(Covers(pair.b, pair.a).cover, cover((a & ~b).none())) << pair;

  const absl::optional<Footprint> common = Intersection(pair.a, pair.b);
  if (common) {
    const Bytes bytes = common->empty() ? Bytes()
                                        : BytesOf<kBits>(common->shape().dims(),
                                                         common->begin());
    ASSERT_EQ(bytes, a & b) << pair << ": " << common->ToString();
  } else {
    ++missed;
  }
}

void CheckAllPairs(const std::vector<Normal>& normals, Scope scope) {
  LayerCounts counts;
  int64_t pairs = 0;
  int64_t missed = 0;
  for (const Normal& a : normals) {
    for (const Normal& b : normals) {
      for (int64_t distance = 0; distance <= a.shape.last() + 1; ++distance) {
        const Pair pair = {FootprintRef(a.shape, 0),
                           FootprintRef(b.shape, distance)};
        CheckPair(pair, a.bytes, b.bytes << distance, scope, counts, missed);
        if (testing::Test::HasFatalFailure()) return;
        ++pairs;
      }
    }
  }
  std::cout << normals.size() << " normal forms, " << pairs << " pairs, "
            << missed << " intersections not one window\n";
  for (int i = 0; i < kLayers; ++i) {
    const Layer layer = static_cast<Layer>(i);
    std::cout << "  " << TextOf(layer) << ": " << counts.Get(layer) << "\n";
  }
  EXPECT_EQ(counts.Get(Layer::kUndecided), 0);
}

TEST(FootprintExhaustiveTest, EveryOperationIsExactForEverySmallPair) {
  CheckAllPairs(NormalForms(AllWindows(2, 3)), Scope::kAll);
}

TEST(FootprintExhaustiveTest, RelateIsExactForEveryPairOfRankThree) {
  CheckAllPairs(NormalForms(AllWindows(3, 4)), Scope::kRelation);
}

}  // namespace
}  // namespace palimpsest
