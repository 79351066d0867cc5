// Matrix products. An element of the product is a sum over k, ascending, from
// zero, in the type that the dtype computes in, rounded once at the end; the
// product of two elements is rounded before it is added. Any kernel that keeps
// this order gives the same bits.

#ifndef PALIMPSEST_CUDA_KERNELS_MATMUL_H_
#define PALIMPSEST_CUDA_KERNELS_MATMUL_H_

#include <cstdint>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/arithmetic.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/op_table.h"

namespace palimpsest::kernels {

// A unit is one element of the product.
template <typename T>
struct MatmulKernel {
  MatmulCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const int64_t n = unit % call.n;
    const int64_t m = unit / call.n % call.m;
    const int64_t b = unit / call.n / call.m;
    const T* x = static_cast<const T*>(call.x) + b * call.x_strides[0] +
                 m * call.x_strides[1];
    const T* y = static_cast<const T*>(call.y) + b * call.y_strides[0] +
                 n * call.y_strides[2];
    Compute<T> sum{};
    for (int64_t k = 0; k < call.k; ++k) {
      sum = Add(sum, Mul(Load(x[k * call.x_strides[2]]),
                         Load(y[k * call.y_strides[1]])));
    }
    static_cast<T*>(
        call.out)[b * call.out_strides[0] + m * call.out_strides[1] +
                  n * call.out_strides[2]] = Store<T>(sum);
  }
};

template <typename Launcher, typename T>
const char* MatmulOf(const Launcher& launcher, const MatmulCall& call) {
  if constexpr (IsOfClasses<T>(ClassesOf(Op::kMatmul))) {
    return launcher.Launch(MatmulKernel<T>{call},
                           call.batches * call.m * call.n);
  }
  return "a matmul that the op table does not name";
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_MATMUL_H_
