// Generated programs, with their genes chosen by the fuzzer: each nine bytes
// are a gene (gene.h).
//
//   bazel run --config=fuzz //tests/fuzz:generated_fuzz -- CORPUS_DIRECTORY

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "absl/status/statusor.h"
#include "ir/check.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_generator.h"
#include "tests/oracle/symbolic_run.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

Tape TapeOf(const uint8_t* data, size_t size) {
  constexpr size_t kGene = sizeof(uint64_t) + 1;
  Tape tape;
  for (size_t at = 0; at + kGene <= size; at += kGene) {
    Gene gene;
    std::memcpy(&gene.seed, data + at, sizeof(gene.seed));
    gene.size = data[at + kGene - 1] % 4;
    tape.push_back(gene);
  }
  return tape;
}

void CheckTape(const Tape& tape) {
  GeneratorProfile profile;
  profile.self_overlapping_writes = Use::kSometimes;
  profile.overlapping_calls = Use::kSometimes;
  ResolveOptions options;
  options.overlapping_writes = OverlappingWrites::kSequential;
  options.overlapping_calls = OverlappingCalls::kByValue;
  const Function function = GenerateProgram(tape, profile);
  PALIMPSEST_CHECK(Verify(function).ok());
  const absl::StatusOr<Resolution> resolution =
      ResolveInPlace(function, options);
  PALIMPSEST_CHECK(resolution.ok());
  PALIMPSEST_CHECK(Verify(resolution->function).ok());
  const std::string difference = DifferenceBetween(
      RunSymbolically(function), RunSymbolically(resolution->function));
  if (difference.empty()) return;
  std::fprintf(stderr, "%s\n%s\n%s\n", difference.c_str(),
               PrintToString(function).c_str(),
               PrintToString(resolution->function).c_str());
  PALIMPSEST_CHECK(false);
}

}  // namespace
}  // namespace palimpsest

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  palimpsest::CheckTape(palimpsest::TapeOf(data, size));
  return 0;
}
