#include "cuda/interpreter.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cuda/backend.h"
#include "cuda/host_backend.h"
#include "cuda/interpretation.h"
#include "ir/program.h"
#include "ir/status_macros.h"

namespace palimpsest {
namespace {

absl::StatusOr<std::unique_ptr<kernels::Backend>> OpenDevice() {
  return absl::UnavailableError("no CUDA device: this build is without CUDA");
}

}  // namespace

absl::Status FindBackend(RunBackend backend) {
  return backend == RunBackend::kCuda ? OpenDevice().status()
                                      : absl::OkStatus();
}

absl::StatusOr<RunOutputs> Run(const Function& function,
                               const RunInputs& inputs,
                               const RunOptions& options) {
  const auto run = [&](kernels::Backend& backend) {
    return Interpretation(function, inputs, options, backend).Run();
  };
  switch (options.backend) {
    case RunBackend::kHost:
      break;
    case RunBackend::kEmulated:
      return run(*kernels::MakeEmulatedBackend(options.thread_order));
    case RunBackend::kCuda: {
      ASSIGN_OR_RETURN(const std::unique_ptr<kernels::Backend> device,
                       OpenDevice());
      return run(*device);
    }
  }
  return run(kernels::HostBackend());
}

}  // namespace palimpsest
