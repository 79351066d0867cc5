// The lexer: cuts text into tokens, one at a time, without copying any of it.

#ifndef PALIMPSEST_IR_LEXER_H_
#define PALIMPSEST_IR_LEXER_H_

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
