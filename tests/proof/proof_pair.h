// Two functions as text, and whether they are proved equal. The interpreter and
// the tag oracle are asked too.

#ifndef PALIMPSEST_TESTS_PROOF_PROOF_PAIR_H_
#define PALIMPSEST_TESTS_PROOF_PROOF_PAIR_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "analysis/proof.h"
#include "cuda/check.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "tests/proof/tag_oracle.h"

namespace palimpsest {

inline Function Parse(absl::string_view text) {
  absl::StatusOr<Program> program = ParseProgram(text, "test");
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? std::move(program->functions[0]) : Function();
}

// That running them on random inputs shows no difference, where the first one
// runs.
inline void ExpectRunAlike(const Function& a, const Function& b) {
  const absl::StatusOr<CheckReport> report =
      CheckByRunning(a, b, CheckOptions());
  if (!report.ok() || report->equal()) return;
  ADD_FAILURE() << report->difference->text << "\n"
                << PrintToString(a) << PrintToString(b);
}

// Proved, as it should be.
inline void ExpectProved(absl::string_view a, absl::string_view b) {
  const Function of_a = Parse(a);
  const Function of_b = Parse(b);
  ExpectRunAlike(of_a, of_b);
  EXPECT_TRUE(Refines(RunOnTags(of_a), RunOnTags(of_b)));
  EXPECT_EQ(Prove(of_a, of_b).ToString().substr(0, 7), "proved:")
      << Prove(of_a, of_b).ToString();
}

// Not proved, and they do differ.
inline void ExpectDifferent(absl::string_view a, absl::string_view b,
                            absl::string_view reason = "") {
  const Function of_a = Parse(a);
  const Function of_b = Parse(b);
  EXPECT_FALSE(Refines(RunOnTags(of_a), RunOnTags(of_b)));
  const ProofResult result = Prove(of_a, of_b);
  EXPECT_EQ(result.verdict, ProofResult::Verdict::kNotProved);
  EXPECT_NE(result.reason.find(std::string(reason)), std::string::npos)
      << result.reason;
}

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_PROOF_PROOF_PAIR_H_
