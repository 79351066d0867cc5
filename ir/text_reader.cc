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

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
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

bool IsPlain(OperandRole role) {
  switch (role) {
    case OperandRole::kTensor:
    case OperandRole::kOperand:
    case OperandRole::kScalar:
    case OperandRole::kIndex:
    case OperandRole::kMask:
      return true;
    default:
      return false;
  }
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
  const absl::string_view text = token_.text;
  if (const Literal* known = literals_.Find(text)) {
    literal = *known;
    Advance();
    return absl::OkStatus();
  }
  const bool is_token = !token_.Is(TokenKind::kLeftParen);
  RETURN_IF_ERROR(ReadNewLiteral(literal));
  if (is_token) literals_.Put(text, literal);
  return absl::OkStatus();
}

absl::Status TextReader::ReadNewLiteral(Literal& literal) {
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

Name TextReader::InternText(absl::string_view text, FunctionBuilder& builder) {
  const Name name = builder.Intern(text);
  names_.Put(text, name);
  return name;
}

const OpWord* TextReader::NewOpNamed(absl::string_view text) {
  OpWord word;
  absl::string_view stem = text;
  if (absl::ConsumeSuffix(&stem, "_")) word.form = OpForm::kInPlace;
  const absl::optional<OpKind> kind = OpKindFromText(stem);
  if (!kind) return nullptr;
  word.kind = *kind;
  const std::vector<OpInfo::Operand>& rows = InfoFor(*kind).operands;
  word.plain = !rows.empty() && absl::c_all_of(rows, [](const auto& row) {
    return IsPlain(row.role);
  });
  ops_.Put(text, word);
  return ops_.Find(text);
}

void TextReader::KeepAttributes(absl::string_view text, OpKind kind,
                                const AttributeTexts& texts) {
  constexpr size_t kMost = 1024;
  if (attribute_texts_.size() == kMost) return;
  attributes_.Put(text, static_cast<int32_t>(attribute_texts_.size()),
                  static_cast<int32_t>(kind));
  attribute_texts_.push_back(texts);
}

// Up to the byte, if that is near: what is longer is not kept.
absl::string_view TextReader::TextTo(char last, const char* at) const {
  constexpr ptrdiff_t kLongest = 128;
  const size_t most = std::min(kLongest, end() - at);
  const void* found = std::memchr(at, last, most);
  if (found == nullptr) return {};
  return {at, static_cast<size_t>(static_cast<const char*>(found) - at)};
}

// What a layout or list that begins here has for a text in layouts_.
absl::string_view TextReader::TextToBracket() const {
  const absl::string_view text = TextTo(']', at());
  return text.empty() ? text : absl::string_view(text.data(), text.size() + 1);
}

absl::string_view TextReader::TextToColon(const char* at) const {
  absl::string_view text = TextToNewline(at);
  text = text.substr(0, text.find("//"));  // A comment may have colons.
  text = text.substr(0, text.find(':'));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Sets dtype, sizes and, where CheckSizes() allows them, the layout.
absl::Status TextReader::ReadShape(TypeDraft& type, FunctionBuilder& builder) {
  const absl::string_view text = TextToBracket();
  if (const LayoutId* known = layouts_.Find(text, -1)) {
    type.layout = *known;
    AdvanceOver(text);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(ReadDType(type.dtype));
  RETURN_IF_ERROR(ReadIntegers(type.sizes, "with the sizes after the dtype"));
  type.layout = builder.LayoutOf(type);
  if (type.layout.valid()) layouts_.Put(text, type.layout, -1);
  return absl::OkStatus();
}

// Precondition: ReadShape() was called.
absl::Status TextReader::ReadStrides(TypeDraft& type,
                                     FunctionBuilder& builder) {
  type.strides.emplace();
  const int32_t context = type.layout.value;
  if (context < 0) return ReadIntegers(*type.strides, "after `strides`");
  const absl::string_view text = TextToBracket();
  const Layout shape = builder.ShapeOf(type);
  if (const LayoutId* known = layouts_.Find(text, context)) {
    type.layout = *known;
    AdvanceOver(text);
    return absl::OkStatus();
  }
  type.layout = LayoutId{};
  type.dtype = shape.dtype;
  type.sizes.assign(shape.sizes.begin(), shape.sizes.end());
  RETURN_IF_ERROR(ReadIntegers(*type.strides, "after `strides`"));
  type.layout = builder.LayoutOf(type);
  if (type.layout.valid()) layouts_.Put(text, type.layout, context);
  return absl::OkStatus();
}

bool TextReader::ReadKnownType(absl::string_view text, TypeDraft& type,
                               TypePlace& place) {
  const TypeMeaning* known = types_.Find(text);
  if (known == nullptr) return false;
  type.layout = known->layout;
  type.storage = known->storage;
  type.offset = known->offset;
  if (known->has_strides) type.strides.emplace();
  place.type = text.data();
  if (known->storage_at >= 0) place.storage = text.data() + known->storage_at;
  return true;
}

absl::Status TextReader::ReadType(TypeDraft& type, TypePlace& place,
                                  FunctionBuilder& builder) {
  const absl::string_view text = TextToNewline(at());
  if (ReadKnownType(text, type, place)) {
    AdvanceOver(text);
    return absl::OkStatus();
  }
  place.type = at();
  RETURN_IF_ERROR(ReadNewType(type, place, builder));
  if (at() != text.data() + text.size() || !type.layout.valid()) {
    return absl::OkStatus();
  }
  TypeMeaning meaning{type.layout, type.storage, type.strides.has_value(), -1,
                      type.offset};
  if (place.storage != nullptr) {
    meaning.storage_at = static_cast<int32_t>(place.storage - text.data());
  }
  types_.Put(text, meaning);
  return absl::OkStatus();
}

absl::Status TextReader::ReadNewType(TypeDraft& type, TypePlace& place,
                                     FunctionBuilder& builder) {
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
