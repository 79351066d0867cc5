// Checks PartitionBy() and PlaceIn() against the definition: every byte of the
// subject, enumerated.

#include "analysis/partition.h"

#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "absl/types/optional.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

struct Window {
  DType dtype;
  Dims sizes;
  Dims strides;
  int64_t offset;

  Layout layout() const { return {dtype, sizes, strides}; }
};

// The address of each byte of the window's row-major buffer.
std::vector<int64_t> Addresses(const Window& window) {
  const int64_t width = WidthOf(window.dtype);
  std::vector<int64_t> addresses = {window.offset * width};
  auto extend = [&](int64_t size, int64_t stride) {
    std::vector<int64_t> next;
    for (int64_t base : addresses) {
      for (int64_t k = 0; k < size; ++k) next.push_back(base + k * stride);
    }
    addresses = next;
  };
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    extend(window.sizes[i], window.strides[i] * width);
  }
  extend(width, 1);
  return addresses;
}

struct Place {
  int64_t address;
  int64_t subject;
  int64_t target;

  friend bool operator<(const Place& a, const Place& b) {
    return a.subject < b.subject;
  }
  friend bool operator==(const Place& a, const Place& b) {
    return a.address == b.address && a.subject == b.subject &&
           a.target == b.target;
  }
};

std::vector<Place> Enumerate(const Box& box) {
  std::vector<Place> places = {{box.address, box.subject, box.target}};
  for (const BoxDim& dim : box.dims) {
    std::vector<Place> next;
    for (const Place& place : places) {
      for (int64_t k = 0; k < dim.extent; ++k) {
        next.push_back({place.address + k * dim.address,
                        place.subject + k * dim.subject,
                        place.target + k * dim.target});
      }
    }
    places = next;
  }
  return places;
}

struct Counts {
  int64_t pairs = 0;
  int64_t no_system = 0;
  int64_t over_budget = 0;
  int64_t boxes = 0;
};

void CheckPair(const Window& subject, const Window& other, Counts& counts) {
  ++counts.pairs;
  const auto system = DigitSystem::Of(other.layout(), other.offset);
  if (!system) {
    ++counts.no_system;
    return;
  }
  const Box box = Box::Of(subject.layout(), subject.offset);
  const std::vector<int64_t> by = Addresses(other);
  std::multimap<int64_t, int64_t> position;  // Address to positions in `other`.
  for (size_t i = 0; i < by.size(); ++i) position.emplace(by[i], i);

  const auto partition = PartitionBy(box, *system, 64);
  const auto placed = PlaceIn(box, *system);
  if (!partition) {
    ++counts.over_budget;
    ASSERT_FALSE(placed.has_value());
    return;
  }
  const std::vector<int64_t> addresses = Addresses(subject);
  std::vector<int> seen(addresses.size(), 0);
  for (const Box& inside : partition->inside) {
    ++counts.boxes;
    for (const Place& place : Enumerate(inside)) {
      ASSERT_EQ(addresses[place.subject], place.address);
      ++seen[place.subject];
      ASSERT_TRUE(position.count(place.address));
      ASSERT_EQ(by[place.target], place.address);
    }
  }
  for (const Box& outside : partition->outside) {
    ++counts.boxes;
    for (const Place& place : Enumerate(outside)) {
      ASSERT_EQ(addresses[place.subject], place.address);
      ++seen[place.subject];
      ASSERT_FALSE(position.count(place.address));
    }
  }
  for (int count : seen) ASSERT_EQ(count, 1);
  if (placed) {
    ASSERT_EQ(placed->bytes(), static_cast<int64_t>(addresses.size()));
    int64_t next = 0;
    for (const Place& place : Enumerate(*placed)) {
      ASSERT_EQ(place.subject, next++);  // The subject's own order.
      ASSERT_EQ(by[place.target], place.address);
    }
  }
}

TEST(PartitionTest, EverySmallPairIsSplitExactly) {
  std::vector<Window> windows;
  for (DType dtype : {DType::kU8, DType::kI16}) {
    for (int64_t offset = 3; offset <= 6; ++offset) {
      for (int64_t outer = 1; outer <= 3; ++outer) {
        for (int64_t inner = 1; inner <= 3; ++inner) {
          for (int64_t s = -3; s <= 3; ++s) {
            for (int64_t t = -3; t <= 3; ++t) {
              if ((outer == 1) != (s == 0) && outer == 1) continue;
              windows.push_back({dtype, {outer, inner}, {s, t}, offset + 9});
            }
          }
        }
      }
    }
  }
  Counts counts;
  std::mt19937_64 random(7);
  for (size_t i = 0; i < windows.size(); ++i) {
    for (int n = 0; n < 60; ++n) {
      CheckPair(windows[i], windows[random() % windows.size()], counts);
      if (HasFatalFailure()) FAIL() << "window " << i;
    }
  }
  std::printf("%ld pairs, %ld not digits, %ld over budget, %ld boxes\n",
              counts.pairs, counts.no_system, counts.over_budget, counts.boxes);
  EXPECT_EQ(counts.over_budget, 0);
}

// A window of a row-major parent by slices with steps, flips, a permutation and
// another dtype width.
Window RandomSlice(std::mt19937_64& random, const Dims& shape, DType dtype) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  const Dims parent = RowMajorStrides(shape);
  Window window{dtype, {}, {}, 0};
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t step = pick(1, 3) == 1 ? pick(1, 3) : 1;
    const int64_t first = pick(0, shape[i] - 1);
    const int64_t count = pick(1, (shape[i] - 1 - first) / step + 1);
    window.sizes.push_back(count);
    if (pick(0, 3) == 0) {
      window.offset += (first + (count - 1) * step) * parent[i];
      window.strides.push_back(-step * parent[i]);
    } else {
      window.offset += first * parent[i];
      window.strides.push_back(step * parent[i]);
    }
  }
  for (int i = static_cast<int>(shape.size()) - 1; i > 0; --i) {
    const int j = pick(0, i);
    std::swap(window.sizes[i], window.sizes[j]);
    std::swap(window.strides[i], window.strides[j]);
  }
  return window;
}

TEST(PartitionTest, SlicesOfOneParentAreSplitExactly) {
  std::mt19937_64 random(11);
  Counts counts;
  for (int n = 0; n < 60000; ++n) {
    CheckPair(RandomSlice(random, {3, 4, 5}, DType::kI16),
              RandomSlice(random, {3, 4, 5}, DType::kI16), counts);
    if (HasFatalFailure()) FAIL() << "pair " << n;
  }
  std::printf("%ld pairs, %ld not digits, %ld over budget, %ld boxes\n",
              counts.pairs, counts.no_system, counts.over_budget, counts.boxes);
  EXPECT_EQ(counts.no_system, 0);
  EXPECT_EQ(counts.over_budget, 0);
}

TEST(PartitionTest, SlicesOfReshapesAndOtherDtypesAreSplitExactly) {
  std::mt19937_64 random(13);
  const std::vector<Dims> shapes = {{6, 8, 5}, {8, 30}, {48, 5},   {3, 16, 5},
                                    {240},     {4, 60}, {2, 2, 60}};
  const std::vector<DType> dtypes = {DType::kU8, DType::kI16, DType::kI32};
  Counts counts;
  auto make = [&] {
    Dims shape = shapes[random() % shapes.size()];
    const DType dtype = dtypes[random() % dtypes.size()];
    if (shape.back() % WidthOf(dtype) != 0)
      return RandomSlice(random, shape, DType::kU8);
    shape.back() /= WidthOf(dtype);
    return RandomSlice(random, shape, dtype);
  };
  for (int n = 0; n < 60000; ++n) {
    CheckPair(make(), make(), counts);
    if (HasFatalFailure()) FAIL() << "pair " << n;
  }
  std::printf("%ld pairs, %ld not digits, %ld over budget, %ld boxes\n",
              counts.pairs, counts.no_system, counts.over_budget, counts.boxes);
  EXPECT_EQ(counts.no_system, 0);
  EXPECT_LT(counts.over_budget, counts.pairs / 50);
}

TEST(PartitionTest, WhateverTheBudgetNothingIsLost) {
  std::mt19937_64 random(17);
  int64_t over_budget = 0;
  for (int n = 0; n < 4000; ++n) {
    const Window subject = RandomSlice(random, {6, 5, 8}, DType::kU8);
    const Window other = RandomSlice(random, {12, 20}, DType::kU8);
    const auto system = DigitSystem::Of(other.layout(), other.offset);
    const Box box = Box::Of(subject.layout(), subject.offset);
    for (int budget = 1; budget <= 12; ++budget) {
      const auto partition = PartitionBy(box, *system, budget);
      if (!partition) {
        ++over_budget;
        continue;
      }
      int64_t bytes = 0;
      for (const Box& part : partition->inside) bytes += part.bytes();
      for (const Box& part : partition->outside) bytes += part.bytes();
      ASSERT_EQ(bytes, box.bytes()) << n << ", " << budget;
    }
  }
  EXPECT_GT(over_budget, 100);
}

TEST(PartitionTest, AFlatRangeAcrossRowsIsAtMostThreeBoxes) {
  // Columns 1..6 of rows of 10; elements 13 to 57.
  const Window rows{DType::kU8, {8, 6}, {10, 1}, 1};
  const Window range{DType::kU8, {45}, {1}, 13};
  const auto system = DigitSystem::Of(rows.layout(), rows.offset);
  const auto partition =
      PartitionBy(Box::Of(range.layout(), range.offset), *system, 16);
  ASSERT_TRUE(partition.has_value());
  EXPECT_EQ(partition->inside.size(), 3);
}

TEST(PartitionTest, ATransposedWeightIsOnePlace) {
  const Dims sizes = {128256, 2048};
  const Dims flipped = {2048, 128256};
  const Window weight{DType::kBF16, sizes, RowMajorStrides(sizes), 0};
  const Window transposed{DType::kBF16, flipped, {1, 2048}, 0};
  const auto system = DigitSystem::Of(weight.layout(), 0);
  const auto place = PlaceIn(Box::Of(transposed.layout(), 0), *system);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->dims[0].target, 2);
  EXPECT_EQ(place->dims[1].target, 4096);
  // And the other way round: the flat weight in the transposed value.
  const auto other = DigitSystem::Of(transposed.layout(), 0);
  const auto back = PlaceIn(Box::Of(weight.layout(), 0), *other);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->dims[0].target, 2);
}

TEST(PartitionTest, EveryThirdOfEverySecondIsEverySixth) {
  const Window thirds{DType::kF32, {1000000}, {3}, 0};
  const Window seconds{DType::kF32, {1500000}, {2}, 0};
  const auto system = DigitSystem::Of(seconds.layout(), 0);
  const auto partition = PartitionBy(Box::Of(thirds.layout(), 0), *system, 16);
  ASSERT_TRUE(partition.has_value());
  ASSERT_EQ(partition->inside.size(), 1);
  EXPECT_EQ(partition->inside[0].bytes(), 4 * 500000);
}

}  // namespace
}  // namespace palimpsest
