// Elementwise kernels of the host: floats and complex numbers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template const char* ElementwiseOf<HostLauncher, double>(const HostLauncher&,
                                                         Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, float>(const HostLauncher&, Op,
                                                        ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, Half>(const HostLauncher&, Op,
                                                       ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, BFloat16>(const HostLauncher&,
                                                           Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, Complex<float>>(
    const HostLauncher&, Op, ElementwiseCall);
template const char* ElementwiseOf<HostLauncher, Complex<double>>(
    const HostLauncher&, Op, ElementwiseCall);

}  // namespace palimpsest::kernels
