// How a device runs a kernel: a thread for each unit, in one stream. For nvcc.

#ifndef PALIMPSEST_CUDA_DEVICE_LAUNCHER_H_
#define PALIMPSEST_CUDA_DEVICE_LAUNCHER_H_

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#include "cuda/backend.h"
#include "cuda/kernel.h"

namespace palimpsest::kernels {

// What a call of CUDA said, as a text.
class DeviceErrors {
 public:
  const char* Check(const char* call, cudaError_t error) {
    if (error == cudaSuccess) return nullptr;
    snprintf(text_, sizeof text_, "%s: %s", call, cudaGetErrorString(error));
    return text_;
  }

 private:
  char text_[256];
};

template <typename Kernel>
__global__ void RunOnDevice(const Kernel kernel, int64_t units) {
  RunUnits(kernel, int64_t{blockIdx.x} * blockDim.x + threadIdx.x, units,
           int64_t{gridDim.x} * blockDim.x);
}

class DeviceLauncher {
 public:
  static constexpr bool kHasRuns = false;

  DeviceLauncher(cudaStream_t stream, DeviceErrors* errors)
      : stream_(stream), errors_(errors) {}

  int64_t max_chunk() const { return 1; }

  template <typename Kernel>
  const char* Launch(const Kernel& kernel, int64_t units,
                     Order order = Order::kAny) const {
    if (units == 0) return nullptr;
    const Grid grid = GridFor(units, order);
    RunOnDevice<<<static_cast<unsigned>(grid.blocks),
                  static_cast<unsigned>(grid.threads), 0, stream_>>>(kernel,
                                                                     units);
    return errors_->Check("the launch of a kernel", cudaGetLastError());
  }

  // device_sort.cu.
  const char* StableSort(const Pairs& pairs) const;
  int64_t SortBytes(int64_t count) const;
  const char* SumBefore(int64_t* values, int64_t count, void* scratch) const;
  int64_t SumBytes(int64_t count) const;

 private:
  cudaStream_t stream_;
  DeviceErrors* errors_;
};

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_DEVICE_LAUNCHER_H_
