// Elementwise kernels of the host: unsigned integers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE_UNSIGNED(HostLauncher)

}  // namespace palimpsest::kernels
