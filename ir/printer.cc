#include "ir/printer.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/literal_text.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/text_sink.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

class Printer {
 public:
  Printer(std::string& out, const Function& function);

  void PrintAll();
  void PrintStatement(const Op& op);

 private:
  // The texts of a layout, one behind the other in layout_chars_.
  struct LayoutText {
    size_t begin = 0;
    int32_t shape = -1;  // The length of `f32[2,3]`; -1: not made.
    int32_t strides =
        -1;  // That of ` strides [..]`; 0 where they are row-major.
  };

  // A literal and its text, kept until the next with its hash.
  struct PrintedLiteral {
    Literal literal;
    std::string text;
  };

  template <typename Characters>
  void Text(const Characters& text) {
    out_.Text(text);
  }
  void Integer(int64_t value) { out_.Integer(value); }
  void List(absl::Span<const int64_t> values);
  void NameText(Name name);
  void NameOf(ValueId id);
  void NameOf(StorageId id);
  void LiteralText(const Literal& literal);
  void Quoted(absl::string_view text);
  const LayoutText& TextsOf(LayoutId id);
  void Shape(LayoutId id);  // f32[2,3]
  // [offset N] [strides [..]]
  void Place(LayoutId id, int64_t offset);
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

  TextSink out_;
  const Function& f_;
  // The value that each storage is made with: the first in it.
  std::vector<ValueId> maker_;
  std::vector<LayoutText> layouts_;  // Made when first wanted.
  std::string layout_chars_;
  std::vector<PrintedLiteral> literals_;  // None, or a power of two.
  std::string scratch_;
};

Printer::Printer(std::string& out, const Function& function)
    : out_(out),
      f_(function),
      maker_(function.storages.size()),
      layouts_(function.layouts.size()) {
  for (size_t i = 0; i < f_.values.size(); ++i) {
    const StorageId storage = f_.values[i].type.storage;
    if (storage.valid() && !maker_[storage.value].valid()) {
      maker_[storage.value] = ValueId{static_cast<int32_t>(i)};
    }
  }
}

void Printer::List(absl::Span<const int64_t> values) {
  Text("[");
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) Text(",");
    Integer(values[i]);
  }
  Text("]");
}

void Printer::NameText(Name name) {
  if (name.is_number()) {
    Integer(name.number());
  } else if (name.valid()) {
    Text(f_.names.View(name));
  }
}

void Printer::NameOf(ValueId id) {
  Text("%");
  NameText(f_.Get(id).name);
}

void Printer::NameOf(StorageId id) {
  Text("@");
  NameText(f_.Get(id).name);
}

uint64_t BitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

bool SameBits(const Literal& a, const Literal& b) {
  return a.kind == b.kind && a.integer == b.integer &&
         BitsOf(a.real) == BitsOf(b.real) &&
         BitsOf(a.imaginary) == BitsOf(b.imaginary);
}

void Printer::LiteralText(const Literal& literal) {
  constexpr int kSlotBits = 6;
  if (literals_.empty()) literals_.resize(size_t{1} << kSlotBits);
  const uint64_t hash = (static_cast<uint64_t>(literal.integer) ^
                         BitsOf(literal.real) ^ BitsOf(literal.imaginary)) *
                        0x9E3779B97F4A7C15;
  PrintedLiteral& slot = literals_[hash >> (64 - kSlotBits)];
  if (slot.text.empty() || !SameBits(slot.literal, literal)) {
    slot.literal = literal;
    slot.text.clear();
    AppendLiteral(slot.text, literal);
  }
  Text(slot.text);
}

void Printer::Quoted(absl::string_view text) {
  scratch_.clear();
  AppendQuoted(scratch_, text);
  Text(scratch_);
}

const Printer::LayoutText& Printer::TextsOf(LayoutId id) {
  LayoutText& text = layouts_[id.value];
  if (text.shape >= 0) return text;
  const Layout layout = f_.layouts.Get(id);
  text.begin = layout_chars_.size();
  absl::StrAppend(&layout_chars_, InfoFor(layout.dtype).text);
  AppendList(layout_chars_, layout.sizes);
  text.shape = static_cast<int32_t>(layout_chars_.size() - text.begin);
  if (layout.strides != absl::MakeConstSpan(RowMajorStrides(layout.sizes))) {
    layout_chars_ += " strides ";
    AppendList(layout_chars_, layout.strides);
  }
  text.strides =
      static_cast<int32_t>(layout_chars_.size() - text.begin) - text.shape;
  return text;
}

void Printer::Shape(LayoutId id) {
  const LayoutText& text = TextsOf(id);
  Text(absl::string_view(layout_chars_).substr(text.begin, text.shape));
}

void Printer::Place(LayoutId id, int64_t offset) {
  if (offset != 0) {
    Text(" offset ");
    Integer(offset);
  }
  const LayoutText& text = TextsOf(id);
  if (text.strides == 0) return;
  Text(absl::string_view(layout_chars_)
           .substr(text.begin + text.shape, text.strides));
}

void Printer::Window(const Type& type) {
  Shape(type.layout);
  Text(" in ");
  NameOf(type.storage);
  Place(type.layout, type.offset);
}

void Printer::TypeOfResult(ValueId id) {
  const Value& value = f_.Get(id);
  const StorageId storage = value.type.storage;
  Shape(value.type.layout);
  if (!storage.valid()) return;
  if (maker_[storage.value] != id || f_.Get(storage).name != value.name) {
    Text(" in ");
    NameOf(storage);
  }
  Place(value.type.layout, value.type.offset);
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
  const OpInfo& info = InfoFor(op.kind);
  const std::vector<OpInfo::Operand>& rows = info.operands;
  const absl::Span<const Operand> operands = f_.OperandsOf(op);
  size_t next = 0;
  absl::string_view separator = " ";
  for (const OpInfo::Operand& row : rows) {
    Text(separator);
    separator = ", ";
    const bool is_list = &row - rows.data() == info.list;
    const bool brackets = is_list && HasBrackets(row.role);
    const size_t end =
        is_list ? operands.size() - (rows.size() - 1 - (&row - rows.data()))
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
    return LiteralText(f_.literals[operand.ref]);
  }
  NameOf(operand.value());
  if (operand.window < 0) return;
  const BufferWindow& window = f_.windows[operand.window];
  Text(" at");
  Place(window.layout, window.offset);
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
        LiteralText(f_.literals[attribute.integers.begin]);
        break;
    }
  }
}

void Printer::CallText(const Op& op) {
  const Call& call = f_.calls[op.call];
  Text(call.pure ? "call pure " : "call ");
  Quoted(f_.names.Text(call.name));
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
    NameText(key);
    Text("=");
    Quoted(value);
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
      Shape(f_.Get(f_.Result(op, i)).type.layout);
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
