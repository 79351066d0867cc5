// reinplace: a function that does what it did, in place, and moves no more
// bytes than before.

#ifndef PALIMPSEST_TRANSFORMS_REINPLACE_H_
#define PALIMPSEST_TRANSFORMS_REINPLACE_H_

#include "absl/status/statusor.h"
#include "analysis/cost.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

struct Reinplacement {
  Function function;  // Writes in place.
  Cost cost;
};

// A pure function is placed, another one resolved first; see resolve_inplace.h
// for what is refused and with which error. (`negative_strides` changes what
// resolve makes, and nothing here.)
//
// `function` writes no more bytes, nor takes more temporary memory, than a
// function that wrote in place itself; what is read is not compared. Of up to
// three ways to place the values (place_values.h) the one that writes the
// fewest bytes is chosen, then that of the least temporary memory; where all
// are worse in one of the two, that function comes back as it was. Of a
// function of more than 4096 ops one way is tried.
//
// Precondition: the function verifies. O((n + k) log n) for n ops and k pairs
// of a write and a value still to be read there.
absl::StatusOr<Reinplacement> Reinplace(const Function& function,
                                        const ResolveOptions& options = {});

// The same of what ResolveInPlace() made of `source`; null where there is only
// the pure function. Precondition: it verifies and is pure.
Reinplacement ReinplaceResolved(const Function& pure, const Function* source);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_REINPLACE_H_
