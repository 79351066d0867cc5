// fmt: the canonical text of a file's functions.

#include "absl/status/statusor.h"
#include "ir/printer.h"
#include "ir/status_macros.h"
#include "tools/commands.h"
#include "tools/program_file.h"
#include "tools/text_file.h"

namespace palimpsest {

absl::StatusOr<Exit> FmtCommand(const FmtFlags& flags) {
  ASSIGN_OR_RETURN(const ProgramFile file, ProgramFile::Read(flags.file));
  const bool in_place = flags.in_place == Option::kOn;
  if (in_place && flags.file == "-") {
    return FileError(flags.file, "standard input cannot be rewritten");
  }
  RETURN_IF_ERROR(WriteText(in_place ? flags.file : flags.output,
                            PrintToString(file.program())));
  return Exit::kDone;
}

}  // namespace palimpsest
