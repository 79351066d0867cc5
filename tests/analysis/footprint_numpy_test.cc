// numpy's tests of overlap (numpy/_core/tests/test_mem_overlap.py), remade: the
// same arrays, the same sizes of random problems, and each answer checked
// against a definition. numpy gives up on some of these, or takes long; here
// every answer must be exact, and slices of one array, whatever their steps,
// must be decided by digits.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "analysis/footprint.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/analysis/sliced_tensor.h"
#include "tests/analysis/window_families.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

// The definition: every byte of each.
std::set<int64_t> BytesOf(const Window& window) {
  const int64_t width = WidthOf(window.dtype);
  std::set<int64_t> bytes;
  for (const int64_t element : ElementsOf(window)) {
    for (int64_t i = 0; i < width; ++i) bytes.insert(element * width + i);
  }
  return bytes;
}

bool Meet(const std::set<int64_t>& a, const std::set<int64_t>& b) {
  const std::set<int64_t>& small = a.size() < b.size() ? a : b;
  const std::set<int64_t>& large = a.size() < b.size() ? b : a;
  for (const int64_t byte : small) {
    if (large.count(byte) != 0) return true;
  }
  return false;
}

Overlap YesOrNo(bool overlap) { return overlap ? Overlap::kYes : Overlap::kNo; }

// Nothing but digits.
FootprintLimits NoWork() {
  FootprintLimits limits;
  limits.search_nodes = 0;
  limits.bitset_bytes = 0;
  return limits;
}

void CheckOverlap(const Tensor& a, const Tensor& b) {
  const OverlapResult result = Overlaps(a.footprint(), b.footprint(), NoWork());
  ASSERT_EQ(result.overlap,
            YesOrNo(Meet(BytesOf(a.window()), BytesOf(b.window()))))
      << a.window() << " and " << b.window();
  ASSERT_LT(result.layer, Layer::kSearch);
}

// test_overlapping_assignments: a window of up to three rows and columns about
// the middle of a 10 x 10 matrix, assigned to another of the same shape.

std::vector<Tensor> AboutTheMiddle(const Tensor& x, int dim, int64_t count) {
  constexpr int64_t kMiddle = 5;
  if (count == 0) return {x.Slice(dim, kMiddle, kMiddle + 1)};
  std::vector<Tensor> slices;
  for (const int64_t step : {1, 2}) {
    const int64_t half = count * step / 2;
    const int64_t up = kMiddle - half;
    slices.push_back(x.Slice(dim, up, up + (count - 1) * step + 1, step));
    // From start down to start - (count - 1) * step.
    const int64_t start = kMiddle + (count * step + 1) / 2;
    const int64_t low = start - (count - 1) * step;
    slices.push_back(x.Slice(dim, low, start + 1, step).Flip(dim));
  }
  return slices;
}

TEST(FootprintNumpyTest, OverlappingAssignments) {
  const Tensor x({10, 10}, DType::kI64);
  int pairs = 0;
  for (const int64_t rows : {0, 2, 3}) {
    for (const int64_t columns : {0, 2, 3}) {
      std::vector<Tensor> windows;
      for (const Tensor& slice : AboutTheMiddle(x, 0, rows)) {
        for (const Tensor& window : AboutTheMiddle(slice, 1, columns)) {
          windows.push_back(window);
        }
      }
      for (const Tensor& target : windows) {
        for (const Tensor& source : windows) {
          CheckOverlap(target, source);
          if (HasFatalFailure()) return;
          ++pairs;
        }
      }
    }
  }
  EXPECT_EQ(pairs, 33 * 33);
}

// test_diophantine_fuzz: whether the sum of strides[i] * x[i] is `target` for
// some 0 <= x[i] <= most[i]. As a window of some of the dimensions, and
// another of the rest, counted down from the target.
struct Equation {
  std::vector<int64_t> strides;
  std::vector<int64_t> most;

  int64_t Largest() const {
    return std::inner_product(strides.begin(), strides.end(), most.begin(),
                              int64_t{0});
  }
  int64_t Sums() const {  // At most 100,000.
    int64_t count = 1;
    for (const int64_t m : most) {
      if (count < 100000) count *= m + 1;
    }
    return count;
  }
};

bool HasSolution(const Equation& equation, int64_t target) {
  Window all;
  for (size_t i = 0; i < equation.strides.size(); ++i) {
    all.sizes.push_back(equation.most[i] + 1);
    all.strides.push_back(equation.strides[i]);
  }
  for (const int64_t sum : ElementsOf(all)) {
    if (sum == target) return true;
  }
  return false;
}

// Both sides are moved up so that no byte is below 0. numpy's solver has no
// limit either.
OverlapResult Solve(Random& random, const Equation& equation, int64_t target) {
  std::vector<ByteDim> left;
  std::vector<ByteDim> right;
  int64_t down = 0;
  for (size_t i = 0; i < equation.strides.size(); ++i) {
    const ByteDim dim = {equation.most[i] + 1, equation.strides[i]};
    if (random.OneIn(2)) {
      left.push_back(dim);
    } else {
      right.push_back(dim);
      down += equation.strides[i] * equation.most[i];
    }
  }
  FootprintLimits limits;
  limits.search_nodes = 1 << 24;
  return Overlaps(Footprint(FootprintShape::OfBytes(left), down + 1),
                  Footprint(FootprintShape::OfBytes(right), target + 1),
                  limits);
}

Equation RandomEquation(Random& random, int unknowns) {
  const auto up_to_eleven_to_the_sixth = [&] {
    int64_t power = 1;
    const int64_t base = random.Between(0, 10);
    for (int i = 0; i < 6; ++i) power *= base;
    return power;
  };
  const int64_t stride_most = 1 + up_to_eleven_to_the_sixth();
  const int64_t most = up_to_eleven_to_the_sixth();
  Equation equation;
  for (int i = 0; i < unknowns; ++i) {
    equation.strides.push_back(random.Between(1, stride_most));
    equation.most.push_back(random.Between(0, most + 1));
  }
  return equation;
}

TEST(FootprintNumpyTest, RandomEquations) {
  Random random(1234);
  for (int unknowns = 0; unknowns < 10; ++unknowns) {
    const int enough = 500 / (unknowns + 1);
    int solved = 0;
    int without = 0;
    while (solved < enough || without < enough) {
      const Equation equation = RandomEquation(random, unknowns);
      int64_t target = random.Between(-1, equation.Largest() + 1);
      if (unknowns == 0 && solved < enough) target = 0;
      const Overlap answer = Solve(random, equation, target).overlap;
      ASSERT_NE(answer, Overlap::kUnknown);
      if (equation.Sums() < 100000) {
        ASSERT_EQ(answer, YesOrNo(HasSolution(equation, target)));
        without += answer == Overlap::kNo;
      }
      solved += answer == Overlap::kYes;
      // Where there are too many sums, one that is known to be one.
      target = 0;
      for (int i = 0; i < unknowns; ++i) {
        target += equation.strides[i] * random.Between(0, equation.most[i]);
      }
      ASSERT_EQ(Solve(random, equation, target).overlap, Overlap::kYes);
    }
  }
}

// test_diophantine_overflow: sums far beyond 64 bits on the way.
TEST(FootprintNumpyTest, EquationsBeyondSixtyFourBits) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const int64_t large = kMax / 2;
  const FootprintShape sums =
      FootprintShape::OfBytes({{2, large}, {2, large - 10}});
  const auto solve = [&](int64_t target) {
    const FootprintShape byte = FootprintShape::OfBytes({});
    return Overlaps(FootprintRef(sums, 0), FootprintRef(byte, target)).overlap;
  };
  EXPECT_EQ(solve(2 * large - 10), Overlap::kYes);
  EXPECT_EQ(solve(2 * large - 11), Overlap::kNo);
  EXPECT_EQ(solve(large), Overlap::kYes);
  EXPECT_EQ(solve(large - 10), Overlap::kYes);
  EXPECT_EQ(solve(large - 5), Overlap::kNo);
  // With as many steps as numpy takes, no 64-bit number is the last byte.
  const Footprint all(
      FootprintShape::OfBytes({{large, large}, {large, large - 10}}), 0);
  const Footprint byte(FootprintShape::OfBytes({}), 2 * large - 10);
  EXPECT_EQ(Overlaps(all, byte).overlap, Overlap::kUnknown);
}

// test_may_share_memory_manual.
TEST(FootprintNumpyTest, FlippedSlicesAndBytesOfWiderElements) {
  const Dims shape = {13, 21, 23, 22};
  const Tensor parents[] = {
      Tensor(shape, DType::kI8),
      Tensor({13, 21, 23 * 2, 22}, DType::kI8).Slice(2, 0, 46, 2)};
  for (const Tensor& parent : parents) {
    for (int flips = 0; flips < 16; ++flips) {
      Tensor x = parent;
      for (int dim = 0; dim < 4; ++dim) {
        if ((flips >> dim & 1) != 0) x = x.Flip(dim);
      }
      CheckOverlap(x.Select(1, 0), x.Select(1, 1));
      CheckOverlap(x.Slice(1, 0, 21, 7), x.Slice(1, 3, 21, 3));
    }
  }
  const Tensor wide({13, 21, 23, 11}, DType::kI16);
  const Tensor flat({13 * 21 * 23 * 22}, DType::kI8);
  const Tensor x(shape, DType::kI8);
  CheckOverlap(flat.Slice(0, 6, 6), wide.Slice(1, 0, 21, 7));
  CheckOverlap(x.Slice(1, 0, 21, 7), wide);
  CheckOverlap(x.Slice(1, 0, 21, 7), wide.Slice(1, 3, 21, 3));
  CheckOverlap(flat.Slice(0, 6, 7), wide.Slice(1, 0, 21, 7));
  const Tensor one({1}, DType::kI8);
  CheckOverlap(one, one);
}

// test_may_share_memory_{easy,harder}_fuzz: random slices of one array in any
// order of dimensions. An element of the array is where it is by its indices
// alone, so two slices meet where they do in each dimension.
struct Slice {
  int64_t first;
  int64_t count;
  int64_t step;
};
using Slices = std::array<Slice, 4>;
constexpr int64_t kShape[] = {17, 34, 71, 97};

Slices RandomSlices(Random& random, const std::array<int64_t, 4>& steps) {
  Slices slices;
  for (int i = 0; i < 4; ++i) {
    const int64_t start = random.Between(0, kShape[i]);
    const int64_t stop = random.Between(start, kShape[i]);
    if (random.OneIn(2)) {
      slices[i] = {start, (stop - start + steps[i] - 1) / steps[i], steps[i]};
    } else {  // From `stop` down to above `start`; the last index is one less.
      const int64_t from = std::min(stop, kShape[i] - 1);
      const int64_t span = std::max<int64_t>(from - start, 0);
      slices[i] = {from, (span + steps[i] - 1) / steps[i], -steps[i]};
    }
  }
  return slices;
}

std::array<int64_t, 4> RandomSteps(Random& random) {
  std::array<int64_t, 4> steps;
  for (int64_t& step : steps) {
    step = random.OneIn(5) ? random.Between(1, 10) : 1;
  }
  return steps;
}

Window WindowOf(Random& random, const Slices& slices) {
  const Dims parent = RowMajorStrides(kShape);
  Window window;
  window.dtype = DType::kI16;
  for (int i = 0; i < 4; ++i) {
    window.offset += slices[i].first * parent[i];
    window.sizes.push_back(slices[i].count);
    window.strides.push_back(slices[i].step * parent[i]);
  }
  random.Permute(window);
  return window;
}

bool Meet(const Slices& a, const Slices& b) {
  for (int i = 0; i < 4; ++i) {
    std::set<int64_t> indices;
    for (int64_t k = 0; k < a[i].count; ++k) {
      indices.insert(a[i].first + k * a[i].step);
    }
    bool meet = false;
    for (int64_t k = 0; k < b[i].count; ++k) {
      meet = meet || indices.count(b[i].first + k * b[i].step) != 0;
    }
    if (!meet) return false;
  }
  return true;
}

enum class Steps { kSame, kDifferent };

void CheckRandomSlices(Steps steps, int enough) {
  Random random(1234);
  int meet = 0;
  int apart = 0;
  while (meet < enough || apart < enough) {
    const std::array<int64_t, 4> steps_a = RandomSteps(random);
    const Slices a = RandomSlices(random, steps_a);
    const Slices b = RandomSlices(
        random, steps == Steps::kSame ? steps_a : RandomSteps(random));
    const Window window_a = WindowOf(random, a);
    const Window window_b = WindowOf(random, b);
    const Footprint x = window_a.footprint();
    const Footprint y = window_b.footprint();
    const OverlapResult result = Overlaps(x, y, NoWork());
    ASSERT_EQ(result.overlap, YesOrNo(Meet(a, b)))
        << window_a << " and " << window_b;
    ASSERT_LT(result.layer, Layer::kSearch) << window_a << " and " << window_b;
    if (result.layer == Layer::kBounds) continue;
    meet += result.overlap == Overlap::kYes;
    apart += result.overlap == Overlap::kNo;
  }
}

TEST(FootprintNumpyTest, RandomSlicesWithTheSameStepsTakeNoWork) {
  CheckRandomSlices(Steps::kSame, 2000);
}

TEST(FootprintNumpyTest, RandomSlicesWithDifferentStepsTakeNoWork) {
  CheckRandomSlices(Steps::kDifferent, 2000);
}

// The regular views that come before the random ones.
TEST(FootprintNumpyTest, ShiftedAndBroadcastArrays) {
  const Tensor x({17, 34, 71, 97}, DType::kI16);
  const auto check = [](const Window& a, const Window& b) {
    EXPECT_EQ(Overlaps(a.footprint(), b.footprint()).overlap, Overlap::kYes);
  };
  check(x.window(), x.window());
  for (const int64_t shift : {1, 4}) {
    check(x.Slice(0, shift, 17).window(), x.Slice(0, 0, 17 - shift).window());
    check(x.Slice(3, shift, 97).window(), x.Slice(3, 0, 97 - shift).window());
  }
  for (const int64_t stride : {0, 1}) {
    Window self_overlapping = x.window();
    self_overlapping.strides[0] = stride;
    check(x.window(), self_overlapping);
    check(self_overlapping, self_overlapping);
    EXPECT_EQ(SelfOverlap(self_overlapping.layout()).overlap, Overlap::kYes);
  }
}

// test_shares_memory_api: numpy says TooHardError here, with the least work.
TEST(FootprintNumpyTest, StepsOfTwoAgainstStepsOfThreeTakeNoWork) {
  const Tensor x({4, 5, 6}, DType::kI8);
  CheckOverlap(x, x);
  CheckOverlap(x.Slice(1, 0, 5, 2).Slice(2, 0, 6, 3),
               x.Slice(1, 0, 5, 3).Slice(2, 0, 6, 2));
}

void CheckSelfOverlap(const Window& window) {
  ASSERT_EQ(SelfOverlap(window.layout()).overlap,
            YesOrNo(OverlapsItself(window)))
      << window;
}

// The example in the documentation of shares_memory, which takes numpy a
// minute.
TEST(FootprintNumpyTest, TheHardExampleIsDecidedByTheBitset) {
  const Footprint x =
      Footprint::Of({DType::kI8, {1049, 1049, 1049}, {36674, 61119, 85569}}, 0);
  const Footprint y =
      Footprint::Of({DType::kI8, {1049, 1049, 1}, {12223, 12224, 1}}, 64023025);
  const OverlapResult result = Overlaps(x, y);
  EXPECT_EQ(result.overlap, Overlap::kNo);
  EXPECT_EQ(result.layer, Layer::kBitset);
}

// test_internal_overlap_manual.
TEST(FootprintNumpyTest, SelfOverlapsByHand) {
  const auto expect = [](Overlap expected, const Dims& sizes,
                         const Dims& strides) {
    const Window window = {DType::kI8, sizes, strides, 0};
    EXPECT_EQ(SelfOverlap(window.layout()).overlap, expected) << window;
    CheckSelfOverlap(window);
  };
  expect(Overlap::kNo, {1}, {1});
  expect(Overlap::kNo, {}, {});
  expect(Overlap::kNo, {4, 4}, {3, 4});
  expect(Overlap::kYes, {5, 4}, {3, 4});
  expect(Overlap::kNo, {0}, {0});
  expect(Overlap::kNo, {1}, {0});
  expect(Overlap::kYes, {2}, {0});
  expect(Overlap::kYes, {87, 22}, {0, -9993});
  expect(Overlap::kNo, {1, 22}, {0, -9993});
  expect(Overlap::kNo, {0, 22}, {0, -9993});
}

// test_internal_overlap_slices.
TEST(FootprintNumpyTest, SlicesDoNotOverlapThemselves) {
  Random random(1234);
  for (int i = 0; i < 5000; ++i) {
    const Window window =
        WindowOf(random, RandomSlices(random, RandomSteps(random)));
    ASSERT_EQ(SelfOverlap(window.layout(), NoWork()).overlap, Overlap::kNo)
        << window;
  }
}

// test_internal_overlap_fuzz.
TEST(FootprintNumpyTest, SelfOverlapsOfRandomStrides) {
  Random random(1234);
  int overlapping = 0;
  int injective = 0;
  while (overlapping < 100 || injective < 100) {
    Window window;
    for (int64_t rank = random.Between(1, 3); rank > 0; --rank) {
      window.sizes.push_back(random.Between(1, 29));
      window.strides.push_back(random.Between(-1000, 999));
    }
    CheckSelfOverlap(window);
    if (HasFatalFailure()) return;
    ++(OverlapsItself(window) ? overlapping : injective);
  }
}

}  // namespace
}  // namespace palimpsest
