// The main function of tests of random programs.
//
//   TEST --programs=100000 --seed=random
//
// checks so many programs with each property; by default they are the same each
// time. A failure prints its program, shrunk, what it became, and the seed.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace palimpsest {
namespace {

// RapidCheck takes its settings from the environment, before the first check;
// it prints the seed.
void SetUpRapidCheck(int64_t programs, const std::string& seed) {
  std::string settings = absl::StrCat("max_success=", programs);
  if (seed != "random") absl::StrAppend(&settings, " seed=", seed);
  setenv("RC_PARAMS", settings.c_str(), /*overwrite=*/0);
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int64_t programs = 5000;
  std::string seed = "1";
  for (int i = 1; i < argc; ++i) {
    absl::string_view argument = argv[i];
    if (absl::ConsumePrefix(&argument, "--programs=")) {
      if (!absl::SimpleAtoi(argument, &programs)) return 2;
    } else if (absl::ConsumePrefix(&argument, "--seed=")) {
      seed = std::string(argument);
    } else {
      std::cerr << "usage: " << argv[0]
                << " [--programs=N] [--seed=S|random]\n";
      return 2;
    }
  }
  palimpsest::SetUpRapidCheck(programs, seed);
  return RUN_ALL_TESTS();
}
