// A pure function as one that writes in place: its values get places in the
// caller's memory and in storages of its own, and what lies where it must be
// is not moved.

#ifndef PALIMPSEST_TRANSFORMS_PLACE_VALUES_H_
#define PALIMPSEST_TRANSFORMS_PLACE_VALUES_H_

#include "ir/program.h"

namespace palimpsest {

// Does what `pure` does. `source` is what that was resolved from, or null: its
// places are good ones to try. Precondition: `pure` verifies and is pure.
// O((n + k) log n) for n ops and k pairs of a write and a value still to be
// read there.
Function PlaceValues(const Function& pure, const Function* source);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_PLACE_VALUES_H_
