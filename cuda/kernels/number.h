// The element types, and how each is loaded into the type that it computes in
// and stored from it.
//
//   stored                computes in
//   f64 f32 integers      itself
//   f16 bf16 f8           float; stored by rounding to nearest even
//   bool                  bool: a byte that is not 0; stored as 0 or 1
//   complex               Complex<float or double>
//
// Every NaN is stored as one: positive, quiet, without a payload. Which NaN a
// sum of two gives is the compiler's choice, loop by loop, and the device's; so
// whatever is computed goes through Store, and no bit of it depends on layout
// or back end. Moves (copy, where, gather, ..) keep every bit and use neither
// Load nor Store, but for bool.

#ifndef PALIMPSEST_CUDA_KERNELS_NUMBER_H_
#define PALIMPSEST_CUDA_KERNELS_NUMBER_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cuda/kernel.h"

namespace palimpsest::kernels {

struct Half {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};
struct Float8E4M3 {  // No infinities; 0x7F and 0xFF are NaN.
  uint8_t bits;
};
struct Float8E5M2 {
  uint8_t bits;
};
struct Bool {
  uint8_t byte;
};
struct Bits128 {
  uint64_t words[2];
};

template <typename T>
struct Complex {
  T re;
  T im;
};

PALIMPSEST_DEVICE inline uint32_t BitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

PALIMPSEST_DEVICE inline float FloatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

PALIMPSEST_DEVICE inline float Decode(Half value) {
  const uint32_t magnitude = (value.bits & 0x7FFFu) << 13;
  const uint32_t exponent = magnitude & 0x0F800000u;
  const uint32_t normal = magnitude + (112u << 23);
  const uint32_t special = magnitude + (224u << 23);  // Infinity and NaN.
  const uint32_t denormal =
      BitsOf(FloatOf(magnitude + (113u << 23)) - FloatOf(113u << 23));
  const uint32_t bits = exponent == 0x0F800000u ? special
                        : exponent == 0         ? denormal
                                                : normal;
  return FloatOf(bits | (value.bits & 0x8000u) << 16);
}

PALIMPSEST_DEVICE inline float Decode(BFloat16 value) {
  return FloatOf(static_cast<uint32_t>(value.bits) << 16);
}

PALIMPSEST_DEVICE inline float Decode(Float8E5M2 value) {
  return Decode(Half{static_cast<uint16_t>(value.bits << 8)});
}

PALIMPSEST_DEVICE inline float Decode(Float8E4M3 value) {
  const uint32_t magnitude = value.bits & 0x7Fu;
  const uint32_t sign = (value.bits & 0x80u) << 24;
  if (magnitude == 0x7F) return FloatOf(sign | 0x7FC00000u);
  // The exponent's bias is 7 instead of 127.
  return FloatOf(sign | BitsOf(FloatOf(magnitude << 20) * 0x1p120f));
}

// Rounds to nearest even into a format with `kMantissa` bits of mantissa and
// the exponent's bias `kBias`, as an unsigned pattern; overflow runs into the
// pattern after the largest. Precondition: `bits` is of a finite magnitude.
template <int kMantissa, int kBias>
PALIMPSEST_DEVICE inline uint32_t RoundMagnitude(uint32_t bits) {
  constexpr int kShift = 23 - kMantissa;
  constexpr uint32_t kLeastNormal = (128u - kBias) << 23;
  // Adding this leaves a denormal's mantissa in the low bits, rounded.
  constexpr uint32_t kMagic = ((127u - kBias) + kShift + 1) << 23;
  const uint32_t denormal = BitsOf(FloatOf(bits) + FloatOf(kMagic)) - kMagic;
  const uint32_t odd = bits >> kShift & 1;
  const uint32_t normal =
      (bits - ((127u - kBias) << 23) + ((1u << (kShift - 1)) - 1) + odd) >>
      kShift;
  return bits < kLeastNormal ? denormal : normal;
}

template <typename T>
PALIMPSEST_DEVICE inline T Encode(float value);

template <>
PALIMPSEST_DEVICE inline Half Encode<Half>(float value) {
  const uint32_t bits = BitsOf(value) & 0x7FFFFFFFu;
  const uint32_t sign = BitsOf(value) >> 16 & 0x8000u;
  const uint32_t finite = RoundMagnitude<10, 15>(bits);
  const uint32_t magnitude = bits >= 143u << 23 ? 0x7C00u : finite;
  const bool is_nan = bits > 0x7F800000u;
  return {static_cast<uint16_t>(is_nan ? 0x7E00u : magnitude | sign)};
}

template <>
PALIMPSEST_DEVICE inline BFloat16 Encode<BFloat16>(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t rounded = (bits + 0x7FFFu + (bits >> 16 & 1)) >> 16;
  const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  return {static_cast<uint16_t>(is_nan ? 0x7FC0u : rounded)};
}

template <>
PALIMPSEST_DEVICE inline Float8E4M3 Encode<Float8E4M3>(float value) {
  const uint32_t bits = BitsOf(value) & 0x7FFFFFFFu;
  const uint32_t sign = BitsOf(value) >> 24 & 0x80u;
  const uint32_t magnitude = RoundMagnitude<3, 7>(bits);
  const bool is_nan = bits >= 0x43F00000u || magnitude == 0x7Fu;  // From 480.
  return {static_cast<uint8_t>(is_nan ? 0x7Fu : magnitude | sign)};
}

template <>
PALIMPSEST_DEVICE inline Float8E5M2 Encode<Float8E5M2>(float value) {
  const uint32_t bits = BitsOf(value) & 0x7FFFFFFFu;
  const uint32_t sign = BitsOf(value) >> 24 & 0x80u;
  const uint32_t magnitude =
      bits >= 143u << 23 ? 0x7Cu : RoundMagnitude<2, 15>(bits);
  const bool is_nan = bits > 0x7F800000u;
  return {static_cast<uint8_t>(is_nan ? 0x7Fu : magnitude | sign)};
}

template <typename T>
struct ComputeOf {
  using type = T;
};
template <>
struct ComputeOf<Half> {
  using type = float;
};
template <>
struct ComputeOf<BFloat16> {
  using type = float;
};
template <>
struct ComputeOf<Float8E4M3> {
  using type = float;
};
template <>
struct ComputeOf<Float8E5M2> {
  using type = float;
};
template <>
struct ComputeOf<Bool> {
  using type = bool;
};
template <typename T>
using Compute = typename ComputeOf<T>::type;

template <typename T>
PALIMPSEST_DEVICE inline Compute<T> Load(T element) {
  if constexpr (std::is_same_v<T, Bool>) {
    return element.byte != 0;
  } else if constexpr (std::is_same_v<Compute<T>, T>) {
    return element;
  } else {
    return Decode(element);
  }
}

template <typename T>
struct IsComplexType : std::false_type {};
template <typename T>
struct IsComplexType<Complex<T>> : std::true_type {};
template <typename T>
constexpr bool kIsComplex = IsComplexType<T>::value;
template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <typename F>
PALIMPSEST_DEVICE inline F WithOneNan(F value) {
  return value == value ? value : std::numeric_limits<F>::quiet_NaN();
}

template <typename T>
PALIMPSEST_DEVICE inline T Store(Compute<T> value) {
  if constexpr (std::is_same_v<T, Bool>) {
    return {static_cast<uint8_t>(value)};
  } else if constexpr (kIsComplex<T>) {
    return {WithOneNan(value.re), WithOneNan(value.im)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return WithOneNan(value);
  } else if constexpr (kIsInteger<T>) {
    return value;
  } else {
    return Encode<T>(value);
  }
}

// Which letter of ops.def's `classes` stands for T.
template <typename T>
constexpr char ClassLetter() {
  if (std::is_same_v<T, Bool>) return 'b';
  if (std::is_same_v<T, Float8E4M3> || std::is_same_v<T, Float8E5M2>)
    return '8';
  if (kIsComplex<T>) return 'c';
  return kIsInteger<T> ? 'i' : 'f';
}
template <typename T>
constexpr bool IsOfClasses(const char* classes) {
  for (; *classes != 0; ++classes) {
    if (*classes == ClassLetter<T>()) return true;
  }
  return false;
}

template <Type type>
struct ElementOf;
#define PALIMPSEST_ELEMENT(enumerator, T) \
  template <>                             \
  struct ElementOf<Type::enumerator> {    \
    using type = T;                       \
  };
PALIMPSEST_ELEMENT(kF64, double)
PALIMPSEST_ELEMENT(kF32, float)
PALIMPSEST_ELEMENT(kF16, Half)
PALIMPSEST_ELEMENT(kBF16, BFloat16)
PALIMPSEST_ELEMENT(kF8E4M3, Float8E4M3)
PALIMPSEST_ELEMENT(kF8E5M2, Float8E5M2)
PALIMPSEST_ELEMENT(kI64, int64_t)
PALIMPSEST_ELEMENT(kI32, int32_t)
PALIMPSEST_ELEMENT(kI16, int16_t)
PALIMPSEST_ELEMENT(kI8, int8_t)
PALIMPSEST_ELEMENT(kU64, uint64_t)
PALIMPSEST_ELEMENT(kU32, uint32_t)
PALIMPSEST_ELEMENT(kU16, uint16_t)
PALIMPSEST_ELEMENT(kU8, uint8_t)
PALIMPSEST_ELEMENT(kBool, Bool)
PALIMPSEST_ELEMENT(kC64, Complex<float>)
PALIMPSEST_ELEMENT(kC128, Complex<double>)
#undef PALIMPSEST_ELEMENT

template <typename T>
struct TypeTag {
  using type = T;
};

// Calls visit(TypeTag<T>) with the element type of `type`; every dtype of the
// table needs a row above.
template <typename Visitor>
const char* VisitType(Type type, Visitor visit) {
  switch (type) {
#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) \
  case Type::enumerator:                                       \
    return visit(TypeTag<ElementOf<Type::enumerator>::type>());
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE
  }
  return "unknown dtype";
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_NUMBER_H_
