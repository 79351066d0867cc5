// The lexer: cuts text into tokens, one at a time, without copying any of it.

#ifndef PALIMPSEST_IR_LEXER_H_
#define PALIMPSEST_IR_LEXER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace palimpsest {

enum class TokenKind : uint8_t {
  kEnd,
  kNewline,
  kWord,     // add_, f32, dim, inf
  kValue,    // %x
  kStorage,  // @s
  kInteger,  // -12
  kFloat,    // 1.5, 1e-05, -inf
  kString,   // "..", quotes included; escapes are not looked at
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kColon,
  kEquals,
  kBad,  // What no token starts with, or a string that its line does not end.
};

// The classes of bytes that tokens are made of.
enum CharClass : uint8_t {
  kOther = 0,
  kBlank = 1,
  kDigit = 2,
  kLetter = 4,  // And `_`.
  kDot = 8,
  kSign = 16,
  kWordPart = kLetter | kDigit,
  kNamePart = kLetter | kDigit | kDot,
  kNumberPart = kLetter | kDigit | kDot | kSign,
};

constexpr std::array<uint8_t, 256> MakeCharClasses() {
  std::array<uint8_t, 256> classes{};
  for (char c : {' ', '\t', '\r', '\f', '\v'})
    classes[static_cast<uint8_t>(c)] = kBlank;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter;
  classes['_'] = kLetter;
  classes['.'] = kDot;
  classes['+'] = kSign;
  classes['-'] = kSign;
  return classes;
}

inline constexpr std::array<uint8_t, 256> kCharClasses = MakeCharClasses();

// Whether the byte is of one of the classes.
inline bool Is(char c, uint8_t classes) {
  return (kCharClasses[static_cast<uint8_t>(c)] & classes) != 0;
}

// The first byte at or after `at` that is of none of them.
inline const char* SkipAll(const char* at, const char* end, uint8_t classes) {
  while (at != end && Is(*at, classes)) ++at;
  return at;
}

// How a message names such a token.
absl::string_view TextOf(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::kEnd;
  absl::string_view text;  // A part of the whole text; empty at its end.

  bool Is(TokenKind other) const { return kind == other; }
  bool IsWord(absl::string_view word) const {
    return kind == TokenKind::kWord && text == word;
  }
  // Without its sigil. Precondition: a kValue or kStorage.
  absl::string_view name() const { return text.substr(1); }
};

class Lexer {
 public:
  // `text` must outlive the lexer and its tokens.
  explicit Lexer(absl::string_view text)
      : next_(text.data()),
        end_(text.data() + text.size()),
        line_begin_(text.data()) {}

  void Next(Token& token);
  // Goes on at `to`, which lies behind the last token, on its line.
  void SkipTo(const char* to) { next_ = to; }

  // Where the token lies that Next() returned last; a newline is the last token
  // of its line, but counts here as the next one's.
  int32_t line() const { return line_; }
  int32_t ColumnOf(const Token& token) const {
    return static_cast<int32_t>(token.text.data() - line_begin_) + 1;
  }

 private:
  void Take(Token& token, TokenKind kind, const char* begin, const char* end) {
    next_ = end;
    token.kind = kind;
    token.text = absl::string_view(begin, end - begin);
  }
  void TakeFloat(Token& token, const char* begin);
  void TakeString(Token& token, const char* begin);
  void TakeOther(Token& token, const char* begin);

  const char* next_;
  const char* end_;
  const char* line_begin_;
  int32_t line_ = 1;
};

// The offset of the first NUL, or byte that is no UTF-8.
absl::optional<size_t> FindBadByte(absl::string_view text);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_LEXER_H_
