// Random well-formed functions, over all ops of the table.

#ifndef PALIMPSEST_TESTS_IR_RANDOM_FUNCTION_H_
#define PALIMPSEST_TESTS_IR_RANDOM_FUNCTION_H_

#include <cstdint>

#include "ir/program.h"

namespace palimpsest {

// The same for the same seed. Built by FunctionBuilder, not verified.
Function RandomFunction(FunctionKind kind, uint64_t seed);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_IR_RANDOM_FUNCTION_H_
