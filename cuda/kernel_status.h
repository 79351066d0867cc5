// How a back end's complaint becomes a status.

#ifndef PALIMPSEST_CUDA_KERNEL_STATUS_H_
#define PALIMPSEST_CUDA_KERNEL_STATUS_H_

#include "absl/status/status.h"

namespace palimpsest {

inline absl::Status KernelStatus(const char* error) {
  return error == nullptr ? absl::OkStatus() : absl::InternalError(error);
}

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_KERNEL_STATUS_H_
