// Elementwise kernels of the host: unsigned integers.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template <typename T>
const char* HostElementwise(Op op, const ElementwiseCall& call) {
  return ElementwiseOf<HostLauncher, T>(op, call);
}

template const char* HostElementwise<uint64_t>(Op, const ElementwiseCall&);
template const char* HostElementwise<uint32_t>(Op, const ElementwiseCall&);
template const char* HostElementwise<uint16_t>(Op, const ElementwiseCall&);
template const char* HostElementwise<uint8_t>(Op, const ElementwiseCall&);

}  // namespace palimpsest::kernels
