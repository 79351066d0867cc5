// Checks UnionOf() against enumeration.

#include "analysis/byte_union.h"

#include <cstdint>
#include <random>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/partition.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr int64_t kBegin = 48;
constexpr int64_t kEnd = 112;

// The bytes that the box touches, counted from kBegin.
std::vector<int64_t> Addresses(const Box& box) {
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

Box RandomBox(std::mt19937_64& random) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  while (true) {
    const int64_t width = int64_t{1} << pick(0, 3);
    Box box;
    box.address = pick(kBegin / width, kEnd / width) * width;
    for (int64_t dims = pick(0, 2); dims > 0; --dims) {
      const int64_t step = pick(-4, 4) * width;
      if (step != 0) box.dims.push_back({pick(1, 5), step, 0});
    }
    box.dims.push_back({width, 1, 1});
    bool fits = true;
    for (int64_t address : Addresses(box)) {
      fits = fits && address >= 0 && address < kEnd - kBegin;
    }
    if (fits) return box;
  }
}

TEST(ByteUnionTest, IsWhatTheBoxesTouch) {
  std::mt19937_64 random(7);
  int in_sequences = 0;
  for (int n = 0; n < 20000; ++n) {
    std::vector<Box> boxes;
    for (int64_t count = 1 + random() % 5; count > 0; --count) {
      boxes.push_back(RandomBox(random));
    }
    const absl::optional<ByteUnion> found = UnionOf(kBegin, kEnd, boxes);
    ASSERT_TRUE(found);
    std::vector<bool> touched(kEnd - kBegin, false);
    int64_t bytes = 0;
    for (size_t i = 0; i < boxes.size(); ++i) {
      bool adds = false;
      for (int64_t address : Addresses(boxes[i])) {
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

TEST(ByteUnionTest, NothingAfterTheLastByteIsLookedAt) {
  const Box all = Box::Of({DType::kU8, {1 << 20}, {1}}, 0);
  const std::vector<Box> many(1000, all);
  const absl::optional<ByteUnion> found = UnionOf(0, 1 << 20, many);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->adds[0]);
  EXPECT_FALSE(found->adds[1]);
}

TEST(ByteUnionTest, IsNotKnownWhereThatTakesTooManyMarks) {
  const Box one = Box::Of({DType::kU8, {1 << 22}, {1}}, 0);
  const Box other = Box::Of({DType::kU8, {1}, {1}}, 1);
  EXPECT_FALSE(UnionOf(0, 1 << 22, {one, other}));
  EXPECT_TRUE(UnionOf(0, 1 << 22, {one, one}));
}

}  // namespace
}  // namespace palimpsest
