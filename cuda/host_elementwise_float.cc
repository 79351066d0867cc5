// Elementwise kernels of the host: floats and complex numbers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, double)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, float)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, Half)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, BFloat16)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, Complex<float>)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(HostLauncher, Complex<double>)

}  // namespace palimpsest::kernels
