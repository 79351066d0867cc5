// Rows of cells as text in aligned columns.

#ifndef PALIMPSEST_TOOLS_TEXT_TABLE_H_
#define PALIMPSEST_TOOLS_TEXT_TABLE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"

namespace palimpsest {

// Two blanks between columns, none at a line's end. All rows are of one length.
std::string TextTable(absl::Span<const std::vector<std::string>> rows);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_TEXT_TABLE_H_
