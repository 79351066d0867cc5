#include <cmath>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/infer.h"
#include "ir/literal_text.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// An integer dtype's range is [-2^low, 2^high), low = -1 for an unsigned one.
struct BitRange {
  int low;
  int high;
};

BitRange BitRangeOf(DType dtype) {
  const int bits = static_cast<int>(8 * WidthOf(dtype));
  const bool is_unsigned = InfoFor(dtype).text[0] == 'u';
  return is_unsigned ? BitRange{-1, bits} : BitRange{bits - 1, bits - 1};
}

bool FitsInteger(const Literal& literal, DType dtype) {
  const auto [low, high] = BitRangeOf(dtype);
  switch (literal.kind) {
    case Literal::Kind::kInteger:
      if (literal.integer >= 0) {
        return high >= 63 || literal.integer < (int64_t{1} << high);
      }
      return low == 63 || (low > 0 && literal.integer >= -(int64_t{1} << low));
    case Literal::Kind::kUnsigned:
      return high == 64;
    case Literal::Kind::kFloat:
      return literal.real == std::trunc(literal.real) &&
             literal.real < std::ldexp(1.0, high) &&
             literal.real >= (low < 0 ? 0.0 : -std::ldexp(1.0, low));
    default:
      return false;
  }
}

absl::Status Misfit(const Literal& literal, DType dtype,
                    absl::string_view wanted) {
  std::string text;
  AppendLiteral(text, literal);
  return absl::InvalidArgumentError(
      absl::StrCat(text, " is no ", InfoFor(dtype).text, "; ", wanted));
}

absl::Status CheckInteger(const Literal& literal, DType dtype) {
  if (FitsInteger(literal, dtype)) return absl::OkStatus();
  if (literal.kind == Literal::Kind::kFloat &&
      literal.real != std::trunc(literal.real)) {
    return Misfit(literal, dtype, "an integral number is wanted");
  }
  const auto [low, high] = BitRangeOf(dtype);
  return Misfit(
      literal, dtype,
      absl::StrCat("its range is ", low < 0 ? "0" : absl::StrCat("-2^", low),
                   " to 2^", high, " - 1"));
}

}  // namespace

absl::Status CheckLiteral(const Literal& literal, DType dtype) {
  const DTypeClass dtype_class = InfoFor(dtype).dtype_class;
  const bool is_boolean = literal.kind == Literal::Kind::kBoolean;
  if (is_boolean != (dtype_class == DTypeClass::kBool)) {
    return Misfit(
        literal, dtype,
        is_boolean ? "a number is wanted" : "`true` or `false` is wanted");
  }
  if (literal.kind == Literal::Kind::kComplex &&
      dtype_class != DTypeClass::kComplex) {
    return Misfit(literal, dtype, "a real number is wanted");
  }
  if (dtype_class == DTypeClass::kInteger) return CheckInteger(literal, dtype);
  return absl::OkStatus();
}

}  // namespace palimpsest
