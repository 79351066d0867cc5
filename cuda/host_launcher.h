// How the host runs a kernel: its units in order, on this thread; or as a
// device might, thread by thread in random order. Both run the same machine
// code, so that the emulation of a device costs nothing to compile.

#ifndef PALIMPSEST_CUDA_HOST_LAUNCHER_H_
#define PALIMPSEST_CUDA_HOST_LAUNCHER_H_

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "cuda/backend.h"
#include "cuda/kernel.h"

namespace palimpsest::kernels {

// A kernel without its type: RunUnits.
struct ErasedKernel {
  const void* kernel;
  void (*run)(const void* kernel, int64_t first, int64_t end, int64_t step);
};

// Runs the blocks and threads of a device's grid one after another: the blocks
// in random order, the threads of each in random order, each to its end.
class EmulatedThreads {
 public:
  explicit EmulatedThreads(uint64_t seed) : random_(seed) {}

  void Run(const ErasedKernel& kernel, int64_t units, Order order);

 private:
  void Shuffle(int64_t count, std::vector<int64_t>& numbers);

  std::mt19937_64 random_;
  std::vector<int64_t> blocks_;
  std::vector<int64_t> threads_;
};

class HostLauncher {
 public:
  static constexpr bool kHasRuns = true;

  // In order where there are no emulated threads.
  explicit HostLauncher(EmulatedThreads* threads) : threads_(threads) {}

  int64_t max_chunk() const {
    return threads_ == nullptr ? std::numeric_limits<int64_t>::max() : 1;
  }

  template <typename Kernel>
  const char* Launch(const Kernel& kernel, int64_t units,
                     Order order = Order::kAny) const {
    const ErasedKernel erased = {&kernel, RunErased<Kernel>};
    if (threads_ == nullptr) {
      erased.run(&kernel, 0, units, 1);
    } else {
      threads_->Run(erased, units, order);
    }
    return nullptr;
  }

  const char* StableSort(const Pairs& pairs) const;
  int64_t SortBytes(int64_t) const { return 0; }
  const char* SumBefore(int64_t* values, int64_t count, void* scratch) const;
  int64_t SumBytes(int64_t) const { return 0; }

 private:
  template <typename Kernel>
  static void RunErased(const void* kernel, int64_t first, int64_t end,
                        int64_t step) {
    RunUnits(*static_cast<const Kernel*>(kernel), first, end, step);
  }

  EmulatedThreads* threads_;
};

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_HOST_LAUNCHER_H_
