// The back end of a CUDA device. No Abseil and no CUDA: see kernel.h.

#ifndef PALIMPSEST_CUDA_DEVICE_BACKEND_H_
#define PALIMPSEST_CUDA_DEVICE_BACKEND_H_

#include <memory>
#include <string>

#include "cuda/backend.h"

namespace palimpsest::kernels {

// The first device, with a stream of its own. Null where there is none, and
// why.
//
// Kernels are those of the host, an element a thread, and give its bits:
// without contraction, with rounded division and roots, sums in logical order.
// But CUDA's functions of <cmath> round differently from the host's
// (cuda/device_rounding.h).
std::unique_ptr<Backend> OpenDevice(std::string* why);

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_DEVICE_BACKEND_H_
