// reinplace: a function that does what it did, in place, and moves no more
// bytes than before.

#ifndef PALIMPSEST_TRANSFORMS_REINPLACE_H_
#define PALIMPSEST_TRANSFORMS_REINPLACE_H_

#include "absl/status/statusor.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

struct Reinplacement {
  Function function;
};

absl::StatusOr<Reinplacement> Reinplace(const Function& function,
                                        const ResolveOptions& options = {});

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_REINPLACE_H_
