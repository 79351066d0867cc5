// eliminate-dead: drops the ops of a pure function that nobody needs.

#ifndef PALIMPSEST_TRANSFORMS_ELIMINATE_DEAD_H_
#define PALIMPSEST_TRANSFORMS_ELIMINATE_DEAD_H_

#include "ir/program.h"

namespace palimpsest {

// Keeps what commits, binds, returns and calls need, and all calls that are not
// marked `pure`. Names stay. Precondition: the function is pure, and its ops'
// operands lie in the order of the ops. O(size).
Function EliminateDead(Function function);

// Names the values that ops made 1, 2, .., in order, past the parameters'
// names.
void NumberValues(Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_ELIMINATE_DEAD_H_
