// A file of functions, as a command reads it.

#ifndef PALIMPSEST_TOOLS_PROGRAM_FILE_H_
#define PALIMPSEST_TOOLS_PROGRAM_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/program.h"
#include "ir/source_text.h"
#include "tools/commands.h"

namespace palimpsest {

class ProgramFile {
 public:
  static absl::StatusOr<ProgramFile> Read(const std::string& path);
  // `name` stands for the text in messages.
  static absl::StatusOr<ProgramFile> Parse(absl::string_view name,
                                           std::string text);

  const Program& program() const { return program_; }

  // "@name"; empty: the first function.
  absl::StatusOr<const Function*> Select(absl::string_view function) const;

  // An error of a function of this file, as one that can be shown: with the
  // place in the text, where the error has one, else with the function's name.
  absl::Status Locate(const Function& function,
                      const absl::Status& status) const;

  // The lines of the text, without blanks around them and without comments.
  std::vector<absl::string_view> Lines() const;

 private:
  SourceText source() const { return {*text_, name_}; }

  std::string name_;
  std::unique_ptr<const std::string> text_;
  Program program_;
};

// A file and the function of it that was asked for.
struct SelectedFunction {
  ProgramFile file;
  const Function* function;

  absl::Status Locate(const absl::Status& status) const {
    return file.Locate(*function, status);
  }
};
absl::StatusOr<SelectedFunction> ReadFunction(const Selection& selection);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_PROGRAM_FILE_H_
