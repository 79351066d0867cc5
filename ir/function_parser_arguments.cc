// What follows an op's name: operands by their roles, and attributes.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/builder.h"
#include "ir/function_parser.h"
#include "ir/lexer.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/source_text.h"
#include "ir/status_macros.h"
#include "ir/text_reader.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// "`%x, %i, %source`": how the op is written.
std::string Usage(const OpInfo& info) {
  std::string text;
  for (const OpInfo::Operand& operand : info.operands) {
    const absl::string_view sigil =
        operand.role == OperandRole::kStorage ? "@" : "%";
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    HasBrackets(operand.role)
                        ? absl::StrCat("[", operand.name, "]")
                        : absl::StrCat(sigil, operand.name));
  }
  return absl::StrCat("`", info.text, text.empty() ? "" : " ", text, "`");
}

}  // namespace

bool FunctionParser::AtEndOfArguments() const {
  const Token& token = reader_.token();
  switch (token.kind) {
    case TokenKind::kNewline:
    case TokenKind::kEnd:
    case TokenKind::kColon:
    case TokenKind::kRightBrace:
      return true;
    case TokenKind::kWord:
      return token.text == "into" || token.text == "to" || token.text == "tag";
    default:
      return false;
  }
}

absl::Status FunctionParser::MissingComma() const {
  return reader_.Unexpected("`,` or the end of the statement");
}

absl::Status FunctionParser::ReadArguments(const OpInfo& info) {
  if (AtEndOfArguments()) return absl::OkStatus();
  int row = 0;
  RETURN_IF_ERROR(ReadArgument(info, row));
  return ReadMoreArguments(info, row);
}

absl::Status FunctionParser::ReadMoreArguments(const OpInfo& info, int row) {
  while (reader_.Consume(TokenKind::kComma)) {
    RETURN_IF_ERROR(ReadArgument(info, row));
  }
  if (!AtEndOfArguments()) return MissingComma();
  if (!attributes_.empty()) KeepAttributes(attributes_);
  const int rows = static_cast<int>(info.operands.size());
  const bool pieces = row < rows && !draft_.operands.empty() &&
                      info.operands[row].role == OperandRole::kPieces;
  if (row == rows || pieces) return absl::OkStatus();
  return reader_.Error(
      places_.op,
      absl::StrCat("an operand is missing; the op is written ", Usage(info)));
}

absl::Status FunctionParser::ReadArgument(const OpInfo& info, int& row) {
  const int rows = static_cast<int>(info.operands.size());
  if (reader_.token().Is(TokenKind::kWord) && !reader_.AtLiteral()) {
    if (row == rows && draft_.attributes.empty()) {
      attributes_ = reader_.TextToColon(reader_.at());
      if (ReadKnownAttributes(attributes_)) {
        reader_.AdvanceOver(attributes_);
        attributes_ = {};
        return absl::OkStatus();
      }
    }
    return ReadAttribute(info);
  }
  if (row == rows) {
    return reader_.Error(
        reader_.at(),
        absl::StrCat("too many operands; the op is written ", Usage(info)));
  }
  RETURN_IF_ERROR(ReadOperand(info, row));
  // Pieces are the last operand of their op.
  if (info.operands[row].role != OperandRole::kPieces) ++row;
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadOperand(const OpInfo& info, int row) {
  const OperandRole role = info.operands[row].role;
  switch (role) {
    case OperandRole::kTensor:
    case OperandRole::kIndex:
    case OperandRole::kMask:
      return ReadValueOperand();
    case OperandRole::kOperand:
    case OperandRole::kScalar:
      return reader_.AtLiteral() ? ReadLiteralOperand() : ReadValueOperand();
    case OperandRole::kIndices:
    case OperandRole::kTensors:
    case OperandRole::kLiterals:
      return ReadList(role);
    case OperandRole::kWindow:
    case OperandRole::kPieces:
      return ReadWindow();
    case OperandRole::kStorage:
      return ReadStorageOperand();
  }
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadList(OperandRole role) {
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kLeftBracket, "before a list"));
  if (reader_.Consume(TokenKind::kRightBracket)) return absl::OkStatus();
  do {
    RETURN_IF_ERROR(ReadElement(role));
  } while (reader_.Consume(TokenKind::kComma));
  return reader_.Expect(TokenKind::kRightBracket, "or `,` in the list");
}

absl::Status FunctionParser::ReadElement(OperandRole role) {
  if (role == OperandRole::kLiterals) return ReadLiteralOperand();
  if (role == OperandRole::kIndices && reader_.token().IsWord("none")) {
    NotePlace(reader_.at());
    draft_.AddNone();
    reader_.Advance();
    return absl::OkStatus();
  }
  return ReadValueOperand();
}

absl::Status FunctionParser::UnknownValue(const Token& name) const {
  std::vector<std::string> known;
  const Function& function = builder_.function();
  for (const Value& value : function.values) {
    if (known.size() == 1000) break;
    known.push_back(absl::StrCat("%", function.names.Text(value.name)));
  }
  return reader_.Error(
      name.text.data(),
      absl::StrCat("there is no value ", name.text.substr(0, 64), " yet",
                   DidYouMean(name.text, known)));
}

absl::Status FunctionParser::ReadValue(ValueId& id) {
  const Token name = reader_.token();
  if (!name.Is(TokenKind::kValue)) return reader_.Unexpected("a value, %x");
  id = builder_.FindValue(reader_.InternName(builder_));
  if (!id.valid()) return UnknownValue(name);
  reader_.Advance();
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadValueOperand() {
  NotePlace(reader_.at());
  ValueId id;
  RETURN_IF_ERROR(ReadValue(id));
  draft_.AddValue(id);
  if (!reader_.token().IsWord("at")) return absl::OkStatus();
  return reader_.Error(
      reader_.at(),
      "only `extract` and `assemble` take a window, `at ..`; a "
      "`view` gives its own name to one");
}

absl::Status FunctionParser::ReadLiteralOperand() {
  NotePlace(reader_.at());
  Literal literal;
  RETURN_IF_ERROR(reader_.ReadLiteral(literal));
  draft_.AddLiteral(literal);
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadStorageOperand() {
  const Token name = reader_.token();
  if (!name.Is(TokenKind::kStorage)) return reader_.Unexpected("a storage, @s");
  NotePlace(reader_.at());
  const StorageId id = builder_.FindStorage(reader_.InternName(builder_));
  if (!id.valid()) {
    return reader_.Error(
        name.text.data(),
        absl::StrCat("there is no storage ", name.text.substr(0, 64), " yet"));
  }
  draft_.AddStorage(id);
  reader_.Advance();
  return absl::OkStatus();
}

// %x [at ..]: whether the window may be left out CheckForm() says.
absl::Status FunctionParser::ReadWindow() {
  const char* operand = reader_.at();
  ValueId id;
  RETURN_IF_ERROR(ReadValue(id));
  if (!reader_.token().IsWord("at")) {
    NotePlace(operand);
    draft_.AddValue(id);
    return absl::OkStatus();
  }
  NotePlace(operand, reader_.at());
  reader_.Advance();
  WindowDraft window;
  RETURN_IF_ERROR(reader_.ReadPlace(window.offset, window.strides));
  draft_.AddWindow(id, std::move(window));
  return absl::OkStatus();
}

// Whether such attributes of the op were read before; does not advance.
bool FunctionParser::ReadKnownAttributes(absl::string_view text) {
  const AttributeTexts* known = reader_.KnownAttributes(text, draft_.kind);
  if (known == nullptr) return false;
  draft_.attributes = known->attributes;
  for (size_t i = 0; i < known->attributes.size(); ++i) {
    places_.attributes[static_cast<int>(known->attributes[i].key)] =
        text.data() + known->places[i];
  }
  return true;
}

// Keeps what the text was read as, if nothing else was read after it.
void FunctionParser::KeepAttributes(absl::string_view text) {
  const char* end = text.data() + text.size();
  while (*end == ' ') ++end;
  if (end != reader_.at()) return;
  AttributeTexts texts;
  texts.attributes = draft_.attributes;
  for (const AttributeDraft& attribute : draft_.attributes) {
    const char* place = places_.attributes[static_cast<int>(attribute.key)];
    texts.places.push_back(static_cast<int32_t>(place - text.data()));
  }
  reader_.KeepAttributes(text, draft_.kind, texts);
}

absl::Status FunctionParser::UnknownAttribute(
    const Token& key, const std::vector<std::string>& known) const {
  std::string all;
  for (const std::string& text : known) {
    absl::StrAppend(&all, all.empty() ? "; it has `" : ", `", text, "=`");
  }
  const std::string guess = DidYouMean(key.text, known);
  return reader_.Error(
      key.text.data(),
      absl::StrCat("the op has no attribute `", key.text.substr(0, 64), "`",
                   guess.empty() ? all : guess));
}

absl::Status FunctionParser::ReadAttribute(const OpInfo& info) {
  const Token key = reader_.token();
  const auto found = absl::c_find_if(
      info.attributes,
      [&key](AttributeKey attribute) { return TextOf(attribute) == key.text; });
  if (found == info.attributes.end()) {
    if (!reader_.Peek().Is(TokenKind::kEquals)) {
      return reader_.Unexpected("an operand or an attribute, `key=..`");
    }
    std::vector<std::string> known;
    for (AttributeKey attribute : info.attributes) {
      known.emplace_back(TextOf(attribute));
    }
    return UnknownAttribute(key, known);
  }
  const char*& place = places_.attributes[static_cast<int>(*found)];
  if (place != nullptr) {
    return reader_.Error(reader_.at(),
                         absl::StrCat("`", key.text, "=` stands there twice"));
  }
  reader_.Advance();
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kEquals, "after the attribute"));
  place = reader_.at();
  draft_.attributes.emplace_back();
  draft_.attributes.back().key = *found;
  return ReadAttributeValue(draft_.attributes.back());
}

absl::Status FunctionParser::ReadAttributeValue(AttributeDraft& attribute) {
  switch (TypeOf(attribute.key)) {
    case AttributeType::kInteger:
      attribute.integers.resize(1);
      return reader_.ReadInteger(attribute.integers[0], "for the attribute");
    case AttributeType::kList:
      return reader_.ReadIntegers(attribute.integers, "for the attribute");
    case AttributeType::kBoolean:
      if (!reader_.token().IsWord("true") && !reader_.token().IsWord("false")) {
        return reader_.Unexpected("`true` or `false`");
      }
      attribute.integers = {reader_.token().IsWord("true") ? 1 : 0};
      reader_.Advance();
      return absl::OkStatus();
    case AttributeType::kLiteral:
      return reader_.ReadLiteral(attribute.literal);
  }
  return absl::OkStatus();
}

}  // namespace palimpsest
