#include "ir/function_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/fault.h"
#include "ir/lexer.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/source_text.h"
#include "ir/status_macros.h"
#include "ir/text_reader.h"
#include "ir/view_sugar_text.h"

namespace palimpsest {
namespace {

// Words that begin a statement in a later version of the text.
bool IsReserved(absl::string_view word) {
  constexpr absl::string_view kReserved[] = {"if",    "else",   "while",  "do",
                                             "yield", "rebind", "bounded"};
  return absl::c_linear_search(kReserved, word);
}

// How much text is read at least before room is made for more, and for how many
// times as much it is made at most.
constexpr ptrdiff_t kSample = 1 << 19;
constexpr double kMost = 128;
// How often room is made in the rest of a text.
constexpr ptrdiff_t kTimes = 16;

absl::string_view NameOf(const Token& token) {
  return token.text.empty() ? token.text : token.text.substr(1);
}

}  // namespace

FunctionParser::FunctionParser(TextReader& reader, FunctionKind kind)
    : reader_(reader),
      builder_(NameOf(reader.token()), kind, reader.location()),
      sample_(reader.at()),
      sample_end_(reader.at() + std::min(kSample, reader.end() - reader.at())) {
  reader_.ForgetFunction();
}

void FunctionParser::Places::Clear() {
  op = nullptr;
  results.clear();
  operands.clear();
  types.clear();
  target = TypePlace();
  absl::c_fill(attributes, nullptr);
}

// Where the caret goes; at the op where the part is not in the text.
const char* FunctionParser::Places::Of(const Place& place) const {
  const size_t i = static_cast<size_t>(place.index);
  const auto or_op = [this](const char* at) { return at ? at : op; };
  switch (place.part) {
    case Place::Part::kOp:
      break;
    case Place::Part::kOperand:
      if (i < operands.size()) return operands[i].begin;
      break;
    case Place::Part::kWindow:
      if (i < operands.size()) return or_op(operands[i].window);
      break;
    case Place::Part::kAttribute:
      return or_op(attributes[i]);
    case Place::Part::kResult:
      if (i < results.size()) return results[i];
      break;
    case Place::Part::kType:
      if (i < types.size()) return or_op(types[i].type);
      break;
    case Place::Part::kStorage:
      if (i >= types.size()) break;
      return or_op(types[i].storage ? types[i].storage : types[i].type);
    case Place::Part::kTarget:
      return or_op(target.storage ? target.storage : target.type);
  }
  return op;
}

absl::StatusOr<Function> FunctionParser::Parse() {
  RETURN_IF_ERROR(ReadSignature());
  RETURN_IF_ERROR(ReadStorages());
  RETURN_IF_ERROR(ReadBody());
  return std::move(builder_).FinishUnverified();
}

absl::Status FunctionParser::ReadSignature() {
  if (!reader_.Consume(TokenKind::kStorage)) {
    return reader_.Unexpected("the function's name, @f");
  }
  RETURN_IF_ERROR(
      reader_.Expect(TokenKind::kLeftParen, "after the function's name"));
  reader_.SkipNewlines();
  if (!reader_.Consume(TokenKind::kRightParen)) {
    do {
      reader_.SkipNewlines();
      RETURN_IF_ERROR(ReadParameter());
      reader_.SkipNewlines();
    } while (reader_.Consume(TokenKind::kComma));
    RETURN_IF_ERROR(
        reader_.Expect(TokenKind::kRightParen, "or `,` after the parameter"));
  }
  RETURN_IF_ERROR(
      reader_.Expect(TokenKind::kLeftBrace, "before the function's body"));
  reader_.SkipNewlines();
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadParameter() {
  places_.Clear();
  places_.op = reader_.at();
  places_.results.push_back(reader_.at());
  if (!reader_.token().Is(TokenKind::kValue)) {
    return reader_.Unexpected("a parameter, `%x : TYPE`");
  }
  const Name name = reader_.InternName(builder_);
  reader_.Advance();
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kColon, "before the type"));
  TypeDraft type;
  places_.types.emplace_back();
  RETURN_IF_ERROR(reader_.ReadType(type, places_.types[0], builder_));
  const absl::Status status = builder_.AddParameter(name, type).status();
  if (status.ok()) return status;
  return reader_.Error(places_.Of(PlaceOf(status)), status.message());
}

absl::Status FunctionParser::ReadStorages() {
  while (reader_.token().IsWord("storage") ||
         reader_.token().IsWord("buffer")) {
    const bool buffer = reader_.token().IsWord("buffer");
    reader_.Advance();
    const char* at = reader_.at();
    if (!reader_.token().Is(TokenKind::kStorage)) {
      return reader_.Unexpected("a storage, `@s : 64 bytes`");
    }
    const Name name = reader_.InternName(builder_);
    reader_.Advance();
    RETURN_IF_ERROR(reader_.Expect(TokenKind::kColon, "before the size"));
    int64_t bytes = 0;
    RETURN_IF_ERROR(reader_.ReadInteger(bytes, "of bytes"));
    if (!reader_.ConsumeWord("bytes")) {
      return reader_.Unexpected("`bytes` after the size");
    }
    const absl::Status status = buffer
                                    ? builder_.AddBuffer(name, bytes).status()
                                    : builder_.DeclareStorage(name, bytes);
    if (!status.ok()) return reader_.Error(at, status.message());
    RETURN_IF_ERROR(ReadEndOfLine("after `bytes`"));
  }
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadEndOfLine(absl::string_view after) {
  if (reader_.token().Is(TokenKind::kRightBrace)) return absl::OkStatus();
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kNewline, after));
  reader_.SkipNewlines();
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadBody() {
  while (!reader_.token().IsWord("return")) {
    if (reader_.token().Is(TokenKind::kRightBrace) ||
        reader_.token().Is(TokenKind::kEnd)) {
      return reader_.Error(reader_.at(),
                           "the function does not return; its last statement "
                           "must be `return`");
    }
    if (reader_.at() > sample_end_) MakeRoom();
    RETURN_IF_ERROR(ReadStatement());
    RETURN_IF_ERROR(ReadEndOfLine("after the statement"));
  }
  reader_.Advance();
  RETURN_IF_ERROR(ReadReturn());
  reader_.SkipNewlines();
  return reader_.Expect(TokenKind::kRightBrace, "after `return`");
}

// The rest of the text likely has as many ops, operands, .. a byte as what was
// read since room was last made. Where it is other functions instead, the
// builder gives the room back; where it is no ops at all, kMost bounds what is
// asked for.
void FunctionParser::MakeRoom() {
  const ptrdiff_t read = reader_.at() - sample_;
  const ptrdiff_t rest = reader_.end() - reader_.at();
  builder_.Expect(
      std::min(static_cast<double>(rest) / static_cast<double>(read), kMost));
  sample_ = reader_.at();
  sample_end_ = sample_ + std::min(rest, std::max(kSample, rest / kTimes));
}

absl::Status FunctionParser::ReadReturn() {
  if (reader_.token().Is(TokenKind::kNewline) ||
      reader_.token().Is(TokenKind::kRightBrace)) {
    return absl::OkStatus();
  }
  do {
    places_.Clear();
    places_.op = reader_.at();
    absl::Status status;
    if (reader_.token().Is(TokenKind::kValue)) {
      ValueId id;
      RETURN_IF_ERROR(ReadValue(id));
      status = builder_.Return(id);
    } else if (reader_.token().Is(TokenKind::kWord)) {
      TypeDraft window;
      places_.types.emplace_back();
      RETURN_IF_ERROR(reader_.ReadType(window, places_.types[0], builder_));
      status = builder_.ReturnWindow(window);
    } else {
      return reader_.Unexpected("a value, %x, or a window, `f32[2] in @s`");
    }
    if (!status.ok()) {
      return reader_.Error(places_.Of(PlaceOf(status)), status.message());
    }
  } while (reader_.Consume(TokenKind::kComma));
  return absl::OkStatus();
}

void FunctionParser::ClearStatement() {
  draft_.Clear();
  places_.Clear();
  attributes_ = {};
}

absl::Status FunctionParser::ReadStatement() {
  const Token& token = reader_.token();
  const bool in_place =
      token.Is(TokenKind::kWord) && absl::EndsWith(token.text, "_");
  return in_place ? ReadStatementInPlace() : ReadNewStatement();
}

// A statement in place makes nothing that needs a name, and names are never
// bound anew: where it stands again, word for word, it is the same op.
absl::Status FunctionParser::ReadStatementInPlace() {
  const absl::string_view line = reader_.TextToNewline(reader_.at());
  if (const OpId* known = reader_.statements().Find(line)) {
    builder_.AppendAgain(*known, reader_.location());
    reader_.AdvanceOver(line);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(ReadNewStatement());
  const bool is_line = reader_.at() == line.data() + line.size();
  if (is_line && draft_.form == OpForm::kInPlace) {
    const size_t ops = builder_.function().ops.size();
    reader_.statements().Put(line, OpId{static_cast<int32_t>(ops) - 1});
  }
  return absl::OkStatus();
}

absl::Status FunctionParser::ReadNewStatement() {
  ClearStatement();
  draft_.location = reader_.location();
  int row = 0;
  if (ReadPlainHead(row)) {
    RETURN_IF_ERROR(ReadMoreArguments(InfoFor(draft_.kind), row));
    RETURN_IF_ERROR(ReadTail());
    return Append();
  }
  ClearStatement();
  if (reader_.token().Is(TokenKind::kValue)) RETURN_IF_ERROR(ReadResultNames());
  places_.op = reader_.at();
  RETURN_IF_ERROR(ReadOp());
  return Append();
}

absl::Status FunctionParser::ReadResultNames() {
  do {
    if (!reader_.token().Is(TokenKind::kValue)) {
      return reader_.Unexpected("a result, %x");
    }
    places_.results.push_back(reader_.at());
    draft_.names.push_back(reader_.InternName(builder_));
    reader_.Advance();
  } while (reader_.Consume(TokenKind::kComma));
  return reader_.Expect(TokenKind::kEquals, "after the result");
}

absl::Status FunctionParser::ReadOp() {
  const Token op = reader_.token();
  if (!op.Is(TokenKind::kWord)) {
    return reader_.Unexpected("an op, such as `add`");
  }
  if (const OpWord* word = reader_.OpNamed(op.text)) {
    draft_.kind = word->kind;
    draft_.form = word->form;
    reader_.Advance();
    const bool call =
        draft_.kind == OpKind::kCall && draft_.form == OpForm::kValue;
    RETURN_IF_ERROR(call ? ReadCall() : ReadArguments(InfoFor(draft_.kind)));
    return ReadTail();
  }
  const SugarInfo* sugar = SugarFromText(op.text);
  if (sugar == nullptr) return UnknownOp(op);
  reader_.Advance();
  return ReadSugar(*sugar);
}

absl::Status FunctionParser::UnknownOp(const Token& op) const {
  if (IsReserved(op.text)) {
    return reader_.Error(
        op.text.data(), absl::StrCat("`", op.text,
                                     "` is reserved for a later version of the "
                                     "text; version 1 has straight-line "
                                     "functions alone"));
  }
  std::vector<std::string> known;
  for (const OpInfo& info : AllOps()) {
    if (info.forms != OpForms::kInPlace) known.emplace_back(info.text);
    if (info.HasInPlaceForm()) known.push_back(absl::StrCat(info.text, "_"));
  }
  for (const SugarInfo& info : AllSugar()) known.emplace_back(info.text);
  const std::string guess = DidYouMean(op.text, known);
  return reader_.Error(
      op.text.data(),
      absl::StrCat("no op is named `", op.text.substr(0, 64), "`",
                   guess.empty()
                       ? "; `palimpsest list-ops` lists them, and "
                         "`call \"name\"(..)` is for ops of the outside"
                       : guess));
}

absl::Status FunctionParser::ReadTail() {
  if (reader_.token().Is(TokenKind::kNewline)) return absl::OkStatus();
  if (reader_.Consume(TokenKind::kColon)) {
    do {
      draft_.types.emplace_back();
      places_.types.emplace_back();
      RETURN_IF_ERROR(reader_.ReadType(draft_.types.back(),
                                       places_.types.back(), builder_));
    } while (reader_.Consume(TokenKind::kComma));
  }
  RETURN_IF_ERROR(ReadTarget());
  if (!reader_.ConsumeWord("tag")) return absl::OkStatus();
  draft_.tag.emplace();
  return reader_.ReadInteger(*draft_.tag, "after `tag`");
}

absl::Status FunctionParser::ReadTarget() {
  const bool into = reader_.token().IsWord("into");
  if (!into && !reader_.token().IsWord("to")) return absl::OkStatus();
  const bool epilogue = InfoFor(draft_.kind).rule == InferenceRule::kEpilogue;
  if (into == epilogue) {
    return reader_.Error(reader_.at(),
                         epilogue
                             ? "`into` is for an op that makes a value; "
                               "`commit` and `bind` take `to`"
                             : "`to` is for `commit` and `bind`; an op writes "
                               "`into` a window");
  }
  reader_.Advance();
  draft_.target.emplace();
  return reader_.ReadType(*draft_.target, places_.target, builder_);
}

// The text names what it makes; only the builder makes up names.
absl::Status FunctionParser::CheckNameless() const {
  size_t results = draft_.types.size();
  if (draft_.kind == OpKind::kCall) {
    results += absl::c_count_if(draft_.operands, [](const Operand& operand) {
      return operand.access == Access::kUpd;
    });
  } else if (draft_.form == OpForm::kInPlace ||
             InfoFor(draft_.kind).rule == InferenceRule::kEpilogue) {
    results = 0;
  } else {
    results = 1;
  }
  if (results == 0) return absl::OkStatus();
  return reader_.Error(places_.op,
                       absl::StrCat("the result needs a name, `%x = ",
                                    InfoFor(draft_.kind).text, " ..`"));
}

absl::Status FunctionParser::Append() {
  const absl::StatusOr<OpId> op = builder_.Append(draft_);
  if (!op.ok()) {
    return reader_.Error(places_.Of(PlaceOf(op.status())),
                         op.status().message());
  }
  return CheckNamed();
}

}  // namespace palimpsest
