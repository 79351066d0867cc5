// resolve and reinplace: a function becomes another that does the same.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "tools/check_verdict.h"
#include "tools/commands.h"
#include "tools/program_file.h"
#include "tools/text_file.h"
#include "tools/transform_stats.h"
#include "transforms/reinplace.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

// Runs `step` and adds the microseconds that it took.
template <typename Step>
auto Timed(int64_t& microseconds, Step step) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  auto result = step();
  microseconds += std::chrono::duration_cast<std::chrono::microseconds>(
                      Clock::now() - start)
                      .count();
  return result;
}

// `transform` makes a struct with a `function` of a function and options.
template <typename Transform>
absl::StatusOr<Exit> RunTransform(const TransformFlags& flags,
                                  Transform transform) {
  TransformTimes times;
  ASSIGN_OR_RETURN(std::string text, ReadText(flags.input.file));
  ASSIGN_OR_RETURN(const ProgramFile file, Timed(times.parse, [&] {
                     return ProgramFile::Parse(DisplayName(flags.input.file),
                                               std::move(text));
                   }));
  ASSIGN_OR_RETURN(const Function* function, file.Select(flags.input.function));
  const auto made = Timed(times.transform,
                          [&] { return transform(*function, flags.options); });
  if (!made.ok()) return file.Locate(*function, made.status());
  const std::string out =
      Timed(times.print, [&] { return PrintToString(made->function); });
  Exit exit = Exit::kDone;
  if (flags.check == Option::kOn) {
    VerdictOptions options;
    options.overlapping_calls = flags.options.overlapping_calls;
    absl::StatusOr<CheckVerdict> verdict =
        Check(*function, made->function, options);
    if (!verdict.ok()) return file.Locate(*function, verdict.status());
    RETURN_IF_ERROR(PrintError(verdict->text));
    exit = verdict->exit;
  }
  // What is different is not worth keeping.
  if (exit == Exit::kDone) RETURN_IF_ERROR(WriteText(flags.output, out));
  if (flags.stats == Option::kOn) {
    RETURN_IF_ERROR(PrintError(StatsLine(*function, *made, times)));
  }
  return exit;
}

}  // namespace

absl::StatusOr<Exit> ResolveCommand(const TransformFlags& flags) {
  return RunTransform(flags, ResolveInPlace);
}

absl::StatusOr<Exit> ReinplaceCommand(const TransformFlags& flags) {
  return RunTransform(flags, Reinplace);
}

}  // namespace palimpsest
