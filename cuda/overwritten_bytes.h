// Which bytes an op overwrites that it has yet to read, by enumeration. Private
// to the interpreter.

#ifndef PALIMPSEST_CUDA_OVERWRITTEN_BYTES_H_
#define PALIMPSEST_CUDA_OVERWRITTEN_BYTES_H_

#include <cstdint>

#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

// How many bytes of the op's destination are also an operand's: not where
// element k of the operand is element k of the destination and the op goes
// element by element; none for calls. In a pure func the operand of a commit
// that is the caller's memory, or a window of it. O(bytes of the windows that
// lie in the destination's storage).
int64_t OverwrittenBytes(const Function& function, const Op& op);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_OVERWRITTEN_BYTES_H_
