// Exact answers a second to "do two windows share a byte", by family of
// windows, the time that 99 of 100 answers stay below, and how many answers
// took more than digits, or were none.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/footprint.h"
#include "benchmark/benchmark.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr int kPairs = 1 << 14;

struct WindowPair {
  Footprint a;
  Footprint b;
};

class Lottery {
 public:
  int64_t Between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }

 private:
  std::mt19937_64 random_{1};
};

// A slice, with steps, of a row-major tensor.
Footprint SliceOf(Lottery& lottery, DType dtype, const Dims& sizes) {
  const Dims whole = RowMajorStrides(sizes);
  Dims counts;
  Dims strides;
  int64_t offset = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t start = lottery.Between(0, sizes[i] - 1);
    const int64_t step = lottery.Between(1, 3);
    const int64_t most = (sizes[i] - 1 - start) / step + 1;
    counts.push_back(lottery.Between(1, most));
    strides.push_back(whole[i] * step);
    offset += start * whole[i];
  }
  return Footprint::Of({dtype, counts, strides}, offset);
}

WindowPair SlicesOfOneTensor(Lottery& lottery) {
  const Dims sizes = {16, 8, 128, 64};
  return {SliceOf(lottery, DType::kF32, sizes),
          SliceOf(lottery, DType::kF32, sizes)};
}

WindowPair DifferentReshapes(Lottery& lottery) {
  const std::vector<Dims> shapes = {
      {16, 8, 128, 64}, {128, 8192}, {64, 32, 512}, {1024, 1024}};
  const auto any = [&] { return shapes[lottery.Between(0, 3)]; };
  return {SliceOf(lottery, DType::kF32, any()),
          SliceOf(lottery, DType::kF32, any())};
}

WindowPair DTypeViews(Lottery& lottery) {
  return {SliceOf(lottery, DType::kF32, {16, 8, 128, 64}),
          SliceOf(lottery, DType::kBF16, {16, 8, 128, 128})};
}

WindowPair FreeStrides(Lottery& lottery) {
  const auto any = [&] {
    Dims sizes;
    Dims strides;
    for (int i = 0; i < 4; ++i) {
      sizes.push_back(lottery.Between(1, 10));
      strides.push_back(lottery.Between(1, 5000));
    }
    return Footprint::Of({DType::kI16, sizes, strides},
                         lottery.Between(0, 20000));
  };
  return {any(), any()};
}

// Steps of the dimensions of one array, as in numpy's own tests of overlap.
WindowPair NumpyShapes(Lottery& lottery) {
  const auto any = [&] {
    const Dims sizes = {17, 34, 71, 97};
    return SliceOf(lottery, DType::kI16, sizes);
  };
  return {any(), any()};
}

// The example in numpy's documentation of shares_memory, which takes it a
// minute: the search goes through 1049^3 sums. Here the bytes themselves tell.
WindowPair NumpyHardExample(Lottery&) {
  return {
      Footprint::Of({DType::kI8, {1049, 1049, 1049}, {36674, 61119, 85569}}, 0),
      Footprint::Of({DType::kI8, {1049, 1049, 1}, {12223, 12224, 1}},
                    64023025)};
}

std::vector<WindowPair> Make(int count, WindowPair (*make)(Lottery&)) {
  Lottery lottery;
  std::vector<WindowPair> pairs;
  for (int i = 0; i < count; ++i) pairs.push_back(make(lottery));
  return pairs;
}

// Nanoseconds that 99 of 100 queries stay below, a clock's reading included.
double SlowestOf100(const std::vector<WindowPair>& pairs) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (const WindowPair& pair : pairs) {
    const Clock::time_point start = Clock::now();
    benchmark::DoNotOptimize(Overlaps(pair.a, pair.b));
    times.push_back(
        std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() * 99 / 100];
}

void Query(benchmark::State& state, int count, WindowPair (*make)(Lottery&)) {
  const std::vector<WindowPair> pairs = Make(count, make);
  int64_t undecided = 0;
  int64_t beyond_digits = 0;
  for (const WindowPair& pair : pairs) {
    const OverlapResult result = Overlaps(pair.a, pair.b);
    undecided += result.overlap == Overlap::kUnknown;
    beyond_digits += result.layer > Layer::kDigits;
  }
  for (auto _ : state) {
    for (const WindowPair& pair : pairs) {
      benchmark::DoNotOptimize(Overlaps(pair.a, pair.b));
    }
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.counters["p99_ns"] = SlowestOf100(pairs);
  state.counters["undecided"] = static_cast<double>(undecided);
  state.counters["beyond_digits"] = static_cast<double>(beyond_digits);
}

BENCHMARK_CAPTURE(Query, slices_of_one_tensor, kPairs, SlicesOfOneTensor);
BENCHMARK_CAPTURE(Query, different_reshapes, kPairs, DifferentReshapes);
BENCHMARK_CAPTURE(Query, dtype_views, kPairs, DTypeViews);
BENCHMARK_CAPTURE(Query, free_strides, kPairs, FreeStrides);
BENCHMARK_CAPTURE(Query, numpy_shapes, kPairs, NumpyShapes);
BENCHMARK_CAPTURE(Query, numpy_hard_example, 1, NumpyHardExample);

}  // namespace
}  // namespace palimpsest
