// What every kernel is made of: the two tables as plain enumerators, and the
// units that a back end runs.
//
// A kernel is a functor over raw pointers. `operator()(unit)` does one unit of
// the work: a run of elements on the host, one element on a device. What runs
// kernels is a Launcher:
//
//   class Launcher {
//    public:
//     // Whether max_chunk() may be more than 1.
//     static constexpr bool kHasRuns = ..;
//     int64_t max_chunk() const;  // Elements per unit, at most.
//     template <typename Kernel>
//     const char* Launch(const Kernel& kernel, int64_t units,
//                        Order order = Order::kAny) const;
//     // Sorts pairs by key, equal keys in the order in which they are.
//     const char* StableSort(const Pairs& pairs) const;
//     int64_t SortBytes(int64_t count) const;  // Of its scratch.
//     // values[i] becomes the sum of all before it. The last may hold anything
//     // and is in no sum.
//     const char* SumBefore(int64_t* values, int64_t count,
//                           void* scratch) const;
//     int64_t SumBytes(int64_t count) const;
//   };
//
// They return null, or what went wrong. Units may run in any order and at the
// same time unless `order` says otherwise. Nothing here or in kernels/ includes
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

// Whether a kernel's units must run one after another: those that write a
// window which overlaps itself.
enum class Order : uint8_t { kAny, kRowMajor };

// Keys and what goes with them, for a sort. No two arrays overlap.
struct Pairs {
  int64_t count;
  const int64_t* keys;
  int64_t* sorted_keys;
  const int64_t* values;
  int64_t* sorted_values;
  void* scratch;
};

// The units `first`, `first + step`, .. before `end`: what one thread does.
// The host has one thread, which does all.
template <typename Kernel>
PALIMPSEST_DEVICE void RunUnits(const Kernel& kernel, int64_t first,
                                int64_t end, int64_t step) {
  for (int64_t unit = first; unit < end; unit += step) kernel(unit);
}

// The blocks and threads of a launch, on a device and where one is emulated.
struct Grid {
  int64_t blocks;
  int64_t threads;  // Of each block.
};

inline Grid GridFor(int64_t units, Order order) {
  constexpr int64_t kThreads = 256;
  constexpr int64_t kMaxBlocks = 65536;
  if (order == Order::kRowMajor) return {1, 1};
  const int64_t blocks = (units + kThreads - 1) / kThreads;
  return {blocks < kMaxBlocks ? blocks : kMaxBlocks, kThreads};
}

struct Division {
  int64_t quotient;
  int64_t remainder;
};

// Of numbers that are not negative. Most fit into 32 bits, where a device is
// several times as fast.
PALIMPSEST_DEVICE inline Division Divide(int64_t a, int64_t b) {
#ifdef __CUDA_ARCH__
  if (((a | b) >> 32) == 0) {
    const uint32_t quotient =
        static_cast<uint32_t>(a) / static_cast<uint32_t>(b);
    return {quotient,
            static_cast<uint32_t>(a) - quotient * static_cast<uint32_t>(b)};
  }
#endif
  return {a / b, a % b};
}

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
  Order order = Order::kAny;

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
    const Division in_run =
        chunks == 1 ? Division{unit, 0} : Divide(unit, chunks);
    const int64_t first = in_run.remainder * chunk;
    Unit result;
#ifdef __CUDA_ARCH__
    result.count = 1;  // As the compiler should know.
#else
    result.count = length - first < chunk ? length - first : chunk;
#endif
    for (int t = 0; t < kTensors; ++t) result.offsets[t] = first * steps[t];
    int64_t run = in_run.quotient;
    for (int d = rank - 1; d >= 0; --d) {
      const Division along = Divide(run, sizes[d]);
      run = along.quotient;
      for (int t = 0; t < kTensors; ++t) {
        result.offsets[t] += along.remainder * strides[t][d];
      }
    }
    return result;
  }
};

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNEL_H_
