// The algebra of windows against the definition: every byte of every window,
// with repetition. A split's parts are disjoint and together the whole; each
// knows its places in both buffers; what is subtracted is what the others have.

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/element_box.h"
#include "analysis/footprint.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr int64_t kBytes = 160;  // All addresses are below.
constexpr int kEnough = 64;      // Boxes.

// The address of each byte of the window's row-major buffer.
std::vector<int64_t> AddressesOf(const Layout& layout, int64_t offset) {
  const int64_t width = WidthOf(layout.dtype);
  std::vector<int64_t> addresses = {offset * width};
  const auto extend = [&](int64_t size, int64_t stride) {
    std::vector<int64_t> next;
    next.reserve(addresses.size() * size);
    for (const int64_t base : addresses) {
      for (int64_t k = 0; k < size; ++k) next.push_back(base + k * stride);
    }
    addresses.swap(next);
  };
  for (int i = 0; i < layout.rank(); ++i) {
    extend(layout.sizes[i], layout.strides[i] * width);
  }
  extend(width, 1);
  return addresses;
}

// The byte of a box with these numbers, one for each dimension.
struct Place {
  int64_t address;
  int64_t subject;
  int64_t target;
};

std::vector<Place> PlacesOf(const Box& box) {
  std::vector<Place> places = {{box.address, box.subject, box.target}};
  for (const BoxDim& dim : box.dims) {
    std::vector<Place> next;
    next.reserve(places.size() * dim.extent);
    for (const Place& place : places) {
      for (int64_t k = 0; k < dim.extent; ++k) {
        next.push_back({place.address + k * dim.address,
                        place.subject + k * dim.subject,
                        place.target + k * dim.target});
      }
    }
    places.swap(next);
  }
  return places;
}

// A window with all that the definition needs.
struct Sample {
  const Window* window;
  Layout layout;
  std::vector<int64_t> addresses;

  bool Has(int64_t address) const {
    return std::find(addresses.begin(), addresses.end(), address) !=
           addresses.end();
  }
};

class WindowAlgebraTest : public testing::Test {
 protected:
  Sample Make(DType dtype, const Dims& sizes, const Dims& strides,
              int64_t offset) {
    const LayoutId layout = layouts_.Intern(dtype, sizes, strides);
    return {&windows_.Get(windows_.Intern(layout, offset)),
            layouts_.Get(layout), AddressesOf(layouts_.Get(layout), offset)};
  }

  // All windows with up to two dimensions of up to three elements, and strides
  // of up to three, whose element 0 is there.
  std::vector<Sample> AllAt(DType dtype, int64_t offset) {
    std::vector<Sample> samples = {Make(dtype, {}, {}, offset)};
    for (int64_t n = 1; n <= 3; ++n) {
      for (int64_t s = -3; s <= 3; ++s) {
        if (n == 1 && s != 1) continue;
        samples.push_back(Make(dtype, {n}, {s}, offset));
        for (int64_t m = 1; m <= 3; ++m) {
          for (int64_t t = -3; t <= 3; ++t) {
            if (m == 1 && t != 1) continue;
            samples.push_back(Make(dtype, {n, m}, {s, t}, offset));
          }
        }
      }
    }
    return samples;
  }

  Sample RandomSample(std::mt19937_64& random) {
    const auto between = [&](int64_t low, int64_t high) {
      return low + static_cast<int64_t>(random() % (high - low + 1));
    };
    const DType dtype = between(0, 1) == 0 ? DType::kU8 : DType::kI16;
    Dims sizes;
    Dims strides;
    int64_t low = 0;
    int64_t high = 0;
    for (int64_t rank = between(0, 3); rank > 0; --rank) {
      sizes.push_back(between(1, 4));
      strides.push_back(between(-12, 12));
      const int64_t reach = strides.back() * (sizes.back() - 1);
      (reach < 0 ? low : high) += reach;
    }
    const int64_t room = kBytes / WidthOf(dtype) - 1 - (high - low);
    if (room < 0) return RandomSample(random);
    return Make(dtype, sizes, strides, between(0, room) - low);
  }

  LayoutTable layouts_;
  WindowTable windows_{layouts_};
};

// Checks the places of a part, and counts them by their positions in `whole`.
void CountPart(const Box& part, const Sample& whole, const Sample& by,
               bool inside, std::vector<int>& seen) {
  for (const Place& place : PlacesOf(part)) {
    ASSERT_EQ(whole.addresses[place.subject], place.address);
    ++seen[place.subject];
    if (inside) {
      ASSERT_EQ(by.addresses[place.target], place.address);
    } else {
      ASSERT_FALSE(by.Has(place.address));
    }
  }
}

// PlaceIn() and TargetStrides(): the whole, in its own order, in by's buffer.
void CheckPlace(const Sample& whole, const Sample& by, const Box& place) {
  const std::vector<Place> places = PlacesOf(place);
  ASSERT_EQ(places.size(), whole.addresses.size());
  for (size_t i = 0; i < places.size(); ++i) {
    ASSERT_EQ(places[i].subject, static_cast<int64_t>(i));
    ASSERT_EQ(by.addresses[places[i].target], whole.addresses[i]);
  }
  const int64_t width = WidthOf(whole.layout.dtype);
  // By definition: every element is whole and aligned in the buffer.
  bool is_whole = true;
  for (size_t i = 0; i < places.size(); ++i) {
    const int64_t element = i - i % width;
    is_whole = is_whole && places[element].target % width == 0 &&
               places[i].target ==
                   places[element].target + static_cast<int64_t>(i) - element;
  }
  const absl::optional<Dims> strides = TargetStrides(place, width);
  ASSERT_EQ(strides.has_value(), is_whole);
  if (!strides) return;
  const std::vector<int64_t> targets = AddressesOf(
      {whole.layout.dtype, whole.layout.sizes, *strides}, place.target / width);
  for (size_t i = 0; i < places.size(); ++i) {
    ASSERT_EQ(targets[i], places[i].target);
  }
}

// Whether `by` has a number system, so that it could be split.
bool CheckSplit(const WindowTable& windows, const Sample& whole,
                const Sample& by) {
  const auto parts = windows.Split(whole.window->box(), *by.window, kEnough);
  if (!by.window->has_digits()) {
    EXPECT_FALSE(parts.has_value());
    return false;
  }
  EXPECT_TRUE(parts.has_value());
  std::vector<int> seen(whole.addresses.size(), 0);
  for (const Box& part : parts->inside) {
    CountPart(part, whole, by, /*inside=*/true, seen);
  }
  for (const Box& part : parts->outside) {
    CountPart(part, whole, by, /*inside=*/false, seen);
  }
  for (const int count : seen) EXPECT_EQ(count, 1);
  if (auto place = PlaceIn(whole.window->box(), by.window->digits())) {
    CheckPlace(whole, by, *place);
  }
  EXPECT_EQ(windows.MayOverlap(*whole.window, *by.window),
            !parts->inside.empty());
  EXPECT_EQ(windows.SurelyCovers(*by.window, *whole.window),
            parts->outside.empty());
  return true;
}

TEST_F(WindowAlgebraTest, EverySmallWindowIsSplitExactlyByEveryOther) {
  int64_t split = 0;
  int64_t not_split = 0;
  const auto check_all = [&](DType dtype, DType by_dtype) {
    const std::vector<Sample> wholes =
        AllAt(dtype, kBytes / 2 / WidthOf(dtype));
    for (int64_t distance = -6; distance <= 6; ++distance) {
      const int64_t offset = kBytes / 2 / WidthOf(by_dtype) + distance;
      const std::vector<Sample> others = AllAt(by_dtype, offset);
      for (const Sample& whole : wholes) {
        for (const Sample& by : others) {
          ++(CheckSplit(windows_, whole, by) ? split : not_split);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  };
  for (const DType dtype : {DType::kU8, DType::kI16}) {
    for (const DType by : {DType::kU8, DType::kI16}) check_all(dtype, by);
  }
  std::cout << split << " pairs, and " << not_split << " without digits\n";
}

TEST_F(WindowAlgebraTest, RandomWindowsAreSplitExactly) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const Sample whole = RandomSample(random);
    const Sample by = RandomSample(random);
    CheckSplit(windows_, whole, by);
    ASSERT_FALSE(HasFailure()) << i;
  }
}

// Subtracts windows one by one. What is left is, once each, the positions whose
// address none of them has.
TEST_F(WindowAlgebraTest, WhatIsLeftIsWhatNoneHas) {
  std::mt19937_64 random(5);
  int64_t given_up = 0;
  for (int i = 0; i < 60000; ++i) {
    const Sample whole = RandomSample(random);
    std::vector<Box> boxes = {whole.window->box()};
    std::vector<int> left(whole.addresses.size(), 1);
    for (int n = 0; n < 4; ++n) {
      const Sample by = RandomSample(random);
      const int max_boxes = n == 3 ? 3 : kEnough;
      const auto is_hit = windows_.Subtract(*by.window, max_boxes, boxes);
      if (is_hit) {
        bool expected = false;
        for (size_t k = 0; k < left.size(); ++k) {
          if (left[k] == 0 || !by.Has(whole.addresses[k])) continue;
          expected = true;
          left[k] = 0;
        }
        ASSERT_EQ(*is_hit, expected) << i;
      } else {
        ++given_up;  // The boxes are as they were.
      }
      std::vector<int> seen(whole.addresses.size(), 0);
      for (const Box& box : boxes) {
        for (const Place& place : PlacesOf(box)) {
          ASSERT_EQ(whole.addresses[place.subject], place.address);
          ++seen[place.subject];
        }
      }
      ASSERT_EQ(seen, left) << i;
    }
  }
  EXPECT_GT(given_up, 100);
}

}  // namespace
}  // namespace palimpsest
