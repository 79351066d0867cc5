// Recorded programs and examples: each is proved equal to itself, and to what
// it resolves to.

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/proof.h"
#include "gtest/gtest.h"
#include "ir/program.h"
#include "tests/known_programs.h"
#include "tests/proof/proof_cases.h"
#include "tests/proof/proof_pair.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

bool IsProved(const Function& a, const Function& b) {
  return Prove(a, b).verdict == ProofResult::Verdict::kProved;
}

class CorpusProofTest : public testing::TestWithParam<const char*> {};

TEST_P(CorpusProofTest, EachProgramEqualsItself) {
  const std::vector<ProofCase> cases = ProofCases(GetParam());
  ASSERT_FALSE(cases.empty());
  for (const ProofCase& proof_case : cases) {
    const ProofResult result = Prove(proof_case.function, proof_case.function);
    // Of a call that is handed memory twice only the callee knows what it does.
    if (result.reason.find("otherwise than by the same map") !=
        std::string::npos) {
      continue;
    }
    EXPECT_EQ(result.verdict, ProofResult::Verdict::kProved)
        << proof_case.name << ": " << result.reason;
  }
}

TEST_P(CorpusProofTest, NinetyNineInAHundredEqualWhatTheyResolveTo) {
  int resolved = 0;
  int proved = 0;
  for (const ProofCase& proof_case : ProofCases(GetParam())) {
    const absl::StatusOr<Resolution> resolution =
        ResolveInPlace(proof_case.function, LenientOptions());
    if (!resolution.ok()) continue;
    ++resolved;
    const ProofResult result = Prove(proof_case.function, resolution->function);
    proved += result.verdict == ProofResult::Verdict::kProved;
    if (result.verdict == ProofResult::Verdict::kProved) continue;
    std::cout << proof_case.name << ": " << result.ToString() << "\n";
  }
  ASSERT_GT(resolved, 0);
  EXPECT_GE(proved * 100, resolved * 99) << proved << " of " << resolved;
}

INSTANTIATE_TEST_SUITE_P(All, CorpusProofTest,
                         testing::ValuesIn(kRecordedFiles),
                         [](const auto& info) { return info.param; });

TEST(ExamplesProofTest, EachProgramEqualsWhatItResolvesTo) {
  for (const NamedText& example : ExamplePrograms()) {
    const std::string& name = example.name;
    const Function function = Parse(example.text);
    const absl::StatusOr<Resolution> resolution = ResolveInPlace(function);
    ASSERT_TRUE(resolution.ok()) << resolution.status();
    EXPECT_TRUE(IsProved(function, function)) << name;
    const ProofResult result = Prove(function, resolution->function);
    EXPECT_EQ(result.verdict, ProofResult::Verdict::kProved) << result.reason;
    // As many as the ops come to, not as the bytes.
    const int64_t ops = static_cast<int64_t>(function.ops.size());
    EXPECT_LE(result.terms, 8 * ops) << name;
    EXPECT_LE(result.boxes, 8 * ops) << name;
  }
}

}  // namespace
}  // namespace palimpsest
