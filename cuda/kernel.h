// What every kernel is made of: the two tables as plain enumerators, and the
// units that a back end runs.
//
// A kernel is a functor over raw pointers. `operator()(unit)` does one unit of
// the work: a run of elements on the host, one element on a device. A back end
// is a Launcher:
//
//   struct Launcher {
//     static constexpr int64_t kMaxChunk = ..;  // Elements per unit, at most.
//     template <typename Kernel>
//     static const char* Launch(const Kernel& kernel, int64_t units);
//   };
//
// Launch returns null, or what went wrong. Nothing here or in kernels/ includes
// Abseil, since nvcc reads it.

#ifndef PALIMPSEST_CUDA_KERNEL_H_
#define PALIMPSEST_CUDA_KERNEL_H_

#include <cstdint>

#ifdef __CUDACC__
#define PALIMPSEST_DEVICE __host__ __device__
#else
#define PALIMPSEST_DEVICE
#endif

// The next loop's iterations read and write the same element or disjoint ones.
#if defined(__CUDACC__)
#define PALIMPSEST_INDEPENDENT
#elif defined(__clang__)
#define PALIMPSEST_INDEPENDENT \
  _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
#define PALIMPSEST_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace palimpsest::kernels {

// The same enumerators, in the same order, as OpKind and DType.
enum class Op : uint8_t {
#define PALIMPSEST_OP(enumerator, ...) enumerator,
#include "ir/ops.def"
#undef PALIMPSEST_OP
};

enum class Type : uint8_t {
#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) enumerator,
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE
};

constexpr int kMaxRank = 16;

// A walk over the elements of kTensors windows of one shape, in row-major
// order, as runs along the innermost dimension, each cut into chunks. A unit is
// a chunk.
template <int kTensors>
struct Runs {
  int64_t length = 1;            // Of a run, in elements.
  int64_t steps[kTensors] = {};  // From element to element of a run.
  int64_t count = 1;             // Of runs.
  int rank = 0;                  // Of the dimensions outside the run.
  int64_t sizes[kMaxRank] = {};
  int64_t strides[kTensors][kMaxRank] = {};
  int64_t chunk = 1;   // Elements in a unit, at most.
  int64_t chunks = 1;  // Units in a run.

  struct Unit {
    int64_t offsets[kTensors];
    int64_t count;
  };

  // Precondition: length is the final one.
  void CutInto(int64_t elements) {
    chunk = elements < length ? elements : length;
    if (chunk < 1) chunk = 1;
    chunks = (length + chunk - 1) / chunk;
  }
  int64_t Units() const { return count * chunks; }

  PALIMPSEST_DEVICE Unit At(int64_t unit) const {
    const int64_t first = chunks == 1 ? 0 : unit % chunks * chunk;
    Unit result;
    result.count = length - first < chunk ? length - first : chunk;
    for (int t = 0; t < kTensors; ++t) result.offsets[t] = first * steps[t];
    int64_t run = chunks == 1 ? unit : unit / chunks;
    for (int d = rank - 1; d >= 0; --d) {
      const int64_t index = run % sizes[d];
      run /= sizes[d];
      for (int t = 0; t < kTensors; ++t) {
        result.offsets[t] += index * strides[t][d];
      }
    }
    return result;
  }
};

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNEL_H_
