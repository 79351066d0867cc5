// Resolving in tests: programs as text or functions in, what became of them
// out, checked by running both.

#ifndef PALIMPSEST_TESTS_TRANSFORMS_RESOLVED_H_
#define PALIMPSEST_TESTS_TRANSFORMS_RESOLVED_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "ir/op.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

// The first function of the text, which must parse and verify.
Function Parsed(absl::string_view text);
std::string ContentsOf(const std::string& path);

// The function resolved, which must succeed and verify.
Resolution Resolved(const Function& function,
                    const ResolveOptions& options = {});
// The same, run beside the original on random inputs: they must be equal.
Resolution ResolvedAndRun(const Function& function,
                          const ResolveOptions& options = {});

int64_t CountOf(const Function& function, OpKind kind);
// Statements but for view, commit, bind and return.
int64_t OpsIn(const Function& function);

// What it costs to put reads together.
struct ReadCost {
  int64_t parts = 0;  // Extracts, assembles, and the pieces of those.
  int64_t bytes = 0;  // Of their results and pieces.
};
ReadCost ReadCostOf(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_TRANSFORMS_RESOLVED_H_
