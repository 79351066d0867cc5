// Elementwise kernels of the host: floats and complex numbers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template <typename T>
const char* HostElementwise(Op op, const ElementwiseCall& call) {
  return ElementwiseOf<HostLauncher, T>(op, call);
}

template const char* HostElementwise<double>(Op, const ElementwiseCall&);
template const char* HostElementwise<float>(Op, const ElementwiseCall&);
template const char* HostElementwise<Half>(Op, const ElementwiseCall&);
template const char* HostElementwise<BFloat16>(Op, const ElementwiseCall&);
template const char* HostElementwise<Complex<float>>(Op,
                                                     const ElementwiseCall&);
template const char* HostElementwise<Complex<double>>(Op,
                                                      const ElementwiseCall&);

}  // namespace palimpsest::kernels
