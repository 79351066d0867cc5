// A pure function as one that writes in place: its values get places in the
// caller's memory and in storages of its own, and what lies where it must be
// is not moved.

#ifndef PALIMPSEST_TRANSFORMS_PLACE_VALUES_H_
#define PALIMPSEST_TRANSFORMS_PLACE_VALUES_H_

#include <cstdint>

#include "ir/program.h"

namespace palimpsest {

// What to do where an op would write over what is still to be read, and that
// cannot be read first.
enum class OnConflict : uint8_t {
  kCheapest,  // What takes the fewer bytes there, whatever comes of it.
  kSave,      // Save what is there, where the op would have to be copied later.
  kMove,      // Write elsewhere.
};

struct Placed {
  Function function;
  int64_t conflicts = 0;  // That were decided.
};

// Does what `pure` does. `source` is what that was resolved from, or null: its
// places are good ones to try. Precondition: `pure` verifies and is pure.
// O((n + k) log n) for n ops and k pairs of a write and a value still to be
// read there.
Placed PlaceValues(const Function& pure, const Function* source,
                   OnConflict on_conflict);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_PLACE_VALUES_H_
