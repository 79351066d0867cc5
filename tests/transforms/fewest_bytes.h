// The fewest bytes that a pure function can be put back in place with, by
// trying every order and every place.

#ifndef PALIMPSEST_TESTS_TRANSFORMS_FEWEST_BYTES_H_
#define PALIMPSEST_TESTS_TRANSFORMS_FEWEST_BYTES_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "ir/program.h"

namespace palimpsest {

// Elements to a unit: all windows begin and end between units.
constexpr int64_t kUnit = 2;

struct FewestBytes {
  int64_t written = 0;
  int64_t temporary = 0;  // The fewest of those that write that many.
};

// Nullopt for functions that it does not know how to place: those with anything
// but rows of units of one f32 storage, elementwise ops, moves, commits, and
// results by value. Time and memory exponential in the ops.
absl::optional<FewestBytes> FindFewestBytes(const Function& pure);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_TRANSFORMS_FEWEST_BYTES_H_
