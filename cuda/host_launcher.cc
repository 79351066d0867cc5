#include "cuda/host_launcher.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "cuda/kernel.h"

namespace palimpsest::kernels {

void EmulatedThreads::Shuffle(int64_t count, std::vector<int64_t>& numbers) {
  if (static_cast<int64_t>(numbers.size()) != count) {
    numbers.resize(count);
    std::iota(numbers.begin(), numbers.end(), int64_t{0});
  }
  std::shuffle(numbers.begin(), numbers.end(), random_);
}

void EmulatedThreads::Run(const ErasedKernel& kernel, int64_t units,
                          Order order) {
  const Grid grid = GridFor(units, order);
  Shuffle(grid.blocks, blocks_);
  for (int64_t block : blocks_) {
    Shuffle(grid.threads, threads_);
    for (int64_t thread : threads_) {
      kernel.run(kernel.kernel, block * grid.threads + thread, units,
                 grid.blocks * grid.threads);
    }
  }
}

const char* HostLauncher::StableSort(const Pairs& pairs) const {
  std::vector<std::pair<int64_t, int64_t>> sorted(pairs.count);
  for (int64_t i = 0; i < pairs.count; ++i) {
    sorted[i] = {pairs.keys[i], pairs.values[i]};
  }
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (int64_t i = 0; i < pairs.count; ++i) {
    pairs.sorted_keys[i] = sorted[i].first;
    pairs.sorted_values[i] = sorted[i].second;
  }
  return nullptr;
}

const char* HostLauncher::SumBefore(int64_t* values, int64_t count,
                                    void*) const {
  // The last value is added to nothing.
  int64_t sum = 0;
  for (int64_t i = 0; i + 1 < count; ++i) {
    sum += std::exchange(values[i], sum);
  }
  if (count > 0) values[count - 1] = sum;
  return nullptr;
}

}  // namespace palimpsest::kernels
