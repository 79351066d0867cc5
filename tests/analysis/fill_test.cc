// Checks SurelyFill() and InElements() against enumeration.

#include "analysis/fill.h"

#include <cstdint>
#include <random>
#include <vector>

#include "analysis/element_box.h"
#include "analysis/partition.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// The positions in the target that the box covers.
std::vector<int64_t> Targets(const Box& box) {
  std::vector<int64_t> targets = {box.target};
  for (const BoxDim& dim : box.dims) {
    std::vector<int64_t> next;
    for (int64_t target : targets) {
      for (int64_t k = 0; k < dim.extent; ++k) {
        next.push_back(target + k * dim.target);
      }
    }
    targets = next;
  }
  return targets;
}

Box RandomBox(std::mt19937_64& random, int64_t bytes) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  while (true) {
    Box box;
    const int64_t unit = int64_t{1} << pick(0, 3);
    box.target = pick(0, bytes / unit) * unit;
    for (int64_t dims = pick(0, 2); dims > 0; --dims) {
      const int64_t step = pick(-6, 6) * unit;
      if (step != 0) box.dims.push_back({pick(1, 6), 0, 0, step});
    }
    box.dims.push_back({unit, 1, 1, 1});
    bool fits = true;
    for (int64_t target : Targets(box)) {
      fits = fits && target >= 0 && target < bytes;
    }
    if (fits) return box;
  }
}

TEST(FillTest, SaysYesExactlyWhenEveryByteIsCovered) {
  std::mt19937_64 random(3);
  int filled = 0;
  for (int n = 0; n < 20000; ++n) {
    const int64_t bytes = 8 * (1 + static_cast<int64_t>(random() % 6));
    std::vector<Box> boxes;
    std::vector<bool> covered(bytes, false);
    for (int64_t count = random() % 12; count > 0; --count) {
      boxes.push_back(RandomBox(random, bytes));
      for (int64_t target : Targets(boxes.back())) covered[target] = true;
    }
    bool all = true;
    for (bool byte : covered) all = all && byte;
    ASSERT_EQ(SurelyFill(bytes, boxes), all) << n;
    filled += all ? 1 : 0;
  }
  EXPECT_GT(filled, 500);
}

TEST(FillTest, RowsInAnyOrderFillALargeBuffer) {
  std::vector<Box> boxes;
  for (int64_t i = 0; i < 4096; ++i) {
    Box box;
    box.target = (i * 1021 % 4096) << 20;
    box.dims.push_back({1 << 20, 1, 1, 1});
    boxes.push_back(box);
  }
  EXPECT_TRUE(SurelyFill(int64_t{4096} << 20, boxes));
  boxes.pop_back();
  boxes.push_back(boxes.front());
  EXPECT_FALSE(SurelyFill(int64_t{4096} << 20, boxes));
}

TEST(FillTest, ColumnsFillAMatrixOfAnyHeight) {
  constexpr int64_t kColumns = 100000;
  std::vector<Box> boxes;
  for (int64_t i = 0; i < kColumns; ++i) {
    Box box;
    box.target = i * 4;
    box.dims.push_back({int64_t{1} << 30, 0, 0, 4 * kColumns});
    box.dims.push_back({4, 1, 1, 1});
    boxes.push_back(box);
  }
  EXPECT_TRUE(SurelyFill((4 * kColumns) << 30, boxes));
  boxes[17] = boxes[18];
  EXPECT_FALSE(SurelyFill((4 * kColumns) << 30, boxes));
}

// The bytes of an element box, as (subject, target) pairs in order of the box.
std::vector<std::pair<int64_t, int64_t>> Bytes(const ElementBox& box) {
  const int64_t width = WidthOf(box.dtype);
  std::vector<std::pair<int64_t, int64_t>> places = {{box.subject, box.target}};
  for (size_t i = 0; i < box.sizes.size(); ++i) {
    std::vector<std::pair<int64_t, int64_t>> next;
    for (auto [subject, target] : places) {
      for (int64_t k = 0; k < box.sizes[i]; ++k) {
        next.push_back({subject + k * box.subject_strides[i],
                        target + k * box.target_strides[i]});
      }
    }
    places = next;
  }
  std::vector<std::pair<int64_t, int64_t>> bytes;
  for (auto [subject, target] : places) {
    for (int64_t t = 0; t < width; ++t) {
      bytes.push_back({subject * width + t, target * width + t});
    }
  }
  return bytes;
}

TEST(ElementBoxTest, HoldsTheSameBytesInTheSameOrder) {
  std::mt19937_64 random(9);
  for (int n = 0; n < 5000; ++n) {
    Box box = RandomBox(random, 128);
    std::vector<std::pair<int64_t, int64_t>> places;
    box.subject = 1 + static_cast<int64_t>(random() % 40);
    for (size_t i = 0; i + 1 < box.dims.size(); ++i) {
      box.dims[i].subject = static_cast<int64_t>(random() % 9) - 4;
    }
    places.push_back({box.subject, box.target});
    for (const BoxDim& dim : box.dims) {
      std::vector<std::pair<int64_t, int64_t>> next;
      for (auto [subject, target] : places) {
        for (int64_t k = 0; k < dim.extent; ++k) {
          next.push_back({subject + k * dim.subject, target + k * dim.target});
        }
      }
      places = next;
    }
    ASSERT_EQ(Bytes(InElements(box, DType::kI32)), places) << n;
  }
}

}  // namespace
}  // namespace palimpsest
