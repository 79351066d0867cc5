// Joined boxes move the bytes that they moved before, and are as few as named
// cases need.

#include "analysis/joined_boxes.h"

#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "analysis/partition.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Subject and target of each byte.
using Moves = std::set<std::pair<int64_t, int64_t>>;

Moves MovesOf(const std::vector<Box>& boxes) {
  Moves moves;
  for (const Box& box : boxes) {
    std::vector<std::pair<int64_t, int64_t>> bytes = {
        {box.subject, box.target}};
    for (const BoxDim& dim : box.dims) {
      std::vector<std::pair<int64_t, int64_t>> next;
      for (const auto& [subject, target] : bytes) {
        for (int64_t k = 0; k < dim.extent; ++k) {
          next.push_back({subject + k * dim.subject, target + k * dim.target});
        }
      }
      bytes = std::move(next);
    }
    for (const auto& move : bytes) {
      EXPECT_TRUE(moves.insert(move).second) << "a byte is moved twice";
    }
  }
  return moves;
}

struct Placed {
  DType dtype;
  Dims sizes;
  Dims strides;
  int64_t offset;
};

// What `subject` has of `other`, before it is joined.
std::vector<Box> InsideOf(const Placed& subject, const Placed& other) {
  const auto digits =
      DigitSystem::Of({other.dtype, other.sizes, other.strides}, other.offset);
  const Box box =
      Box::Of({subject.dtype, subject.sizes, subject.strides}, subject.offset);
  if (!digits) return {};
  const auto parts = PartitionBy(box, *digits, /*max_boxes=*/64);
  return parts ? parts->inside : std::vector<Box>();
}

size_t CountOfJoined(const Placed& subject, const Placed& other) {
  std::vector<Box> boxes = InsideOf(subject, other);
  JoinBoxes(boxes);
  return boxes.size();
}

TEST(JoinedBoxesTest, AShiftedMatrixIsOneRun) {
  const Placed matrix = {DType::kF32, {3, 4}, {4, 1}, 0};
  const Placed shifted = {DType::kF32, {3, 4}, {4, 1}, 1};
  EXPECT_GT(InsideOf(shifted, matrix).size(), 1u);
  EXPECT_EQ(CountOfJoined(shifted, matrix), 1u);
}

// One element of four bytes each.
std::vector<Box> Elements(
    const std::vector<std::pair<int64_t, int64_t>>& moves) {
  std::vector<Box> boxes;
  for (const auto& [subject, target] : moves) {
    Box box;
    box.subject = 4 * subject;
    box.target = 4 * target;
    box.dims.push_back({4, 0, 1, 1});
    boxes.push_back(box);
  }
  return boxes;
}

TEST(JoinedBoxesTest, TwoElementsAreOneBoxWhereverTheyLie) {
  std::vector<Box> boxes = Elements({{5, 1}, {2, 7}});
  JoinBoxes(boxes);
  EXPECT_EQ(boxes.size(), 1u);
}

TEST(JoinedBoxesTest, WhatIsNoStridedBoxStaysApart) {
  std::vector<Box> boxes = Elements({{0, 0}, {1, 2}, {3, 5}});
  JoinBoxes(boxes);
  EXPECT_EQ(boxes.size(), 2u);
}

class Lottery {
 public:
  int64_t Between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }

 private:
  std::mt19937_64 random_{1};
};

Placed RandomWindow(Lottery& lottery) {
  Placed window = {lottery.Between(0, 1) == 0 ? DType::kF32 : DType::kI16,
                   {},
                   {},
                   lottery.Between(60, 90)};
  const int64_t rank = lottery.Between(1, 3);
  for (int64_t i = 0; i < rank; ++i) {
    window.sizes.push_back(lottery.Between(1, 4));
    window.strides.push_back(lottery.Between(-9, 9));
  }
  return window;
}

TEST(JoinedBoxesTest, RandomBoxesMoveTheSameBytes) {
  Lottery lottery;
  int64_t joined = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<Box> boxes =
        InsideOf(RandomWindow(lottery), RandomWindow(lottery));
    const std::vector<Box> before = boxes;
    JoinBoxes(boxes);
    EXPECT_LE(boxes.size(), before.size());
    joined += boxes.size() < before.size();
    ASSERT_EQ(MovesOf(boxes), MovesOf(before));
  }
  EXPECT_GT(joined, 500);
}

}  // namespace
}  // namespace palimpsest
