// Runs one op of the table on windows: the switch over the ops that are not
// structure.

#ifndef PALIMPSEST_CUDA_RUN_OP_H_
#define PALIMPSEST_CUDA_RUN_OP_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "cuda/executor.h"
#include "cuda/view.h"
#include "ir/program.h"

namespace palimpsest {

struct OpWindows {
  View out;
  // One per operand; nullopt for `none` in a list of indices, and of the
  // literals of `constant`.
  std::vector<absl::optional<View>> operands;
};

// What an op did by index, in elements, counted with repetition.
struct IndexActivity {
  int64_t places = 0;  // That it read or updated.
  bool adds = false;   // To what was there.
};

// Precondition: `op` is neither view, contents, call, assemble, extract, commit
// nor bind.
absl::Status RunOp(const Executor& executor, const Function& function,
                   const Op& op, const OpWindows& windows,
                   IndexActivity& activity);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_RUN_OP_H_
