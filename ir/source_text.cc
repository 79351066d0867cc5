#include "ir/source_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/lexer.h"
#include "ir/op.h"

namespace palimpsest {
namespace {

// A line longer than this is shown in part.
constexpr size_t kShown = 120;
constexpr size_t kShownBefore = 80;

// Whether the byte is a UTF-8 character's, but not its first.
bool Continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The line's characters, as one string each; what cannot be shown as `?`.
std::vector<std::string> Characters(absl::string_view line) {
  std::vector<std::string> characters;
  while (!line.empty()) {
    size_t length = 1;
    if (static_cast<unsigned char>(line[0]) >= 0xC0) {
      while (length < std::min<size_t>(line.size(), 4) &&
             Continues(line[length])) {
        ++length;
      }
    }
    std::string character(line.substr(0, length));
    const unsigned char lead = static_cast<unsigned char>(character[0]);
    const bool shown = (lead >= 0x20 && lead != 0x7F) || lead == '\t';
    if (!shown || FindBadByte(character)) character = "?";
    characters.push_back(character);
    line.remove_prefix(length);
  }
  return characters;
}

// The line and, below it, the caret under the character at `column` bytes.
std::string Picture(absl::string_view line, size_t column) {
  // What lies further off than this is not shown, whatever its characters.
  constexpr size_t kNear = 4 * kShown;
  size_t skipped = column > kNear ? column - kNear : 0;
  while (skipped < column && Continues(line[skipped])) ++skipped;
  const absl::string_view near = line.substr(skipped, column - skipped + kNear);
  const std::vector<std::string> characters = Characters(near);
  const size_t at = Characters(near.substr(0, column - skipped)).size();
  size_t begin = 0;
  size_t end = characters.size();
  if (skipped > 0 || end > kShown) {
    begin = at > kShownBefore ? at - kShownBefore : 0;
    end = std::min(end, begin + kShown);
  }
  std::string text = skipped + begin > 0 ? ".." : "";
  std::string caret(text.size(), ' ');
  for (size_t i = begin; i < end; ++i) {
    text += characters[i];
    if (i < at) caret += characters[i] == "\t" ? '\t' : ' ';
  }
  if (end < characters.size()) text += "..";
  return absl::StrCat(text, "\n", caret, "^");
}

size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

absl::Status SourceText::Error(const char* at,
                               absl::string_view message) const {
  const absl::string_view before = text.substr(0, at - text.data());
  const size_t newline = before.rfind('\n');
  const size_t begin = newline == before.npos ? 0 : newline + 1;
  absl::string_view line = text.substr(begin);
  line = line.substr(0, line.find('\n'));
  size_t column = before.size() - begin;
  const auto column_number =
      std::count_if(before.begin() + begin, before.end(),
                    [](char c) { return !Continues(c); });
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  column = std::min(column, line.size());
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return absl::InvalidArgumentError(
      absl::StrCat(file_name, ":", lines + 1, ":", column_number + 1,
                   ": error: ", message, "\n", Picture(line, column)));
}

absl::Status ErrorAt(const SourceText& source, SourceLocation location,
                     absl::string_view message) {
  const char* at = source.text.data();
  const char* end = at + source.text.size();
  for (int32_t line = 1; line < location.line; ++line) {
    at = std::find(at, end, '\n');
    if (at != end) ++at;
  }
  const char* line_end = std::find(at, end, '\n');
  at = std::min(at + std::max(location.column - 1, 0), line_end);
  return source.Error(at, message);
}

std::string DidYouMean(absl::string_view word,
                       absl::Span<const std::string> candidates) {
  constexpr size_t kLongest = 64;
  if (word.size() > kLongest) return "";
  const std::string* closest = nullptr;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const size_t distance = EditDistance(word, candidate);
    if (distance < least) {
      least = distance;
      closest = &candidate;
    }
  }
  if (closest == nullptr) return "";
  return absl::StrCat("; did you mean `", *closest, "`?");
}

}  // namespace palimpsest
