// Statements with a form of their own: calls, and view sugar.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/builder.h"
#include "ir/function_parser.h"
#include "ir/lexer.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/text_reader.h"
#include "ir/type.h"
#include "ir/view_sugar.h"
#include "ir/view_sugar_text.h"

namespace palimpsest {

absl::Status FunctionParser::ReadCall() {
  draft_.call.emplace();
  draft_.call->pure = reader_.ConsumeWord("pure");
  std::string name;
  RETURN_IF_ERROR(
      reader_.ReadString(name, "with the name, `call \"name\"(..)`"));
  draft_.call->name = builder_.Intern(name);
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kLeftParen, "before the operands"));
  if (!reader_.Consume(TokenKind::kRightParen)) {
    RETURN_IF_ERROR(ReadCallOperands());
  }
  if (!reader_.Consume(TokenKind::kLeftBrace)) return absl::OkStatus();
  return ReadCallAttributes();
}

absl::Status FunctionParser::ReadCallOperands() {
  do {
    NotePlace(reader_.at());
    Access access = Access::kRead;
    if (reader_.ConsumeWord("mut")) {
      access = Access::kMut;
    } else if (reader_.ConsumeWord("upd")) {
      access = Access::kUpd;
    }
    ValueId id;
    RETURN_IF_ERROR(ReadValue(id));
    draft_.AddValue(id, access);
  } while (reader_.Consume(TokenKind::kComma));
  return reader_.Expect(TokenKind::kRightParen, "or `,` after the operand");
}

absl::Status FunctionParser::ReadCallAttributes() {
  auto& attributes = draft_.call->attributes;
  do {
    const Token key = reader_.token();
    if (!key.Is(TokenKind::kWord)) {
      return reader_.Unexpected("an attribute, `key=\"value\"`");
    }
    const Name name = builder_.Intern(key.text);
    const bool twice = absl::c_any_of(
        attributes, [name](const auto& known) { return known.first == name; });
    if (twice) {
      return reader_.Error(
          reader_.at(), absl::StrCat("`", key.text, "=` stands there twice"));
    }
    reader_.Advance();
    RETURN_IF_ERROR(reader_.Expect(TokenKind::kEquals, "after the attribute"));
    std::string value;
    RETURN_IF_ERROR(reader_.ReadString(value, "for the attribute"));
    attributes.emplace_back(name, std::move(value));
  } while (reader_.Consume(TokenKind::kComma));
  return reader_.Expect(TokenKind::kRightBrace, "or `,` after the attribute");
}

absl::Status FunctionParser::ReadSugar(const SugarInfo& sugar) {
  if (builder_.function().is_pure()) {
    return reader_.Error(places_.op, "a pure func has no views; use `extract`");
  }
  RETURN_IF_ERROR(ReadValueOperand());
  SugarArguments arguments;
  while (reader_.Consume(TokenKind::kComma)) {
    RETURN_IF_ERROR(ReadSugarArgument(sugar, arguments));
  }
  if (!AtEndOfArguments()) return MissingComma();
  RETURN_IF_ERROR(ReadTail());
  return FinishSugar(sugar, arguments, draft_.operands[0].value());
}

absl::Status FunctionParser::ReadSugarArgument(const SugarInfo& sugar,
                                               SugarArguments& arguments) {
  const Token word = reader_.token();
  const auto found = absl::c_find_if(
      sugar.keys, [&word](SugarKey key) { return TextOf(key) == word.text; });
  if (!word.Is(TokenKind::kWord)) {
    return reader_.Unexpected("an attribute, `key=..`");
  }
  if (found == sugar.keys.end()) {
    std::vector<std::string> known;
    for (SugarKey key : sugar.keys) known.emplace_back(TextOf(key));
    return UnknownAttribute(word, known);
  }
  const SugarKey key = *found;
  auto& number = arguments.numbers[static_cast<int>(key)];
  auto& list = arguments.lists[static_cast<int>(key)];
  if (number || list || (key == SugarKey::kDType && arguments.dtype)) {
    return reader_.Error(reader_.at(),
                         absl::StrCat("`", word.text, "=` stands there twice"));
  }
  reader_.Advance();
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kEquals, "after the attribute"));
  if (key == SugarKey::kDType) {
    arguments.dtype.emplace();
    return reader_.ReadDType(*arguments.dtype);
  }
  if (key == SugarKey::kDims || key == SugarKey::kSizes) {
    list.emplace();
    return reader_.ReadIntegers(*list, "for the attribute");
  }
  number.emplace();
  return reader_.ReadInteger(*number, "for the attribute");
}

// Makes the draft a `view` with the computed window. A declared type says the
// same, as far as it says anything.
absl::Status FunctionParser::FinishSugar(const SugarInfo& sugar,
                                         SugarArguments& arguments, ValueId x) {
  draft_.kind = OpKind::kView;
  const bool declares = !draft_.types.empty();
  const TypeDraft declared = declares ? draft_.types[0] : TypeDraft();
  const Layout shape = builder_.ShapeOf(declared);
  if (sugar.kind == SugarKind::kBitcast && declares && !arguments.dtype) {
    arguments.dtype = shape.dtype;
  }
  const absl::StatusOr<StridedWindow> window =
      ApplySugar(sugar.kind, builder_.WindowOf(x), arguments);
  if (!window.ok()) {
    return reader_.Error(places_.op, window.status().message());
  }
  const Layout computed = window->layout();
  const bool agrees =
      !declares ||
      (shape.dtype == computed.dtype && shape.sizes == computed.sizes &&
       (declared.offset == 0 || declared.offset == window->offset) &&
       (!declared.strides || shape.strides == computed.strides));
  if (!agrees) {
    return reader_.Error(
        places_.types[0].type,
        absl::StrCat("the view is ", TextOf(computed.dtype, computed.sizes),
                     " at offset ", window->offset, ", strides ",
                     TextOf(computed.strides), "; the type says otherwise"));
  }
  draft_.types.resize(1);
  draft_.types[0] = {window->dtype,  window->sizes,   declared.storage,
                     window->offset, window->strides, LayoutId{}};
  return absl::OkStatus();
}

}  // namespace palimpsest
