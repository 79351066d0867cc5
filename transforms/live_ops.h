// Which ops of a function that writes in place somebody can see.

#ifndef PALIMPSEST_TRANSFORMS_LIVE_OPS_H_
#define PALIMPSEST_TRANSFORMS_LIVE_OPS_H_

#include <vector>

#include "ir/program.h"

namespace palimpsest {

// By OpId: calls with effects, and ops that write to a storage which the caller
// has, or which a later such op reads. Storages count as a whole, so some of
// these are seen by nobody. Views are among them where their storage is.
// O(size).
std::vector<bool> FindLiveOps(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_LIVE_OPS_H_
