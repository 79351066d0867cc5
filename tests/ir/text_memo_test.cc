// The reader keeps what statements, their attributes and types were read as,
// and the builder what it has checked (ir/text_reader.h, ir/op_memo.h). What
// they have seen is read as what they have not: same programs, same errors.

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"
#include "tests/ir/parsed.h"
#include "tests/ir/random_function.h"

namespace palimpsest {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Lines = std::vector<std::string>;

// The program as it prints, or the error; blanks are alike. The verifier checks
// each op by itself, whatever the builder took it to be like.
std::string Meaning(const std::string& text) {
  const absl::StatusOr<Program> program = ParseProgram(text, "text");
  if (program.ok()) {
    for (const Function& function : program->functions) {
      const absl::Status verified = Verify(function);
      RC_ASSERT(verified.ok());
    }
  }
  return absl::StrReplaceAll(program.ok()
                                 ? PrintToString(*program)
                                 : std::string(program.status().message()),
                             {{"\t", " "}});
}

// The text with tabs for blanks here and there: such statements are not plain,
// and hardly a text in them is one that was seen.
std::string Disguised(const std::string& text, std::mt19937_64& random) {
  Lines lines = absl::StrSplit(text, '\n');
  for (std::string& line : lines) {
    if (absl::StrContains(line, '"')) continue;
    bool first = true;
    for (char& c : line) {
      if (c != ' ') continue;
      if (first || random() % 2 == 0) c = '\t';
      first = false;
    }
  }
  return absl::StrJoin(lines, "\n");
}

// The text with comments behind some lines that say what could be a statement's
// rest.
std::string Commented(const std::string& text, std::mt19937_64& random) {
  constexpr absl::string_view kComments[] = {"", "", " // a", " // a: f32[2]",
                                             " // a: i64[4] in @t tag 1"};
  Lines lines = absl::StrSplit(text, '\n');
  for (std::string& line : lines) {
    if (!line.empty()) absl::StrAppend(&line, kComments[random() % 5]);
  }
  return absl::StrJoin(lines, "\n");
}

std::string NameAt(absl::string_view text, size_t begin) {
  size_t end = begin + 1;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) ||
          text[end] == '_' || text[end] == '.')) {
    ++end;
  }
  return std::string(text.substr(begin, end - begin));
}

// All names in the text, sigils included.
std::vector<std::string> NamesIn(absl::string_view text) {
  std::vector<std::string> names;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' || text[i] == '@') names.push_back(NameAt(text, i));
  }
  return names;
}

// The line with `_2` behind those names.
std::string Renamed(const std::string& line,
                    const std::set<std::string>& names) {
  std::string renamed;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '%' && line[i] != '@') {
      renamed += line[i];
      continue;
    }
    const std::string name = NameAt(line, i);
    absl::StrAppend(&renamed, name, names.count(name) != 0 ? "_2" : "");
    i += name.size() - 1;
  }
  return renamed;
}

bool IsStatement(absl::string_view line) {
  return absl::StartsWith(line, "  ") && !absl::StartsWith(line, "  storage") &&
         !absl::StartsWith(line, "  buffer");
}

// The function with its statements twice, the second time with other names for
// what they make: all that they are was then seen.
std::string TwiceOver(const std::string& text) {
  Lines twice;
  Lines again;
  std::set<std::string> given;
  std::set<std::string> made;
  for (const std::string& line : Lines(absl::StrSplit(text, '\n'))) {
    if (absl::StartsWith(line, "  return")) {
      twice.insert(twice.end(), again.begin(), again.end());
    }
    twice.push_back(line);
    std::vector<std::string> names = NamesIn(line);
    if (!IsStatement(line)) {
      given.insert(names.begin(), names.end());
      // A parameter lies in a storage of its name where none is named.
      for (const std::string& name : names) given.insert("@" + name.substr(1));
      continue;
    }
    for (const std::string& result :
         NamesIn(line.substr(0, line.find(" = ")))) {
      if (absl::StrContains(line, " = "))
        names.push_back("@" + result.substr(1));
    }
    for (const std::string& name : names) {
      if (given.count(name) == 0) made.insert(name);
    }
    again.push_back(Renamed(line, made));
  }
  return absl::StrJoin(twice, "\n");
}

// One change, anywhere.
void Damage(std::string& text, std::mt19937_64& random) {
  constexpr absl::string_view kBytes = " %,:[]=@_x0123-.\n{}\"/";
  const size_t at = random() % text.size();
  const char byte = kBytes[random() % kBytes.size()];
  switch (random() % 4) {
    case 0:
      text.erase(at, 1);
      return;
    case 1:
      text.insert(at, 1, byte);
      return;
    case 2:
      text[at] = byte;
      return;
    default: {
      Lines lines = absl::StrSplit(text, '\n');
      const std::string line = lines[random() % lines.size()];
      lines.insert(lines.begin() + random() % lines.size(), line);
      text = absl::StrJoin(lines, "\n");
    }
  }
}

RC_GTEST_PROP(TextMemoTest, WhatWasSeenIsReadAsWhatWasNot, (uint64_t seed)) {
  const FunctionKind kind =
      seed % 2 == 0 ? FunctionKind::kInPlace : FunctionKind::kPure;
  std::string text = PrintToString(RandomFunction(kind, seed));
  if (kind == FunctionKind::kInPlace) {
    text = TwiceOver(text);
  }
  std::mt19937_64 random(seed);
  RC_ASSERT(Meaning(text) == text);
  RC_ASSERT(Meaning(Disguised(text, random)) == text);
  RC_ASSERT(Meaning(Commented(text, random)) == text);
  for (int i = 0; i < 50; ++i) {
    std::string damaged = text;
    Damage(damaged, random);
    RC_ASSERT(Meaning(damaged) == Meaning(Disguised(damaged, random)));
  }
}

std::string ErrorIn(absl::string_view statements) {
  return ErrorOf(
      absl::StrCat("func @f(%x: f32[4,2], %y: f32[4], %i: i32[4]) {\n",
                   statements, "\nreturn %x\n}\n"));
}

TEST(TextMemoTest, AStatementThatStandsAgainIsAnOpOfItsOwn) {
  const Function f = ParsedFunction(
      "func @f(%x: f32[4]) {\n"
      "  add_ %x, 1.5 tag 3\n"
      "    add_ %x, 1.5 tag 3\n"
      "  return %x\n}\n");
  ASSERT_EQ(f.ops.size(), 2);
  for (const Op& op : f.ops) {
    EXPECT_EQ(op.tag, 3);
    EXPECT_EQ(f.OperandsOf(op)[0].access, Access::kMut);
    EXPECT_EQ(f.literals[f.OperandsOf(op)[1].ref].real, 1.5);
  }
  EXPECT_EQ(f.ops[1].location.line, 3);
  EXPECT_EQ(f.ops[1].location.column, 5);
  EXPECT_NE(f.OperandsOf(f.ops[0])[1].ref, f.OperandsOf(f.ops[1])[1].ref);
}

TEST(TextMemoTest, FunctionsDoNotShareStatements) {
  EXPECT_THAT(ErrorOf("func @f(%x: f32[4]) {\n  neg_ %x\n  return\n}\n"
                      "func @g(%y: f32[4]) {\n  neg_ %x\n  return\n}\n"),
              StartsWith("test.pal:6:8: error: there is no value %x"));
  EXPECT_THAT(ErrorOf("func @f(%x: f32[4]) {\n  exp_ %x\n  return\n}\n"
                      "func @g(%x: i32[4]) {\n  exp_ %x\n  return\n}\n"),
              HasSubstr("exp is not for i32"));
}

TEST(TextMemoTest, LiteralsAreCheckedEachTime) {
  EXPECT_THAT(ErrorIn("add_ %i, 1\nadd_ %i, 1.5"),
              StartsWith("test.pal:3:10: error: 1.5 is no i32"));
  EXPECT_THAT(ErrorIn("add_ %y, 1\nadd_ %y, true"),
              StartsWith("test.pal:3:10: error: true is no f32"));
  EXPECT_THAT(ErrorIn("%a = add %i, 1 : i32[4]\n"
                      "%b = add %i, 3000000000 : i32[4]"),
              StartsWith("test.pal:3:14: error: 3000000000 is no i32"));
}

TEST(TextMemoTest, OperandsOfAnotherLayoutAreCheckedAgain) {
  EXPECT_THAT(ErrorIn("%a = mul %y, %y : f32[4]\n%b = mul %x, %y : f32[4]"),
              HasSubstr("does not broadcast"));
  EXPECT_THAT(ErrorIn("%a = mul %y, %y : f32[4]\n%b = mul %i, %i : f32[4]"),
              StartsWith("test.pal:3:19: error: the op gives i32[4]"));
}

TEST(TextMemoTest, OpsDifferInAttributesLayoutsAndKindsOfOperands) {
  const std::string text =
      "func @f(%x: f32[4,4], %i: i64[4], %m: bool[4,4]) {\n"
      "  %a = sum %x, dims=[0], keepdim=false : f32[4]\n"
      "  %b = sum %x, dims=[1], keepdim=false : f32[4]\n"
      "  %c = sum %x, dims=[0], keepdim=true : f32[1,4]\n"
      "  %d = prod %x, dims=[0], keepdim=false : f32[4]\n"
      "  %e = sum %x, dims=[0], keepdim=false : f32[4] strides [2]\n"
      "  %f = index %x, [%i, none] : f32[4,4]\n"
      "  %g = index %x, [none, %i] : f32[4,4]\n"
      "  %h = where %m, 1.0, %x : f32[4,4]\n"
      "  %j = where %m, %x, 1.0 : f32[4,4]\n"
      "  return %a\n}\n";
  EXPECT_EQ(PrintToString(ParsedFunction(text)), text);
}

TEST(TextMemoTest, AttributesSeenBeforeAreShownWhereTheyStand) {
  EXPECT_THAT(ErrorIn("%a = sum %x, dims=[1], keepdim=false : f32[4]\n"
                      "%b = sum %y, dims=[1], keepdim=false : f32[4]"),
              StartsWith("test.pal:3:19: error: dimension 1 is out of range"));
  EXPECT_THAT(ErrorIn("%a = sum %x, dims=[-1], keepdim=false : f32[4]\n"
                      "%b = sum %x, dims=[-1], keepdim=false : f32[2]"),
              StartsWith("test.pal:3:41: error: the op gives f32[4]"));
}

TEST(TextMemoTest, ACommentIsNoPartOfAttributes) {
  const std::string head =
      "func @f(%x: f32[4,4], %i: i64[2], %k: f32[4,2]) {\n";
  const std::string plain = "  index_copy_ %x, %i, %k, dim=1";
  EXPECT_EQ(PrintToString(ParsedFunction(
                head + plain + " // note\n" + plain +
                " // note: f32[4,4] in @other tag 7\n  return %x\n}\n")),
            head + plain + "\n" + plain + "\n  return %x\n}\n");
}

TEST(TextMemoTest, WhatFollowsAPlainOperandIsLeftToTheParser) {
  EXPECT_THAT(
      ErrorIn("%a = neg %y at offset 1 : f32[4]"),
      StartsWith("test.pal:2:13: error: only `extract` and `assemble`"));
  EXPECT_THAT(ErrorIn("%a = neg %y, %y : f32[4]"),
              StartsWith("test.pal:2:14: error: too many operands"));
  EXPECT_THAT(ErrorIn("%a = mul %y : f32[4]"),
              StartsWith("test.pal:2:6: error: an operand is missing"));
}

TEST(TextMemoTest, NamesAndPlacesOfResultsAreCheckedEachTime) {
  EXPECT_THAT(ErrorIn("%a = neg %y : f32[4]\n%a = neg %y : f32[4]"),
              StartsWith("test.pal:3:1: error: %a is defined already"));
  EXPECT_THAT(ErrorIn("%a = neg %y : f32[4] in @s\n%b = neg %y : f32[4] in @s"),
              StartsWith("test.pal:3:25: error: storage @s exists already"));
  EXPECT_THAT(ErrorIn("%a = view %y : f32[2] in @y offset 2\n"
                      "%b = view %y : f32[2] in @y offset 3"),
              HasSubstr("the window lies outside @y"));
  EXPECT_THAT(ErrorIn("%a = neg %y : f32[4]\nneg %y : f32[4]"),
              StartsWith("test.pal:3:1: error: the result needs a name"));
}

}  // namespace
}  // namespace palimpsest
