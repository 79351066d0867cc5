// The back ends without a device. No Abseil: see kernel.h.

#ifndef PALIMPSEST_CUDA_HOST_BACKEND_H_
#define PALIMPSEST_CUDA_HOST_BACKEND_H_

#include <cstdint>
#include <memory>

#include "cuda/backend.h"

namespace palimpsest::kernels {

// Runs kernels on the calling thread. Its memory is the host's; it has no state
// and is never destroyed.
Backend& HostBackend();

// A device, emulated on the calling thread: a device's kernels, one element a
// thread, in grids whose blocks and threads run in an order that the seed says.
//
// Its memory begins as rubbish, lies between guards that Finish() and Free()
// look at, and is handed out as addresses that are none: whoever touches it
// without the back end, crashes.
std::unique_ptr<Backend> MakeEmulatedBackend(uint64_t seed);

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_HOST_BACKEND_H_
