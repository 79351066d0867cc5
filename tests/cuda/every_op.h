// A program for every op of the table, dtype and layout, with enough elements
// for several blocks of threads, and contents for its parameters: what two back
// ends are compared on.

#ifndef PALIMPSEST_TESTS_CUDA_EVERY_OP_H_
#define PALIMPSEST_TESTS_CUDA_EVERY_OP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cuda/interpreter.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

// As a value and in place, where the op has those forms; destinations also
// overlap themselves, and their operands. Indices have duplicates.
std::vector<std::string> ProgramsOf(OpKind op, DType dtype);

enum class Contents : uint8_t {
  kTame,      // RandomInputs.
  kAnyBytes,  // NaNs and infinities, too. Indices stay in range.
};
absl::StatusOr<RunInputs> InputsOf(const Function& function, Contents contents,
                                   uint64_t seed);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_CUDA_EVERY_OP_H_
