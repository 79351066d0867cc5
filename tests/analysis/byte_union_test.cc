// Checks UnionOf() against enumeration.

#include "analysis/byte_union.h"

#include <cstdint>
#include <random>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr int64_t kBegin = 48;
constexpr int64_t kEnd = 432;  // Up to six words of marks.

// The bytes that the window touches, counted from kBegin.
std::vector<int64_t> Addresses(const Window& window) {
  const Box box = window.box();
  std::vector<int64_t> addresses = {box.address - kBegin};
  for (const BoxDim& dim : box.dims) {
    std::vector<int64_t> next;
    for (int64_t address : addresses) {
      for (int64_t k = 0; k < dim.extent; ++k) {
        next.push_back(address + k * dim.address);
      }
    }
    addresses = next;
  }
  return addresses;
}

DType OfWidth(int64_t log_width) {
  constexpr DType kDTypes[] = {DType::kU8, DType::kU16, DType::kU32,
                               DType::kU64};
  return kDTypes[log_width];
}

class ByteUnionTest : public testing::Test {
 protected:
  const Window* Make(DType dtype, const Dims& sizes, const Dims& strides,
                     int64_t offset) {
    return &windows_.Get(
        windows_.Intern(layouts_.Intern(dtype, sizes, strides), offset));
  }

  const Window* RandomWindow(std::mt19937_64& random) {
    auto pick = [&](int64_t low, int64_t high) {
      return low + static_cast<int64_t>(random() % (high - low + 1));
    };
    while (true) {
      const int64_t log_width = pick(0, 3);
      Dims sizes, strides;
      for (int64_t dims = pick(0, 2); dims > 0; --dims) {
        sizes.push_back(pick(1, 12));
        strides.push_back(pick(0, 2) == 0 ? pick(-90, 90) : pick(-4, 4));
      }
      const Window* window = Make(OfWidth(log_width), sizes, strides,
                                  pick(kBegin >> log_width, kEnd >> log_width));
      if (window->begin() >= kBegin && window->end() <= kEnd) return window;
    }
  }

  LayoutTable layouts_;
  WindowTable windows_{layouts_};
};

TEST_F(ByteUnionTest, IsWhatTheWindowsTouch) {
  std::mt19937_64 random(7);
  int in_sequences = 0;
  for (int n = 0; n < 20000; ++n) {
    std::vector<const Window*> windows;
    for (int64_t count = 1 + random() % 5; count > 0; --count) {
      windows.push_back(RandomWindow(random));
    }
    const absl::optional<ByteUnion> found = UnionOf(kBegin, kEnd, windows);
    ASSERT_TRUE(found);
    std::vector<bool> touched(kEnd - kBegin, false);
    int64_t bytes = 0;
    for (size_t i = 0; i < windows.size(); ++i) {
      bool adds = false;
      for (int64_t address : Addresses(*windows[i])) {
        adds = adds || !touched[address];
        bytes += touched[address] ? 0 : 1;
        touched[address] = true;
      }
      ASSERT_EQ(found->adds[i], adds) << n;
    }
    ASSERT_EQ(found->bytes, bytes) << n;
    if (!found->sequences) continue;
    ++in_sequences;
    std::vector<bool> listed(kEnd - kBegin, false);
    for (const RunSequence& sequence : *found->sequences) {
      for (int64_t i = 0; i < sequence.count; ++i) {
        for (int64_t j = 0; j < sequence.length; ++j) {
          const int64_t address =
              sequence.begin + i * sequence.step + j - kBegin;
          ASSERT_FALSE(listed.at(address)) << n;
          listed[address] = true;
        }
      }
    }
    ASSERT_EQ(listed, touched) << n;
  }
  EXPECT_GT(in_sequences, 10000);
}

TEST_F(ByteUnionTest, NothingAfterTheLastByteIsLookedAt) {
  const std::vector<const Window*> many(1000,
                                        Make(DType::kU8, {1 << 20}, {1}, 0));
  const absl::optional<ByteUnion> found = UnionOf(0, 1 << 20, many);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->adds[0]);
  EXPECT_FALSE(found->adds[1]);
}

TEST_F(ByteUnionTest, IsNotKnownWhereThatTakesTooManySteps) {
  constexpr int64_t kCount = (1 << 18) + 256;
  const Window* far_apart = Make(DType::kU8, {kCount}, {64}, 0);
  const Window* one = Make(DType::kU8, {1}, {1}, 1);
  EXPECT_FALSE(UnionOf(0, 64 * kCount, {far_apart, one}));
  const Window* closer = Make(DType::kU8, {kCount}, {63}, 0);
  EXPECT_TRUE(UnionOf(0, 63 * kCount, {closer, one}));
}

TEST_F(ByteUnionTest, IsNotKnownWhereThereIsTooMuchToMark) {
  const Window* first = Make(DType::kU8, {1}, {1}, 0);
  const Window* last = Make(DType::kU8, {1}, {1}, 1 << 26);
  EXPECT_FALSE(UnionOf(0, (1 << 26) + 1, {first, last}));
  EXPECT_TRUE(UnionOf(0, 1 << 20, {first}));
}

}  // namespace
}  // namespace palimpsest
