// Heads of statements as the printer writes them, `%y = add %x, 1.0` or `add_
// %x, 1.0`, with those blanks and no others, are read byte by byte: what lies
// where is known before it is cut into tokens. What is written otherwise, and
// all that is wrong, is left to the general parser; so no error is found here.

#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/function_parser.h"
#include "ir/lexer.h"
#include "ir/op.h"
#include "ir/text_reader.h"

namespace palimpsest {
namespace {

// Whether the text goes on so.
template <size_t kSize>
bool Follows(const char* at, const char* end, const char (&text)[kSize]) {
  constexpr ptrdiff_t kLength = kSize - 1;
  return end - at >= kLength && std::memcmp(at, text, kLength) == 0;
}

// Where a token ends that begins at `at` and goes on with bytes of those
// classes.
absl::string_view TextAt(const char* at, const char* end, uint8_t classes) {
  const char* stop = SkipAll(at + 1, end, classes);
  return {at, static_cast<size_t>(stop - at)};
}

// Whether what is before it ends there, and a statement may.
bool EndsPart(const char* at, const char* end) {
  return at != end && (*at == ',' || *at == '\n' || Follows(at, end, " :"));
}

}  // namespace

// Reads a statement up to the end of an operand, of the attributes or of the
// type, the token behind it being the next, and counts the operands. False,
// with the reader where it was, where not even one is plain; what the draft and
// places are then does not matter.
bool FunctionParser::ReadPlainHead(int& row) {
  const char* at = reader_.at();
  if (reader_.token().Is(TokenKind::kValue)) {
    places_.results.push_back(at);
    draft_.names.push_back(reader_.InternName(builder_));
    at += reader_.token().text.size();
    if (!Follows(at, reader_.end(), " = ")) return false;
    at += 3;
  }
  at = ReadPlainOp(at);
  if (at == nullptr) return false;
  at = ReadPlainOperands(at, row);
  if (row == 0 || !EndsPart(at, reader_.end())) return false;
  if (row == static_cast<int>(InfoFor(draft_.kind).operands.size())) {
    at = ReadPlainRest(at);
  }
  reader_.AdvanceOver({at, 0});
  return true;
}

const char* FunctionParser::ReadPlainOp(const char* at) {
  if (at == reader_.end() || !Is(*at, kLetter)) return nullptr;
  const absl::string_view text = TextAt(at, reader_.end(), kWordPart);
  const OpWord* word = reader_.OpNamed(text);
  if (word == nullptr || !word->plain) return nullptr;
  places_.op = at;
  draft_.kind = word->kind;
  draft_.form = word->form;
  return at + text.size();
}

// As many as are plain; where the last one ends.
const char* FunctionParser::ReadPlainOperands(const char* at, int& row) {
  const char* const end = reader_.end();
  for (const OpInfo::Operand& operand : InfoFor(draft_.kind).operands) {
    if (row == 0 ? !Follows(at, end, " ") : !Follows(at, end, ", ")) break;
    const char* next = ReadPlainOperand(at + (row == 0 ? 1 : 2), operand.role);
    if (next == nullptr) break;
    at = next;
    ++row;
  }
  return at;
}

// All attributes, and the type of a result up to the end of the line, if they
// were read before; where what was read ends.
const char* FunctionParser::ReadPlainRest(const char* at) {
  const char* const end = reader_.end();
  if (Follows(at, end, ", ")) {
    const absl::string_view text = reader_.TextToColon(at + 2);
    if (!ReadKnownAttributes(text)) return at;
    at = text.data() + text.size();
  }
  if (!Follows(at, end, " : ")) return at;
  const absl::string_view text = reader_.TextToNewline(at + 3);
  draft_.types.emplace_back();
  places_.types.emplace_back();
  if (reader_.ReadKnownType(text, draft_.types[0], places_.types[0])) {
    return text.data() + text.size();
  }
  draft_.types.clear();
  places_.types.clear();
  return at;
}

// A value, or a number that has been read before; where it ends. Null, with
// nothing done, for what is none.
const char* FunctionParser::ReadPlainOperand(const char* at, OperandRole role) {
  const char* const end = reader_.end();
  if (at == end) return nullptr;
  if (*at == '%') {
    const absl::string_view text = TextAt(at, end, kNamePart);
    if (text.size() == 1) return nullptr;
    const ValueId id =
        builder_.FindValue(reader_.InternName(text.substr(1), builder_));
    if (!id.valid()) return nullptr;
    NotePlace(at);
    draft_.AddValue(id);
    return at + text.size();
  }
  const bool may_be_literal =
      role == OperandRole::kOperand || role == OperandRole::kScalar;
  if (!may_be_literal || !Is(*at, kDigit | kSign)) return nullptr;
  // No token goes on behind those bytes, and one that was all of them once is
  // all of them here.
  const absl::string_view text = TextAt(at, end, kNumberPart);
  const Literal* known = reader_.KnownLiteral(text);
  if (known == nullptr) return nullptr;
  NotePlace(at);
  draft_.AddLiteral(*known);
  return at + text.size();
}

}  // namespace palimpsest
