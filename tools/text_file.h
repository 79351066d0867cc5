// Texts from and to files, standard input and standard output. Errors are ready
// to be shown: "FILE: error: No such file or directory".

#ifndef PALIMPSEST_TOOLS_TEXT_FILE_H_
#define PALIMPSEST_TOOLS_TEXT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace palimpsest {

// What messages call a file: "-" is "<stdin>", and no name is "".
std::string DisplayName(const std::string& path);

// The error about a file as a whole.
absl::Status FileError(const std::string& path, absl::string_view message);

// Refuses directories, more than 1 GiB, and standard input a second time.
absl::StatusOr<std::string> ReadText(const std::string& path);

// Either the file holds all of the text afterwards, or it is as it was. "-" is
// standard output.
absl::Status WriteText(const std::string& path, absl::string_view text);

// Does nothing where there is one.
absl::Status MakeDirectory(const std::string& path);

// Whether both are there and the same file or directory.
bool IsSameFile(const std::string& a, const std::string& b);

absl::Status Print(absl::string_view text);       // To standard output.
absl::Status PrintError(absl::string_view text);  // To standard error.

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_TEXT_FILE_H_
