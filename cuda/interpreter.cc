#include "cuda/interpreter.h"

#include "absl/status/statusor.h"
#include "cuda/backend.h"
#include "cuda/interpretation.h"
#include "ir/program.h"

namespace palimpsest {

absl::StatusOr<RunOutputs> Run(const Function& function,
                               const RunInputs& inputs,
                               const RunOptions& options) {
  return Interpretation(function, inputs, options, kernels::HostBackend())
      .Run();
}

}  // namespace palimpsest
