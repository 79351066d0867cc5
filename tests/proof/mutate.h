// Mutants of functions: each differs from the original in one place, as a
// wrong transform's result might.

#ifndef PALIMPSEST_TESTS_PROOF_MUTATE_H_
#define PALIMPSEST_TESTS_PROOF_MUTATE_H_

#include <random>
#include <string>

#include "absl/types/optional.h"
#include "ir/program.h"

namespace palimpsest {

struct Mutant {
  std::string what;  // "drop a commit".
  Function function;
};

// Nullopt where the mutation that was drawn has no place in the function, or
// its result does not verify or prints alike.
absl::optional<Mutant> Mutate(const Function& function, std::mt19937& random);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_PROOF_MUTATE_H_
