#include "bench/workload_benchmark.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/kept_memory.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

struct Point {
  double statements;
  double seconds;  // Of CPU time.
};

// The slope of a straight line through the points' logarithms.
double ExponentOf(const std::vector<Point>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& point : points) {
    const double log_n = std::log(point.statements);
    const double log_t = std::log(point.seconds);
    x += log_n, y += log_t, xx += log_n * log_n, xy += log_n * log_t;
  }
  const double count = static_cast<double>(points.size());
  return (count * xy - x * y) / (count * xx - x * x);
}

// The usual table, and the exponents below it. (What Complexity() adds crashes
// in Google Benchmark 1.7.1 where all runs were skipped.)
class GrowthReporter : public benchmark::ConsoleReporter {
 public:
  GrowthReporter() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      // What is skipped has taken no time.
      if (run.complexity_n < 9000 || run.cpu_accumulated_time == 0) continue;
      points_[run.run_name.function_name].push_back(
          {static_cast<double>(run.complexity_n),
           run.cpu_accumulated_time / static_cast<double>(run.iterations)});
    }
  }

  void Finalize() override {
    for (const auto& [name, points] : points_) {
      if (points.size() < 2) continue;
      GetOutputStream() << name << ": n^" << ExponentOf(points) << "\n";
    }
    ConsoleReporter::Finalize();
  }

 private:
  std::map<std::string, std::vector<Point>> points_;
};

}  // namespace

void SetStatements(benchmark::State& state, const Function& function) {
  const auto statements = static_cast<int64_t>(function.ops.size());
  state.SetComplexityN(statements);
  state.SetItemsProcessed(state.iterations() * statements);
  state.counters["s/op"] =
      benchmark::Counter(static_cast<double>(statements),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

int RunOnWorkloads(int argc, char** argv,
                   void (*run)(benchmark::State&, const Workload&)) {
  for (const Workload& workload : AllWorkloads()) {
    benchmark::RegisterBenchmark(
        std::string(workload.name).c_str(),
        [run, &workload](benchmark::State& state) { run(state, workload); })
        ->RangeMultiplier(10)
        ->Range(1000, 1000000)
        ->Unit(benchmark::kMillisecond);
  }
  KeepMemory();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  GrowthReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}

}  // namespace palimpsest
