// alias: the pairs of values that may share bytes.

#include "absl/status/statusor.h"
#include "analysis/alias_analysis.h"
#include "ir/status_macros.h"
#include "tools/commands.h"
#include "tools/program_file.h"
#include "tools/text_file.h"

namespace palimpsest {

absl::StatusOr<Exit> AliasCommand(const AliasFlags& flags) {
  ASSIGN_OR_RETURN(const SelectedFunction input, ReadFunction(flags.input));
  RETURN_IF_ERROR(Print(AliasAnalysis::Run(*input.function).ToString()));
  return Exit::kDone;
}

}  // namespace palimpsest
