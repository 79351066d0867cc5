// Literals and strings as text: what the lexer reads and the printer writes.

#ifndef PALIMPSEST_IR_LITERAL_TEXT_H_
#define PALIMPSEST_IR_LITERAL_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/op.h"

namespace palimpsest {

// Appends text that reads back as the same literal, of the same kind: floats in
// the fewest digits, with a `.0` where they would else look like integers.
void AppendLiteral(std::string& out, const Literal& literal);

// `digits` is -?[0-9]+. Nullopt where 64 bits do not hold the number.
absl::optional<int64_t> Int64FromText(absl::string_view digits);
absl::optional<Literal> IntegerFromText(absl::string_view digits);

// Nullopt where the text is no number, or too large for a double.
absl::optional<double> DoubleFromText(absl::string_view text);

// A string in quotes, with escapes \" \\ \n \r \t \xHH.
void AppendQuoted(std::string& out, absl::string_view text);

// The reverse, of what stands between the quotes. Nullopt where an escape is
// none of those.
absl::optional<std::string> Unescape(absl::string_view escaped);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_LITERAL_TEXT_H_
