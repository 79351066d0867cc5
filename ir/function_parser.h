// FunctionParser: reads one function. Statements become drafts, which
// FunctionBuilder checks; places of their parts are kept beside the draft, so
// that a Fault is shown where it lies.

#ifndef PALIMPSEST_IR_FUNCTION_PARSER_H_
#define PALIMPSEST_IR_FUNCTION_PARSER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/builder.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/text_reader.h"
#include "ir/view_sugar_text.h"

namespace palimpsest {

class FunctionParser {
 public:
  // `reader` stands at the name, after `func`.
  FunctionParser(TextReader& reader, FunctionKind kind);

  absl::StatusOr<Function> Parse();

 private:
  // Where the parts of the statement in draft_ stand.
  struct Places {
    const char* op = nullptr;
    std::vector<const char*> results;
    struct Operand {
      const char* begin;
      const char* window;  // Null where it has none.
    };
    std::vector<Operand> operands;
    std::vector<TypePlace> types;
    TypePlace target;
    const char* attributes[8] = {};  // By AttributeKey.

    void Clear();
    const char* Of(const Place& place) const;
  };

  absl::Status ReadSignature();
  absl::Status ReadParameter();
  absl::Status ReadStorages();
  absl::Status ReadBody();
  void MakeRoom();
  absl::Status ReadReturn();
  absl::Status ReadEndOfLine(absl::string_view after);

  // Statements.
  absl::Status ReadStatement();
  absl::Status ReadStatementInPlace();
  absl::Status ReadNewStatement();
  absl::Status ReadResultNames();
  absl::Status ReadOp();
  void ClearStatement();
  absl::Status ReadTail();
  absl::Status ReadTarget();
  absl::Status CheckNamed() const {
    const bool in_place =
        draft_.form == OpForm::kInPlace && draft_.kind != OpKind::kCall;
    return in_place || !draft_.names.empty() ? absl::OkStatus()
                                             : CheckNameless();
  }
  absl::Status CheckNameless() const;
  absl::Status UnknownOp(const Token& op) const;
  absl::Status Append();

  // Without tokens (function_parser_plain.cc).
  bool ReadPlainHead(int& row);
  const char* ReadPlainOp(const char* at);
  const char* ReadPlainOperands(const char* at, int& row);
  const char* ReadPlainOperand(const char* at, OperandRole role);
  const char* ReadPlainRest(const char* at);

  // Arguments (function_parser_arguments.cc). `row` counts those that have been
  // read.
  absl::Status ReadArguments(const OpInfo& info);
  absl::Status ReadMoreArguments(const OpInfo& info, int row);
  absl::Status ReadArgument(const OpInfo& info, int& row);
  absl::Status ReadOperand(const OpInfo& info, int row);
  absl::Status ReadElement(OperandRole role);
  absl::Status ReadList(OperandRole role);
  absl::Status ReadValue(ValueId& id);
  absl::Status ReadValueOperand();
  absl::Status ReadLiteralOperand();
  absl::Status ReadStorageOperand();
  absl::Status ReadWindow();
  bool ReadKnownAttributes(absl::string_view text);
  void KeepAttributes(absl::string_view text);
  absl::Status ReadAttribute(const OpInfo& info);
  absl::Status ReadAttributeValue(AttributeDraft& attribute);
  absl::Status UnknownAttribute(const Token& key,
                                const std::vector<std::string>& known) const;
  // Calls and view sugar (function_parser_forms.cc).
  absl::Status ReadCall();
  absl::Status ReadCallOperands();
  absl::Status ReadCallAttributes();
  absl::Status ReadSugar(const SugarInfo& sugar);
  absl::Status ReadSugarArgument(const SugarInfo& sugar,
                                 SugarArguments& arguments);
  absl::Status FinishSugar(const SugarInfo& sugar, SugarArguments& arguments,
                           ValueId x);

  bool AtEndOfArguments() const;
  absl::Status MissingComma() const;
  absl::Status UnknownValue(const Token& name) const;
  void NotePlace(const char* operand, const char* window = nullptr) {
    places_.operands.push_back({operand, window});
  }

  TextReader& reader_;
  FunctionBuilder builder_;
  // What MakeRoom() goes by, and where it is to be called.
  const char* sample_;
  const char* sample_end_;
  OpDraft draft_;  // Used again for each statement.
  Places places_;
  // The attributes of the statement where no operand follows them and they have
  // not been kept; else empty.
  absl::string_view attributes_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_FUNCTION_PARSER_H_
