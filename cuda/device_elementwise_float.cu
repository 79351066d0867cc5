// Elementwise kernels of a device: floats and complex numbers.

#include <cstdint>

#include "cuda/device_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, double)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, float)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, Half)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, BFloat16)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, Complex<float>)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, Complex<double>)

}  // namespace palimpsest::kernels
