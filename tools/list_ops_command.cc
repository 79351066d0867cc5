// list-ops: the op table, and the ops that are other spellings of `view`, in
// columns.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "ir/op.h"
#include "ir/status_macros.h"
#include "ir/view_sugar_text.h"
#include "tools/commands.h"
#include "tools/text_file.h"
#include "tools/text_table.h"

namespace palimpsest {
namespace {

// An operand as the text form writes it.
std::string OperandText(const OpInfo::Operand& operand) {
  switch (operand.role) {
    case OperandRole::kTensor:
      return absl::StrCat("%", operand.name);
    case OperandRole::kOperand:
      return absl::StrCat("%", operand.name, "|literal");
    case OperandRole::kScalar:
      return absl::StrCat("%", operand.name, "[]|literal");
    case OperandRole::kIndex:
      return absl::StrCat("%", operand.name, "(integer)");
    case OperandRole::kIndices:
      return "[%i|none, ..]";
    case OperandRole::kMask:
      return absl::StrCat("%", operand.name, "(bool)");
    case OperandRole::kTensors:
      return "[%x, ..]";
    case OperandRole::kLiterals:
      return "[literal, ..]";
    case OperandRole::kWindow:
      return "%x at [offset N] [strides [..]]";
    case OperandRole::kPieces:
      return "[%base,] %piece at .., ..";
    case OperandRole::kStorage:
      return "@s";
  }
  return "";
}

std::string OperandsText(const OpInfo& info) {
  switch (info.kind) {
    case OpKind::kCall:
      return "\"name\"([mut|upd] %x, ..) {key=\"value\", ..}";
    case OpKind::kCommit:
    case OpKind::kBind:
      return "%x to TYPE";
    default:
      break;
  }
  return absl::StrJoin(info.operands, ", ",
                       [](std::string* out, const OpInfo::Operand& operand) {
                         out->append(OperandText(operand));
                       });
}

std::string AttributesText(const OpInfo& info) {
  return absl::StrJoin(info.attributes, " ",
                       [](std::string* out, AttributeKey key) {
                         absl::StrAppend(out, TextOf(key), "=");
                       });
}

std::string AttributesText(const SugarInfo& info) {
  return absl::StrJoin(info.keys, " ", [](std::string* out, SugarKey key) {
    absl::StrAppend(out, TextOf(key), "=");
  });
}

absl::string_view FormsText(OpForms forms) {
  switch (forms) {
    case OpForms::kValue:
      return "value";
    case OpForms::kBoth:
      return "value, in place";
    case OpForms::kInPlace:
      return "in place";
    case OpForms::kStructure:
      return "structure";
  }
  return "";
}

absl::string_view ClassText(DTypeClass dtype_class) {
  switch (dtype_class) {
    case DTypeClass::kFloat:
      return "float";
    case DTypeClass::kFloat8:
      return "float8";
    case DTypeClass::kInteger:
      return "integer";
    case DTypeClass::kBool:
      return "bool";
    case DTypeClass::kComplex:
      return "complex";
  }
  return "";
}

// The classes of dtypes that the op allows.
std::string DTypesText(const OpInfo& info) {
  std::vector<absl::string_view> classes;
  for (const DType dtype : AllDTypes()) {
    const absl::string_view text = ClassText(InfoFor(dtype).dtype_class);
    const bool listed =
        std::find(classes.begin(), classes.end(), text) != classes.end();
    if (info.Allows(dtype) && !listed) classes.push_back(text);
  }
  return absl::StrJoin(classes, " ");
}

std::string NameText(const OpInfo& info) {
  switch (info.forms) {
    case OpForms::kBoth:
      return absl::StrCat(info.text, "[_]");
    case OpForms::kInPlace:
      return absl::StrCat(info.text, "_");
    default:
      return std::string(info.text);
  }
}

}  // namespace

absl::StatusOr<Exit> ListOpsCommand() {
  std::vector<std::vector<std::string>> rows = {
      {"OP", "OPERANDS", "ATTRIBUTES", "FORMS", "DTYPES"}};
  for (const OpInfo& info : AllOps()) {
    rows.push_back({NameText(info), OperandsText(info), AttributesText(info),
                    std::string(FormsText(info.forms)), DTypesText(info)});
  }
  for (const SugarInfo& info : AllSugar()) {
    rows.push_back({std::string(info.text), "%x", AttributesText(info), "view",
                    DTypesText(InfoFor(OpKind::kView))});
  }
  RETURN_IF_ERROR(Print(TextTable(rows)));
  return Exit::kDone;
}

}  // namespace palimpsest
