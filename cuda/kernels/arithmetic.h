// What each elementwise op does to one element, in the type that it computes in
// (number.h). An op of ops.def without a Scalar does not compile.
//
// Integers wrap. Where a mathematician has no answer:
//   remainder, fmod by the integer 0     0
//   an integer to a negative power       0, but for 1 and -1
//   remainder                            has the divisor's sign, fmod the
//   dividend's maximum, minimum                     NaN where an operand is NaN
//   sign of NaN                          0
// `add` of bools is or, `mul` is and; bools order false before true.

#ifndef PALIMPSEST_CUDA_KERNELS_ARITHMETIC_H_
#define PALIMPSEST_CUDA_KERNELS_ARITHMETIC_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cuda/kernel.h"
#include "cuda/kernels/complex.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

// An unsigned type in which sums and products of T wrap, without promotion to
// a signed one.
template <typename T>
using Wrapping = std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>;

template <typename C>
PALIMPSEST_DEVICE inline C Add(C a, C b) {
  if constexpr (std::is_same_v<C, bool>) {
    return a || b;
  } else if constexpr (kIsInteger<C>) {
    return static_cast<C>(static_cast<Wrapping<C>>(a) +
                          static_cast<Wrapping<C>>(b));
  } else {
    return a + b;
  }
}

template <typename C>
PALIMPSEST_DEVICE inline C Sub(C a, C b) {
  if constexpr (kIsInteger<C>) {
    return static_cast<C>(static_cast<Wrapping<C>>(a) -
                          static_cast<Wrapping<C>>(b));
  } else {
    return a - b;
  }
}

template <typename C>
PALIMPSEST_DEVICE inline C Mul(C a, C b) {
  if constexpr (std::is_same_v<C, bool>) {
    return a && b;
  } else if constexpr (kIsInteger<C>) {
    return static_cast<C>(static_cast<Wrapping<C>>(a) *
                          static_cast<Wrapping<C>>(b));
  } else {
    return a * b;
  }
}

template <typename C>
PALIMPSEST_DEVICE inline bool IsNan(C value) {
  if constexpr (std::is_floating_point_v<C>) return value != value;
  return false;
}

template <typename C>
PALIMPSEST_DEVICE inline C Maximum(C a, C b) {
  return a > b || IsNan(a) ? a : b;
}

template <typename C>
PALIMPSEST_DEVICE inline C Minimum(C a, C b) {
  return a < b || IsNan(a) ? a : b;
}

template <typename C>
PALIMPSEST_DEVICE inline bool IsTrue(C value) {
  if constexpr (kIsComplex<C>) {
    return value.re != 0 || value.im != 0;
  } else {
    return value != 0;
  }
}

template <typename C>
PALIMPSEST_DEVICE inline C Fmod(C a, C b) {
  if constexpr (kIsInteger<C>) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<C>) {
      if (b == -1) return 0;
    }
    return static_cast<C>(a % b);
  } else {
    return std::fmod(a, b);
  }
}

template <typename C>
PALIMPSEST_DEVICE inline C Remainder(C a, C b) {
  const C remainder = Fmod(a, b);
  return remainder != 0 && (b < 0) != (remainder < 0) ? Add(remainder, b)
                                                      : remainder;
}

template <typename C>
PALIMPSEST_DEVICE inline C Pow(C base, C exponent) {
  if constexpr (kIsComplex<C>) {
    return ComplexPow(base, exponent);
  } else if constexpr (kIsInteger<C>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (Add(base, C(1)) == 0) return exponent % 2 != 0 ? base : C(1);
      return 0;
    }
    C result = 1;
    for (; exponent != 0; exponent /= 2) {
      if (exponent % 2 != 0) result = Mul(result, base);
      base = Mul(base, base);
    }
    return result;
  } else {
    return std::pow(base, exponent);
  }
}

template <typename C>
PALIMPSEST_DEVICE inline C One() {
  if constexpr (kIsComplex<C>) {
    return {1, 0};
  } else {
    return C(1);
  }
}

template <typename C>
PALIMPSEST_DEVICE inline C Sign(C value) {
  if constexpr (std::is_same_v<C, bool>) {
    return value;
  } else {
    return static_cast<C>((value > 0) - (value < 0));
  }
}

template <Op op>
struct Scalar;

// The arguments of each are a (x, c for where) .., of type C.
#define PALIMPSEST_UNARY(op, expression)    \
  template <>                               \
  struct Scalar<Op::op> {                   \
    template <typename C>                   \
    PALIMPSEST_DEVICE static auto Of(C a) { \
      return expression;                    \
    }                                       \
  };
#define PALIMPSEST_BINARY(op, expression)        \
  template <>                                    \
  struct Scalar<Op::op> {                        \
    template <typename C>                        \
    PALIMPSEST_DEVICE static auto Of(C a, C b) { \
      return expression;                         \
    }                                            \
  };
// A function of complex.h for complex numbers, else one of <cmath>.
#define PALIMPSEST_FUNCTION(op, real, complex) \
  template <>                                  \
  struct Scalar<Op::op> {                      \
    template <typename C>                      \
    PALIMPSEST_DEVICE static C Of(C a) {       \
      if constexpr (kIsComplex<C>) {           \
        return complex(a);                     \
      } else {                                 \
        return real(a);                        \
      }                                        \
    }                                          \
  };
// Integers are whole already.
#define PALIMPSEST_ROUNDING(op, function) \
  template <>                             \
  struct Scalar<Op::op> {                 \
    template <typename C>                 \
    PALIMPSEST_DEVICE static C Of(C a) {  \
      if constexpr (kIsInteger<C>) {      \
        return a;                         \
      } else {                            \
        return function(a);               \
      }                                   \
    }                                     \
  };

PALIMPSEST_BINARY(kAdd, Add(a, b))
PALIMPSEST_BINARY(kSub, Sub(a, b))
PALIMPSEST_BINARY(kMul, Mul(a, b))
PALIMPSEST_BINARY(kDiv, a / b)
PALIMPSEST_BINARY(kMaximum, Maximum(a, b))
PALIMPSEST_BINARY(kMinimum, Minimum(a, b))
PALIMPSEST_BINARY(kPow, Pow(a, b))
PALIMPSEST_BINARY(kRemainder, Remainder(a, b))
PALIMPSEST_BINARY(kFmod, Fmod(a, b))
PALIMPSEST_BINARY(kAtan2, std::atan2(a, b))
PALIMPSEST_BINARY(kEq, a == b)
PALIMPSEST_BINARY(kNe, !(a == b))
PALIMPSEST_BINARY(kLt, a < b)
PALIMPSEST_BINARY(kLe, a <= b)
PALIMPSEST_BINARY(kGt, a > b)
PALIMPSEST_BINARY(kGe, a >= b)
PALIMPSEST_BINARY(kLogicalAnd, IsTrue(a) && IsTrue(b))
PALIMPSEST_BINARY(kLogicalOr, IsTrue(a) || IsTrue(b))
PALIMPSEST_BINARY(kLogicalXor, IsTrue(a) != IsTrue(b))
PALIMPSEST_BINARY(kBitwiseAnd, static_cast<C>(a& b))
PALIMPSEST_BINARY(kBitwiseOr, static_cast<C>(a | b))
PALIMPSEST_BINARY(kBitwiseXor, static_cast<C>(a ^ b))

PALIMPSEST_FUNCTION(kExp, std::exp, ComplexExp)
PALIMPSEST_UNARY(kExp2, std::exp2(a))
PALIMPSEST_UNARY(kExpm1, std::expm1(a))
PALIMPSEST_FUNCTION(kLog, std::log, ComplexLog)
PALIMPSEST_UNARY(kLog2, std::log2(a))
PALIMPSEST_UNARY(kLog1p, std::log1p(a))
PALIMPSEST_FUNCTION(kSqrt, std::sqrt, ComplexSqrt)
PALIMPSEST_UNARY(kRsqrt, One<C>() / Scalar<Op::kSqrt>::Of(a))
PALIMPSEST_FUNCTION(kSin, std::sin, ComplexSin)
PALIMPSEST_FUNCTION(kCos, std::cos, ComplexCos)
PALIMPSEST_FUNCTION(kTan, std::tan, ComplexTan)
PALIMPSEST_FUNCTION(kTanh, std::tanh, ComplexTanh)
PALIMPSEST_UNARY(kReciprocal, One<C>() / a)
PALIMPSEST_UNARY(kSquare, Mul(a, a))
PALIMPSEST_UNARY(kErf, std::erf(a))
PALIMPSEST_UNARY(kRelu, a < 0 ? C(0) : a)
PALIMPSEST_UNARY(kSign, Sign(a))
PALIMPSEST_ROUNDING(kFloor, std::floor)
PALIMPSEST_ROUNDING(kCeil, std::ceil)
PALIMPSEST_ROUNDING(kRound, std::nearbyint)
PALIMPSEST_ROUNDING(kTrunc, std::trunc)
PALIMPSEST_UNARY(kLogicalNot, !IsTrue(a))

#undef PALIMPSEST_ROUNDING
#undef PALIMPSEST_FUNCTION
#undef PALIMPSEST_BINARY
#undef PALIMPSEST_UNARY

template <>
struct Scalar<Op::kNeg> {
  template <typename C>
  PALIMPSEST_DEVICE static C Of(C a) {
    if constexpr (kIsComplex<C>) {
      return {-a.re, -a.im};
    } else if constexpr (kIsInteger<C>) {
      return Sub(C(0), a);
    } else {
      return -a;
    }
  }
};

template <>
struct Scalar<Op::kAbs> {
  template <typename C>
  PALIMPSEST_DEVICE static C Of(C a) {
    if constexpr (std::is_floating_point_v<C>) {
      return std::fabs(a);
    } else {
      return a < 0 ? Sub(C(0), a) : a;
    }
  }
};

template <>
struct Scalar<Op::kSigmoid> {
  template <typename C>
  PALIMPSEST_DEVICE static C Of(C a) {
    return One<C>() /
           (One<C>() + Scalar<Op::kExp>::Of(Scalar<Op::kNeg>::Of(a)));
  }
};

template <>
struct Scalar<Op::kBitwiseNot> {
  template <typename C>
  PALIMPSEST_DEVICE static C Of(C a) {
    if constexpr (std::is_same_v<C, bool>) {
      return !a;
    } else {
      return static_cast<C>(~a);
    }
  }
};

template <>
struct Scalar<Op::kWhere> {
  template <typename C>
  PALIMPSEST_DEVICE static C Of(bool condition, C a, C b) {
    return condition ? a : b;
  }
};

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_ARITHMETIC_H_
