// Benchmarks that run on every workload, from 10^3 to 10^6 statements.

#ifndef PALIMPSEST_BENCH_WORKLOAD_BENCHMARK_H_
#define PALIMPSEST_BENCH_WORKLOAD_BENCHMARK_H_

#include "bench/workloads.h"
#include "benchmark/benchmark.h"
#include "ir/program.h"

namespace palimpsest {

// Says what one iteration has done: all statements of the function. Adds the
// time per statement.
void SetStatements(benchmark::State& state, const Function& function);

// Registers and runs `run` on every workload at 10^3, .., 10^6 statements (its
// argument), on memory that the process keeps, and prints how the time grows:
// the exponent of n that fits the times from 10^4 statements on. Returns main's
// status.
int RunOnWorkloads(int argc, char** argv,
                   void (*run)(benchmark::State&, const Workload&));

}  // namespace palimpsest

#endif  // PALIMPSEST_BENCH_WORKLOAD_BENCHMARK_H_
