// Reading and writing text in bytes a second, beside what a copy and a count of
// lines of the same text cost.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"
#include "ir/check.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

constexpr int64_t kOps = 1000000;

void SetBytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(text.size()));
}

void Parse(benchmark::State& state, const Workload& workload) {
  const std::string text = PrintToString(workload.make(kOps));
  for (auto _ : state) {
    const absl::StatusOr<Program> program = ParseProgram(text, "text");
    PALIMPSEST_CHECK(program.ok());
    benchmark::DoNotOptimize(program);
  }
  SetBytes(state, text);
}

void Print(benchmark::State& state, const Workload& workload) {
  const Function function = workload.make(kOps);
  std::string text;
  for (auto _ : state) {
    text.clear();
    PrintFunction(text, function);
    benchmark::DoNotOptimize(text.data());
  }
  SetBytes(state, text);
}

void Copy(benchmark::State& state, const Workload& workload) {
  const std::string text = PrintToString(workload.make(kOps));
  std::vector<char> copy(text.size());
  for (auto _ : state) {
    std::memcpy(copy.data(), text.data(), text.size());
    benchmark::ClobberMemory();
  }
  SetBytes(state, text);
}

void CountLines(benchmark::State& state, const Workload& workload) {
  const std::string text = PrintToString(workload.make(kOps));
  for (auto _ : state) {
    int64_t lines = 0;
    const char* at = text.data();
    const char* end = at + text.size();
    while ((at = static_cast<const char*>(std::memchr(at, '\n', end - at)))) {
      ++at;
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  }
  SetBytes(state, text);
}

void RegisterAll() {
  for (const Workload& workload : AllWorkloads()) {
    const std::string name(workload.name);
    const auto add = [&](const std::string& task, auto run) {
      benchmark::RegisterBenchmark(
          (task + "/" + name).c_str(),
          [run, &workload](benchmark::State& state) { run(state, workload); })
          ->Unit(benchmark::kMillisecond);
    };
    add("parse", Parse);
    add("print", Print);
    add("copy", Copy);
    add("lines", CountLines);
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
