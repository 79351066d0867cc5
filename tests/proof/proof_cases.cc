#include "tests/proof/proof_cases.h"

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/check.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "tests/known_programs.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

std::vector<ProofCase> ProofCases(absl::string_view file) {
  std::vector<ProofCase> cases;
  for (const NamedText& recorded : RecordedPrograms(file)) {
    absl::StatusOr<Program> program =
        ParseProgram(recorded.text, recorded.name);
    PALIMPSEST_CHECK(program.ok());
    cases.push_back({recorded.name, std::move(program->functions[0])});
  }
  return cases;
}

std::vector<ProofCase> AllProofCases() {
  std::vector<ProofCase> all;
  for (absl::string_view file : kRecordedFiles) {
    for (ProofCase& proof_case : ProofCases(file)) {
      all.push_back(std::move(proof_case));
    }
  }
  return all;
}

ResolveOptions LenientOptions() {
  ResolveOptions options;
  options.overlapping_writes = OverlappingWrites::kSequential;
  options.overlapping_calls = OverlappingCalls::kByValue;
  return options;
}

}  // namespace palimpsest
