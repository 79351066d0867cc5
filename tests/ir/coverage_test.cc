// CoverageOf() against the definition: every byte marked, one by one.

#include "ir/coverage.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

struct OwnedWindow {
  DType dtype;
  Dims sizes;
  Dims strides;
  int64_t offset;

  CoverWindow view() const { return {{dtype, sizes, strides}, offset}; }
};

void MarkBytes(const OwnedWindow& window, std::vector<bool>& marked) {
  const int64_t width = WidthOf(window.dtype);
  std::vector<int64_t> elements = {window.offset};
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    std::vector<int64_t> next;
    for (int64_t base : elements) {
      for (int64_t k = 0; k < window.sizes[i]; ++k) {
        next.push_back(base + k * window.strides[i]);
      }
    }
    elements = next;
  }
  for (int64_t element : elements) {
    for (int64_t byte = 0; byte < width; ++byte) {
      marked[element * width + byte] = true;
    }
  }
}

TEST(CoverageTest, IsExactOnSmallBuffers) {
  std::mt19937 random(1);
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int complete = 0;
  for (int round = 0; round < 20000; ++round) {
    const int64_t bytes = draw(0, 12);
    std::vector<bool> marked(bytes, false);
    std::vector<OwnedWindow> windows;
    for (int64_t k = draw(1, 4); k > 0; --k) {
      OwnedWindow window{
          draw(0, 1) ? DType::kI16 : DType::kU8, {}, {}, draw(0, 6)};
      for (int64_t rank = draw(0, 3); rank > 0; --rank) {
        window.sizes.push_back(draw(0, 6) == 0 ? 0 : draw(1, 6));
        window.strides.push_back(draw(-2, 6));
      }
      const auto needed = BytesToHold(window.view().layout, window.offset);
      if (!needed || *needed > bytes) continue;
      MarkBytes(window, marked);
      windows.push_back(window);
    }
    bool all = true;
    for (bool byte : marked) all &= byte;
    complete += all && bytes > 0;
    std::vector<CoverWindow> views;
    for (const OwnedWindow& window : windows) views.push_back(window.view());
    ASSERT_EQ(CoverageOf(views, bytes),
              all ? Coverage::kComplete : Coverage::kIncomplete)
        << round;
  }
  EXPECT_GT(complete, 200);
}

// Sixteen lanes of a cache of 16 MiB are sixteen granules.
TEST(CoverageTest, SlicesOfALargeTensorAreDecided) {
  std::vector<OwnedWindow> lanes;
  for (int64_t i = 0; i < 16; ++i) {
    lanes.push_back({DType::kBF16, {8, 1024, 64}, {65536, 64, 1}, i * 524288});
  }
  std::vector<CoverWindow> views;
  for (const OwnedWindow& lane : lanes) views.push_back(lane.view());
  EXPECT_EQ(CoverageOf(views, 16 << 20), Coverage::kComplete);
  views[7].offset += 64;
  EXPECT_EQ(CoverageOf(views, 16 << 20), Coverage::kIncomplete);
}

TEST(CoverageTest, WhatCostsTooMuchIsUnknown) {
  const OwnedWindow even{DType::kU8, {int64_t{1} << 30}, {2}, 0};
  const OwnedWindow odd{DType::kU8, {int64_t{1} << 30}, {2}, 1};
  EXPECT_EQ(CoverageOf({even.view(), odd.view()}, int64_t{1} << 31),
            Coverage::kUnknown);
  EXPECT_EQ(CoverageOf({even.view()}, int64_t{1} << 31), Coverage::kIncomplete);
}

}  // namespace
}  // namespace palimpsest
