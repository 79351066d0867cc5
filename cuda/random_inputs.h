// Random contents for a function's parameters, the same for the same seed.
//
// Values are tame (mixing.h). A parameter that reaches an index operand, by
// moves, casts and the addition of literals, draws from that index's range:
// without duplicates, where the range has room, for two seeds of three, with
// some for the third. Bytes that no parameter covers are filled too.

#ifndef PALIMPSEST_CUDA_RANDOM_INPUTS_H_
#define PALIMPSEST_CUDA_RANDOM_INPUTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "cuda/interpreter.h"
#include "ir/program.h"

namespace palimpsest {

absl::StatusOr<RunInputs> RandomInputs(const Function& function, uint64_t seed);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_RANDOM_INPUTS_H_
