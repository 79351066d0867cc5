#include "cuda/backends.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cuda/backend.h"
#include "cuda/device_backend.h"
#include "cuda/host_backend.h"

namespace palimpsest {

absl::StatusOr<std::unique_ptr<kernels::Backend>> OpenBackend(
    BackendName name) {
  if (name == BackendName::kHost) return nullptr;
  if (name == BackendName::kEmulated) return kernels::MakeEmulatedBackend(0);
  std::string why;
  std::unique_ptr<kernels::Backend> device = kernels::OpenDevice(&why);
  if (device != nullptr) return device;
  return absl::UnavailableError(absl::StrCat("no CUDA device: ", why));
}

}  // namespace palimpsest
