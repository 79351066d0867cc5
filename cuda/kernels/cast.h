// Casts between all dtypes.
//
//   float to integer   truncates. A value out of range, or NaN: 8, 16 bits
//                      signed and u16 take the low bits of the i32 conversion,
//                      u8 and u32 those of the i64 one; i32 and i64 give their
//                      least value; u64 takes the bits of the i64 conversion
//                      where it does not hold the value (what x86 does)
//   f64, integer to f16, bf16, f8
//                      through f32
//   to bool            is not 0
//   complex to real    drops the imaginary part
//   NaN                becomes the one NaN of number.h, also within a dtype

#ifndef PALIMPSEST_CUDA_KERNELS_CAST_H_
#define PALIMPSEST_CUDA_KERNELS_CAST_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/arithmetic.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

// The conversion of x86: out of range is the least value.
template <typename I, typename F>
PALIMPSEST_DEVICE inline I Truncate(F value) {
  constexpr F kLimit = -static_cast<F>(std::numeric_limits<I>::min());
  if constexpr (sizeof(I) < sizeof(F)) {
    // Such floats hold the least value minus a fraction, which truncates to it.
    if (value > -kLimit - 1 && value < kLimit) return static_cast<I>(value);
  } else {
    if (value >= -kLimit && value < kLimit) return static_cast<I>(value);
  }
  return std::numeric_limits<I>::min();
}

template <typename I, typename F>
PALIMPSEST_DEVICE inline I IntegerOf(F value) {
  if constexpr (std::is_same_v<I, int64_t> || std::is_same_v<I, int32_t>) {
    return Truncate<I>(value);
  } else if constexpr (std::is_same_v<I, uint64_t>) {
    constexpr F kHalf = static_cast<F>(uint64_t{1} << 63);
    if (value >= kHalf && value < 2 * kHalf) return static_cast<I>(value);
    return static_cast<I>(Truncate<int64_t>(value));
  } else if constexpr (std::is_same_v<I, uint8_t> ||
                       std::is_same_v<I, uint32_t>) {
    return static_cast<I>(Truncate<int64_t>(value));
  } else {
    return static_cast<I>(Truncate<int32_t>(value));
  }
}

template <typename To, typename From>
PALIMPSEST_DEVICE inline To CastElement(From element) {
  using C = Compute<To>;
  const Compute<From> value = Load(element);
  if constexpr (std::is_same_v<To, Bool>) {
    return Store<Bool>(IsTrue(value));
  } else if constexpr (kIsComplex<From>) {
    if constexpr (kIsComplex<To>) {
      using Part = decltype(To::re);
      return Store<To>(
          {static_cast<Part>(value.re), static_cast<Part>(value.im)});
    } else {
      return CastElement<To>(value.re);
    }
  } else if constexpr (kIsComplex<To>) {
    using Part = decltype(To::re);
    return Store<To>({static_cast<Part>(value), Part(0)});
  } else if constexpr (kIsInteger<To> &&
                       std::is_floating_point_v<Compute<From>>) {
    return IntegerOf<To>(value);
  } else {
    return Store<To>(static_cast<C>(value));
  }
}

template <typename To, typename From>
struct CastKernel {
  MoveCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    To* out = static_cast<To*>(call.out) + run.offsets[0];
    const From* in = static_cast<const From*>(call.in) + run.offsets[1];
    const int64_t so = call.runs.steps[0];
    const int64_t si = call.runs.steps[1];
    if (so == 1 && si == 1) {
      PALIMPSEST_INDEPENDENT
      for (int64_t i = 0; i < run.count; ++i) out[i] = CastElement<To>(in[i]);
    } else {
      for (int64_t i = 0; i < run.count; ++i) {
        out[i * so] = CastElement<To>(in[i * si]);
      }
    }
  }
};

template <typename Launcher, typename To>
const char* CastTo(const Launcher& launcher, Type from, MoveCall call) {
  call.runs.CutInto(launcher.max_chunk());
  return VisitType(from, [&](auto tag) {
    using From = typename decltype(tag)::type;
    return launcher.Launch(CastKernel<To, From>{call}, call.runs.Units(),
                           call.runs.order);
  });
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_CAST_H_
