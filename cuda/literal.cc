// A number goes to a narrow float by way of a wider one, which is rounded to
// odd: of the two neighbours of an inexact number, the one with the odd
// mantissa. Rounding that to a mantissa at least two bits narrower is as
// rounding the number itself.

#include "cuda/literal.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cuda/kernels/cast.h"
#include "cuda/kernels/number.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

float RoundedToOdd(double value) {
  const float nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value ||
      (kernels::BitsOf(nearest) & 1) != 0) {
    return nearest;
  }
  const bool towards_zero = std::fabs(nearest) > std::fabs(value);
  return std::nextafter(
      nearest,
      towards_zero
          ? 0.0f
          : std::copysign(std::numeric_limits<float>::infinity(), nearest));
}

double RoundedToOdd(uint64_t magnitude) {
  int shift = 0;
  bool inexact = false;
  while (magnitude >> 53 != 0) {
    inexact |= (magnitude & 1) != 0;
    magnitude >>= 1;
    ++shift;
  }
  if (inexact) magnitude |= 1;
  return std::ldexp(static_cast<double>(magnitude), shift);
}

// An integer literal's magnitude and sign; a boolean's are 0 or 1.
struct Whole {
  uint64_t magnitude;
  bool is_negative;
};

Whole WholeOf(const Literal& literal) {
  const uint64_t bits = static_cast<uint64_t>(literal.integer);
  const bool is_negative =
      literal.kind != Literal::Kind::kUnsigned && literal.integer < 0;
  return {is_negative ? 0 - bits : bits, is_negative};
}

bool IsWhole(const Literal& literal) {
  return literal.kind != Literal::Kind::kFloat &&
         literal.kind != Literal::Kind::kComplex;
}

template <typename F>
F RealOf(const Literal& literal) {
  if (!IsWhole(literal)) return static_cast<F>(literal.real);
  const Whole whole = WholeOf(literal);
  const F magnitude = static_cast<F>(whole.magnitude);
  return whole.is_negative ? -magnitude : magnitude;
}

float NarrowOf(const Literal& literal) {
  if (!IsWhole(literal)) return RoundedToOdd(literal.real);
  const Whole whole = WholeOf(literal);
  const double magnitude = RoundedToOdd(whole.magnitude);
  return RoundedToOdd(whole.is_negative ? -magnitude : magnitude);
}

template <typename T>
T ElementOf(const Literal& literal) {
  if constexpr (kernels::kIsComplex<T>) {
    using Part = decltype(T::re);
    return kernels::Store<T>(
        {RealOf<Part>(literal), static_cast<Part>(literal.imaginary)});
  } else if constexpr (std::is_same_v<T, kernels::Bool>) {
    const bool value =
        IsWhole(literal) ? literal.integer != 0 : literal.real != 0;
    return {static_cast<uint8_t>(value)};
  } else if constexpr (kernels::kIsInteger<T>) {
    return IsWhole(literal) ? static_cast<T>(literal.integer)
                            : kernels::CastElement<T>(literal.real);
  } else if constexpr (std::is_floating_point_v<T>) {
    return kernels::Store<T>(RealOf<T>(literal));
  } else {
    return kernels::Encode<T>(NarrowOf(literal));
  }
}

}  // namespace

void EncodeLiteral(const Literal& literal, DType dtype, uint8_t* element) {
  kernels::VisitType(static_cast<kernels::Type>(dtype),
                     [&](auto tag) -> const char* {
                       using T = typename decltype(tag)::type;
                       const T value = ElementOf<T>(literal);
                       std::memcpy(element, &value, sizeof value);
                       return nullptr;
                     });
}

}  // namespace palimpsest
