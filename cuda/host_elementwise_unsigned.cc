// Elementwise kernels of the host: unsigned integers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template const char* ElementwiseOf<HostLauncher, uint64_t>(const HostLauncher&,
                                                           Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, uint32_t>(const HostLauncher&,
                                                           Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, uint16_t>(const HostLauncher&,
                                                           Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, uint8_t>(const HostLauncher&,
                                                          Op, ElementwiseCall);

}  // namespace palimpsest::kernels
