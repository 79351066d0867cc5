// Elementwise kernels of the host: unsigned integers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, uint64_t)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, uint32_t)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, uint16_t)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, uint8_t)

}  // namespace palimpsest::kernels
