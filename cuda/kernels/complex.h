// Complex arithmetic and functions. Principal branches; division as numpy does
// it (the smaller part of the divisor is divided by the larger).

#ifndef PALIMPSEST_CUDA_KERNELS_COMPLEX_H_
#define PALIMPSEST_CUDA_KERNELS_COMPLEX_H_

#include <cmath>

#include "cuda/kernel.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template <typename T>
PALIMPSEST_DEVICE Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <typename T>
PALIMPSEST_DEVICE Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <typename T>
PALIMPSEST_DEVICE Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <typename T>
PALIMPSEST_DEVICE Complex<T> operator/(Complex<T> a, Complex<T> b) {
  const T re = std::fabs(b.re);
  const T im = std::fabs(b.im);
  if (re >= im) {
    if (re == 0 && im == 0) return {a.re / re, a.im / im};
    const T ratio = b.im / b.re;
    const T scale = T(1) / (b.re + b.im * ratio);
    return {(a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale};
  }
  const T ratio = b.re / b.im;
  const T scale = T(1) / (b.re * ratio + b.im);
  return {(a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale};
}
template <typename T>
PALIMPSEST_DEVICE bool operator==(Complex<T> a, Complex<T> b) {
  return a.re == b.re && a.im == b.im;
}

template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexExp(Complex<T> z) {
  const T scale = std::exp(z.re);
  if (z.im == 0) return {scale, z.im};
  if (!std::isfinite(z.im) && std::isinf(z.re)) {
    if (z.re < 0) return {0, 0};
    return {z.re, z.im - z.im};
  }
  return {scale * std::cos(z.im), scale * std::sin(z.im)};
}

template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexLog(Complex<T> z) {
  return {std::log(std::hypot(z.re, z.im)), std::atan2(z.im, z.re)};
}

template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexSqrt(Complex<T> z) {
  if (z.re == 0 && z.im == 0) return {0, z.im};
  if (std::isinf(z.im)) return {std::fabs(z.im), z.im};
  if (std::isinf(z.re)) {
    const T zero = std::isnan(z.im) ? z.im : T(0);
    if (z.re > 0) return {z.re, std::copysign(zero, z.im)};
    return {zero, std::copysign(-z.re, z.im)};
  }
  const T root = std::sqrt((std::fabs(z.re) + std::hypot(z.re, z.im)) * T(0.5));
  if (z.re >= 0) return {root, z.im / (2 * root)};
  return {std::fabs(z.im) / (2 * root), std::copysign(root, z.im)};
}

template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexSin(Complex<T> z) {
  return {std::sin(z.re) * std::cosh(z.im), std::cos(z.re) * std::sinh(z.im)};
}

template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexCos(Complex<T> z) {
  return {std::cos(z.re) * std::cosh(z.im), -std::sin(z.re) * std::sinh(z.im)};
}

// Kahan's formula: neither overflows nor cancels.
template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexTanh(Complex<T> z) {
  if (std::fabs(z.re) > T(20)) {
    const T small = std::exp(-2 * std::fabs(z.re));
    if (!std::isfinite(z.im)) return {std::copysign(T(1), z.re), T(0)};
    return {std::copysign(T(1), z.re),
            4 * std::sin(z.im) * std::cos(z.im) * small};
  }
  const T tangent = std::tan(z.im);
  const T beta = 1 + tangent * tangent;
  const T sine = std::sinh(z.re);
  const T cosine = std::sqrt(1 + sine * sine);
  const T divisor = 1 + beta * sine * sine;
  return {beta * cosine * sine / divisor, tangent / divisor};
}

template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexTan(Complex<T> z) {
  const Complex<T> rotated = ComplexTanh(Complex<T>{-z.im, z.re});
  return {rotated.im, -rotated.re};
}

// 0 to the power of 0 is 1, and of anything else 0.
template <typename T>
PALIMPSEST_DEVICE Complex<T> ComplexPow(Complex<T> base, Complex<T> exponent) {
  const Complex<T> zero{0, 0};
  if (exponent == zero) return {1, 0};
  if (base == zero) return zero;
  return ComplexExp(exponent * ComplexLog(base));
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_COMPLEX_H_
