// Every elementwise op of the table, in every dtype that it takes, in several
// layouts, as a value and in place, against its definition.

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

using Z = std::complex<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool IsComplex(DType dtype) {
  return InfoFor(dtype).dtype_class == DTypeClass::kComplex;
}

__int128 LeastOf(DType dtype) {
  if (InfoFor(dtype).text[0] == 'u' || dtype == DType::kBool) return 0;
  return -(__int128{1} << (8 * WidthOf(dtype) - 1));
}
__int128 GreatestOf(DType dtype) {
  const bool is_signed = InfoFor(dtype).text[0] == 'i';
  return (__int128{1} << (8 * WidthOf(dtype) - (is_signed ? 1 : 0))) - 1;
}

// 12 elements, for a tensor of sizes [3,4].
std::vector<Number> Values(DType dtype, int variant) {
  std::vector<Number> values;
  const double reals[2][12] = {
      {-2.5, -1, -0.5, 0, 0.25, 0.5, 1.5, 2, 3, 100, kInf, kNan},
      {1.5, -2, 2, 0.5, -0.25, 0, 3, 2, -1, 0.125, 2, 1}};
  for (int i = 0; i < 12; ++i) {
    if (dtype == DType::kBool) {
      values.push_back(Number::Integer((i >> variant) % 2));
    } else if (IsIntegral(dtype)) {
      const __int128 first[12] = {LeastOf(dtype),
                                  GreatestOf(dtype),
                                  -7,
                                  -1,
                                  0,
                                  1,
                                  2,
                                  3,
                                  5,
                                  100,
                                  GreatestOf(dtype),
                                  7};
      // The definition of a power counts to the exponent.
      const int sign = LeastOf(dtype) < 0 ? -1 : 1;
      const __int128 second[12] = {1,        2,        3, 5, 7, sign,
                                   2 * sign, 3 * sign, 0, 2, 3, 4};
      values.push_back(
          Rounded(dtype, Number::Integer(variant == 0 ? first[i] : second[i])));
    } else if (IsComplex(dtype)) {
      const double parts[6] = {-1.5, -0.5, 0.25, 1, 2, 0.75};
      values.push_back(Number::Real(
          {parts[(i + variant) % 6], parts[(i * 5 + 3 * variant + 1) % 6]}));
    } else {
      values.push_back(Number::Real(reals[variant][i]));
    }
  }
  return values;
}

// What C++ says a mathematical function is, of doubles or complex numbers.
Z Function(OpKind op, Z z, bool is_complex) {
  const double x = z.real();
  const auto pick = [&](double real, Z complex) {
    return is_complex ? complex : Z(real);
  };
  switch (op) {
    case OpKind::kNeg:
      return pick(-x, -z);
    case OpKind::kAbs:
      return std::fabs(x);
    case OpKind::kExp:
      return pick(std::exp(x), std::exp(z));
    case OpKind::kExp2:
      return std::exp2(x);
    case OpKind::kExpm1:
      return std::expm1(x);
    case OpKind::kLog:
      return pick(std::log(x), std::log(z));
    case OpKind::kLog2:
      return std::log2(x);
    case OpKind::kLog1p:
      return std::log1p(x);
    case OpKind::kSqrt:
      return pick(std::sqrt(x), std::sqrt(z));
    case OpKind::kRsqrt:
      return pick(1 / std::sqrt(x), 1.0 / std::sqrt(z));
    case OpKind::kSin:
      return pick(std::sin(x), std::sin(z));
    case OpKind::kCos:
      return pick(std::cos(x), std::cos(z));
    case OpKind::kTan:
      return pick(std::tan(x), std::tan(z));
    case OpKind::kTanh:
      return pick(std::tanh(x), std::tanh(z));
    case OpKind::kSigmoid:
      return pick(1 / (1 + std::exp(-x)), 1.0 / (1.0 + std::exp(-z)));
    case OpKind::kRelu:
      return std::isnan(x) ? x : std::max(x, 0.0);
    case OpKind::kSign:
      return x > 0 ? 1 : x < 0 ? -1 : 0;
    case OpKind::kFloor:
      return std::floor(x);
    case OpKind::kCeil:
      return std::ceil(x);
    case OpKind::kRound:
      return std::nearbyint(x);
    case OpKind::kTrunc:
      return std::trunc(x);
    case OpKind::kReciprocal:
      return pick(1 / x, 1.0 / z);
    case OpKind::kSquare:
      return pick(x * x, z * z);
    case OpKind::kErf:
      return std::erf(x);
    default:
      return kNan;
  }
}

double RealBinary(OpKind op, double a, double b) {
  switch (op) {
    case OpKind::kAdd:
      return a + b;
    case OpKind::kSub:
      return a - b;
    case OpKind::kMul:
      return a * b;
    case OpKind::kDiv:
      return a / b;
    case OpKind::kMaximum:
      return std::isnan(a) || std::isnan(b) ? kNan : std::max(a, b);
    case OpKind::kMinimum:
      return std::isnan(a) || std::isnan(b) ? kNan : std::min(a, b);
    case OpKind::kPow:
      return std::pow(a, b);
    case OpKind::kFmod:
      return std::fmod(a, b);
    case OpKind::kRemainder: {
      if (std::isinf(a) || std::isnan(a) || b == 0) return kNan;
      // The multiple of b below a, by definition; a and b are small here.
      return a - b * std::floor(a / b);
    }
    case OpKind::kAtan2:
      return std::atan2(a, b);
    default:
      return kNan;
  }
}

Z ComplexBinary(OpKind op, Z a, Z b) {
  switch (op) {
    case OpKind::kAdd:
      return a + b;
    case OpKind::kSub:
      return a - b;
    case OpKind::kMul:
      return a * b;
    case OpKind::kDiv:
      return a / b;
    default:
      return std::pow(a, b);
  }
}

__int128 IntegerPow(DType dtype, __int128 base, __int128 exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  __int128 power = 1;
  for (__int128 i = 0; i < exponent; ++i) {
    power =
        Rounded(dtype, Number::Integer(WrappedProduct(power, base))).integer;
  }
  return power;
}

__int128 Integer(OpKind op, DType dtype, __int128 a, __int128 b) {
  const bool is_bool = dtype == DType::kBool;
  switch (op) {
    case OpKind::kAdd:
      return is_bool ? (a | b) : a + b;
    case OpKind::kSub:
      return a - b;
    case OpKind::kMul:
      return is_bool ? (a & b) : WrappedProduct(a, b);
    case OpKind::kMaximum:
      return a > b ? a : b;
    case OpKind::kMinimum:
      return a < b ? a : b;
    case OpKind::kPow:
      return IntegerPow(dtype, a, b);
    case OpKind::kFmod:
      return b == 0 ? 0 : a % b;
    case OpKind::kRemainder:
      return b == 0 ? 0 : ((a % b) + b) % b;
    case OpKind::kBitwiseAnd:
      return a & b;
    case OpKind::kBitwiseOr:
      return a | b;
    case OpKind::kBitwiseXor:
      return a ^ b;
    case OpKind::kNeg:
      return -a;
    case OpKind::kAbs:
      return a < 0 ? -a : a;
    case OpKind::kRelu:
      return a < 0 ? 0 : a;
    case OpKind::kSign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case OpKind::kSquare:
      return WrappedProduct(a, a);
    case OpKind::kBitwiseNot:
      return is_bool ? !a : ~a;
    default:
      return a;  // floor, ceil, round, trunc.
  }
}

bool Predicate(OpKind op, DType dtype, Number a, Number b) {
  const bool integral = IsIntegral(dtype);
  const double x = a.real.real();
  const double y = b.real.real();
  const bool is_a = integral ? a.integer != 0 : a.real != 0.0;
  const bool is_b = integral ? b.integer != 0 : b.real != 0.0;
  switch (op) {
    case OpKind::kEq:
      return integral ? a.integer == b.integer : a.real == b.real;
    case OpKind::kNe:
      return integral ? a.integer != b.integer : a.real != b.real;
    case OpKind::kLt:
      return integral ? a.integer < b.integer : x < y;
    case OpKind::kLe:
      return integral ? a.integer <= b.integer : x <= y;
    case OpKind::kGt:
      return integral ? a.integer > b.integer : x > y;
    case OpKind::kGe:
      return integral ? a.integer >= b.integer : x >= y;
    case OpKind::kLogicalAnd:
      return is_a && is_b;
    case OpKind::kLogicalOr:
      return is_a || is_b;
    case OpKind::kLogicalXor:
      return is_a != is_b;
    default:
      return !is_a;
  }
}

bool IsPredicateOp(OpKind op) {
  return InfoFor(op).rule == InferenceRule::kPredicate;
}

Number Expected(OpKind op, DType dtype, DType result, Number a, Number b) {
  if (IsPredicateOp(op)) {
    const double answer = Predicate(op, dtype, a, b) ? 1 : 0;
    return NumberOf(result, answer);
  }
  if (IsIntegral(dtype)) {
    return Rounded(dtype,
                   Number::Integer(Integer(op, dtype, a.integer, b.integer)));
  }
  const bool is_unary = InfoFor(op).operands.size() == 1;
  Z value;
  if (is_unary) {
    value = Function(op, a.real, IsComplex(dtype));
  } else if (IsComplex(dtype)) {
    value = ComplexBinary(op, a.real, b.real);
  } else {
    value = RealBinary(op, a.real.real(), b.real.real());
  }
  // Narrow floats compute in f32.
  const bool narrow = WidthOf(dtype) == 2;
  const Number computed =
      narrow ? Rounded(DType::kF32, Number::Real(value)) : Number::Real(value);
  return Rounded(dtype, computed);
}

bool IsExact(OpKind op, DType dtype) {
  if (IsPredicateOp(op)) return true;
  if (IsComplex(dtype)) {
    return op == OpKind::kAdd || op == OpKind::kSub || op == OpKind::kNeg;
  }
  switch (op) {
    case OpKind::kExp:
    case OpKind::kExp2:
    case OpKind::kExpm1:
    case OpKind::kLog:
    case OpKind::kLog2:
    case OpKind::kLog1p:
    case OpKind::kRsqrt:
    case OpKind::kSin:
    case OpKind::kCos:
    case OpKind::kTan:
    case OpKind::kTanh:
    case OpKind::kSigmoid:
    case OpKind::kErf:
    case OpKind::kPow:
    case OpKind::kAtan2:
      return false;
    default:
      return true;
  }
}

struct LayoutText {
  absl::string_view name;
  absl::string_view sizes;
  absl::string_view window;  // offset and strides.
};
constexpr LayoutText kLayouts[] = {
    {"RowMajor", "[3,4]", ""},
    {"Transposed", "[3,4]", " strides [1,3]"},
    {"Strided", "[3,4]", " offset 3 strides [16,3]"},
    {"Flipped", "[3,4]", " offset 11 strides [-4,-1]"},
};

class ElementwiseTest
    : public testing::TestWithParam<std::tuple<OpKind, DType>> {
 protected:
  OpKind op() const { return std::get<0>(GetParam()); }
  DType dtype() const { return std::get<1>(GetParam()); }
  bool is_unary() const { return InfoFor(op()).operands.size() == 1; }

  void Expect(const std::string& text, DType result_dtype,
              const std::vector<Tensor>& inputs, const Tensor& right) {
    const Tensor actual = ResultOf(text, inputs);
    ASSERT_EQ(actual.elements.size(), 12u) << text;
    for (int i = 0; i < 12; ++i) {
      const Number& a = inputs[0].elements[i];
      const Number& b = right.elements[i];
      const Number expected = Expected(op(), dtype(), result_dtype, a, b);
      const int ulps = IsExact(op(), dtype())  ? 0
                       : WidthOf(dtype()) == 2 ? 1
                                               : 8;
      EXPECT_TRUE(IsClose(result_dtype, actual.elements[i], expected, ulps))
          << text << "element " << i << ", of " << ToString(dtype(), a)
          << " and " << ToString(dtype(), b) << ": "
          << ToString(result_dtype, actual.elements[i]) << ", not "
          << ToString(result_dtype, expected);
    }
  }
};

TEST_P(ElementwiseTest, IsWhatItsDefinitionSays) {
  const absl::string_view name = InfoFor(dtype()).text;
  const Tensor x{dtype(), {3, 4}, Values(dtype(), 0)};
  const Tensor y{dtype(), {3, 4}, Values(dtype(), 1)};
  const DType result = IsPredicateOp(op()) ? DType::kBool : dtype();
  const absl::string_view right = is_unary() ? "" : ", %y";
  for (const LayoutText& of_x : kLayouts) {
    for (const LayoutText& of_y : kLayouts) {
      if (is_unary() && &of_y != kLayouts) break;
      const std::string signature =
          absl::StrCat("func @f(%x: ", name, "[3,4] in @x", of_x.window,
                       ", %y: ", name, "[3,4] in @y", of_y.window, ") {\n");
      Expect(absl::StrCat(signature, "  %r = ", InfoFor(op()).text, " %x",
                          right, " : ", InfoFor(result).text, "[3,4]",
                          of_y.window, "\n  return %r\n}\n"),
             result, {x, y}, y);
      Expect(absl::StrCat(signature, "  ", InfoFor(op()).text, "_ %x", right,
                          "\n  return %x\n}\n"),
             dtype(), {x, y}, y);
    }
  }
}

TEST_P(ElementwiseTest, BroadcastsItsRightOperand) {
  if (is_unary()) return;
  const absl::string_view name = InfoFor(dtype()).text;
  const Tensor x{dtype(), {3, 4}, Values(dtype(), 0)};
  Tensor row{dtype(), {4}, Values(dtype(), 1)};
  row.elements.resize(4);
  Tensor right{dtype(), {3, 4}, {}};
  for (int i = 0; i < 12; ++i) right.elements.push_back(row.elements[i % 4]);
  const DType result = IsPredicateOp(op()) ? DType::kBool : dtype();
  Expect(absl::StrCat("func @f(%x: ", name, "[3,4], %y: ", name,
                      "[4]) {\n  %r = ", InfoFor(op()).text,
                      " %x, %y\n  return %r\n}\n"),
         result, {x, row}, right);
}

std::vector<std::tuple<OpKind, DType>> AllCases() {
  std::vector<std::tuple<OpKind, DType>> cases;
  for (const OpInfo& info : AllOps()) {
    if (info.family != KernelFamily::kElementwise) continue;
    if (info.kind == OpKind::kCast || info.kind == OpKind::kWhere) continue;
    for (DType dtype : AllDTypes()) {
      if (info.Allows(dtype)) cases.push_back({info.kind, dtype});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(
    AllOps, ElementwiseTest, testing::ValuesIn(AllCases()),
    [](const testing::TestParamInfo<std::tuple<OpKind, DType>>& info) {
      return absl::StrCat(InfoFor(std::get<0>(info.param)).text, "_",
                          InfoFor(std::get<1>(info.param)).text);
    });

TEST(WhereTest, PicksElementByElementAndBroadcastsEach) {
  for (DType dtype : AllDTypes()) {
    if (!InfoFor(OpKind::kWhere).Allows(dtype)) continue;
    const std::string name(InfoFor(dtype).text);
    const Tensor c = TensorOf(DType::kBool, {2, 1}, {1, 0});
    const Tensor x = TensorOf(dtype, {3}, {1, 0, 1});
    const Tensor y = TensorOf(dtype, {2, 3}, {0, 1, 0, 1, 1, 0});
    EXPECT_EQ(RealsOf(ResultOf("func @f(%c: bool[2,1], %x: " + name +
                                   "[3], %y: " + name +
                                   "[2,3]) {\n  %r = where %c, %x, %y\n"
                                   "  return %r\n}\n",
                               {c, x, y})),
              (std::vector<double>{1, 0, 1, 1, 1, 0}));
  }
}

TEST(LiteralTest, IsRoundedOnceAndMayStandOnEitherSide) {
  const Tensor x = TensorOf(DType::kF16, {2}, {1, 2048});
  // 1 + 2^-11 + 2^-25 rounds up in one step, but down by way of f32 and even.
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f16[2]) {\n"
                             "  %r = mul %x, 1.000488311052322\n"
                             "  return %r\n}\n",
                             {x}))[0],
            1 + std::ldexp(1, -10));
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f16[2]) {\n  %r = sub 1.0, %x\n"
                             "  return %r\n}\n",
                             {x})),
            (std::vector<double>{0, -2047}));
}

TEST(BoolTest, OpsReadAnyByteThatIsNotZeroAsTrueAndWriteOne) {
  const Tensor x = TensorOf(DType::kU8, {4}, {0, 1, 2, 255});
  const Tensor result = ResultOf(
      "func @f(%x: u8[4] in @s, %b: bool[4] in @s) {\n"
      "  %n = logical_not %b : bool[4] in @n\n  %m = logical_not %n : bool[4] "
      "in @m\n"
      "  %r = view %m : u8[4] in @m\n  return %r\n}\n",
      {x, TensorOf(DType::kU8, {4}, {0, 1, 2, 255})});
  EXPECT_EQ(RealsOf(result), (std::vector<double>{0, 1, 1, 1}));
}

}  // namespace
}  // namespace palimpsest
