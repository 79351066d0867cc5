// Numbers print as the shortest text that reads back, and read as strtod()
// reads them, also where ir/literal_text.cc has a way of its own for short
// ones.

#include "ir/literal_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ir/op.h"

namespace palimpsest {
namespace {

std::string Printed(double value) {
  std::string text;
  AppendLiteral(text, Literal::Float(value));
  return text;
}

std::string Shortest(double value) {
  char digits[32];
  std::string text(digits,
                   std::to_chars(digits, digits + sizeof(digits), value).ptr);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

void ExpectShortest(double value) {
  EXPECT_EQ(Printed(value), Shortest(value));
  EXPECT_EQ(DoubleFromText(Printed(value)), value);
}

TEST(LiteralTextTest, ThousandthsAndTheirNeighboursPrintShortest) {
  for (int64_t thousandths = 0; thousandths < 120000000;
       thousandths += thousandths < 3000 ? 1 : 997) {
    const double value = static_cast<double>(thousandths) / 1000;
    ExpectShortest(value);
    ExpectShortest(-value);
    ExpectShortest(std::nextafter(value, 1e9));
    ExpectShortest(std::nextafter(value, -1e9));
  }
}

TEST(LiteralTextTest, ShortDecimalsReadAsStrtodReadsThem) {
  for (int64_t digits = 0; digits < 10000000000; digits += 77777777) {
    for (int point = 0; point < 10; ++point) {
      std::string text = absl::StrCat(digits);
      if (static_cast<size_t>(point) >= text.size()) continue;
      text.insert(text.size() - point, ".");
      EXPECT_EQ(DoubleFromText(text), std::strtod(text.c_str(), nullptr))
          << text;
    }
  }
}

TEST(LiteralTextTest, WhatIsNoNumberIsNone) {
  for (const char* text : {".", "..", "1..2", "1.2.3", "1.x", "x.1"}) {
    EXPECT_FALSE(DoubleFromText(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace palimpsest
