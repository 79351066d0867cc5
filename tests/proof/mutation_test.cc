// Mutants of resolved programs: none that a caller could tell from the original
// is proved, as an oracle says that knows each byte, and as running them shows.

#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "analysis/proof.h"
#include "cuda/check.h"
#include "gtest/gtest.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "tests/proof/mutate.h"
#include "tests/proof/proof_cases.h"
#include "tests/proof/proof_pair.h"
#include "tests/proof/tag_oracle.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

constexpr int kMutants = 10000;

struct Resolved {
  std::string name;
  Function original;
  Function pure;
  TagOutcome outcome;
};

std::vector<Resolved> ResolvedCases() {
  std::vector<Resolved> cases;
  for (const ProofCase& proof_case : AllProofCases()) {
    absl::StatusOr<Resolution> resolution =
        ResolveInPlace(proof_case.function, LenientOptions());
    if (!resolution.ok()) continue;
    cases.push_back({proof_case.name, proof_case.function,
                     std::move(resolution->function),
                     RunOnTags(proof_case.function)});
  }
  return cases;
}

TEST(MutationTest, ResolvedProgramsAreProvedIfAndOnlyIfTagsAgree) {
  int not_proved = 0;
  const std::vector<Resolved> cases = ResolvedCases();
  ASSERT_FALSE(cases.empty());
  for (const Resolved& resolved : cases) {
    const bool same = Refines(resolved.outcome, RunOnTags(resolved.pure));
    const ProofResult result = Prove(resolved.original, resolved.pure);
    const bool proved = result.verdict == ProofResult::Verdict::kProved;
    EXPECT_TRUE(same || !proved) << resolved.name;
    if (same && !proved) {
      ++not_proved;
      std::cout << resolved.name << ": " << result.ToString() << "\n";
    }
  }
  EXPECT_LE(not_proved * 100, static_cast<int>(cases.size()));
}

// Whether running them on random inputs shows a difference, or the first one
// does not run.
bool RunsDiffer(const Function& a, const Function& b) {
  const absl::StatusOr<CheckReport> report =
      CheckByRunning(a, b, CheckOptions());
  return !report.ok() || !report->equal();
}

// Draws mutants of `mutated(case)`, and checks each against the original.
// `least_different` percent of them, at least, must differ, for the test to
// mean much.
template <typename Mutated>
void CheckMutants(int least_different, Mutated mutated) {
  const std::vector<Resolved> cases = ResolvedCases();
  ASSERT_FALSE(cases.empty());
  std::mt19937 random(20240229);
  int made = 0;
  int different = 0;
  int same_but_not_proved = 0;
  int run_alike = 0;  // Of those that differ.
  std::map<std::string, int> kinds;
  for (int tries = 0; made < kMutants && tries < 100 * kMutants; ++tries) {
    const Resolved& resolved = cases[random() % cases.size()];
    const absl::optional<Mutant> mutant = Mutate(mutated(resolved), random);
    if (!mutant) continue;
    ++made;
    const bool same = Refines(resolved.outcome, RunOnTags(mutant->function));
    const ProofResult result = Prove(resolved.original, mutant->function);
    const bool proved = result.verdict == ProofResult::Verdict::kProved;
    ASSERT_TRUE(same || !proved)
        << resolved.name << ", " << mutant->what << ":\n"
        << PrintToString(resolved.original) << PrintToString(mutant->function);
    if (proved) ExpectRunAlike(resolved.original, mutant->function);
    ASSERT_FALSE(testing::Test::HasFailure()) << resolved.name;
    if (!same) ++kinds[mutant->what];
    if (!same && !RunsDiffer(resolved.original, mutant->function)) ++run_alike;
    different += !same;
    same_but_not_proved += same && !proved;
  }
  std::cout << made << " mutants, " << different << " of them different, "
            << run_alike << " of these alike on random inputs, "
            << same_but_not_proved << " equal but not proved\n";
  for (const auto& [what, count] : kinds) {
    std::cout << "  " << what << ": " << count << "\n";
  }
  EXPECT_EQ(made, kMutants);
  EXPECT_GE(different * 100, made * least_different);
  // Others take the place of what has the same value, or is rarely read: no
  // proof may see through that, and running does not see them.
  EXPECT_LE(run_alike * 100, different * 20);
  EXPECT_LE(same_but_not_proved * 100, made);
}

TEST(MutationTest, NoMutantOfAResolvedProgramIsProvedIfItDiffers) {
  CheckMutants(80, [](const Resolved& resolved) -> const Function& {
    return resolved.pure;
  });
}

TEST(MutationTest, NoMutantOfAProgramInPlaceIsProvedIfItDiffers) {
  CheckMutants(50, [](const Resolved& resolved) -> const Function& {
    return resolved.original;
  });
}

}  // namespace
}  // namespace palimpsest
