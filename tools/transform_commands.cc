// resolve: a function that writes in place becomes a pure one.

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
#include "tools/resolve_stats.h"
#include "tools/text_file.h"
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

}  // namespace

absl::StatusOr<Exit> ResolveCommand(const ResolveFlags& flags) {
  ResolveTimes times;
  ASSIGN_OR_RETURN(std::string text, ReadText(flags.input.file));
  ASSIGN_OR_RETURN(const ProgramFile file, Timed(times.parse, [&] {
                     return ProgramFile::Parse(DisplayName(flags.input.file),
                                               std::move(text));
                   }));
  ASSIGN_OR_RETURN(const Function* function, file.Select(flags.input.function));
  const absl::StatusOr<Resolution> resolution = Timed(
      times.resolve, [&] { return ResolveInPlace(*function, flags.options); });
  if (!resolution.ok()) return file.Locate(*function, resolution.status());
  const std::string pure =
      Timed(times.print, [&] { return PrintToString(resolution->function); });
  Exit exit = Exit::kDone;
  if (flags.check == Option::kOn) {
    absl::StatusOr<CheckVerdict> verdict =
        Check(*function, resolution->function);
    if (!verdict.ok()) return file.Locate(*function, verdict.status());
    RETURN_IF_ERROR(PrintError(verdict->text));
    exit = verdict->exit;
  }
  // What is different is not worth keeping.
  if (exit == Exit::kDone) RETURN_IF_ERROR(WriteText(flags.output, pure));
  if (flags.stats == Option::kOn) {
    RETURN_IF_ERROR(PrintError(StatsLine(*function, *resolution, times)));
  }
  return exit;
}

}  // namespace palimpsest
