// resolve: time and memory per statement, W1 to W8 at 10^3 to 10^6 statements.
//
// The last lines of each workload are the fit: its order of growth, and the
// time per statement.

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "bench/counted_memory.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"
#include "ir/check.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

void Resolve(benchmark::State& state, const Workload& workload) {
  const Function function = workload.make(state.range(0));
  const double ops = static_cast<double>(function.ops.size());
  const int64_t before = BytesHeld();
  StartPeak();
  int64_t ops_out = 0;
  for (auto _ : state) {
    absl::StatusOr<Resolution> resolution = ResolveInPlace(function);
    PALIMPSEST_CHECK(resolution.ok());
    ops_out = static_cast<int64_t>(resolution->function.ops.size());
    benchmark::DoNotOptimize(resolution);
  }
  state.SetComplexityN(static_cast<int64_t>(ops));
  state.SetItemsProcessed(state.iterations() *
                          static_cast<int64_t>(function.ops.size()));
  state.counters["s/op"] =
      benchmark::Counter(ops, benchmark::Counter::kIsIterationInvariantRate |
                                  benchmark::Counter::kInvert);
  state.counters["bytes/op"] =
      static_cast<double>(PeakBytesHeld() - before) / ops;
  state.counters["ops_out"] = static_cast<double>(ops_out);
}

void RegisterAll() {
  for (const Workload& workload : AllWorkloads()) {
    benchmark::RegisterBenchmark(
        std::string(workload.name).c_str(),
        [&workload](benchmark::State& state) { Resolve(state, workload); })
        ->RangeMultiplier(10)
        ->Range(1000, 1000000)
        ->Unit(benchmark::kMillisecond)
        ->Complexity();
  }
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  palimpsest::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
