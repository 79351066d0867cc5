// Windows have one id exactly when they are the same map.

#include "analysis/window_table.h"

#include "gtest/gtest.h"
#include "ir/type.h"

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

}  // namespace
}  // namespace palimpsest
