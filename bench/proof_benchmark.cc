// The proof that a resolved program does what the original did: time per
// statement of the original, W1 to W9.

#include "absl/status/statusor.h"
#include "analysis/proof.h"
#include "bench/workload_benchmark.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"
#include "ir/check.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

void ProveResolved(benchmark::State& state, const Workload& workload) {
  const Function function = workload.make(state.range(0));
  const absl::StatusOr<Resolution> resolution = ResolveInPlace(function);
  PALIMPSEST_CHECK(resolution.ok());
  ProofResult result;
  for (auto _ : state) {
    result = Prove(function, resolution->function);
    benchmark::DoNotOptimize(result);
  }
  SetStatements(state, function);
  state.counters["terms"] = static_cast<double>(result.terms);
  state.counters["boxes"] = static_cast<double>(result.boxes);
  if (result.verdict != ProofResult::Verdict::kProved) {
    state.SkipWithError(result.ToString().c_str());
  }
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  return palimpsest::RunOnWorkloads(argc, argv, palimpsest::ProveResolved);
}
