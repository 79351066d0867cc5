// The back ends that a function can be run on.

#ifndef PALIMPSEST_CUDA_BACKENDS_H_
#define PALIMPSEST_CUDA_BACKENDS_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cuda/backend.h"

namespace palimpsest {

enum class BackendName : uint8_t {
  kHost,
  kEmulated,  // A device's kernels and memory, on the host: slow, and for
              // tests.
  kCuda,      // The first device.
};

// For RunOptions: null for the host. An UnavailableError, "no CUDA device: ..",
// where there is none.
absl::StatusOr<std::unique_ptr<kernels::Backend>> OpenBackend(BackendName name);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_BACKENDS_H_
