// Moves, and reads and updates by index and by mask, of the host.

#include "cuda/host_launcher.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/index.h"
#include "cuda/kernels/layout.h"
#include "cuda/kernels/segments.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_LAYOUT(HostLauncher)
PALIMPSEST_INSTANTIATE_INDEX(HostLauncher)
template const char* IndexedInOrder(const HostLauncher&, IndexedAction, Type,
                                    IndexedCall);

}  // namespace palimpsest::kernels
