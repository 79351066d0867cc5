// Checks OpenBytes against enumeration.

#include "analysis/open_bytes.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

constexpr int64_t kStorage = 512;  // Bytes.

void Mark(const Box& box, std::vector<bool>& marks) {
  std::vector<int64_t> addresses = {box.address};
  for (const BoxDim& dim : box.dims) {
    std::vector<int64_t> next;
    for (int64_t address : addresses) {
      for (int64_t k = 0; k < dim.extent; ++k) {
        next.push_back(address + k * dim.address);
      }
    }
    addresses = next;
  }
  for (int64_t address : addresses) marks.at(address) = true;
}

class OpenBytesTest : public testing::Test {
 protected:
  int64_t Pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % (high - low + 1));
  }

  const Window& Make(DType dtype, const Dims& sizes, const Dims& strides,
                     int64_t offset) {
    return windows_.Get(
        windows_.Intern(layouts_.Intern(dtype, sizes, strides), offset));
  }

  std::vector<int64_t> Addresses(const Window& window) {
    return BytesOf(layouts_.Get(window.layout), window.offset);
  }

  const Window& RandomRow() {
    const int64_t bytes = Pick(1, 40);
    return Make(DType::kU8, {bytes}, {1}, Pick(0, kStorage - bytes));
  }

  const Window& RandomWindow() {
    while (true) {
      const DType dtype = Pick(0, 1) == 0 ? DType::kU8 : DType::kF32;
      const Dims sizes = {Pick(1, 6), Pick(1, 8)};
      const int64_t inner = Pick(0, 2);
      const Dims strides = {Pick(0, 24), Pick(0, 8) == 0 ? -inner : inner};
      const Window& window = Make(dtype, sizes, strides, Pick(0, 64));
      if (window.begin() >= 0 && window.end() <= kStorage) return window;
    }
  }

  // What is taken of the window is never more than what the others cover, and
  // no byte that is open goes unseen.
  void CheckSafe(const Window& window,
                 const std::vector<const Window*>& others) {
    std::vector<bool> open(kStorage, false);
    for (int64_t address : Addresses(window)) open[address] = true;
    open_.Open(window);
    for (const Window* other : others) {
      bool takes = false;
      for (int64_t address : Addresses(*other)) {
        takes = takes || open[address];
        open[address] = false;
      }
      const bool said = open_.Take(*other);
      ASSERT_TRUE(said || !takes);
      wrongly_said_ += said && !takes ? 1 : 0;
      std::vector<bool> held(kStorage, open_.boxes().empty());
      for (const Box& box : open_.boxes()) Mark(box, held);
      bool is_any = false;
      for (int64_t address = 0; address < kStorage; ++address) {
        is_any = is_any || open[address];
        ASSERT_TRUE(held[address] || !open[address]) << address;
      }
      ASSERT_FALSE(open_.is_empty() && is_any);
      empty_ += open_.is_empty() ? 1 : 0;
      if (open_.is_empty()) return;
    }
  }

  std::mt19937_64 random_{7};
  LayoutTable layouts_;
  WindowTable windows_{layouts_};
  OpenBytes open_{windows_};
  int64_t wrongly_said_ = 0;
  int64_t empty_ = 0;
};

TEST_F(OpenBytesTest, NoOpenByteGoesUnseen) {
  for (int n = 0; n < 4000; ++n) {
    const Window& window = RandomWindow();
    std::vector<const Window*> others;
    for (int64_t count = Pick(1, 40); count > 0; --count) {
      others.push_back(Pick(0, 2) == 0 ? &RandomRow() : &RandomWindow());
    }
    ASSERT_NO_FATAL_FAILURE(CheckSafe(window, others)) << n;
  }
  EXPECT_GT(empty_, 400);
}

// Few rows of bytes leave few boxes, so that all is known.
TEST_F(OpenBytesTest, IsExactWhereFewBoxesRemain) {
  for (int n = 0; n < 4000; ++n) {
    const Window& window = RandomRow();
    std::vector<const Window*> others;
    for (int64_t count = Pick(1, 7); count > 0; --count) {
      others.push_back(&Make(
          DType::kU8, {Pick(1, 8)}, {1},
          std::min(window.begin() + Pick(0, window.bytes()), kStorage - 8)));
    }
    ASSERT_NO_FATAL_FAILURE(CheckSafe(window, others)) << n;
  }
  EXPECT_EQ(wrongly_said_, 0);
}

// Rows of a matrix that are taken in any order leave nothing when all are.
TEST_F(OpenBytesTest, IsEmptyWhenAllRowsAreTaken) {
  const Window& matrix = Make(DType::kF32, {6, 8}, {8, 1}, 0);
  open_.Open(matrix);
  for (int64_t row : {3, 0, 5, 1, 4}) {
    EXPECT_TRUE(open_.Take(Make(DType::kF32, {8}, {1}, 8 * row)));
    EXPECT_FALSE(open_.is_empty());
  }
  EXPECT_TRUE(open_.Take(Make(DType::kF32, {8}, {1}, 16)));
  EXPECT_TRUE(open_.is_empty());
}

}  // namespace
}  // namespace palimpsest
