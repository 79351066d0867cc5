// Windows have one id exactly when they are the same map, and a window of a
// value that lies at a window is found where it is one.

#include "analysis/window_table.h"

#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/optional.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

class WindowTableTest : public testing::Test {
 protected:
  WindowId Intern(DType dtype, const Dims& sizes, const Dims& strides,
                  int64_t offset) {
    return windows_.Intern(layouts_.Intern(dtype, sizes, strides), offset);
  }

  LayoutTable layouts_;
  WindowTable windows_{layouts_};
};

TEST_F(WindowTableTest, StridesOfOneElementDoNotMatter) {
  EXPECT_EQ(Intern(DType::kF32, {1, 4}, {9, 1}, 3),
            Intern(DType::kF32, {1, 4}, {-2, 1}, 3));
}

TEST_F(WindowTableTest, NothingOfEmptyWindowsMattersButTheirSizes) {
  const WindowId empty = Intern(DType::kF32, {0, 4}, {7, 2}, 5);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(Intern(DType::kF32, {0, 4}, {4, 1}, 0), empty);
    EXPECT_EQ(Intern(DType::kF32, {0, 4}, {1, 1}, 11), empty);
    EXPECT_EQ(Intern(DType::kF32, {0, 4}, {7, 2}, 5), empty);
  }
  EXPECT_TRUE(windows_.Get(empty).empty());
  EXPECT_NE(Intern(DType::kF32, {4, 0}, {1, 1}, 0), empty);
}

TEST_F(WindowTableTest, OrderPlaceAndDtypeMatter) {
  const WindowId square = Intern(DType::kF32, {3, 3}, {3, 1}, 0);
  EXPECT_NE(Intern(DType::kF32, {3, 3}, {1, 3}, 0), square);
  EXPECT_NE(Intern(DType::kF32, {3, 3}, {3, 1}, 1), square);
  EXPECT_NE(Intern(DType::kI32, {3, 3}, {3, 1}, 0), square);
  EXPECT_NE(Intern(DType::kF32, {9}, {1}, 0), square);
}

TEST_F(WindowTableTest, OverlapsWithItselfAreSeen) {
  auto overlap = [&](const Dims& sizes, const Dims& strides) {
    return windows_.Get(Intern(DType::kF32, sizes, strides, 0)).self_overlap();
  };
  EXPECT_EQ(overlap({4, 4}, {4, 1}), Overlap::kNo);
  EXPECT_EQ(overlap({4, 4}, {0, 1}), Overlap::kYes);
  EXPECT_EQ(overlap({4, 4}, {2, 1}), Overlap::kYes);
  EXPECT_EQ(overlap({2, 3}, {3, 2}), Overlap::kNo);  // 0 2 4 3 5 7.
  EXPECT_EQ(overlap({0, 3}, {0, 0}), Overlap::kNo);
}

// The window that visits these bytes in that order, by trying the only strides
// that it can have.
absl::optional<std::vector<int64_t>> AsWindow(
    DType dtype, const Dims& sizes, const std::vector<int64_t>& bytes) {
  const int64_t width = WidthOf(dtype);
  Dims strides(sizes.size(), 0);
  int64_t inner = 1;
  for (int i = static_cast<int>(sizes.size()) - 1; i >= 0; --i) {
    if (sizes[i] > 1) strides[i] = (bytes[inner * width] - bytes[0]) / width;
    inner *= sizes[i];
  }
  if (bytes[0] % width != 0) return absl::nullopt;
  const auto found = BytesOf({dtype, sizes, strides}, bytes[0] / width);
  if (found != bytes) return absl::nullopt;
  return found;
}

TEST_F(WindowTableTest, AWindowWithinAWindowIsFoundWhereItIsOne) {
  struct Lain {
    DType dtype;
    Dims sizes;
    Dims strides;
    int64_t offset;
  };
  const Lain outers[] = {{DType::kI16, {2, 6}, {6, 1}, 0},
                         {DType::kI16, {3, 4}, {8, 2}, 1},
                         {DType::kI16, {4, 3}, {1, 4}, 2},
                         {DType::kI16, {12}, {-1}, 11},
                         {DType::kI32, {2, 3}, {4, 1}, 1},
                         {DType::kI8, {4, 6}, {8, 1}, 3},
                         {DType::kI16, {2, 2, 3}, {1, 12, 2}, 4},
                         {DType::kI8, {2, 12}, {-16, 1}, 20},
                         {DType::kI64, {3}, {2}, 0}};
  const Dims all_sizes[] = {{1}, {2}, {3}, {4}, {2, 2}, {3, 2}, {2, 3}, {1, 4}};
  int found = 0;
  int none = 0;
  int missed = 0;
  for (const Lain& lain : outers) {
    const LayoutId outer =
        layouts_.Intern(lain.dtype, lain.sizes, lain.strides);
    const std::vector<int64_t> buffer =
        BytesOf(layouts_.Get(outer), lain.offset);
    for (const DType dtype : {DType::kI8, DType::kI16, DType::kI32}) {
      for (const Dims& sizes : all_sizes) {
        for (int64_t seed = 0; seed < 16 * 9 * 9; ++seed) {
          const int64_t offset = seed % 16;
          Dims strides = {seed / 16 % 9 - 4, seed / 16 / 9 - 4};
          strides.resize(sizes.size());
          const LayoutId inner = layouts_.Intern(dtype, sizes, strides);
          std::vector<int64_t> bytes = BytesOf(layouts_.Get(inner), offset);
          const bool is_inside = absl::c_all_of(bytes, [&](const int64_t byte) {
            return byte >= 0 && byte < static_cast<int64_t>(buffer.size());
          });
          if (!is_inside) continue;
          for (int64_t& byte : bytes) byte = buffer[byte];
          const auto window = windows_.Within(
              windows_.Intern(outer, lain.offset), inner, offset);
          const auto expected = AsWindow(dtype, sizes, bytes);
          ASSERT_TRUE(expected || !window);
          ++(window ? found : expected ? missed : none);
          if (!window) continue;
          const WindowId id = *window;
          ASSERT_EQ(BytesOf(windows_.LayoutOf(id), windows_.Get(id).offset),
                    bytes);
        }
      }
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(none, 1000);
  // Those that step from one row of the outer window to the next.
  EXPECT_LT(missed, found / 100);
}

}  // namespace
}  // namespace palimpsest
