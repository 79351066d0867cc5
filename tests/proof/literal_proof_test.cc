// The bytes of literals.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "analysis/proof_literal.h"
#include "gtest/gtest.h"
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
  EXPECT_TRUE(
      std::isnan(Rounded<float>(Literal::Float(std::nan("")), DType::kF32)));
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

}  // namespace
}  // namespace proof
}  // namespace palimpsest
