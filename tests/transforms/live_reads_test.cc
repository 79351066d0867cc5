// LiveReads against a list that is looked through.

#include "transforms/live_reads.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "absl/algorithm/container.h"
#include "analysis/window_table.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/type.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

constexpr int64_t kBytes = 64;

class LiveReadsTest : public testing::Test {
 protected:
  int64_t Draw(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }

  // Rows, columns and single bytes, some of them empty.
  WindowId DrawWindow() {
    const Dims sizes = {Draw(0, 4), Draw(1, 4)};
    const Dims strides = {Draw(1, 12), Draw(1, 3)};
    const LayoutId layout = layouts_.Intern(DType::kU8, sizes, strides);
    const int64_t span = 3 * strides[0] + 3 * strides[1];
    return windows_.Intern(layout, Draw(0, kBytes - 1 - span));
  }

  bool Meet(WindowId a, WindowId b) {
    std::set<int64_t> bytes;
    for (const int64_t byte :
         BytesOf(windows_.LayoutOf(a), windows_.Get(a).offset)) {
      bytes.insert(byte);
    }
    return absl::c_any_of(
        BytesOf(windows_.LayoutOf(b), windows_.Get(b).offset),
        [&](const int64_t byte) { return bytes.count(byte) > 0; });
  }

  std::mt19937 random_{11};
  LayoutTable layouts_;
  WindowTable windows_{layouts_};
};

TEST_F(LiveReadsTest, WindowsThatMeetAreFoundWhileAValueIsToBeReadThere) {
  int64_t met = 0;
  for (int round = 0; round < 50; ++round) {
    LiveReads reads(windows_, kBytes);
    std::map<WindowId, std::multiset<int32_t>> list;
    const int steps = round % 2 == 0 ? 12 : 200;  // Few windows, and many.
    for (int32_t i = 0; i < steps; ++i) {
      const WindowId window = DrawWindow();
      if (!windows_.Get(window).empty()) list[window].insert(i);
      reads.Add(window, ValueId{i});
      if (i % 3 == 2) {
        const auto it = std::next(list.begin(), Draw(0, list.size() - 1));
        if (!it->second.empty()) {
          reads.Remove(it->first, ValueId{*it->second.begin()});
          it->second.erase(it->second.begin());
        }
      }
      const WindowId asked = DrawWindow();
      std::set<WindowId> expected;
      for (const auto& [known, values] : list) {
        if (!values.empty() && Meet(known, asked)) expected.insert(known);
      }
      const std::vector<WindowId> found = reads.Meeting(asked);
      ASSERT_EQ(std::set<WindowId>(found.begin(), found.end()), expected);
      ASSERT_EQ(found.size(), expected.size());
      met += static_cast<int64_t>(found.size());
      for (const WindowId known : found) {
        std::multiset<int32_t> values;
        for (const ValueId value : reads.At(known)) values.insert(value.value);
        ASSERT_EQ(values, list[known]);
      }
    }
  }
  EXPECT_GT(met, 1000);
}

}  // namespace
}  // namespace palimpsest
