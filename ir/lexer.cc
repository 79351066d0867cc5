#include "ir/lexer.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace palimpsest {
namespace {

enum CharClass : uint8_t {
  kOther = 0,
  kBlank = 1,
  kDigit = 2,
  kLetter = 4,  // And `_`.
  kDot = 8,
  kNamePart = kDigit | kLetter | kDot,
};

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (char c : {' ', '\t', '\r', '\f', '\v'})
    classes[static_cast<uint8_t>(c)] = kBlank;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter;
  classes['_'] = kLetter;
  classes['.'] = kDot;
  return classes;
}

constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool Is(char c, uint8_t classes) {
  return (kClasses[static_cast<uint8_t>(c)] & classes) != 0;
}

// What a token is that begins with the byte; kBad for none.
constexpr std::array<TokenKind, 256> MakeStarts() {
  std::array<TokenKind, 256> starts{};
  for (int c = 0; c < 256; ++c) {
    starts[c] = kClasses[c] == kLetter  ? TokenKind::kWord
                : kClasses[c] == kDigit ? TokenKind::kInteger
                                        : TokenKind::kBad;
  }
  starts['\n'] = TokenKind::kNewline;
  starts['%'] = TokenKind::kValue;
  starts['@'] = TokenKind::kStorage;
  starts['"'] = TokenKind::kString;
  starts['('] = TokenKind::kLeftParen;
  starts[')'] = TokenKind::kRightParen;
  starts['['] = TokenKind::kLeftBracket;
  starts[']'] = TokenKind::kRightBracket;
  starts['{'] = TokenKind::kLeftBrace;
  starts['}'] = TokenKind::kRightBrace;
  starts[','] = TokenKind::kComma;
  starts[':'] = TokenKind::kColon;
  starts['='] = TokenKind::kEquals;
  return starts;
}

constexpr std::array<TokenKind, 256> kStarts = MakeStarts();

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

// Whether eight bytes are ASCII and none of them NUL.
bool IsPlain(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  constexpr uint64_t kHigh = 0x8080808080808080;
  constexpr uint64_t kOnes = 0x0101010101010101;
  return ((word | (word - kOnes)) & kHigh) == 0;
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

void Lexer::SkipBlanks() {
  while (next_ != end_) {
    if (Is(*next_, kBlank)) {
      ++next_;
    } else if (*next_ == '/' && end_ - next_ > 1 && next_[1] == '/') {
      const void* newline = std::memchr(next_, '\n', end_ - next_);
      next_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
    } else {
      return;
    }
  }
}

Token Lexer::Take(TokenKind kind, const char* begin, const char* end) {
  next_ = end;
  return {kind, absl::string_view(begin, end - begin)};
}

Token Lexer::TakeName(TokenKind kind) {
  const char* end = next_ + 1;
  while (end != end_ && Is(*end, kNamePart)) ++end;
  if (end == next_ + 1) kind = TokenKind::kBad;
  return Take(kind, next_, end);
}

Token Lexer::TakeWord() {
  const char* end = next_ + 1;
  while (end != end_ && Is(*end, kLetter | kDigit)) ++end;
  return Take(TokenKind::kWord, next_, end);
}

Token Lexer::TakeNumber() {
  TokenKind kind = TokenKind::kInteger;
  const char* end = next_ + 1;
  while (end != end_) {
    if (Is(*end, kLetter | kDot)) {
      kind = TokenKind::kFloat;
      const bool exponent = *end == 'e' || *end == 'E';
      ++end;
      if (exponent && end != end_ && (*end == '+' || *end == '-')) ++end;
    } else if (Is(*end, kDigit)) {
      ++end;
    } else {
      break;
    }
  }
  return Take(kind, next_, end);
}

Token Lexer::TakeString() {
  const char* end = next_ + 1;
  while (end != end_ && *end != '"' && *end != '\n') {
    end += *end == '\\' && end + 1 != end_ && end[1] != '\n' ? 2 : 1;
  }
  if (end == end_ || *end == '\n') {
    return Take(TokenKind::kBad, next_, end);
  }
  return Take(TokenKind::kString, next_, end + 1);
}

Token Lexer::Next() {
  SkipBlanks();
  if (next_ == end_) return Take(TokenKind::kEnd, end_, end_);
  const TokenKind kind = kStarts[static_cast<uint8_t>(*next_)];
  switch (kind) {
    case TokenKind::kValue:
    case TokenKind::kStorage:
      return TakeName(kind);
    case TokenKind::kWord:
      return TakeWord();
    case TokenKind::kInteger:
      return TakeNumber();
    case TokenKind::kString:
      return TakeString();
    case TokenKind::kNewline:
      ++line_;
      line_begin_ = next_ + 1;
      break;
    case TokenKind::kBad:
      if (*next_ == '-' && end_ - next_ > 1) {
        if (Is(next_[1], kDigit)) return TakeNumber();
        if (Is(next_[1], kLetter)) return TakeWord();
      }
      break;
    default:
      break;
  }
  return Take(kind, next_, next_ + 1);
}

absl::optional<size_t> FindBadByte(absl::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    if (i + 8 <= text.size() && IsPlain(text.data() + i)) {
      i += 8;
      continue;
    }
    const size_t length = Utf8Length(text.substr(i, 4));
    if (length == 0 || text[i] == '\0') return i;
    i += length;
  }
  return absl::nullopt;
}

}  // namespace palimpsest
