// Views with another dtype: `bitcast`, `real`, `imag`.

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/type.h"
#include "ir/view_sugar.h"
#include "ir/view_sugar_arithmetic.h"

namespace palimpsest {
namespace {

absl::StatusOr<StridedWindow> PartOf(const StridedWindow& x, int part) {
  if (InfoFor(x.dtype).dtype_class != DTypeClass::kComplex) {
    return SugarError(TextOf(x),
                      " is not complex, and only complex numbers have ",
                      part == 0 ? "a real part" : "an imaginary part");
  }
  CheckedArithmetic checked;
  StridedWindow result = x;
  result.dtype = x.dtype == DType::kC64 ? DType::kF32 : DType::kF64;
  result.offset = checked.Add(checked.Mul(x.offset, 2), part);
  for (int64_t& stride : result.strides) stride = checked.Mul(stride, 2);
  return checked.Result(std::move(result));
}

// To a dtype `ratio` times as wide.
absl::StatusOr<StridedWindow> Widened(StridedWindow x, int64_t ratio,
                                      DType dtype) {
  bool divisible = x.offset % ratio == 0 && x.sizes.back() % ratio == 0;
  for (size_t i = 0; i + 1 < x.strides.size(); ++i) {
    divisible &= x.strides[i] % ratio == 0;
    x.strides[i] /= ratio;
  }
  if (!divisible) {
    return SugarError("offset, last size and strides of ", TextOf(x),
                      " must be multiples of ", ratio, " to be cast to ",
                      InfoFor(dtype).text);
  }
  x.offset /= ratio;
  x.sizes.back() /= ratio;
  x.dtype = dtype;
  return x;
}

absl::StatusOr<StridedWindow> Narrowed(StridedWindow x, int64_t ratio,
                                       DType dtype) {
  CheckedArithmetic checked;
  x.offset = checked.Mul(x.offset, ratio);
  for (int64_t& stride : x.strides) stride = checked.Mul(stride, ratio);
  x.strides.back() = 1;
  x.sizes.back() = checked.Mul(x.sizes.back(), ratio);
  x.dtype = dtype;
  return checked.Result(std::move(x));
}

}  // namespace

absl::StatusOr<StridedWindow> BitcastOf(const StridedWindow& x, DType dtype) {
  const int64_t from = WidthOf(x.dtype);
  const int64_t to = WidthOf(dtype);
  if (from == to) {
    StridedWindow result = x;
    result.dtype = dtype;
    return result;
  }
  if (x.sizes.empty()) {
    return SugarError(TextOf(x),
                      " has no last dimension to hold another number of ",
                      InfoFor(dtype).text);
  }
  if (x.strides.back() != 1) {
    return SugarError("the last stride of ", TextOf(x), " is ",
                      x.strides.back(), "; to be cast to ", InfoFor(dtype).text,
                      " it must be 1");
  }
  return to > from ? Widened(x, to / from, dtype)
                   : Narrowed(x, from / to, dtype);
}

absl::StatusOr<StridedWindow> RealOf(const StridedWindow& x) {
  return PartOf(x, 0);
}

absl::StatusOr<StridedWindow> ImagOf(const StridedWindow& x) {
  return PartOf(x, 1);
}

}  // namespace palimpsest
