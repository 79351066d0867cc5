#include "ir/lexer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace palimpsest {
namespace {

// What a token is that begins with a byte, kBad for none, and the bytes that it
// goes on with.
struct Start {
  TokenKind kind = TokenKind::kBad;
  uint8_t parts = 0;
};

constexpr std::array<Start, 256> MakeStarts() {
  std::array<Start, 256> starts{};
  for (int c = 0; c < 256; ++c) {
    if (kCharClasses[c] == kLetter) starts[c] = {TokenKind::kWord, kWordPart};
    if (kCharClasses[c] == kDigit) starts[c] = {TokenKind::kInteger, kDigit};
  }
  starts['%'] = {TokenKind::kValue, kNamePart};
  starts['@'] = {TokenKind::kStorage, kNamePart};
  starts['\n'].kind = TokenKind::kNewline;
  starts['"'].kind = TokenKind::kString;
  starts['('].kind = TokenKind::kLeftParen;
  starts[')'].kind = TokenKind::kRightParen;
  starts['['].kind = TokenKind::kLeftBracket;
  starts[']'].kind = TokenKind::kRightBracket;
  starts['{'].kind = TokenKind::kLeftBrace;
  starts['}'].kind = TokenKind::kRightBrace;
  starts[','].kind = TokenKind::kComma;
  starts[':'].kind = TokenKind::kColon;
  starts['='].kind = TokenKind::kEquals;
  return starts;
}

constexpr std::array<Start, 256> kStarts = MakeStarts();

// How many bytes the UTF-8 character at the start of `text` takes, 0 if that is
// none: overlong forms, surrogates and what is above U+10FFFF are none.
size_t Utf8Length(absl::string_view text) {
  const auto byte = [text](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
  };
  const auto follows = [byte](size_t i, uint8_t low, uint8_t high) {
    return byte(i) >= low && byte(i) <= high;
  };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second =
        follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && follows(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second =
        follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

constexpr size_t kPlainBytes = 64;

// Whether that many bytes are ASCII and none of them NUL.
bool ArePlain(const char* bytes) {
  constexpr uint64_t kHigh = 0x8080808080808080;
  constexpr uint64_t kOnes = 0x0101010101010101;
  uint64_t high = 0;
  for (size_t i = 0; i < kPlainBytes; i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes + i, sizeof(word));
    high |= word | (word - kOnes);
  }
  return (high & kHigh) == 0;
}

}  // namespace

absl::string_view TextOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEnd:
      return "the end of the file";
    case TokenKind::kNewline:
      return "the end of the line";
    case TokenKind::kWord:
      return "a word";
    case TokenKind::kValue:
      return "a value, %x";
    case TokenKind::kStorage:
      return "a storage, @s";
    case TokenKind::kInteger:
      return "an integer";
    case TokenKind::kFloat:
      return "a number";
    case TokenKind::kString:
      return "a string";
    case TokenKind::kLeftParen:
      return "`(`";
    case TokenKind::kRightParen:
      return "`)`";
    case TokenKind::kLeftBracket:
      return "`[`";
    case TokenKind::kRightBracket:
      return "`]`";
    case TokenKind::kLeftBrace:
      return "`{`";
    case TokenKind::kRightBrace:
      return "`}`";
    case TokenKind::kComma:
      return "`,`";
    case TokenKind::kColon:
      return "`:`";
    case TokenKind::kEquals:
      return "`=`";
    case TokenKind::kBad:
      return "no token";
  }
  return "";
}

void Lexer::Next(Token& token) {
  const char* begin = SkipAll(next_, end_, kBlank);
  if (begin == end_) return Take(token, TokenKind::kEnd, begin, begin);
  const Start start = kStarts[static_cast<uint8_t>(*begin)];
  const char* end = begin + 1;
  if (start.parts != 0) end = SkipAll(end, end_, start.parts);
  switch (start.kind) {
    case TokenKind::kValue:
    case TokenKind::kStorage:
      if (end == begin + 1) return Take(token, TokenKind::kBad, begin, end);
      break;
    case TokenKind::kInteger:
      if (end != end_ && Is(*end, kLetter | kDot)) {
        return TakeFloat(token, begin);
      }
      break;
    case TokenKind::kNewline:
      ++line_;
      line_begin_ = end;
      break;
    case TokenKind::kString:
      return TakeString(token, begin);
    case TokenKind::kBad:
      return TakeOther(token, begin);
    default:
      break;
  }
  Take(token, start.kind, begin, end);
}

void Lexer::TakeFloat(Token& token, const char* begin) {
  const char* end = begin + 1;
  while (end != end_ && Is(*end, kLetter | kDigit | kDot)) {
    const bool exponent = *end == 'e' || *end == 'E';
    ++end;
    if (exponent && end != end_ && (*end == '+' || *end == '-')) ++end;
  }
  Take(token, TokenKind::kFloat, begin, end);
}

void Lexer::TakeString(Token& token, const char* begin) {
  const char* end = begin + 1;
  while (end != end_ && *end != '"' && *end != '\n') {
    end += *end == '\\' && end + 1 != end_ && end[1] != '\n' ? 2 : 1;
  }
  if (end == end_ || *end == '\n') {
    return Take(token, TokenKind::kBad, begin, end);
  }
  Take(token, TokenKind::kString, begin, end + 1);
}

// What begins with `-`, or a comment and what is behind it, or nothing.
void Lexer::TakeOther(Token& token, const char* begin) {
  const char second = end_ - begin > 1 ? begin[1] : '\0';
  if (*begin == '/' && second == '/') {
    const void* newline = std::memchr(begin, '\n', end_ - begin);
    next_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
    return Next(token);
  }
  if (*begin == '-' && Is(second, kLetter)) {
    return Take(token, TokenKind::kFloat, begin,
                SkipAll(begin + 1, end_, kLetter | kDigit));
  }
  if (*begin == '-' && Is(second, kDigit)) {
    const char* end = SkipAll(begin + 1, end_, kDigit);
    if (end != end_ && Is(*end, kLetter | kDot)) {
      return TakeFloat(token, begin);
    }
    return Take(token, TokenKind::kInteger, begin, end);
  }
  Take(token, TokenKind::kBad, begin, begin + 1);
}

absl::optional<size_t> FindBadByte(absl::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    if (i + kPlainBytes <= text.size() && ArePlain(text.data() + i)) {
      i += kPlainBytes;
      continue;
    }
    const size_t end = std::min(i + kPlainBytes, text.size());
    while (i < end) {
      const size_t length = Utf8Length(text.substr(i, 4));
      if (length == 0 || text[i] == '\0') return i;
      i += length;
    }
  }
  return absl::nullopt;
}

}  // namespace palimpsest
