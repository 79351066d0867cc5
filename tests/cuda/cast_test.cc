// Casts between all dtypes, and the narrow floats pattern by pattern.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

Tensor Cast(const Tensor& x, DType to) {
  const int64_t count = x.elements.size();
  return ResultOf(
      absl::StrCat("func @f(%x: ", InfoFor(x.dtype).text, "[", count,
                   "]) {\n  %r = cast %x : ", InfoFor(to).text, "[", count,
                   "]\n  return %r\n}\n"),
      {x});
}

// Of a value that every dtype can be asked for: integers within i8.
Number Expected(DType from, DType to, Number x) {
  if (to == DType::kBool) {
    return Number::Integer(IsIntegral(from) ? x.integer != 0 : x.real != 0.0);
  }
  if (IsIntegral(from)) {
    return Rounded(
        to, IsIntegral(to) ? x : Number::Real(static_cast<double>(x.integer)));
  }
  if (IsIntegral(to)) {
    return Rounded(
        to, Number::Integer(static_cast<__int128>(std::trunc(x.real.real()))));
  }
  const bool keeps_imaginary = InfoFor(to).dtype_class == DTypeClass::kComplex;
  return Rounded(to, keeps_imaginary ? x : Number::Real(x.real.real()));
}

TEST(CastTest, EveryPairOfDTypes) {
  for (DType from : AllDTypes()) {
    Tensor x{from, {8}, {}};
    for (double value : {0.0, 1.0, -1.0, 2.5, -3.5, 0.4375, 100.0, -100.0}) {
      const bool is_unsigned = InfoFor(from).text[0] == 'u';
      const double fitting = is_unsigned ? std::fabs(value) : value;
      x.elements.push_back(Rounded(from, NumberOf(from, fitting)));
    }
    for (DType to : AllDTypes()) {
      const Tensor actual = Cast(x, to);
      for (int i = 0; i < 8; ++i) {
        const Number expected = Expected(from, to, x.elements[i]);
        EXPECT_TRUE(IsClose(to, actual.elements[i], expected, 0))
            << InfoFor(from).text << " " << ToString(from, x.elements[i])
            << " to " << InfoFor(to).text << ": "
            << ToString(to, actual.elements[i]) << ", not "
            << ToString(to, expected);
      }
    }
  }
}

// Every pattern of a narrow float, up to f32 and back.
TEST(CastTest, NarrowFloatsKeepEveryPattern) {
  for (DType narrow :
       {DType::kF16, DType::kBF16, DType::kF8E4M3, DType::kF8E5M2}) {
    const int patterns = 1 << 8 * WidthOf(narrow);
    Tensor x{narrow, {patterns}, {}};
    for (int p = 0; p < patterns; ++p) {
      const uint16_t pattern = static_cast<uint16_t>(p);
      x.elements.push_back(
          Decode(narrow, reinterpret_cast<const uint8_t*>(&pattern)));
    }
    const Tensor wide = Cast(x, DType::kF32);
    const Tensor back = Cast(wide, narrow);
    for (int p = 0; p < patterns; ++p) {
      EXPECT_TRUE(IsClose(DType::kF32, wide.elements[p], x.elements[p], 0))
          << p;
      EXPECT_TRUE(IsClose(narrow, back.elements[p], x.elements[p], 0)) << p;
    }
  }
}

// Midpoints between neighbours, and what lies just beside them.
TEST(CastTest, NarrowFloatsRoundToNearestEven) {
  for (DType narrow :
       {DType::kF16, DType::kBF16, DType::kF8E4M3, DType::kF8E5M2}) {
    Tensor x{DType::kF32, {}, {}};
    const int patterns = 1 << (8 * WidthOf(narrow) - 1);
    for (int p = 0; p + 1 < patterns; ++p) {
      const uint16_t low = static_cast<uint16_t>(p);
      const uint16_t high = static_cast<uint16_t>(p + 1);
      const double a =
          Decode(narrow, reinterpret_cast<const uint8_t*>(&low)).real.real();
      const double b =
          Decode(narrow, reinterpret_cast<const uint8_t*>(&high)).real.real();
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      const float middle = static_cast<float>((a + b) / 2);
      for (float value : {middle, std::nextafter(middle, 0.0f),
                          std::nextafter(middle, 1e30f), -middle}) {
        x.elements.push_back(Number::Real(value));
      }
    }
    for (double value : {448.0, 464.0, 465.0, 480.0, 57344.0, 61440.0, 65519.0,
                         65520.0, 1e9, 3.3961776e38, 1e-30}) {
      x.elements.push_back(Rounded(DType::kF32, Number::Real(value)));
    }
    x.sizes = {static_cast<int64_t>(x.elements.size())};
    const Tensor actual = Cast(x, narrow);
    for (size_t i = 0; i < x.elements.size(); ++i) {
      const Number expected = Rounded(narrow, x.elements[i]);
      ASSERT_TRUE(IsClose(narrow, actual.elements[i], expected, 0))
          << InfoFor(narrow).text << " of "
          << ToString(DType::kF32, x.elements[i]) << ": "
          << ToString(narrow, actual.elements[i]) << ", not "
          << ToString(narrow, expected);
    }
  }
}

TEST(CastTest, OutOfRangeIsWhatX86Gives) {
  const double inf = std::numeric_limits<double>::infinity();
  for (DType from : {DType::kF32, DType::kF64}) {
    const Tensor x{
        from,
        {5},
        {Number::Real(inf), Number::Real(-inf), Number::Real(std::nan("")),
         Number::Real(3e10), Number::Real(-257)}};
    const __int128 least64 = std::numeric_limits<int64_t>::min();
    const __int128 least32 = std::numeric_limits<int32_t>::min();
    const __int128 big =
        static_cast<__int128>(from == DType::kF32 ? double(3e10f) : 3e10);
    const auto expect = [&](DType to, std::vector<__int128> expected) {
      const Tensor actual = Cast(x, to);
      for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(static_cast<int64_t>(actual.elements[i].integer),
                  static_cast<int64_t>(
                      Rounded(to, Number::Integer(expected[i])).integer))
            << InfoFor(to).text << " " << i;
      }
    };
    expect(DType::kI64, {least64, least64, least64, big, -257});
    expect(DType::kI32, {least32, least32, least32, least32, -257});
    expect(DType::kI16, {0, 0, 0, 0, -257});
    expect(DType::kI8, {0, 0, 0, 0, -257});
    expect(DType::kU64, {least64, least64, least64, big, -257});
    expect(DType::kU32, {0, 0, 0, big, -257});
    expect(DType::kU16, {0, 0, 0, 0, -257});
    expect(DType::kU8, {0, 0, 0, big, -257});
  }
}

TEST(CastTest, LargeUnsignedNumbersSurvive) {
  const Tensor x{DType::kU64, {1}, {Number::Integer(__int128{1} << 63)}};
  EXPECT_EQ(Cast(x, DType::kF64).elements[0].real.real(), 0x1p63);
  EXPECT_EQ(Cast(Cast(x, DType::kF64), DType::kU64).elements[0].integer,
            __int128{1} << 63);
}

TEST(CastTest, ReadsAndWritesAnyLayout) {
  const Tensor x = TensorOf(DType::kI32, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(RealsOf(ResultOf(
                "func @f(%x: i32[2,3] in @s offset 5 strides [-3,-1]) {\n"
                "  %r = cast %x : f16[2,3] strides [1,2]\n  return %r\n}\n",
                {x})),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace palimpsest
