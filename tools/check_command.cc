// check: whether two functions do the same.

#include "absl/status/statusor.h"
#include "cuda/backends.h"
#include "ir/status_macros.h"
#include "tools/check_verdict.h"
#include "tools/commands.h"
#include "tools/program_file.h"
#include "tools/text_file.h"

namespace palimpsest {

absl::StatusOr<Exit> CheckCommand(const CheckFlags& flags) {
  const auto backend = OpenBackend(flags.backend);
  if (!backend.ok()) return NoBackend(backend.status());
  ASSIGN_OR_RETURN(const SelectedFunction a,
                   ReadFunction({flags.a, flags.function}));
  ASSIGN_OR_RETURN(const SelectedFunction b,
                   ReadFunction({flags.b, flags.function}));
  VerdictOptions options;
  options.proof = flags.proof;
  options.overlapping_calls = flags.overlapping_calls;
  options.run.samples = flags.samples;
  options.run.seed = flags.seed;
  options.run.run.backend = backend->get();
  const absl::StatusOr<CheckVerdict> verdict =
      Check(*a.function, *b.function, options);
  if (!verdict.ok()) return a.Locate(verdict.status());
  RETURN_IF_ERROR(Print(verdict->text));
  return verdict->exit;
}

}  // namespace palimpsest
