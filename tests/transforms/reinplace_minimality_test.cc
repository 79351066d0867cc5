// All programs of a few statements of small families, put back in place: how
// many write the fewest bytes that any order and any places allow, and take the
// least temporary memory of those.
//
//   reinplace_minimality_test --statements=8
//
// tries all programs of so many statements; by default, of a few.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "tests/transforms/fewest_bytes.h"
#include "transforms/reinplace.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

int64_t most_statements = 4;  // May be set by a flag.

struct Family {
  const char* name;
  // # is the number of the statement, @ of the last one that made a value.
  std::vector<std::string> statements;
  const char* end;  // Likewise.
  // Programs in a hundred that are the best possible, at least: what is reached
  // with four statements, which is to grow to all.
  int64_t least_written;
  int64_t least_temporary;
};

std::vector<Family> Families() {
  return {
      {"halves",
       {"neg_ %a", "add_ %a, %b", "copy_ %b, %a", "add_ %b, %a"},
       "return",
       98,
       98},
      {"overlapping",
       {"neg_ %ab", "%t# = clone %ab\n  copy_ %bc, %t#", "add_ %a, %c",
        "neg_ %bc"},
       "return",
       64,
       56},
      {"temporaries",
       {"%t# = neg %ab", "copy_ %bc, %t@", "add_ %ab, %t@", "neg_ %b"},
       "return",
       95,
       95},
      {"old values",
       {"%t# = clone %ab", "add_ %bc, %t@", "neg_ %a", "copy_ %ab, %bc"},
       "return %t@",
       51,
       40},
  };
}

std::string TextOf(const Family& family, const std::vector<size_t>& choices) {
  std::string text =
      "func @f(%x: f32[6] in @x) {\n"
      "  %a = view %x : f32[2] in @x\n"
      "  %b = view %x : f32[2] in @x offset 2\n"
      "  %c = view %x : f32[2] in @x offset 4\n"
      "  %ab = view %x : f32[4] in @x\n"
      "  %bc = view %x : f32[4] in @x offset 2\n";
  std::string last = "none";
  for (size_t i = 0; i < choices.size(); ++i) {
    const std::string number = absl::StrCat(i);
    const std::string& statement = family.statements[choices[i]];
    absl::StrAppend(
        &text, "  ",
        absl::StrReplaceAll(statement, {{"#", number}, {"t@", "t" + last}}),
        "\n");
    if (absl::StartsWith(statement, "%")) last = number;
  }
  return absl::StrCat(text, "  ",
                      absl::StrReplaceAll(family.end, {{"@", last}}), "\n}\n");
}

struct Tally {
  int64_t programs = 0;   // That resolve to different functions.
  int64_t written = 0;    // Of which so many write the fewest bytes,
  int64_t temporary = 0;  // and of those so many take the least memory, too.
  int64_t reported = 0;
};

void Report(Tally& tally, const Function& source, const Function& pure,
            const Reinplacement& made, const FewestBytes& fewest) {
  if (++tally.reported > 3) return;
  std::cout << "writes " << made.cost.written << " bytes, " << fewest.written
            << " would do; takes " << made.cost.temporary << ", "
            << fewest.temporary << " would do:\n"
            << PrintToString(source) << PrintToString(pure)
            << PrintToString(made.function) << "\n";
}

void Try(const std::string& text, std::set<std::string>& tried, Tally& tally) {
  const absl::StatusOr<Program> program = ParseProgram(text, "family");
  if (!program.ok()) return;  // It uses a value before there is one.
  const Function& source = program->functions[0];
  const absl::StatusOr<Resolution> resolution = ResolveInPlace(source);
  ASSERT_TRUE(resolution.ok()) << resolution.status();
  const Function& pure = resolution->function;
  if (!tried.insert(PrintToString(pure)).second) return;
  const absl::optional<FewestBytes> fewest = FindFewestBytes(pure);
  ASSERT_TRUE(fewest.has_value()) << PrintToString(pure);
  const Reinplacement made = ReinplaceResolved(pure, &source);
  // No place was forgotten where all were tried.
  ASSERT_GE(made.cost.written, fewest->written) << PrintToString(made.function);
  ++tally.programs;
  if (made.cost.written > fewest->written) {
    Report(tally, source, pure, made, *fewest);
    return;
  }
  ++tally.written;
  if (made.cost.temporary <= fewest->temporary) {
    ++tally.temporary;
  } else {
    Report(tally, source, pure, made, *fewest);
  }
}

TEST(ReinplaceMinimalityTest, MostProgramsWriteTheFewestBytes) {
  for (const Family& family : Families()) {
    Tally tally;
    std::set<std::string> tried;
    const size_t choices = family.statements.size();
    for (int64_t length = 1; length <= most_statements; ++length) {
      std::vector<size_t> chosen(length, 0);
      for (bool more = true; more && !HasFatalFailure();) {
        Try(TextOf(family, chosen), tried, tally);
        size_t digit = 0;
        while (digit < chosen.size() && ++chosen[digit] == choices) {
          chosen[digit++] = 0;
        }
        more = digit < chosen.size();
      }
    }
    std::cout << family.name << ": of " << tally.programs << " programs "
              << tally.written << " write the fewest bytes, " << tally.temporary
              << " take the least memory, too\n";
    EXPECT_GT(tally.programs, 10);
    EXPECT_GE(tally.written * 100, tally.programs * family.least_written);
    EXPECT_GE(tally.temporary * 100, tally.programs * family.least_temporary);
  }
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    absl::string_view argument = argv[i];
    if (!absl::ConsumePrefix(&argument, "--statements=") ||
        !absl::SimpleAtoi(argument, &palimpsest::most_statements)) {
      std::cerr << "usage: " << argv[0] << " [--statements=N]\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
