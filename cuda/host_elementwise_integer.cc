// Elementwise kernels of the host: signed integers and bool.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template <typename T>
const char* HostElementwise(Op op, const ElementwiseCall& call) {
  return ElementwiseOf<HostLauncher, T>(op, call);
}

template const char* HostElementwise<int64_t>(Op, const ElementwiseCall&);
template const char* HostElementwise<int32_t>(Op, const ElementwiseCall&);
template const char* HostElementwise<int16_t>(Op, const ElementwiseCall&);
template const char* HostElementwise<int8_t>(Op, const ElementwiseCall&);
template const char* HostElementwise<Bool>(Op, const ElementwiseCall&);

}  // namespace palimpsest::kernels
