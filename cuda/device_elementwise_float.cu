// Elementwise kernels of a device: floats and complex numbers.

#include <cstdint>

#include "cuda/device_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE_FLOATS(DeviceLauncher)

}  // namespace palimpsest::kernels
