// The benchmarks' programs are proved equal to what they resolve to, at a cost
// that their statements bound.

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "analysis/proof.h"
#include "bench/workloads.h"
#include "gtest/gtest.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

constexpr int64_t kStatements = 20000;

class WorkloadProofTest : public testing::TestWithParam<Workload> {};

// Terms a box, of W2 and W5, would come to many times that.
TEST_P(WorkloadProofTest, ItIsProvedInFewSteps) {
  const Function function = GetParam().make(kStatements);
  const absl::StatusOr<Resolution> resolution = ResolveInPlace(function);
  ASSERT_TRUE(resolution.ok()) << resolution.status();
  ProofLimits limits;
  limits.steps = 200 * kStatements;
  limits.terms = 2 * kStatements;
  limits.boxes = 5 * kStatements;
  const ProofResult result =
      Prove(function, resolution->function, {limits, {}});
  EXPECT_EQ(result.verdict, ProofResult::Verdict::kProved) << result.reason;
}

INSTANTIATE_TEST_SUITE_P(All, WorkloadProofTest,
                         testing::ValuesIn(AllWorkloads()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace palimpsest
