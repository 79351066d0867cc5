// The recorded cases of tests/conformance, by file: how many `palimpsest
// conform` passes, and which ones it skips.

#include <stdlib.h>  // mkdtemp

#include <array>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace palimpsest {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

struct Outcome {
  std::vector<std::string> lines;  // All but the last.
  std::string summary;             // The last.
};

// Runs `palimpsest conform ARGUMENTS` and reads what it prints.
Outcome Conform(const std::string& arguments) {
  const std::string command = "tools/palimpsest conform " + arguments;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"),
                                                   pclose);
  Outcome outcome;
  std::array<char, 4096> line;
  while (fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    if (!outcome.summary.empty()) outcome.lines.push_back(outcome.summary);
    outcome.summary = line.data();
    if (outcome.summary.back() == '\n') outcome.summary.pop_back();
  }
  return outcome;
}

std::string Cases(const std::string& name) {
  return "tests/conformance/" + name + ".jsonl";
}

TEST(ConformanceTest, ReportsPassButForOneThatIsUndefined) {
  const Outcome outcome = Conform(Cases("reports"));
  EXPECT_EQ(outcome.summary, "125 passed, 0 failed, 1 skipped");
  EXPECT_THAT(
      outcome.lines,
      ElementsAre(StartsWith("skipped pt-165409-overlapping-unfold-abs: "),
                  "125 of 125 proved for all inputs"));
}

TEST(ConformanceTest, TheUndefinedOnePassesWhenWritesAreInOrder) {
  const Outcome outcome =
      Conform(Cases("reports") + " --overlapping-writes=sequential");
  EXPECT_EQ(outcome.summary, "126 passed, 0 failed, 0 skipped");
  EXPECT_THAT(outcome.lines, ElementsAre("126 of 126 proved for all inputs"));
}

TEST(ConformanceTest, FunctionalizationCasesPass) {
  const Outcome outcome = Conform(Cases("functionalization"));
  EXPECT_EQ(outcome.summary, "24 passed, 0 failed, 0 skipped");
  EXPECT_THAT(outcome.lines, ElementsAre("24 of 24 proved for all inputs"));
}

TEST(ConformanceTest, InPlaceOpsOnViewsPass) {
  const Outcome outcome = Conform(Cases("opinfo"));
  EXPECT_EQ(outcome.summary, "168 passed, 0 failed, 0 skipped");
  EXPECT_THAT(outcome.lines, ElementsAre("168 of 168 proved for all inputs"));
}

TEST(ConformanceTest, RandomProgramsPass) {
  const Outcome outcome = Conform(Cases("random"));
  EXPECT_EQ(outcome.summary, "2006 passed, 0 failed, 0 skipped");
  EXPECT_THAT(outcome.lines, ElementsAre("2006 of 2006 proved for all inputs"));
}

TEST(ConformanceTest, AllFilesTogetherAreCountedTogether) {
  const Outcome outcome =
      Conform(Cases("reports") + " " + Cases("functionalization") + " " +
              Cases("opinfo") + " " + Cases("random"));
  EXPECT_EQ(outcome.summary, "2323 passed, 0 failed, 1 skipped");
}

TEST(ConformanceTest, AllFilesPassOnAnEmulatedDevice) {
  const Outcome outcome = Conform("--backend=emulated " + Cases("reports") +
                                  " " + Cases("functionalization") + " " +
                                  Cases("opinfo") + " " + Cases("random"));
  EXPECT_EQ(outcome.summary, "2323 passed, 0 failed, 1 skipped");
}

TEST(ConformanceTest, EveryResolvedProgramIsWritten) {
  std::string directory = testing::TempDir() + "/resolved.XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  Conform(Cases("opinfo") + " --write-resolved='" + directory + "'");
  const std::filesystem::directory_iterator files(directory);
  EXPECT_EQ(std::distance(begin(files), end(files)), 168);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace palimpsest
