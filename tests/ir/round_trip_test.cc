// What the builder makes verifies, prints, and reads back as the same text:
// random functions over all ops, and every recorded case and program.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"
#include "tests/ir/random_function.h"
#include "tests/known_programs.h"

namespace palimpsest {
namespace {

// "" if all is well.
std::string RoundTripFault(const Function& function) {
  const absl::Status verified = Verify(function);
  const std::string text = PrintToString(function);
  if (!verified.ok()) return std::string(verified.message()) + "\n" + text;
  const absl::StatusOr<Program> again = ParseProgram(text, "printed.pal");
  if (!again.ok()) return std::string(again.status().message());
  const Function& copy = again->functions[0];
  const absl::Status copy_verified = Verify(copy);
  if (!copy_verified.ok()) return std::string(copy_verified.message());
  if (!SameText(function, copy)) {
    return "printed\n" + text + "read back as\n" + PrintToString(copy);
  }
  return "";
}

RC_GTEST_PROP(RoundTripTest, FunctionsInPlaceReadBack, (uint64_t seed)) {
  const Function function = RandomFunction(FunctionKind::kInPlace, seed);
  const std::string fault = RoundTripFault(function);
  if (!fault.empty()) RC_FAIL(fault);
}

RC_GTEST_PROP(RoundTripTest, PureFunctionsReadBack, (uint64_t seed)) {
  const Function function = RandomFunction(FunctionKind::kPure, seed);
  const std::string fault = RoundTripFault(function);
  if (!fault.empty()) RC_FAIL(fault);
}

TEST(RoundTripTest, RandomFunctionsUseEveryOpInEveryForm) {
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const Function function = RandomFunction(
        seed % 2 == 0 ? FunctionKind::kInPlace : FunctionKind::kPure, seed);
    ASSERT_EQ(RoundTripFault(function), "") << seed;
    for (const Op& op : function.ops) {
      seen.insert(std::string(InfoFor(op.kind).text) +
                  (op.in_place() ? "_" : ""));
      if (op.target >= 0) seen.insert("target");
    }
  }
  for (const OpInfo& info : AllOps()) {
    const std::string text(info.text);
    EXPECT_EQ(seen.count(text), info.forms != OpForms::kInPlace) << text;
    EXPECT_EQ(seen.count(text + "_"), info.HasInPlaceForm()) << text;
  }
  EXPECT_TRUE(seen.count("target"));
}

void ExpectRoundTrip(const std::string& text, const std::string& name) {
  const absl::StatusOr<Program> program = ParseProgram(text, name);
  ASSERT_TRUE(program.ok()) << program.status().message();
  for (const Function& function : program->functions) {
    EXPECT_EQ(RoundTripFault(function), "") << name;
  }
}

class RecordedTest : public testing::TestWithParam<const char*> {};

TEST_P(RecordedTest, CasesReadBack) {
  const std::vector<NamedText> cases = RecordedPrograms(GetParam());
  for (const NamedText& recorded : cases) {
    ExpectRoundTrip(recorded.text, recorded.name);
  }
  EXPECT_GT(cases.size(), 20);
}

INSTANTIATE_TEST_SUITE_P(All, RecordedTest, testing::ValuesIn(kRecordedFiles),
                         [](const auto& info) { return info.param; });

TEST(RoundTripTest, ExampleProgramsReadBack) {
  for (const NamedText& example : ExamplePrograms()) {
    ExpectRoundTrip(example.text, example.name);
  }
}

}  // namespace
}  // namespace palimpsest
