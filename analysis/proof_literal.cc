#include "analysis/proof_literal.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "ir/check.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

// A binary floating format of at most 64 bits.
struct Format {
  int mantissa_bits;  // Stored ones.
  int exponent_bits;
};

void AppendBytes(std::string& bytes, uint64_t bits, int64_t width) {
  for (int64_t i = 0; i < width; ++i) {
    bytes += static_cast<char>(bits >> (8 * i) & 0xff);
  }
}

// magnitude * 2^exponent, with a sign.
struct Number {
  bool negative = false;
  uint64_t magnitude = 0;
  int exponent = 0;
};

// To the nearest, ties to even.
uint64_t RoundTo(const Number& number, Format format) {
  const int total = format.mantissa_bits + format.exponent_bits;
  const uint64_t sign = uint64_t{number.negative} << total;
  if (number.magnitude == 0) return sign;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int width = 64 - __builtin_clzll(number.magnitude);
  // The unit in the last place, as a power of two; that of subnormals at least.
  int unit = number.exponent + width - 1 - format.mantissa_bits;
  const int least = 1 - bias - format.mantissa_bits;
  if (unit < least) unit = least;
  const int shift = unit - number.exponent;
  uint64_t rounded;
  if (shift <= 0) {
    rounded = number.magnitude << -shift;
  } else if (shift > 64) {
    rounded = 0;
  } else {
    rounded = shift == 64 ? 0 : number.magnitude >> shift;
    const uint64_t half = uint64_t{1} << (shift - 1);
    const uint64_t rest = number.magnitude & (half | (half - 1));
    if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  }
  // Rounding up to the next power of two, or out of the subnormals, carries
  // into the exponent as it should.
  const uint64_t hidden = uint64_t{1} << format.mantissa_bits;
  const uint64_t exponent = static_cast<uint64_t>(unit - least);
  const uint64_t bits =
      rounded < hidden ? rounded : exponent * hidden + rounded;
  const uint64_t infinity =
      ((uint64_t{1} << format.exponent_bits) - 1) * hidden;
  return sign | (bits > infinity ? infinity : bits);
}

// Of a NaN the one that arithmetic makes: positive, quiet, without a payload.
uint64_t RoundDouble(double value, Format format) {
  const int total = format.mantissa_bits + format.exponent_bits;
  const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1)
                            << format.mantissa_bits;
  if (std::isnan(value)) {
    return infinity | uint64_t{1} << (format.mantissa_bits - 1);
  }
  if (std::isinf(value)) {
    return infinity | uint64_t{std::signbit(value)} << total;
  }
  Number number;
  number.negative = std::signbit(value);
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  number.magnitude = static_cast<uint64_t>(std::ldexp(fraction, 53));
  number.exponent = exponent - 53;
  return RoundTo(number, format);
}

uint64_t BitsOfReal(const Literal& literal, Format format) {
  if (literal.kind == Literal::Kind::kFloat ||
      literal.kind == Literal::Kind::kComplex) {
    return RoundDouble(literal.real, format);
  }
  Number number;
  const uint64_t bits = static_cast<uint64_t>(literal.integer);
  number.negative =
      literal.kind != Literal::Kind::kUnsigned && literal.integer < 0;
  number.magnitude = number.negative ? 0 - bits : bits;
  return RoundTo(number, format);
}

uint64_t BitsOfWhole(const Literal& literal) {
  if (literal.kind != Literal::Kind::kFloat) {
    return static_cast<uint64_t>(literal.integer);
  }
  if (literal.real < 0) {
    return static_cast<uint64_t>(static_cast<int64_t>(literal.real));
  }
  return static_cast<uint64_t>(literal.real);
}

Format FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kF64:
    case DType::kC128:
      return {52, 11};
    case DType::kF32:
    case DType::kC64:
      return {23, 8};
    case DType::kF16:
      return {10, 5};
    case DType::kBF16:
      return {7, 8};
    default:
      break;
  }
  PALIMPSEST_CHECK(false && "literals are of no such dtype");
  return {};
}

}  // namespace

std::string BytesOfLiteral(const Literal& literal, DType dtype) {
  const DTypeInfo& info = InfoFor(dtype);
  std::string bytes;
  switch (info.dtype_class) {
    case DTypeClass::kInteger:
    case DTypeClass::kBool:
      AppendBytes(bytes, BitsOfWhole(literal), info.width);
      break;
    case DTypeClass::kFloat:
    case DTypeClass::kFloat8:
      AppendBytes(bytes, BitsOfReal(literal, FormatOf(dtype)), info.width);
      break;
    case DTypeClass::kComplex: {
      const Format format = FormatOf(dtype);
      const double imaginary =
          literal.kind == Literal::Kind::kComplex ? literal.imaginary : 0.0;
      AppendBytes(bytes, BitsOfReal(literal, format), info.width / 2);
      AppendBytes(bytes, RoundDouble(imaginary, format), info.width / 2);
      break;
    }
  }
  return bytes;
}

}  // namespace proof
}  // namespace palimpsest
