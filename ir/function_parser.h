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
  absl::Status ReadResultNames();
  absl::Status ReadOp();
  absl::Status ReadTail();
  absl::Status ReadTarget();
  absl::Status CheckNamed() const;
  absl::Status UnknownOp(const Token& op) const;
  absl::Status Append();

  // Arguments (function_parser_arguments.cc).
  absl::Status ReadArguments(const OpInfo& info);
  absl::Status ReadOperand(const OpInfo& info, int row);
  absl::Status ReadElement(OperandRole role);
  absl::Status ReadList(OperandRole role);
  absl::Status ReadValue(ValueId& id);
  absl::Status ReadValueOperand();
  absl::Status ReadLiteralOperand();
  absl::Status ReadStorageOperand();
  absl::Status ReadWindow();
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
  const char* begin_;  // Where the function's text does.
  size_t room_;        // How many ops may be read until MakeRoom() acts.
  OpDraft draft_;      // Used again for each statement.
  Places places_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_FUNCTION_PARSER_H_
