// Which statements count as ops, where programs are compared.

#ifndef PALIMPSEST_TOOLS_OP_COUNT_H_
#define PALIMPSEST_TOOLS_OP_COUNT_H_

#include <cstdint>

#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

// Those that make or change something where they stand: not view, commit, bind.
bool IsCounted(OpKind kind);

// How many of a function's statements are such. O(ops).
int64_t CountOps(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_OP_COUNT_H_
