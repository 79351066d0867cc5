// Elementwise kernels of the host: floats and complex numbers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE_FLOATS(HostLauncher)

}  // namespace palimpsest::kernels
