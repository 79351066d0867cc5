// One op on symbolic bytes: see symbolic_run.h.

#ifndef PALIMPSEST_TESTS_ORACLE_SYMBOLIC_OP_H_
#define PALIMPSEST_TESTS_ORACLE_SYMBOLIC_OP_H_

#include <vector>

#include "absl/types/optional.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/oracle/symbolic_run.h"

namespace palimpsest {

struct SymbolicOperand {
  absl::optional<Layout> layout;  // Of a value.
  Symbols bytes;                  // Row-major; a storage's as they lie.
  absl::optional<Literal> literal;
  absl::optional<BufferWindow> window;
};

// The bytes of the op's result, row-major; `layout` has its dtype and sizes.
// For an op in place, what it writes to its whole destination.
Symbols ResultOf(const Function& function, const Op& op, const Layout& layout,
                 const std::vector<SymbolicOperand>& operands);

// What all of a call's outputs depend on. `occurrence` tells calls apart that
// may not be merged.
Symbol TermOfCall(const Function& function, const Op& op,
                  const std::vector<SymbolicOperand>& operands, int occurrence);
Symbols OutputOf(Symbol term, int output, const Layout& layout);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_SYMBOLIC_OP_H_
