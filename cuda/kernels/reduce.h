// Reductions and cumsum. An output's elements are combined in logical order,
// each output by itself, in the type that the dtype computes in; f16 and bf16
// are rounded once, at the end (cumsum: for each output).

#ifndef PALIMPSEST_CUDA_KERNELS_REDUCE_H_
#define PALIMPSEST_CUDA_KERNELS_REDUCE_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/arithmetic.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/op_table.h"

namespace palimpsest::kernels {

// The least value of C: what `amax` starts from.
template <typename C>
PALIMPSEST_DEVICE inline C Least() {
  if constexpr (std::is_floating_point_v<C>) {
    return -std::numeric_limits<C>::infinity();
  } else {
    return std::numeric_limits<C>::min();
  }
}
template <typename C>
PALIMPSEST_DEVICE inline C Greatest() {
  if constexpr (std::is_floating_point_v<C>) {
    return std::numeric_limits<C>::infinity();
  } else {
    return std::numeric_limits<C>::max();
  }
}

// Start, Step for each element, Finish with the number of elements.
template <Op op>
struct Reduction;

struct FinishWithoutDivision {
  template <typename C>
  PALIMPSEST_DEVICE static C Finish(C sum, int64_t) {
    return sum;
  }
};

template <>
struct Reduction<Op::kSum> : FinishWithoutDivision {
  template <typename C>
  PALIMPSEST_DEVICE static C Start() {
    return C{};
  }
  template <typename C>
  PALIMPSEST_DEVICE static C Step(C sum, C value) {
    return Add(sum, value);
  }
};

template <>
struct Reduction<Op::kProd> : FinishWithoutDivision {
  template <typename C>
  PALIMPSEST_DEVICE static C Start() {
    return One<C>();
  }
  template <typename C>
  PALIMPSEST_DEVICE static C Step(C product, C value) {
    return Mul(product, value);
  }
};

template <>
struct Reduction<Op::kAmax> : FinishWithoutDivision {
  template <typename C>
  PALIMPSEST_DEVICE static C Start() {
    return Least<C>();
  }
  template <typename C>
  PALIMPSEST_DEVICE static C Step(C most, C value) {
    return Maximum(most, value);
  }
};

template <>
struct Reduction<Op::kAmin> : FinishWithoutDivision {
  template <typename C>
  PALIMPSEST_DEVICE static C Start() {
    return Greatest<C>();
  }
  template <typename C>
  PALIMPSEST_DEVICE static C Step(C least, C value) {
    return Minimum(least, value);
  }
};

template <>
struct Reduction<Op::kMean> : Reduction<Op::kSum> {
  template <typename C>
  PALIMPSEST_DEVICE static C Finish(C sum, int64_t count) {
    return sum / static_cast<C>(count);
  }
};

// A unit is up to kWidth neighbouring outputs, reduced side by side.
template <Op op, typename T>
struct ReduceKernel {
  static constexpr int64_t kWidth = 16;
  using C = Compute<T>;
  ReduceCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.kept.At(unit);
    T* out = static_cast<T*>(call.out) + run.offsets[0];
    const T* in = static_cast<const T*>(call.in) + run.offsets[1];
    C sums[kWidth];
    for (int64_t w = 0; w < kWidth; ++w) {
      sums[w] = Reduction<op>::template Start<C>();
    }
    for (int64_t r = 0; r < call.reduced.count; ++r) {
      Accumulate(in + call.reduced.At(r).offsets[0], run.count, sums);
    }
    const int64_t count = call.reduced.count * call.reduced.length;
    for (int64_t w = 0; w < run.count; ++w) {
      out[w * call.kept.steps[0]] =
          Store<T>(Reduction<op>::Finish(sums[w], count));
    }
  }

  PALIMPSEST_DEVICE void Accumulate(const T* in, int64_t width, C* sums) const {
    const int64_t step = call.reduced.steps[0];
    const int64_t across = call.kept.steps[1];
    if (width == 1) {
      C sum = sums[0];
      for (int64_t i = 0; i < call.reduced.length; ++i) {
        sum = Reduction<op>::Step(sum, Load(in[i * step]));
      }
      sums[0] = sum;
    } else if (width == kWidth && across == 1) {
      for (int64_t i = 0; i < call.reduced.length; ++i) {
        for (int64_t w = 0; w < kWidth; ++w) {
          sums[w] = Reduction<op>::Step(sums[w], Load(in[i * step + w]));
        }
      }
    } else {
      for (int64_t i = 0; i < call.reduced.length; ++i) {
        for (int64_t w = 0; w < width; ++w) {
          sums[w] =
              Reduction<op>::Step(sums[w], Load(in[i * step + w * across]));
        }
      }
    }
  }
};

template <typename Launcher, typename T, Op op>
const char* LaunchReduce(const Launcher& launcher, ReduceCall& call) {
  if constexpr (IsOfFamily(op, "kReduce") && op != Op::kCumsum &&
                IsOfClasses<T>(ClassesOf(op))) {
    using Kernel = ReduceKernel<op, T>;
    call.kept.CutInto(launcher.max_chunk() < Kernel::kWidth
                          ? launcher.max_chunk()
                          : Kernel::kWidth);
    return launcher.Launch(Kernel{call}, call.kept.Units());
  }
  return "a reduction that the op table does not name";
}

// Precondition: call.reduced.chunks == 1.
template <typename Launcher, typename T>
const char* ReduceOf(const Launcher& launcher, Op op, ReduceCall call) {
  switch (op) {
#define PALIMPSEST_OP(enumerator, ...) \
  case Op::enumerator:                 \
    return LaunchReduce<Launcher, T, Op::enumerator>(launcher, call);
#include "ir/ops.def"
#undef PALIMPSEST_OP
  }
  return "unknown op";
}

template <typename T>
struct CumsumKernel {
  CumsumCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.lines.At(unit);
    for (int64_t line = 0; line < run.count; ++line) {
      T* out = static_cast<T*>(call.out) + run.offsets[0] +
               line * call.lines.steps[0];
      const T* in = static_cast<const T*>(call.in) + run.offsets[1] +
                    line * call.lines.steps[1];
      Compute<T> sum{};
      for (int64_t i = 0; i < call.length; ++i) {
        sum = Add(sum, Load(in[i * call.steps[1]]));
        out[i * call.steps[0]] = Store<T>(sum);
      }
    }
  }
};

template <typename Launcher, typename T>
const char* CumsumOf(const Launcher& launcher, CumsumCall call) {
  if constexpr (IsOfClasses<T>(ClassesOf(Op::kCumsum))) {
    call.lines.CutInto(launcher.max_chunk());
    return launcher.Launch(CumsumKernel<T>{call}, call.lines.Units());
  }
  return "a cumsum that the op table does not name";
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_REDUCE_H_
