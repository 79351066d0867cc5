// Sorts and sums of a device, by CUB. Its radix sort is stable.

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/device_launcher.h"
#include "cuda/kernel.h"

namespace palimpsest::kernels {

// Each of CUB's functions, without memory, says how much of it it wants. Should
// that fail, the call with memory does, too.

int64_t DeviceLauncher::SortBytes(int64_t count) const {
  size_t bytes = 0;
  const int64_t* in = nullptr;
  int64_t* out = nullptr;
  const cudaError_t error = cub::DeviceRadixSort::SortPairs(
      nullptr, bytes, in, out, in, out, count, 0, 64, stream_);
  return error == cudaSuccess ? static_cast<int64_t>(bytes) : 0;
}

const char* DeviceLauncher::StableSort(const Pairs& pairs) const {
  size_t bytes = static_cast<size_t>(SortBytes(pairs.count));
  return errors_->Check(
      "cub::DeviceRadixSort::SortPairs",
      cub::DeviceRadixSort::SortPairs(
          pairs.scratch, bytes, pairs.keys, pairs.sorted_keys, pairs.values,
          pairs.sorted_values, pairs.count, 0, 64, stream_));
}

int64_t DeviceLauncher::SumBytes(int64_t count) const {
  size_t bytes = 0;
  int64_t* values = nullptr;
  const cudaError_t error = cub::DeviceScan::ExclusiveSum(
      nullptr, bytes, values, values, count, stream_);
  return error == cudaSuccess ? static_cast<int64_t>(bytes) : 0;
}

const char* DeviceLauncher::SumBefore(int64_t* values, int64_t count,
                                      void* scratch) const {
  size_t bytes = static_cast<size_t>(SumBytes(count));
  return errors_->Check("cub::DeviceScan::ExclusiveSum",
                        cub::DeviceScan::ExclusiveSum(scratch, bytes, values,
                                                      values, count, stream_));
}

}  // namespace palimpsest::kernels
