// Elementwise ops: one scalar function each (arithmetic.h), over runs of
// elements. Runs that are contiguous, or of one element, are loops that a
// compiler vectorises.

#ifndef PALIMPSEST_CUDA_KERNELS_ELEMENTWISE_H_
#define PALIMPSEST_CUDA_KERNELS_ELEMENTWISE_H_

#include <cstdint>
#include <type_traits>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/arithmetic.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/op_table.h"

namespace palimpsest::kernels {

template <Op op, typename T, int kArity = ArityOf(op)>
struct ElementwiseKernel;

template <Op op, typename T>
using ResultOf = std::conditional_t<IsPredicate(op), Bool, T>;

template <Op op, typename T>
struct ElementwiseKernel<op, T, 1> {
  using R = ResultOf<op, T>;
  ElementwiseCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    R* out = static_cast<R*>(call.out) + run.offsets[0];
    const T* a = static_cast<const T*>(call.in[0]) + run.offsets[1];
    const int64_t so = call.runs.steps[0];
    const int64_t sa = call.runs.steps[1];
    if (so == 1 && sa == 1) {
      PALIMPSEST_INDEPENDENT
      for (int64_t i = 0; i < run.count; ++i) out[i] = Of(a[i]);
    } else {
      for (int64_t i = 0; i < run.count; ++i) out[i * so] = Of(a[i * sa]);
    }
  }
  PALIMPSEST_DEVICE static R Of(T a) {
    return Store<R>(Scalar<op>::Of(Load(a)));
  }
};

template <Op op, typename T>
struct ElementwiseKernel<op, T, 2> {
  using R = ResultOf<op, T>;
  ElementwiseCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    R* out = static_cast<R*>(call.out) + run.offsets[0];
    const T* a = static_cast<const T*>(call.in[0]) + run.offsets[1];
    const T* b = static_cast<const T*>(call.in[1]) + run.offsets[2];
    const int64_t so = call.runs.steps[0];
    const int64_t sa = call.runs.steps[1];
    const int64_t sb = call.runs.steps[2];
    if (so == 1 && sa == 1 && sb == 1) {
      PALIMPSEST_INDEPENDENT
      for (int64_t i = 0; i < run.count; ++i) out[i] = Of(a[i], b[i]);
    } else if (so == 1 && sa == 1 && sb == 0) {
      const T scalar = *b;
      PALIMPSEST_INDEPENDENT
      for (int64_t i = 0; i < run.count; ++i) out[i] = Of(a[i], scalar);
    } else if (so == 1 && sa == 0 && sb == 1) {
      const T scalar = *a;
      PALIMPSEST_INDEPENDENT
      for (int64_t i = 0; i < run.count; ++i) out[i] = Of(scalar, b[i]);
    } else {
      for (int64_t i = 0; i < run.count; ++i) {
        out[i * so] = Of(a[i * sa], b[i * sb]);
      }
    }
  }
  PALIMPSEST_DEVICE static R Of(T a, T b) {
    return Store<R>(Scalar<op>::Of(Load(a), Load(b)));
  }
};

template <typename T>
struct ElementwiseKernel<Op::kWhere, T, 3> {
  ElementwiseCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    T* out = static_cast<T*>(call.out) + run.offsets[0];
    const Bool* c = static_cast<const Bool*>(call.in[0]) + run.offsets[1];
    const T* a = static_cast<const T*>(call.in[1]) + run.offsets[2];
    const T* b = static_cast<const T*>(call.in[2]) + run.offsets[3];
    const int64_t* steps = call.runs.steps;
    for (int64_t i = 0; i < run.count; ++i) {
      const T chosen =
          Load(c[i * steps[1]]) ? a[i * steps[2]] : b[i * steps[3]];
      if constexpr (std::is_same_v<T, Bool>) {
        out[i * steps[0]] = Store<Bool>(Load(chosen));
      } else {
        out[i * steps[0]] = chosen;
      }
    }
  }
};

template <typename Launcher, typename T, Op op>
const char* LaunchElementwise(const Launcher& launcher, ElementwiseCall& call) {
  if constexpr (IsOfFamily(op, "kElementwise") && op != Op::kCast &&
                IsOfClasses<T>(ClassesOf(op))) {
    call.runs.CutInto(launcher.max_chunk());
    return launcher.Launch(ElementwiseKernel<op, T>{call}, call.runs.Units(),
                           call.runs.order);
  }
  return "an elementwise kernel that the op table does not name";
}

template <typename Launcher, typename T>
const char* ElementwiseOf(const Launcher& launcher, Op op,
                          ElementwiseCall call) {
  switch (op) {
#define PALIMPSEST_OP(enumerator, ...) \
  case Op::enumerator:                 \
    return LaunchElementwise<Launcher, T, Op::enumerator>(launcher, call);
#include "ir/ops.def"
#undef PALIMPSEST_OP
  }
  return "unknown op";
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_ELEMENTWISE_H_
