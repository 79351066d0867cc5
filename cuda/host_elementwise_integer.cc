// Elementwise kernels of the host: signed integers and bool.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template const char* ElementwiseOf<HostLauncher, int64_t>(const HostLauncher&,
                                                          Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, int32_t>(const HostLauncher&,
                                                          Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, int16_t>(const HostLauncher&,
                                                          Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, int8_t>(const HostLauncher&,
                                                         Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, Bool>(const HostLauncher&, Op,
                                                       ElementwiseCall);

}  // namespace palimpsest::kernels
