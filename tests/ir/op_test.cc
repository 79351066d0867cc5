// The op table and literals.

#include "ir/op.h"

#include <cmath>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/literal_text.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

TEST(OpTableTest, RowsStandInTheOrderOfOpKind) {
  int i = 0;
  for (const OpInfo& info : AllOps()) {
    EXPECT_EQ(static_cast<int>(info.kind), i++) << info.text;
    EXPECT_EQ(&InfoFor(info.kind), &info);
  }
}

TEST(OpTableTest, TextsAreFoundAgain) {
  for (const OpInfo& info : AllOps()) {
    ASSERT_TRUE(OpKindFromText(info.text).has_value()) << info.text;
    EXPECT_EQ(*OpKindFromText(info.text), info.kind);
  }
  EXPECT_FALSE(OpKindFromText("add_").has_value());
  EXPECT_FALSE(OpKindFromText("").has_value());
}

TEST(OpTableTest, RowsSayWhatTheyTake) {
  const OpInfo& info = InfoFor(OpKind::kIndexPut);
  EXPECT_TRUE(info.HasInPlaceForm());
  ASSERT_EQ(info.operands.size(), 3);
  EXPECT_EQ(info.operands[1].name, "indices");
  EXPECT_EQ(info.operands[1].role, OperandRole::kIndices);
  EXPECT_THAT(info.attributes, testing::ElementsAre(AttributeKey::kAccumulate));
  EXPECT_TRUE(info.Allows(DType::kBF16));
  EXPECT_FALSE(info.Allows(DType::kF8E4M3));
}

// Only the last but for fixed operands can be told apart in a flat array.
TEST(OpTableTest, ARowHasAtMostOneList) {
  for (const OpInfo& info : AllOps()) {
    int lists = 0;
    for (const OpInfo::Operand& operand : info.operands) {
      lists += operand.role == OperandRole::kIndices ||
               operand.role == OperandRole::kTensors ||
               operand.role == OperandRole::kLiterals ||
               operand.role == OperandRole::kPieces;
    }
    EXPECT_LE(lists, 1) << info.text;
  }
}

std::string TextOf(const Literal& literal) {
  std::string text;
  AppendLiteral(text, literal);
  return text;
}

TEST(LiteralTest, FloatsPrintInTheFewestDigitsAndAsFloats) {
  EXPECT_EQ(TextOf(Literal::Float(1)), "1.0");
  EXPECT_EQ(TextOf(Literal::Float(-0.0)), "-0.0");
  EXPECT_EQ(TextOf(Literal::Float(0.1)), "0.1");
  EXPECT_EQ(TextOf(Literal::Float(1e-5)), "1e-05");
  EXPECT_EQ(TextOf(Literal::Float(1e300)), "1e+300");
  EXPECT_EQ(TextOf(Literal::Float(-std::numeric_limits<double>::infinity())),
            "-inf");
  EXPECT_EQ(TextOf(Literal::Float(std::nan(""))), "nan");
}

TEST(LiteralTest, OtherKindsPrint) {
  EXPECT_EQ(TextOf(Literal::Integer(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(TextOf(Literal::Unsigned(UINT64_MAX)), "18446744073709551615");
  EXPECT_EQ(TextOf(Literal::Boolean(true)), "true");
  EXPECT_EQ(TextOf(Literal::Complex(1, -0.5)), "(1.0,-0.5)");
}

TEST(LiteralTest, EqualityTellsKindsAndZerosApart) {
  EXPECT_EQ(Literal::Float(std::nan("")), Literal::Float(std::nan("")));
  EXPECT_NE(Literal::Float(0.0), Literal::Float(-0.0));
  EXPECT_NE(Literal::Float(1), Literal::Integer(1));
  EXPECT_EQ(Literal::Unsigned(7), Literal::Integer(7));
}

TEST(LiteralTest, NumbersOutOfRangeAreNone) {
  EXPECT_FALSE(Int64FromText("9223372036854775808").has_value());
  EXPECT_EQ(*IntegerFromText("9223372036854775808"),
            Literal::Unsigned(uint64_t{1} << 63));
  EXPECT_FALSE(IntegerFromText("18446744073709551616").has_value());
  EXPECT_FALSE(DoubleFromText("1e999").has_value());
  EXPECT_EQ(DoubleFromText("1e-999").value_or(1), 0.0);
  EXPECT_FALSE(DoubleFromText("1.5x").has_value());
}

TEST(StringTest, EscapesReadBack) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  std::string quoted;
  AppendQuoted(quoted, all);
  EXPECT_EQ(Unescape(quoted.substr(1, quoted.size() - 2)).value_or(""), all);
  EXPECT_FALSE(Unescape("\\q").has_value());
  EXPECT_FALSE(Unescape("\\x1").has_value());
  EXPECT_FALSE(Unescape("\\").has_value());
}

}  // namespace
}  // namespace palimpsest
