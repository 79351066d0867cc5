// reinplace: what it takes beyond resolving, per statement of the source, W1 to
// W9; and the bytes that the source, its resolved form and the re-inplaced one
// write, and take for the time.

#include <cstdint>

#include "absl/status/statusor.h"
#include "analysis/cost.h"
#include "bench/workload_benchmark.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"
#include "ir/check.h"
#include "ir/program.h"
#include "transforms/reinplace.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

void ReinplaceResolvedForm(benchmark::State& state, const Workload& workload) {
  const Function function = workload.make(state.range(0));
  const absl::StatusOr<Resolution> resolution = ResolveInPlace(function);
  PALIMPSEST_CHECK(resolution.ok());
  Cost cost;
  for (auto _ : state) {
    const Reinplacement made =
        ReinplaceResolved(resolution->function, &function);
    benchmark::DoNotOptimize(made);
    cost = made.cost;
  }
  SetStatements(state, function);
  const Cost source = CostOf(function);
  const Cost pure = CostOf(resolution->function);
  const auto per_op = [&](int64_t bytes) {
    return static_cast<double>(bytes) /
           static_cast<double>(function.ops.size());
  };
  state.counters["source/op"] = per_op(source.written);
  state.counters["pure/op"] = per_op(pure.written);
  state.counters["written/op"] = per_op(cost.written);
  state.counters["source_temp"] = static_cast<double>(source.temporary);
  state.counters["pure_temp"] = static_cast<double>(pure.temporary);
  state.counters["temp"] = static_cast<double>(cost.temporary);
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  return palimpsest::RunOnWorkloads(argc, argv,
                                    palimpsest::ReinplaceResolvedForm);
}
