// The bytes of literals.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "absl/strings/escaping.h"
#include "analysis/proof_literal.h"
#include "cuda/literal.h"
#include "gtest/gtest.h"
#include "ir/infer.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

template <typename T>
T Rounded(const Literal& literal, DType dtype) {
  const std::string bytes = BytesOfLiteral(literal, dtype);
  T value;
  EXPECT_EQ(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

TEST(LiteralProofTest, DoublesAreRoundedAsTheMachineDoes) {
  const double kLargest = std::numeric_limits<float>::max();
  for (double value : {0.0,
                       -0.0,
                       1.0,
                       -1.5,
                       0.1,
                       1e-45,
                       7e-46,
                       1e-40,
                       1e-50,
                       3.4028235677973366e38,
                       kLargest,
                       1e300,
                       -1e300,
                       16777217.0,
                       16777219.0,
                       1.0 + 0x1p-24,
                       1.0 + 0x1.8p-23,
                       0x1p-149,
                       0x1.8p-149,
                       0x1.fffffep-127,
                       0x1.ffffffp-127,
                       std::numeric_limits<double>::infinity(),
                       5e-324,
                       2.2250738585072014e-308}) {
    const float expected = static_cast<float>(value);
    const float rounded = Rounded<float>(Literal::Float(value), DType::kF32);
    EXPECT_EQ(std::memcmp(&expected, &rounded, sizeof rounded), 0) << value;
    const double same = Rounded<double>(Literal::Float(value), DType::kF64);
    EXPECT_EQ(std::memcmp(&value, &same, sizeof same), 0) << value;
  }
  for (double sign : {1.0, -1.0}) {
    const Literal nan = Literal::Float(std::copysign(std::nan(""), sign));
    EXPECT_EQ(Rounded<uint64_t>(nan, DType::kF64), 0x7ff8000000000000u);
    EXPECT_EQ(Rounded<uint32_t>(nan, DType::kF32), 0x7fc00000u);
    EXPECT_EQ(Rounded<uint16_t>(nan, DType::kF16), 0x7e00u);
    EXPECT_EQ(Rounded<uint16_t>(nan, DType::kBF16), 0x7fc0u);
  }
}

TEST(LiteralProofTest, IntegersAreRoundedOnce) {
  for (int64_t value : {int64_t{0}, int64_t{1}, int64_t{-7}, int64_t{1} << 53,
                        (int64_t{1} << 53) + 1, (int64_t{1} << 62) + 12345,
                        INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(Rounded<float>(Literal::Integer(value), DType::kF32),
              static_cast<float>(value));
    EXPECT_EQ(Rounded<double>(Literal::Integer(value), DType::kF64),
              static_cast<double>(value));
    EXPECT_EQ(Rounded<int64_t>(Literal::Integer(value), DType::kI64), value);
  }
  EXPECT_EQ(Rounded<double>(Literal::Unsigned(UINT64_MAX), DType::kF64),
            static_cast<double>(UINT64_MAX));
  EXPECT_EQ(Rounded<uint64_t>(Literal::Unsigned(UINT64_MAX), DType::kU64),
            UINT64_MAX);
  EXPECT_EQ(Rounded<int8_t>(Literal::Float(-3.0), DType::kI8), -3);
}

TEST(LiteralProofTest, HalvesAreRoundedToTheNearestTiesToEven) {
  struct Case {
    double value;
    uint16_t f16;
    uint16_t bf16;
  };
  for (const Case& c :
       {Case{1.0, 0x3c00, 0x3f80}, Case{-2.0, 0xc000, 0xc000},
        Case{65504.0, 0x7bff, 0x4780}, Case{65520.0, 0x7c00, 0x4780},
        Case{65519.0, 0x7bff, 0x4780}, Case{0x1p-24, 0x0001, 0x3380},
        Case{0x1p-25, 0x0000, 0x3300}, Case{0x1.000001p-25, 0x0001, 0x3300},
        Case{1.0 + 0x1p-11, 0x3c00, 0x3f80},
        Case{1.0 + 0x3p-11, 0x3c02, 0x3f80}, Case{1.0 + 0x1p-8, 0x3c04, 0x3f80},
        Case{1.0 + 0x3p-8, 0x3c0c, 0x3f82},
        // Not by way of f32, where it would be a tie.
        Case{1.0 + 0x1p-11 + 0x1p-40, 0x3c01, 0x3f80}}) {
    EXPECT_EQ(Rounded<uint16_t>(Literal::Float(c.value), DType::kF16), c.f16)
        << c.value;
    EXPECT_EQ(Rounded<uint16_t>(Literal::Float(c.value), DType::kBF16), c.bf16)
        << c.value;
  }
}

TEST(LiteralProofTest, ComplexLiteralsHaveTwoParts) {
  const std::string bytes =
      BytesOfLiteral(Literal::Complex(1.0, -2.0), DType::kC64);
  EXPECT_EQ(bytes, std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8));
  EXPECT_EQ(BytesOfLiteral(Literal::Float(1.0), DType::kC64),
            std::string("\x00\x00\x80\x3f\x00\x00\x00\x00", 8));
  EXPECT_EQ(BytesOfLiteral(Literal::Boolean(true), DType::kBool), "\x01");
}

// A double of any bits, or near a number that narrower ones tie at.
double DrawReal(std::mt19937_64& random) {
  double value;
  const uint64_t bits = random();
  switch (random() % 4) {
    case 0:
      std::memcpy(&value, &bits, sizeof value);
      return value;
    case 1: {
      constexpr double kSpecial[] = {0.0, -0.0, INFINITY, -INFINITY,
                                     NAN, -NAN, 65519.0,  0x1p-1074};
      return kSpecial[random() % 8];
    }
    default: {
      const int exponent = static_cast<int>(random() % 320) - 160;
      const double whole = static_cast<double>(bits >> (40 + random() % 24));
      const double rest = (random() % 3 - 1.0) * 0x1p-28;
      const double magnitude = std::ldexp(whole + rest, exponent);
      return random() % 2 == 0 ? magnitude : -magnitude;
    }
  }
}

Literal DrawLiteral(std::mt19937_64& random) {
  const uint64_t bits = random() >> random() % 64;
  switch (random() % 5) {
    case 0:
      return Literal::Integer(
          static_cast<int64_t>(random() % 2 ? bits : -bits));
    case 1:
      return Literal::Unsigned(bits);
    case 2:
      return Literal::Boolean(random() % 2 == 0);
    case 3:
      return Literal::Complex(DrawReal(random), DrawReal(random));
    default:
      return Literal::Float(random() % 4 == 0
                                ? std::trunc(std::ldexp(1.0, random() % 66))
                                : DrawReal(random));
  }
}

// The two round in different ways.
TEST(LiteralProofTest, TheInterpreterHasTheSameBytes) {
  std::mt19937_64 random(3);
  for (DType dtype : AllDTypes()) {
    if (InfoFor(dtype).dtype_class == DTypeClass::kFloat8) continue;
    int checked = 0;
    for (int i = 0; i < 100000; ++i) {
      const Literal literal = DrawLiteral(random);
      if (!CheckLiteral(literal, dtype).ok()) continue;
      ++checked;
      std::string bytes(WidthOf(dtype), 0);
      EncodeLiteral(literal, dtype, reinterpret_cast<uint8_t*>(&bytes[0]));
      ASSERT_EQ(absl::BytesToHexString(BytesOfLiteral(literal, dtype)),
                absl::BytesToHexString(bytes))
          << InfoFor(dtype).text << " " << literal.real << " "
          << literal.imaginary << " " << literal.integer;
    }
    EXPECT_GT(checked, 1000) << InfoFor(dtype).text;
  }
}

}  // namespace
}  // namespace proof
}  // namespace palimpsest
