// Whatever parses resolves, in every mode, or is refused with a message; what
// comes out verifies and has the same meaning. Small programs are run, too.
//
//   python3 tests/fuzz/make_corpus.py CORPUS_DIRECTORY
//   bazel run --config=fuzz //tests/fuzz:resolve_fuzz -- -timeout=20
//   CORPUS_DIRECTORY

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cuda/check.h"
#include "ir/check.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/type.h"
#include "ir/verifier.h"
#include "tests/oracle/symbolic_run.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

// What is resolved at all, and what is run: neither memory nor time may depend
// on the numbers in a text.
constexpr size_t kMostOps = 64;
constexpr int64_t kMostBytes = 1 << 12;
constexpr int kMostRank = 8;  // Of what runs.

bool IsSmall(const Function& function) {
  int64_t bytes = 0;
  for (const Storage& storage : function.storages) {
    if (__builtin_add_overflow(bytes, storage.bytes, &bytes)) return false;
  }
  for (const Value& value : function.values) {
    const Layout layout = function.LayoutOf(value.type);
    if (layout.rank() > kMostRank) return false;
    const int64_t size = ElementCount(layout.sizes) * WidthOf(layout.dtype);
    if (__builtin_add_overflow(bytes, size, &bytes)) return false;
  }
  return bytes <= kMostBytes;
}

void Fail(const Function& function, const Function& pure,
          absl::string_view what) {
  std::fprintf(stderr, "%s\n%s\n%s\n", std::string(what).c_str(),
               PrintToString(function).c_str(), PrintToString(pure).c_str());
  PALIMPSEST_CHECK(false);
}

void CheckSame(const Function& function, const Function& pure) {
  const std::string difference =
      DifferenceBetween(RunSymbolically(function), RunSymbolically(pure));
  if (!difference.empty()) Fail(function, pure, difference);
  CheckOptions options;
  options.samples = 1;
  const absl::StatusOr<CheckReport> report =
      CheckByRunning(function, pure, options);
  // An index out of range, say, is the program's own error.
  if (report.ok() && !report->equal()) {
    Fail(function, pure, report->difference->text);
  }
}

std::vector<ResolveOptions> AllModes() {
  std::vector<ResolveOptions> modes;
  for (auto writes :
       {OverlappingWrites::kRefuse, OverlappingWrites::kSequential}) {
    for (auto calls : {OverlappingCalls::kRefuse, OverlappingCalls::kByValue}) {
      for (auto strides : {NegativeStrides::kAllow, NegativeStrides::kFlip}) {
        ResolveOptions mode;
        mode.overlapping_writes = writes;
        mode.overlapping_calls = calls;
        mode.negative_strides = strides;
        modes.push_back(mode);
      }
    }
  }
  return modes;
}

// Modes that give one text are checked once.
void CheckFunction(const Function& function) {
  std::set<std::string> checked;
  for (const ResolveOptions& mode : AllModes()) {
    const absl::StatusOr<Resolution> resolution =
        ResolveInPlace(function, mode);
    if (!resolution.ok()) {
      PALIMPSEST_CHECK(!resolution.status().message().empty());
      continue;
    }
    const Function& pure = resolution->function;
    if (!checked.insert(PrintToString(pure)).second) continue;
    PALIMPSEST_CHECK(pure.is_pure());
    const absl::Status verified = Verify(pure);
    if (!verified.ok()) Fail(function, pure, verified.message());
    if (IsSmall(function) && IsSmall(pure)) CheckSame(function, pure);
  }
}

void CheckText(absl::string_view text) {
  const absl::StatusOr<Program> program = ParseProgram(text, "fuzz.pal");
  if (!program.ok()) return;
  for (const Function& function : program->functions) {
    PALIMPSEST_CHECK(Verify(function).ok());
    if (function.is_pure() || function.ops.size() > kMostOps) continue;
    CheckFunction(function);
  }
}

}  // namespace
}  // namespace palimpsest

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  palimpsest::CheckText({reinterpret_cast<const char*>(data), size});
  return 0;
}
