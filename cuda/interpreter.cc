#include "cuda/interpreter.h"

#include "absl/status/statusor.h"
#include "cuda/backend.h"
#include "cuda/host_backend.h"
#include "cuda/interpretation.h"
#include "ir/program.h"

namespace palimpsest {

absl::StatusOr<RunOutputs> Run(const Function& function,
                               const RunInputs& inputs,
                               const RunOptions& options) {
  kernels::Backend& backend =
      options.backend == nullptr ? kernels::HostBackend() : *options.backend;
  return Interpretation(function, inputs, options, backend).Run();
}

}  // namespace palimpsest
