// How far a device's results may lie from the host's.
//
// All ops are the same to the bit but the functions of <cmath>, each of which
// CUDA and the host's library round in their own ways. Units in the last place
// of the result, from the sum of both sides' stated errors; f16 and bf16 are
// rounded from f32, so there is one, at most. A complex function is made of
// several, whose errors its arguments magnify: its bound holds for the distance
// of the two in units of the larger part, where all arguments are tame
// (mixing.h).

#ifndef PALIMPSEST_CUDA_DEVICE_ROUNDING_H_
#define PALIMPSEST_CUDA_DEVICE_ROUNDING_H_

#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {

// Of f32, or f64 where CUDA states more for it.
constexpr int DeviceUlpsOf(OpKind op) {
  switch (op) {
    case OpKind::kExp:
    case OpKind::kExpm1:
    case OpKind::kLog:
    case OpKind::kLog2:
    case OpKind::kLog1p:
      return 2;
    case OpKind::kExp2:
    case OpKind::kSin:
    case OpKind::kCos:
    case OpKind::kTanh:
    case OpKind::kErf:
      return 3;
    case OpKind::kAtan2:
    case OpKind::kSigmoid:
      return 4;
    case OpKind::kTan:
    case OpKind::kPow:
      return 5;
    default:
      return 0;
  }
}

inline int DeviceUlps(OpKind op, DType dtype) {
  constexpr int kOfComplex = 64;
  switch (InfoFor(dtype).dtype_class) {
    case DTypeClass::kFloat:
      break;
    case DTypeClass::kComplex:
      // Roots of complex numbers take several functions, too.
      return DeviceUlpsOf(op) > 0 || op == OpKind::kSqrt || op == OpKind::kRsqrt
                 ? kOfComplex
                 : 0;
    default:
      return 0;
  }
  const int ulps = DeviceUlpsOf(op);
  return WidthOf(dtype) == 2 && ulps > 1 ? 1 : ulps;
}

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_DEVICE_ROUNDING_H_
