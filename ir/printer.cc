#include "ir/printer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/literal_text.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

class Printer {
 public:
  Printer(std::string& out, const Function& function);

  void PrintAll();
  void PrintStatement(const Op& op);

 private:
  void Text(absl::string_view text) { out_.append(text.data(), text.size()); }
  void Integer(int64_t value) {
    char digits[24];
    Text({digits, static_cast<size_t>(FormatInteger(value, digits))});
  }
  void List(absl::Span<const int64_t> values);
  void NameOf(ValueId id);
  void NameOf(StorageId id);
  void Shape(const Layout& layout);  // f32[2,3]
  // [offset N] [strides [..]]
  void Place(const Layout& layout, int64_t offset);
  void Window(const Type& type);  // With `in`.
  void TypeOfResult(
      ValueId id);  // With `in` where the storage has another name.

  void Storages();
  void Operands(const Op& op);
  void OperandText(const Operand& operand);
  void Attributes(const Op& op);
  void CallText(const Op& op);
  void Types(const Op& op);
  void Returns();

  static int FormatInteger(int64_t value, char* digits);

  std::string& out_;
  const Function& f_;
  // The value that each storage is made with: the first in it.
  std::vector<ValueId> maker_;
};

Printer::Printer(std::string& out, const Function& function)
    : out_(out), f_(function), maker_(function.storages.size()) {
  for (size_t i = 0; i < f_.values.size(); ++i) {
    const StorageId storage = f_.values[i].type.storage;
    if (storage.valid() && !maker_[storage.value].valid()) {
      maker_[storage.value] = ValueId{static_cast<int32_t>(i)};
    }
  }
}

int Printer::FormatInteger(int64_t value, char* digits) {
  uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value)
                            : static_cast<uint64_t>(value);
  char* end = digits;
  do {
    *end++ = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *end++ = '-';
  std::reverse(digits, end);
  return static_cast<int>(end - digits);
}

void Printer::List(absl::Span<const int64_t> values) {
  Text("[");
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) Text(",");
    Integer(values[i]);
  }
  Text("]");
}

void Printer::NameOf(ValueId id) {
  Text("%");
  f_.names.AppendTo(out_, f_.Get(id).name);
}

void Printer::NameOf(StorageId id) {
  Text("@");
  f_.names.AppendTo(out_, f_.Get(id).name);
}

void Printer::Shape(const Layout& layout) {
  Text(InfoFor(layout.dtype).text);
  List(layout.sizes);
}

void Printer::Place(const Layout& layout, int64_t offset) {
  if (offset != 0) {
    Text(" offset ");
    Integer(offset);
  }
  int64_t stride = 1;
  for (int i = layout.rank() - 1; i >= 0; --i) {
    if (layout.strides[i] != stride) {
      Text(" strides ");
      return List(layout.strides);
    }
    stride *= std::max<int64_t>(layout.sizes[i], 1);
  }
}

void Printer::Window(const Type& type) {
  const Layout layout = f_.LayoutOf(type);
  Shape(layout);
  Text(" in ");
  NameOf(type.storage);
  Place(layout, type.offset);
}

void Printer::TypeOfResult(ValueId id) {
  const Value& value = f_.Get(id);
  const Layout layout = f_.LayoutOf(value.type);
  const StorageId storage = value.type.storage;
  Shape(layout);
  if (!storage.valid()) return;
  if (maker_[storage.value] != id || f_.Get(storage).name != value.name) {
    Text(" in ");
    NameOf(storage);
  }
  Place(layout, value.type.offset);
}

void Printer::PrintAll() {
  Text(f_.is_pure() ? "pure func @" : "func @");
  Text(f_.name);
  Text("(");
  for (ValueId id : f_.parameters) {
    if (id != f_.parameters.front()) Text(", ");
    NameOf(id);
    Text(": ");
    TypeOfResult(id);
  }
  Text(") {\n");
  Storages();
  for (const Op& op : f_.ops) {
    Text("  ");
    PrintStatement(op);
    Text("\n");
  }
  Returns();
  Text("}\n");
}

void Printer::Storages() {
  for (size_t i = 0; i < f_.storages.size(); ++i) {
    const Storage& storage = f_.storages[i];
    const bool buffer = storage.kind == StorageKind::kBuffer;
    if (!buffer && !storage.declared) continue;
    Text(buffer ? "  buffer " : "  storage ");
    NameOf(StorageId{static_cast<int32_t>(i)});
    Text(" : ");
    Integer(storage.bytes);
    Text(" bytes\n");
  }
}

void Printer::PrintStatement(const Op& op) {
  for (int i = 0; i < op.results.count; ++i) {
    if (i > 0) Text(", ");
    NameOf(f_.Result(op, i));
  }
  if (op.results.count > 0) Text(" = ");
  if (op.kind == OpKind::kCall) {
    CallText(op);
  } else {
    Text(InfoFor(op.kind).text);
    if (op.in_place()) Text("_");
    Operands(op);
    Attributes(op);
  }
  Types(op);
  if (op.has_tag) {
    Text(" tag ");
    Integer(op.tag);
  }
}

// The list of the row, if it has one, takes all operands but for the others.
void Printer::Operands(const Op& op) {
  const std::vector<OpInfo::Operand>& rows = InfoFor(op.kind).operands;
  const absl::Span<const Operand> operands = f_.OperandsOf(op);
  size_t next = 0;
  absl::string_view separator = " ";
  for (const OpInfo::Operand& row : rows) {
    Text(separator);
    separator = ", ";
    const bool brackets = row.role == OperandRole::kIndices ||
                          row.role == OperandRole::kTensors ||
                          row.role == OperandRole::kLiterals;
    const bool list = brackets || row.role == OperandRole::kPieces;
    const size_t end =
        list ? operands.size() - (rows.size() - 1 - (&row - rows.data()))
             : next + 1;
    if (brackets) Text("[");
    for (size_t begin = next; next < end; ++next) {
      if (next > begin) Text(", ");
      OperandText(operands[next]);
    }
    if (brackets) Text("]");
  }
}

void Printer::OperandText(const Operand& operand) {
  if (operand.kind == OperandKind::kNone) return Text("none");
  if (operand.kind == OperandKind::kStorage) return NameOf(operand.storage());
  if (operand.kind == OperandKind::kLiteral) {
    return AppendLiteral(out_, f_.literals[operand.ref]);
  }
  NameOf(operand.value());
  if (operand.window < 0) return;
  const BufferWindow& window = f_.windows[operand.window];
  Text(" at");
  Place(f_.layouts.Get(window.layout), window.offset);
}

void Printer::Attributes(const Op& op) {
  absl::string_view separator = op.operands.count > 0 ? ", " : " ";
  for (const Attribute& attribute : f_.AttributesOf(op)) {
    Text(separator);
    separator = ", ";
    Text(TextOf(attribute.key));
    Text("=");
    switch (TypeOf(attribute.key)) {
      case AttributeType::kInteger:
        Integer(f_.integers[attribute.integers.begin]);
        break;
      case AttributeType::kBoolean:
        Text(f_.integers[attribute.integers.begin] != 0 ? "true" : "false");
        break;
      case AttributeType::kList:
        List(absl::MakeConstSpan(f_.integers)
                 .subspan(attribute.integers.begin, attribute.integers.count));
        break;
      case AttributeType::kLiteral:
        AppendLiteral(out_, f_.literals[attribute.integers.begin]);
        break;
    }
  }
}

void Printer::CallText(const Op& op) {
  const Call& call = f_.calls[op.call];
  Text(call.pure ? "call pure " : "call ");
  AppendQuoted(out_, f_.names.Text(call.name));
  Text("(");
  absl::string_view separator;
  for (const Operand& operand : f_.OperandsOf(op)) {
    Text(separator);
    separator = ", ";
    if (operand.access == Access::kMut) Text("mut ");
    if (operand.access == Access::kUpd) Text("upd ");
    OperandText(operand);
  }
  Text(")");
  separator = " {";
  for (const auto& [key, value] : call.attributes) {
    Text(separator);
    separator = ", ";
    f_.names.AppendTo(out_, key);
    Text("=");
    AppendQuoted(out_, value);
  }
  if (!call.attributes.empty()) Text("}");
}

void Printer::Types(const Op& op) {
  const bool epilogue = InfoFor(op.kind).rule == InferenceRule::kEpilogue;
  const int typed = op.kind == OpKind::kCall
                        ? f_.calls[op.call].declared_results
                        : op.results.count;
  absl::string_view separator = " : ";
  for (int i = 0; i < typed; ++i) {
    Text(separator);
    separator = ", ";
    if (op.target >= 0) {
      Shape(f_.LayoutOf(f_.Result(op, i)));
    } else {
      TypeOfResult(f_.Result(op, i));
    }
  }
  if (op.target < 0) return;
  Text(epilogue ? " to " : " into ");
  Window(f_.targets[op.target]);
}

void Printer::Returns() {
  Text("  return");
  absl::string_view separator = " ";
  for (const Return& result : f_.returns) {
    Text(separator);
    separator = ", ";
    if (result.value.valid()) {
      NameOf(result.value);
    } else {
      Window(result.window);
    }
  }
  Text("\n");
}

}  // namespace

void PrintFunction(std::string& out, const Function& function) {
  Printer(out, function).PrintAll();
}

void PrintProgram(std::string& out, const Program& program) {
  for (const Function& function : program.functions) {
    if (&function != &program.functions.front()) out += '\n';
    PrintFunction(out, function);
  }
}

std::string PrintToString(const Function& function) {
  std::string text;
  PrintFunction(text, function);
  return text;
}

std::string PrintToString(const Program& program) {
  std::string text;
  PrintProgram(text, program);
  return text;
}

std::string PrintOp(const Function& function, const Op& op) {
  std::string text;
  Printer(text, function).PrintStatement(op);
  return text;
}

}  // namespace palimpsest
