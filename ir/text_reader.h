// TextReader: the parts of the text that statements are made of. It holds one
// token of lookahead; what it reads it advances over.

#ifndef PALIMPSEST_IR_TEXT_READER_H_
#define PALIMPSEST_IR_TEXT_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/builder.h"
#include "ir/lexer.h"
#include "ir/op.h"
#include "ir/source_text.h"
#include "ir/text_cache.h"
#include "ir/type.h"

namespace palimpsest {

// Where the parts of a type stand, for messages.
struct TypePlace {
  const char* type = nullptr;
  const char* storage = nullptr;  // Null where the type names none.
};

class TextReader {
 public:
  explicit TextReader(const SourceText& source)
      : source_(source),
        lexer_(source.text),
        layouts_(std::clamp<size_t>(source.text.size() / 64, 16, 8192)),
        names_(64) {
    Advance();
  }

  const Token& token() const { return token_; }
  const char* at() const { return token_.text.data(); }
  const char* end() const { return source_.text.data() + source_.text.size(); }
  SourceLocation location() const {
    return {lexer_.line(), lexer_.ColumnOf(token_)};
  }
  // The token after this one.
  Token Peek() const {
    Token token;
    Lexer(lexer_).Next(token);
    return token;
  }

  void Advance() { lexer_.Next(token_); }
  bool Consume(TokenKind kind) {
    if (!token_.Is(kind)) return false;
    Advance();
    return true;
  }
  bool ConsumeWord(absl::string_view word) {
    if (!token_.IsWord(word)) return false;
    Advance();
    return true;
  }
  void SkipNewlines() {
    while (token_.Is(TokenKind::kNewline)) Advance();
  }

  // `where` goes on "expected `(` ..": "after the function's name".
  absl::Status Expect(TokenKind kind, absl::string_view where) {
    return Consume(kind) ? absl::OkStatus() : Missing(kind, where);
  }

  absl::Status ReadInteger(int64_t& value, absl::string_view where);
  absl::Status ReadIntegers(Dims& values, absl::string_view where);  // [1,2]
  absl::Status ReadLiteral(Literal& literal);
  absl::Status ReadString(std::string& text, absl::string_view where);
  absl::Status ReadDType(DType& dtype);
  // [offset N] [strides [..]]
  absl::Status ReadPlace(int64_t& offset, absl::optional<Dims>& strides);
  absl::Status ReadType(TypeDraft& type, TypePlace& place,
                        FunctionBuilder& builder);
  // The name of the token, a kValue or kStorage.
  Name InternName(FunctionBuilder& builder);
  // To be called before the first type and name of another builder.
  void ForgetFunction() {
    layouts_.Clear();
    names_.Clear();
  }

  // Whether the token begins a literal.
  bool AtLiteral() const;

  absl::Status Error(const char* at, absl::string_view message) const {
    return source_.Error(at, message);
  }
  // "expected WANTED, found ..", at the token.
  absl::Status Unexpected(absl::string_view wanted) const;

 private:
  absl::Status Missing(TokenKind kind, absl::string_view where) const;
  absl::Status ReadOffset(int64_t& offset);
  absl::Status ReadShape(TypeDraft& type, FunctionBuilder& builder);
  absl::Status ReadStrides(TypeDraft& type, FunctionBuilder& builder);
  absl::string_view TextToBracket() const;
  void AdvanceOver(absl::string_view text);
  absl::Status ReadDouble(double& value, absl::string_view where);
  absl::Status ReadComplex(Literal& literal);

  const SourceText& source_;
  Lexer lexer_;
  Token token_;
  // LayoutIds, by `f32[4,2]`, and by `[2,1]` in the context of the LayoutId
  // without such strides. Such a text begins with a token and ends with the
  // first `]`, which is one; equal texts are equal tokens.
  TextCache layouts_;
  TextCache names_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_TEXT_READER_H_
