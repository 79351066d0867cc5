// Elementwise kernels of a device: signed integers and bool.

#include <cstdint>

#include "cuda/device_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, int64_t)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, int32_t)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, int16_t)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, int8_t)
PALIMPSEST_INSTANTIATE_ELEMENTWISE(DeviceLauncher, Bool)

}  // namespace palimpsest::kernels
