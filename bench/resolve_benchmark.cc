// resolve: time and memory per statement, W1 to W9; and the columns of a matrix
// that has 10^5 of them, each written and read twice.

#include <cstdint>

#include "absl/status/statusor.h"
#include "bench/counted_memory.h"
#include "bench/workload_benchmark.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"
#include "ir/check.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

int64_t BytesCommitted(const Function& function) {
  int64_t bytes = 0;
  for (const Op& op : function.ops) {
    if (op.kind != OpKind::kCommit) continue;
    const Layout layout = function.LayoutOf(function.OperandsOf(op)[0].value());
    bytes += ElementCount(layout.sizes) * WidthOf(layout.dtype);
  }
  return bytes;
}

void Resolve(benchmark::State& state, const Workload& workload) {
  const Function function = workload.make(state.range(0));
  const int64_t before = BytesHeld();
  StartPeak();
  double ops = 0;
  double committed = 0;
  // Once before, so that a size of which one run takes long enough is measured
  // like the others: on memory that the process has.
  PALIMPSEST_CHECK(ResolveInPlace(function).ok());
  for (auto _ : state) {
    absl::StatusOr<Resolution> resolution = ResolveInPlace(function);
    PALIMPSEST_CHECK(resolution.ok());
    benchmark::DoNotOptimize(resolution);
    state.PauseTiming();
    ops = static_cast<double>(resolution->function.ops.size());
    committed = static_cast<double>(BytesCommitted(resolution->function));
    state.ResumeTiming();
  }
  SetStatements(state, function);
  state.counters["bytes/op"] = static_cast<double>(PeakBytesHeld() - before) /
                               static_cast<double>(function.ops.size());
  state.counters["ops_out"] = ops;
  state.counters["committed"] = committed;
}

// W6 at a size of its own.
void ResolveColumns(benchmark::State& state) {
  const Workload columns = {
      "", [](int64_t count) { return InterleavedColumns(7 * count); }};
  Resolve(state, columns);
}
BENCHMARK(ResolveColumns)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  return palimpsest::RunOnWorkloads(argc, argv, palimpsest::Resolve);
}
