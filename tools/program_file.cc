#include "tools/program_file.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "ir/location.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "ir/source_text.h"
#include "ir/status_macros.h"
#include "tools/commands.h"
#include "tools/text_file.h"

namespace palimpsest {
namespace {

// Where the comment of a line begins; a string may hold slashes too.
size_t CommentIn(absl::string_view line) {
  bool in_string = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (in_string && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && line.substr(i, 2) == "//") {
      return i;
    }
  }
  return line.npos;
}

}  // namespace

absl::StatusOr<ProgramFile> ProgramFile::Read(const std::string& path) {
  ASSIGN_OR_RETURN(std::string text, ReadText(path));
  return Parse(DisplayName(path), std::move(text));
}

absl::StatusOr<ProgramFile> ProgramFile::Parse(absl::string_view name,
                                               std::string text) {
  ProgramFile file;
  file.name_ = std::string(name);
  file.text_ = std::make_unique<const std::string>(std::move(text));
  ASSIGN_OR_RETURN(file.program_, ParseProgram(*file.text_, name));
  return file;
}

absl::StatusOr<const Function*> ProgramFile::Select(
    absl::string_view function) const {
  if (program_.functions.empty()) {
    return FileError(name_, "no function in this file");
  }
  if (function.empty()) return &program_.functions.front();
  const Function* found = program_.Find(absl::StripPrefix(function, "@"));
  if (found != nullptr) return found;
  const std::string names = absl::StrJoin(
      program_.functions, ", ", [](std::string* out, const Function& f) {
        absl::StrAppend(out, "@", f.name);
      });
  return FileError(
      name_, absl::StrCat("no function @", absl::StripPrefix(function, "@"),
                          " in this file; it has ", names));
}

absl::Status ProgramFile::Locate(const Function& function,
                                 const absl::Status& status) const {
  const absl::optional<SourceLocation> location = LocationOf(status);
  if (location) return ErrorAt(source(), *location, status.message());
  return FileError(name_,
                   absl::StrCat("@", function.name, ": ", status.message()));
}

std::vector<absl::string_view> ProgramFile::Lines() const {
  std::vector<absl::string_view> lines = absl::StrSplit(*text_, '\n');
  for (absl::string_view& line : lines) {
    line = absl::StripAsciiWhitespace(line.substr(0, CommentIn(line)));
  }
  return lines;
}

absl::StatusOr<SelectedFunction> ReadFunction(const Selection& selection) {
  ASSIGN_OR_RETURN(ProgramFile file, ProgramFile::Read(selection.file));
  ASSIGN_OR_RETURN(const Function* function, file.Select(selection.function));
  return SelectedFunction{std::move(file), function};
}

}  // namespace palimpsest
