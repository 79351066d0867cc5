// palimpsest's side of a comparison with peers (compare.py):
//
//   print NAME STATEMENTS   a workload, as text
//   resolve FILE            seconds to resolve the program, the best of several
//   overlaps FILE           seconds to decide all pairs, and the answers
//
// Times are of the CPU, and printed as JSON. A line of a file of pairs is two
// windows, of bytes: "BEGIN RANK SIZE.. STRIDE.. BEGIN RANK SIZE.. STRIDE..".

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "analysis/footprint.h"
#include "bench/kept_memory.h"
#include "bench/workloads.h"
#include "ir/check.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

constexpr int kRepetitions = 5;

double CpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

template <typename Task>
double BestSeconds(Task task) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = CpuSeconds();
    task();
    best = std::min(best, CpuSeconds() - start);
  }
  return best;
}

int Print(absl::string_view name, absl::string_view statements) {
  int64_t count = 0;
  if (!absl::SimpleAtoi(statements, &count)) return 2;
  for (const Workload& workload : AllWorkloads()) {
    if (workload.name != name) continue;
    std::cout << PrintToString(workload.make(count));
    return 0;
  }
  return 2;
}

int Resolve(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const absl::StatusOr<Program> program = ParseProgram(text, path);
  if (!program.ok()) {
    std::cerr << program.status().message() << "\n";
    return 3;
  }
  const Function& function = program->functions[0];
  const double seconds = BestSeconds([&] {
    const absl::StatusOr<Resolution> resolution = ResolveInPlace(function);
    PALIMPSEST_CHECK(resolution.ok());
  });
  std::cout << "{\"statements\": " << function.ops.size()
            << ", \"seconds\": " << seconds << "}\n";
  return 0;
}

Footprint ReadWindow(std::istream& in) {
  int64_t begin = 0;
  size_t rank = 0;
  in >> begin >> rank;
  std::vector<ByteDim> dims(rank);
  for (ByteDim& dim : dims) in >> dim.extent;
  for (ByteDim& dim : dims) in >> dim.stride;
  FootprintShape shape = FootprintShape::OfBytes(dims);
  const int64_t first = begin + shape.first();
  return Footprint(std::move(shape), first);
}

int DecideOverlaps(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::pair<Footprint, Footprint>> pairs;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    Footprint a = ReadWindow(in);
    pairs.emplace_back(std::move(a), ReadWindow(in));
  }
  std::string answers(pairs.size(), '?');
  const double seconds = BestSeconds([&] {
    for (size_t i = 0; i < pairs.size(); ++i) {
      const Overlap overlap = Overlaps(pairs[i].first, pairs[i].second).overlap;
      answers[i] = "01?"[static_cast<int>(overlap)];
    }
  });
  std::cout << "{\"seconds\": " << seconds << ", \"answers\": \"" << answers
            << "\"}\n";
  return 0;
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  palimpsest::KeepMemory();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "print") {
    return palimpsest::Print(arguments[1], arguments[2]);
  }
  if (arguments.size() == 2 && arguments[0] == "resolve") {
    return palimpsest::Resolve(arguments[1]);
  }
  if (arguments.size() == 2 && arguments[0] == "overlaps") {
    return palimpsest::DecideOverlaps(arguments[1]);
  }
  std::cerr << "usage: print NAME STATEMENTS | resolve FILE | overlaps FILE\n";
  return 2;
}
