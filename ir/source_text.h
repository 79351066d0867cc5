// A source text with its name, for messages about places in it.

#ifndef PALIMPSEST_IR_SOURCE_TEXT_H_
#define PALIMPSEST_IR_SOURCE_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/op.h"

namespace palimpsest {

struct SourceText {
  absl::string_view text;
  absl::string_view file_name;

  // An InvalidArgumentError that says
  //
  //   FILE:LINE:COLUMN: error: MESSAGE
  //   the line; of a long one, what is around the column
  //        ^
  //
  // Columns count characters. `at` points into the text, or to its end.
  absl::Status Error(const char* at, absl::string_view message) const;
};

// The same for a place that a parsed function names.
absl::Status ErrorAt(const SourceText& source, SourceLocation location,
                     absl::string_view message);

// "; did you mean `word`?" for the candidate that is closest to `word`, or
// nothing where none is close.
std::string DidYouMean(absl::string_view word,
                       absl::Span<const std::string> candidates);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_SOURCE_TEXT_H_
