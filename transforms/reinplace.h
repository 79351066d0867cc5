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
// for what is refused and with which error. `function` moves no more bytes, nor
// takes more temporary memory, than a function that wrote in place itself: of
// the ways to place the values the one of the least cost is chosen, and that
// function itself where it costs no more than any of them. (`negative_strides`
// is for what resolve makes.) O((n + k) log n) for n ops and k pairs of a write
// and a value still to be read there.
absl::StatusOr<Reinplacement> Reinplace(const Function& function,
                                        const ResolveOptions& options = {});

// The same of what ResolveInPlace() made of `source`; null where there is only
// the pure function.
Reinplacement ReinplaceResolved(const Function& pure, const Function* source);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_REINPLACE_H_
