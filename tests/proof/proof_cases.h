// The recorded programs, to prove things about.

#ifndef PALIMPSEST_TESTS_PROOF_PROOF_CASES_H_
#define PALIMPSEST_TESTS_PROOF_PROOF_CASES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

struct ProofCase {
  std::string name;
  Function function;
};

// The cases of tests/conformance/FILE.jsonl.
std::vector<ProofCase> ProofCases(absl::string_view file);
std::vector<ProofCase> AllProofCases();

// Resolves also what eager frameworks leave undefined.
ResolveOptions LenientOptions();

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_PROOF_PROOF_CASES_H_
