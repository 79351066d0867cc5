// The reader keeps what a type's text was read as (ir/text_cache.h). A type
// that it has seen is read as one that it has not: same programs, same errors.

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"
#include "tests/ir/random_function.h"

namespace palimpsest {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The text with as many blanks behind the n-th `[` as n modulo 200, so that
// types are not seen twice, or too long to be kept.
std::string SpeltApart(absl::string_view text) {
  std::string apart;
  size_t count = 0;
  for (char c : text) {
    apart += c;
    if (c == '[') apart.append(++count % 200, ' ');
  }
  return apart;
}

std::string Reprinted(absl::string_view text) {
  const absl::StatusOr<Program> program = ParseProgram(text, "text");
  return program.ok() ? PrintToString(*program)
                      : std::string(program.status().message());
}

std::string ErrorOf(absl::string_view statements) {
  return Reprinted(absl::StrCat("func @f(%x: f32[4,2], %y: f32[4]) {\n",
                                statements, "\nreturn %x\n}\n"));
}

RC_GTEST_PROP(TypeTextTest, TypesSeenBeforeAreReadAsThoseThatAreNot,
              (uint64_t seed)) {
  const FunctionKind kind =
      seed % 2 == 0 ? FunctionKind::kInPlace : FunctionKind::kPure;
  const std::string text = PrintToString(RandomFunction(kind, seed));
  RC_ASSERT(Reprinted(text) == text);
  RC_ASSERT(Reprinted(SpeltApart(text)) == text);
}

TEST(TypeTextTest, EqualTypesMayBeSpeltApart) {
  EXPECT_EQ(Reprinted("func @f(%x: f32[4,2]) {\n"
                      "%a = clone %x : f32[4,2]\n"
                      "%b = clone %x : f32[4,2] offset 0 strides [2,1]\n"
                      "%c = clone %x : f32[4, 2] strides [2, 1]\n"
                      "%d = clone %x : f32[4,2] strides [ 2,1 ]\n"
                      "return %d\n}\n"),
            "func @f(%x: f32[4,2]) {\n"
            "  %a = clone %x : f32[4,2]\n"
            "  %b = clone %x : f32[4,2]\n"
            "  %c = clone %x : f32[4,2]\n"
            "  %d = clone %x : f32[4,2]\n"
            "  return %d\n}\n");
}

TEST(TypeTextTest, EqualStridesOfOtherSizesAreOtherLayouts) {
  const std::string text =
      "func @f(%x: f32[8,8]) {\n"
      "  %a = view %x : f32[4,2] in @x strides [1,4]\n"
      "  %b = view %x : f32[2,4] in @x strides [1,4]\n"
      "  %c = view %x : f32[4,2] in @x offset 1 strides [1,4]\n"
      "  %d = view %x : i32[4,2] in @x offset 1 strides [1,4]\n"
      "  return %a, %b, %c, %d\n}\n";
  EXPECT_EQ(Reprinted(text), text);
}

TEST(TypeTextTest, FunctionsDoNotShareWhatWasSeen) {
  const std::string text =
      "func @f(%x: f32[8], %y: i64[3]) {\n"
      "  %a = view %x : f32[2] in @x strides [3]\n"
      "  return %a, %y\n}\n"
      "\n"
      "func @g(%y: i64[3], %z: i64[5], %x: f32[8]) {\n"
      "  %a = view %x : f32[2] in @x strides [3]\n"
      "  return %a, %y\n}\n";
  EXPECT_EQ(Reprinted(text), text);
}

TEST(TypeTextTest, MoreTypesThanAreKeptAreReadAll) {
  std::string text = "func @f(%x: f32[40000]) {\n";
  for (int round = 0; round < 2; ++round) {
    for (int size = 1; size <= 20000; ++size) {
      absl::StrAppend(&text, "  %v", round, "_", size, " = view %x : f32[",
                      size, "] in @x strides [", 1 + size % 2 * round, "]\n");
    }
  }
  absl::StrAppend(&text, "  return %x\n}\n");
  EXPECT_EQ(Reprinted(text), absl::StrReplaceAll(text, {{" strides [1]", ""}}));
}

TEST(TypeTextTest, AnErrorBehindATypeSeenBeforeIsShownWhereItLies) {
  EXPECT_THAT(ErrorOf("%a = view %x : f32[4,2] in @nowhere"),
              StartsWith("text:2:28: error: a view lies in its operand's"));
  EXPECT_THAT(
      ErrorOf("%a = clone %x : f32[4]"),
      StartsWith("text:2:17: error: the op gives f32[4,2], not f32[4]"));
  EXPECT_THAT(ErrorOf("%a = clone %x : f32[4,2] offset"),
              StartsWith("text:2:32: error: expected an integer after"));
  EXPECT_THAT(ErrorOf("%a = clone %x : f32[4,2]]"),
              StartsWith("text:2:25: error: expected the end of the line"));
}

TEST(TypeTextTest, StridesSeenForAnotherRankDoNotFit) {
  EXPECT_THAT(ErrorOf("%a = view %y : f32[4] strides [1]\n"
                      "%b = view %x : f32[4,2] strides [1]"),
              StartsWith("text:3:16: error: f32[4,2] has rank 2; 1 strides"));
}

TEST(TypeTextTest, ATypeThatIsRefusedIsRefusedAgain) {
  const std::string large = "%a = clone %x : f32[9000000000000000000]";
  EXPECT_THAT(ErrorOf(large), HasSubstr("is too large"));
  EXPECT_THAT(ErrorOf(absl::StrCat(large, " strides [1]")),
              HasSubstr("is too large"));
  EXPECT_THAT(ErrorOf("%a = clone %x : f32[4,2 // ]\n"),
              StartsWith("text:2:29: error: expected `]`"));
}

}  // namespace
}  // namespace palimpsest
