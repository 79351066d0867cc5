#include "tests/proof/proof_cases.h"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/check.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "nlohmann/json.hpp"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

std::vector<ProofCase> ProofCases(absl::string_view file) {
  std::ifstream lines(absl::StrCat("tests/conformance/", file, ".jsonl"));
  PALIMPSEST_CHECK(lines.good());
  std::vector<ProofCase> cases;
  std::string line;
  while (std::getline(lines, line)) {
    const nlohmann::json json = nlohmann::json::parse(line);
    const std::string name = json["name"];
    absl::StatusOr<Program> program =
        ParseProgram(json["program"].get<std::string>(), name);
    PALIMPSEST_CHECK(program.ok());
    cases.push_back({name, std::move(program->functions[0])});
  }
  return cases;
}

std::vector<ProofCase> AllProofCases() {
  std::vector<ProofCase> all;
  for (absl::string_view file :
       {"reports", "functionalization", "opinfo", "random"}) {
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
