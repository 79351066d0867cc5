// Moves, and reads and updates by index and by mask, of a device.

#include "cuda/device_launcher.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/index.h"
#include "cuda/kernels/layout.h"
#include "cuda/kernels/segments.h"

namespace palimpsest::kernels {

PALIMPSEST_INSTANTIATE_LAYOUT(DeviceLauncher)
PALIMPSEST_INSTANTIATE_INDEX(DeviceLauncher)

}  // namespace palimpsest::kernels
