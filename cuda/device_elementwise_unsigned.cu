// Elementwise kernels of a device: unsigned integers.

#include <cstdint>

#include "cuda/device_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_ELEMENTWISE_UNSIGNED(DeviceLauncher)

}  // namespace palimpsest::kernels
