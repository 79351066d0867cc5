#include "tools/text_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace palimpsest {
namespace {

// A longer cell pushes its row's others to the right, and no other row's.
constexpr size_t kWidestColumn = 72;

}  // namespace

std::string TextTable(absl::Span<const std::vector<std::string>> rows) {
  std::vector<size_t> widths(rows.empty() ? 0 : rows[0].size());
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i].size() > kWidestColumn) continue;
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const size_t width = std::max(widths[i], row[i].size());
      absl::StrAppend(&line, row[i],
                      std::string(width + 2 - row[i].size(), ' '));
    }
    line.resize(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace palimpsest
