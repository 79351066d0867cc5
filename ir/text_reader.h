// TextReader: the parts of the text that statements are made of. It holds one
// token of lookahead; what it reads it advances over.

#ifndef PALIMPSEST_IR_TEXT_READER_H_
#define PALIMPSEST_IR_TEXT_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/builder.h"
#include "ir/lexer.h"
#include "ir/op.h"
#include "ir/source_text.h"
#include "ir/text_cache.h"
#include "ir/type.h"

namespace palimpsest {

// An op as a statement names it, `_` for the form in place.
struct OpWord {
  OpKind kind = OpKind::kEmpty;
  OpForm form = OpForm::kValue;
  bool plain = false;  // Its operands are values and numbers, one for each row.
};

// Attributes one behind the other, and where each value stands in their text.
struct AttributeTexts {
  absl::InlinedVector<AttributeDraft, 2> attributes;
  absl::InlinedVector<int32_t, 2> places;
};

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
        statements_(std::clamp<size_t>(source.text.size() / 64, 16, 1024)),
        types_(std::clamp<size_t>(source.text.size() / 64, 16, 8192)),
        layouts_(std::clamp<size_t>(source.text.size() / 64, 16, 8192)),
        names_(64),
        ops_(64),
        literals_(64),
        attributes_(64) {
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
  // The op of that name; null for none. Valid until the next call.
  const OpWord* OpNamed(absl::string_view text) {
    const OpWord* known = ops_.Find(text);
    return known != nullptr ? known : NewOpNamed(text);
  }
  // Whether a type was read before that was all of such a text, up to the
  // newline; reads it then, but does not advance.
  bool ReadKnownType(absl::string_view text, TypeDraft& type, TypePlace& place);
  // The name of the token, a kValue or kStorage.
  Name InternName(FunctionBuilder& builder) {
    return InternName(token_.name(), builder);
  }
  Name InternName(absl::string_view text, FunctionBuilder& builder) {
    // A number costs no more to read than to find.
    if (const auto number = NameTable::NumberNamed(text)) return *number;
    const Name* name = names_.Find(text);
    return name != nullptr ? *name : InternText(text, builder);
  }
  // A literal of one token that ReadLiteral() has read; null for others.
  const Literal* KnownLiteral(absl::string_view text) const {
    return literals_.Find(text);
  }
  // From `at` to the colon, or else the comment or the newline, on its line,
  // without the blanks before that; empty where that is far.
  absl::string_view TextToColon(const char* at) const;
  absl::string_view TextToNewline(const char* at) const {
    return TextTo('\n', at);
  }
  // What KeepAttributes() was given for that text and op; null for others.
  const AttributeTexts* KnownAttributes(absl::string_view text,
                                        OpKind kind) const {
    const int32_t* index = attributes_.Find(text, static_cast<int32_t>(kind));
    return index == nullptr ? nullptr : &attribute_texts_[*index];
  }
  void KeepAttributes(absl::string_view text, OpKind kind,
                      const AttributeTexts& texts);
  // The ops of the statements of the function's that are all of their line.
  TextCache<OpId>& statements() { return statements_; }
  // To be called before the first type and name of another builder.
  void ForgetFunction() {
    statements_.Clear();
    types_.Clear();
    layouts_.Clear();
    names_.Clear();
  }

  // The next token is the one at `text`'s end, on the line of the last token.
  void AdvanceOver(absl::string_view text) {
    lexer_.SkipTo(text.data() + text.size());
    Advance();
  }

  // Whether the token begins a literal.
  bool AtLiteral() const;

  absl::Status Error(const char* at, absl::string_view message) const {
    return source_.Error(at, message);
  }
  // "expected WANTED, found ..", at the token.
  absl::Status Unexpected(absl::string_view wanted) const;

 private:
  // A type up to the end of its line.
  struct TypeMeaning {
    LayoutId layout;
    Name storage;
    bool has_strides = false;
    int32_t storage_at = -1;  // In the text; -1 where it names none.
    int64_t offset = 0;
  };

  const OpWord* NewOpNamed(absl::string_view text);
  Name InternText(absl::string_view text, FunctionBuilder& builder);
  absl::Status Missing(TokenKind kind, absl::string_view where) const;
  absl::Status ReadOffset(int64_t& offset);
  absl::Status ReadShape(TypeDraft& type, FunctionBuilder& builder);
  absl::Status ReadStrides(TypeDraft& type, FunctionBuilder& builder);
  absl::Status ReadNewType(TypeDraft& type, TypePlace& place,
                           FunctionBuilder& builder);
  absl::string_view TextTo(char last, const char* at) const;
  absl::string_view TextToBracket() const;
  absl::Status ReadNewLiteral(Literal& literal);
  absl::Status ReadDouble(double& value, absl::string_view where);
  absl::Status ReadComplex(Literal& literal);

  const SourceText& source_;
  Lexer lexer_;
  Token token_;
  TextCache<OpId> statements_;
  TextCache<TypeMeaning> types_;
  // By `f32[4,2]`, and by `[2,1]` in the context of the LayoutId without such
  // strides. Such a text begins with a token and ends with the first `]`, which
  // is one; equal texts are equal tokens.
  TextCache<LayoutId> layouts_;
  TextCache<Name> names_;
  // These mean the same in any function.
  TextCache<OpWord> ops_;
  TextCache<Literal> literals_;  // Of one token.
  // Indices into attribute_texts_, in the context of the op's kind.
  TextCache<int32_t> attributes_;
  std::vector<AttributeTexts> attribute_texts_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_TEXT_READER_H_
