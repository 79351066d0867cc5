#include "ir/text_reader.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/lexer.h"
#include "ir/literal_text.h"
#include "ir/op.h"
#include "ir/source_text.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The value of `inf`, `-inf` or `nan`.
absl::optional<double> NamedDouble(absl::string_view word) {
  if (word == "inf") return kInfinity;
  if (word == "-inf") return -kInfinity;
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  return absl::nullopt;
}

std::string DTypeSuggestion(absl::string_view word) {
  std::vector<std::string> texts;
  std::string all;
  for (DType dtype : AllDTypes()) {
    texts.emplace_back(InfoFor(dtype).text);
    absl::StrAppend(&all, all.empty() ? "" : " ", InfoFor(dtype).text);
  }
  const std::string guess = DidYouMean(word, texts);
  return guess.empty() ? absl::StrCat("; the dtypes are ", all) : guess;
}

}  // namespace

absl::Status TextReader::Unexpected(absl::string_view wanted) const {
  if (!token_.Is(TokenKind::kBad)) {
    const bool shown = !token_.Is(TokenKind::kEnd) &&
                       !token_.Is(TokenKind::kNewline) &&
                       token_.text.size() <= 40;
    return Error(at(), absl::StrCat("expected ", wanted, ", found ",
                                    shown ? absl::StrCat("`", token_.text, "`")
                                          : TextOf(token_.kind)));
  }
  const char c = token_.text[0];
  if (c == '"') {
    return Error(at(),
                 "the string does not end on its line; close it with `\"`");
  }
  if (c == '%' || c == '@') {
    return Error(at(), absl::StrCat("expected a name after `", token_.text,
                                    "`, of letters, digits, `_` and `.`"));
  }
  if (c == '?') {
    return Error(at(),
                 "`?`, a symbolic size, is reserved for a later version; "
                 "write the size as a number");
  }
  return Error(at(), absl::StrCat("expected ", wanted,
                                  ", found a character "
                                  "that begins nothing"));
}

absl::Status TextReader::Missing(TokenKind kind,
                                 absl::string_view where) const {
  return Unexpected(absl::StrCat(TextOf(kind), " ", where));
}

absl::Status TextReader::ReadInteger(int64_t& value, absl::string_view where) {
  if (!token_.Is(TokenKind::kInteger)) {
    return Unexpected(absl::StrCat("an integer ", where));
  }
  const absl::optional<int64_t> number = Int64FromText(token_.text);
  if (!number) {
    return Error(at(),
                 "the integer does not fit 64 bits; it must be -2^63 to "
                 "2^63 - 1");
  }
  value = *number;
  Advance();
  return absl::OkStatus();
}

absl::Status TextReader::ReadIntegers(Dims& values, absl::string_view where) {
  values.clear();
  RETURN_IF_ERROR(Expect(TokenKind::kLeftBracket, where));
  if (Consume(TokenKind::kRightBracket)) return absl::OkStatus();
  do {
    int64_t value = 0;
    RETURN_IF_ERROR(ReadInteger(value, "in the list"));
    values.push_back(value);
  } while (Consume(TokenKind::kComma));
  return Expect(TokenKind::kRightBracket, "or `,` in the list");
}

bool TextReader::AtLiteral() const {
  switch (token_.kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat:
    case TokenKind::kLeftParen:
      return true;
    case TokenKind::kWord:
      return token_.text == "true" || token_.text == "false" ||
             NamedDouble(token_.text).has_value();
    default:
      return false;
  }
}

absl::Status TextReader::ReadDouble(double& value, absl::string_view where) {
  absl::optional<double> number;
  const bool is_number =
      token_.Is(TokenKind::kInteger) || token_.Is(TokenKind::kFloat);
  if (is_number || token_.Is(TokenKind::kWord)) {
    number = NamedDouble(token_.text);
  }
  if (is_number && !number) {
    number = DoubleFromText(token_.text);
    if (!number) {
      return Error(at(),
                   "this is no number that a double holds; write digits, "
                   "`.` and an exponent, or `inf`");
    }
  }
  if (!number) return Unexpected(absl::StrCat("a number ", where));
  value = *number;
  Advance();
  return absl::OkStatus();
}

absl::Status TextReader::ReadComplex(Literal& literal) {
  Advance();
  double real = 0;
  double imaginary = 0;
  RETURN_IF_ERROR(ReadDouble(real, "after `(`"));
  RETURN_IF_ERROR(Expect(TokenKind::kComma, "between real and imaginary part"));
  RETURN_IF_ERROR(ReadDouble(imaginary, "after `,`"));
  RETURN_IF_ERROR(Expect(TokenKind::kRightParen, "after the imaginary part"));
  literal = Literal::Complex(real, imaginary);
  return absl::OkStatus();
}

absl::Status TextReader::ReadLiteral(Literal& literal) {
  if (!AtLiteral()) return Unexpected("a literal");
  if (token_.Is(TokenKind::kLeftParen)) return ReadComplex(literal);
  if (token_.Is(TokenKind::kInteger)) {
    const absl::optional<Literal> integer = IntegerFromText(token_.text);
    if (!integer) {
      return Error(at(),
                   "the integer does not fit 64 bits; it must be -2^63 to "
                   "2^64 - 1");
    }
    literal = *integer;
  } else if (token_.IsWord("true") || token_.IsWord("false")) {
    literal = Literal::Boolean(token_.text == "true");
  } else {
    double value = 0;
    RETURN_IF_ERROR(ReadDouble(value, "here"));
    literal = Literal::Float(value);
    return absl::OkStatus();
  }
  Advance();
  return absl::OkStatus();
}

absl::Status TextReader::ReadString(std::string& text,
                                    absl::string_view where) {
  if (!token_.Is(TokenKind::kString)) {
    return Unexpected(absl::StrCat("a string ", where));
  }
  const absl::string_view escaped =
      token_.text.substr(1, token_.text.size() - 2);
  absl::optional<std::string> unescaped = Unescape(escaped);
  if (!unescaped) {
    return Error(at(),
                 "the string has an escape that is none of \\\" \\\\ \\n \\r "
                 "\\t \\xHH");
  }
  text = *std::move(unescaped);
  Advance();
  return absl::OkStatus();
}

absl::Status TextReader::ReadDType(DType& dtype) {
  if (!token_.Is(TokenKind::kWord)) return Unexpected("a dtype, such as `f32`");
  const absl::optional<DType> found = DTypeFromText(token_.text);
  if (!found) {
    return Error(at(),
                 absl::StrCat("`", token_.text.substr(0, 40), "` is no dtype",
                              DTypeSuggestion(token_.text)));
  }
  dtype = *found;
  Advance();
  return absl::OkStatus();
}

absl::Status TextReader::ReadOffset(int64_t& offset) {
  if (!ConsumeWord("offset")) return absl::OkStatus();
  return ReadInteger(offset, "after `offset`");
}

absl::Status TextReader::ReadPlace(int64_t& offset,
                                   absl::optional<Dims>& strides) {
  RETURN_IF_ERROR(ReadOffset(offset));
  if (!ConsumeWord("strides")) return absl::OkStatus();
  strides.emplace();
  return ReadIntegers(*strides, "after `strides`");
}

Name TextReader::InternName(FunctionBuilder& builder) {
  const absl::string_view text = token_.name();
  // A number costs no more to intern than to find.
  if (absl::ascii_isdigit(text[0])) return builder.Intern(text);
  Name name{names_.Find(text, 0)};
  if (name.valid()) return name;
  name = builder.Intern(text);
  names_.Put(text, 0, name.value);
  return name;
}

// What a layout or list that begins here has for a text in layouts_; empty for
// one that is too long to keep.
absl::string_view TextReader::TextToBracket() const {
  constexpr ptrdiff_t kLongest = 128;
  const size_t most = std::min(kLongest, end() - at());
  const void* bracket = std::memchr(at(), ']', most);
  if (bracket == nullptr) return {};
  return {at(),
          static_cast<size_t>(static_cast<const char*>(bracket) - at()) + 1};
}

void TextReader::AdvanceOver(absl::string_view text) {
  lexer_.SkipTo(text.data() + text.size());
  Advance();
}

// Sets dtype, sizes and, where CheckSizes() allows them, the layout.
absl::Status TextReader::ReadShape(TypeDraft& type, FunctionBuilder& builder) {
  const absl::string_view text = TextToBracket();
  type.layout = LayoutId{layouts_.Find(text, -1)};
  if (type.layout.valid()) {
    const Layout layout = builder.function().layouts.Get(type.layout);
    type.dtype = layout.dtype;
    type.sizes.assign(layout.sizes.begin(), layout.sizes.end());
    AdvanceOver(text);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(ReadDType(type.dtype));
  RETURN_IF_ERROR(ReadIntegers(type.sizes, "with the sizes after the dtype"));
  type.layout = builder.LayoutOf(type);
  if (type.layout.valid()) layouts_.Put(text, -1, type.layout.value);
  return absl::OkStatus();
}

// Precondition: ReadShape() was called.
absl::Status TextReader::ReadStrides(TypeDraft& type,
                                     FunctionBuilder& builder) {
  type.strides.emplace();
  const int32_t context = type.layout.value;
  const absl::string_view text = TextToBracket();
  type.layout = LayoutId{context < 0 ? -1 : layouts_.Find(text, context)};
  if (type.layout.valid()) {
    const Layout layout = builder.function().layouts.Get(type.layout);
    type.strides->assign(layout.strides.begin(), layout.strides.end());
    AdvanceOver(text);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(ReadIntegers(*type.strides, "after `strides`"));
  if (context < 0) return absl::OkStatus();
  type.layout = builder.LayoutOf(type);
  if (type.layout.valid()) layouts_.Put(text, context, type.layout.value);
  return absl::OkStatus();
}

absl::Status TextReader::ReadType(TypeDraft& type, TypePlace& place,
                                  FunctionBuilder& builder) {
  place.type = at();
  RETURN_IF_ERROR(ReadShape(type, builder));
  if (ConsumeWord("in")) {
    if (!token_.Is(TokenKind::kStorage)) {
      return Unexpected("a storage, @s, after `in`");
    }
    place.storage = at();
    type.storage = InternName(builder);
    Advance();
  }
  RETURN_IF_ERROR(ReadOffset(type.offset));
  if (!ConsumeWord("strides")) return absl::OkStatus();
  return ReadStrides(type, builder);
}

}  // namespace palimpsest
