// Checks WindowIndex against a list of all entries: nothing that overlaps is
// missed, the newest come first, and families of disjoint windows stay apart.

#include "analysis/window_index.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "analysis/window_table.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

class WindowIndexTest : public testing::Test {
 protected:
  WindowId Add(const Dims& sizes, const Dims& strides, int64_t offset) {
    return windows_.Intern(layouts_.Intern(DType::kF32, sizes, strides),
                           offset);
  }

  // How many entries a query sees.
  int Visits(WindowId window, int64_t after = WindowIndex::kNever) {
    int visits = 0;
    WindowIndex::Search search(index_, windows_.Get(window), after);
    while (search.Next() >= 0) ++visits;
    return visits;
  }

  void AddStamped(WindowId window) {
    const int entry = index_.Add(windows_.Get(window));
    index_.SetStamp(entry, entry + 1);
  }

  using Pick = std::function<int64_t(int64_t low, int64_t high)>;

  // Adds windows that `make` makes, touches entries at random, and compares
  // queries with a list.
  void ExpectEveryOverlap(const std::function<WindowId(const Pick&)>& make) {
    std::mt19937_64 random(5);
    const Pick pick = [&](int64_t low, int64_t high) {
      return low + static_cast<int64_t>(random() % (high - low + 1));
    };
    std::vector<WindowId> ids;
    std::vector<int64_t> stamps;
    for (int n = 0; n < 3000; ++n) {
      ids.push_back(make(pick));
      ASSERT_EQ(index_.Add(windows_.Get(ids.back())), n);
      stamps.push_back(WindowIndex::kNever);
      for (int touched = 0; touched < 2; ++touched) {
        const int entry = static_cast<int>(pick(0, n));
        stamps[entry] = pick(0, 9) == 0 ? WindowIndex::kNever : 2 * n + touched;
        index_.SetStamp(entry, stamps[entry]);
      }
      if (n % 10 != 0) continue;
      const Window& query = windows_.Get(ids[pick(0, n)]);
      const int64_t after =
          pick(0, 1) == 0 ? WindowIndex::kNever : pick(0, 2 * n);
      std::vector<bool> seen(n + 1, false);
      int64_t last = INT64_MAX;
      WindowIndex::Search search(index_, query, after);
      for (int entry = search.Next(); entry >= 0; entry = search.Next()) {
        EXPECT_LE(stamps[entry], last);
        EXPECT_GT(stamps[entry], after);
        EXPECT_FALSE(seen[entry]);
        last = stamps[entry];
        seen[entry] = true;
      }
      for (int entry = 0; entry <= n; ++entry) {
        if (stamps[entry] > after &&
            windows_.MayOverlap(windows_.Get(ids[entry]), query)) {
          ASSERT_TRUE(seen[entry]) << n << ", " << entry;
        }
      }
    }
  }

  LayoutTable layouts_;
  WindowTable windows_{layouts_};
  WindowIndex index_{4 << 20};
};

TEST_F(WindowIndexTest, SeesEveryOverlapNewestFirst) {
  ExpectEveryOverlap([this](const Pick& pick) {
    // Slices of [20, 24, 6] with steps and flips, now and then a flat range.
    const Dims parent = {144, 6, 1};
    const Dims shape = {20, 24, 6};
    Dims sizes, strides;
    int64_t offset = 0;
    for (int i = 0; i < 3; ++i) {
      const int64_t step = pick(1, 2);
      const int64_t first = pick(0, shape[i] - 1);
      sizes.push_back(pick(1, (shape[i] - 1 - first) / step / 2 + 1));
      const bool flips = pick(0, 3) == 0;
      offset += (first + (flips ? (sizes[i] - 1) * step : 0)) * parent[i];
      strides.push_back((flips ? -step : step) * parent[i]);
    }
    if (pick(0, 4) == 0) {
      offset = pick(0, 2000);
      sizes = {pick(1, 500)};
      strides = {1};
    }
    return Add(sizes, strides, offset);
  });
}

// Strides that do not divide each other: what wraps at one is not known below.
TEST_F(WindowIndexTest, SeesEveryOverlapWhateverTheStrides) {
  ExpectEveryOverlap([this](const Pick& pick) {
    constexpr int64_t kStrides[] = {9, 4, 2};
    Dims sizes, strides;
    for (int64_t stride : kStrides) {
      if (pick(0, 1) == 0) continue;
      sizes.push_back(pick(1, 4));
      strides.push_back(stride);
    }
    return Add(sizes, strides, pick(0, 300));
  });
}

TEST_F(WindowIndexTest, ColumnsStayApart) {
  constexpr int kColumns = 5000;
  for (int i = 0; i < kColumns; ++i) AddStamped(Add({100}, {kColumns}, i));
  int visits = 0;
  for (int i = 0; i < kColumns; i += 50)
    visits += Visits(Add({100}, {kColumns}, i));
  EXPECT_LE(visits, 2 * kColumns / 50);
}

TEST_F(WindowIndexTest, RowsStayApart) {
  for (int i = 0; i < 5000; ++i) AddStamped(Add({64}, {1}, 64 * i));
  EXPECT_EQ(Visits(Add({64}, {1}, 64 * 17)), 1);
}

TEST_F(WindowIndexTest, HeadsAndTimeSlotsStayApart) {
  // [batch 4, head 8, time 256, dim 64]: one slot of one head.
  for (int head = 0; head < 8; ++head) {
    for (int time = 0; time < 256; ++time) {
      AddStamped(Add({4, 64}, {131072, 1}, head * 16384 + time * 64));
    }
  }
  int visits = 0;
  for (int time = 0; time < 256; ++time) {
    visits += Visits(Add({4, 64}, {131072, 1}, 3 * 16384 + time * 64));
  }
  EXPECT_LE(visits, 2 * 256);
}

TEST_F(WindowIndexTest, TheFieldsOfACheckerboardStayApart) {
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) AddStamped(Add({32, 32}, {128, 2}, i * 64 + j));
  }
  // Enough others, elsewhere, to make a tree.
  for (int i = 0; i < 64; ++i)
    AddStamped(Add({32, 32}, {128, 2}, 8192 * (i + 1)));
  EXPECT_EQ(Visits(Add({32, 32}, {128, 2}, 65)), 1);
}

TEST_F(WindowIndexTest, ANarrowedSearchSeesWhatIsLeft) {
  for (int i = 0; i < 5000; ++i) AddStamped(Add({64}, {1}, 64 * i));
  WindowIndex::Search search(index_, windows_.Get(Add({320000}, {1}, 0)), 0);
  EXPECT_EQ(search.Next(), 4999);
  search.Narrow({windows_.Get(Add({128}, {1}, 64 * 17)).box()});
  EXPECT_EQ(search.Next(), 18);
  EXPECT_EQ(search.Next(), 17);
  EXPECT_EQ(search.Next(), -1);
}

TEST_F(WindowIndexTest, ASearchThatEndsEarlySaysSo) {
  for (int i = 0; i < 5000; ++i) AddStamped(Add({64}, {1}, 64 * i));
  const Window& all = windows_.Get(Add({320000}, {1}, 0));
  for (int max_nodes : {0, 3, WindowIndex::kNoLimit}) {
    int seen = 0;
    WindowIndex::Search search(index_, all, 0, max_nodes);
    while (search.Next() >= 0) ++seen;
    EXPECT_EQ(search.is_cut(), seen < 5000) << max_nodes;
    EXPECT_EQ(search.is_cut(), max_nodes < 5000) << max_nodes;
  }
}

TEST_F(WindowIndexTest, AQueryPaysForNoOlderEntriesThanItAsksFor) {
  for (int i = 0; i < 5000; ++i) AddStamped(Add({64}, {1}, 64 * i));
  EXPECT_EQ(Visits(Add({320000}, {1}, 0), 4990), 10);
}

}  // namespace
}  // namespace palimpsest
