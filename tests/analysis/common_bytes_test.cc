// CommonBytes() against windows enumerated byte by byte.

#include "analysis/common_bytes.h"

#include <bitset>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/analysis/window_families.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

constexpr int64_t kOrigin = -4096;
using Bytes = std::bitset<16384>;

PlacedLayout Placed(const Window& window) {
  return {window.layout(), window.offset};
}

class CommonBytesTest : public testing::TestWithParam<Family> {};

TEST_P(CommonBytesTest, IsExactForSmallWindows) {
  Random random(1);
  for (int n = 0; n < 4000; ++n) {
    const Window window = GetParam().make(random);
    std::vector<Window> others;
    Bytes of_others;
    for (int64_t count = random.Between(0, 3); count > 0; --count) {
      others.push_back(GetParam().make(random));
      of_others |= BytesOf<16384>(others.back(), kOrigin);
    }
    std::vector<PlacedLayout> placed;
    for (const Window& other : others) placed.push_back(Placed(other));
    const Bytes common = BytesOf<16384>(window, kOrigin) & of_others;
    ASSERT_EQ(CommonBytes(Placed(window), placed),
              static_cast<int64_t>(common.count()))
        << window << " with " << others.size();
  }
}

INSTANTIATE_TEST_SUITE_P(Families, CommonBytesTest,
                         testing::ValuesIn(kFamilies),
                         testing::PrintToStringParamName());

TEST(CommonBytesTest, LargeRegularWindowsAreExact) {
  const Dims sizes = {1 << 20, 1 << 10};
  const Dims strides = {1 << 11, 1};
  const Layout left = {DType::kF32, sizes, strides};
  EXPECT_EQ(CommonBytes({left, 0}, {{left, 512}}), int64_t{1} << 31);
  EXPECT_EQ(CommonBytes({left, 0}, {{left, 1 << 10}}), 0);
}

TEST(CommonBytesTest, WhereItTakesTooLongAllMayBeCommon) {
  const Dims sizes = {1 << 20, 1 << 20, 1 << 20};
  const Dims strides = {3 << 10, 5 << 10, 7 << 10};
  const Layout irregular = {DType::kI8, sizes, strides};
  EXPECT_EQ(CommonBytes({irregular, 0}, {{irregular, 1 << 10}}),
            int64_t{1} << 60);
}

}  // namespace
}  // namespace palimpsest
