#include "tests/oracle/symbolic_op.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

// Mixes what a term depends on, in order.
class Term {
 public:
  explicit Term(OpKind kind) { Add(static_cast<uint64_t>(kind)); }

  Term& Add(uint64_t part) {
    state_ = Scramble(state_ ^ Scramble(part + 0x51ed270b));
    return *this;
  }
  Term& Add(absl::Span<const int64_t> numbers) {
    Add(numbers.size());
    for (int64_t number : numbers) Add(static_cast<uint64_t>(number));
    return *this;
  }
  Term& Add(absl::string_view text) {
    Add(text.size());
    for (char c : text) Add(static_cast<uint64_t>(c));
    return *this;
  }
  Term& Add(const Literal& literal) {
    uint64_t real = 0;
    uint64_t imaginary = 0;
    std::memcpy(&real, &literal.real, sizeof(real));
    std::memcpy(&imaginary, &literal.imaginary, sizeof(imaginary));
    return Add(static_cast<uint64_t>(literal.kind))
        .Add(static_cast<uint64_t>(literal.integer))
        .Add(real)
        .Add(imaginary);
  }
  Term& Add(DType dtype) { return Add(static_cast<uint64_t>(dtype) + 77); }

  Symbol state() const { return state_ == kUndefined ? 1 : state_; }

 private:
  uint64_t state_ = 0x6a09e667f3bcc909;
};

void AddAttributes(const Function& function, const Op& op, Term& term) {
  for (const Attribute& attribute : function.AttributesOf(op)) {
    term.Add(static_cast<uint64_t>(attribute.key));
    if (TypeOf(attribute.key) == AttributeType::kLiteral) {
      term.Add(function.LiteralOf(op, attribute.key));
      continue;
    }
    for (int32_t i = 0; i < attribute.integers.count; ++i) {
      term.Add(static_cast<uint64_t>(
          function.integers[attribute.integers.begin + i]));
    }
  }
}

void AddOperand(const SymbolicOperand& operand, Term& term) {
  if (operand.literal) term.Add(1).Add(*operand.literal);
  if (!operand.layout) return;
  term.Add(2).Add(operand.layout->dtype).Add(operand.layout->sizes);
  for (Symbol byte : operand.bytes) term.Add(byte);
}

// An element's bytes from what the element is.
void AppendElement(Symbol element, DType dtype, Symbols& bytes) {
  for (int64_t i = 0; i < WidthOf(dtype); ++i) {
    bytes.push_back(element == kUndefined ? kUndefined : Scramble(element + i));
  }
}

int64_t BytesIn(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

// The window of `from` that shows it broadcast to the sizes of `to`.
std::vector<int64_t> BroadcastStarts(const Layout& from, const Layout& to) {
  const Dims row_major = RowMajorStrides(from.sizes);
  Dims strides(to.rank(), 0);
  for (int i = 0; i < from.rank(); ++i) {
    const int dim = to.rank() - from.rank() + i;
    if (from.sizes[i] != 1) strides[dim] = row_major[i];
  }
  return ElementStarts({from.dtype, to.sizes, strides}, 0);
}

// Element by element, so that what is undefined stays in its place.
Symbols Elementwise(const Op& op, const Layout& layout,
                    const std::vector<SymbolicOperand>& operands) {
  const int64_t count = ElementCount(layout.sizes);
  std::vector<std::vector<int64_t>> starts;
  for (const SymbolicOperand& operand : operands) {
    starts.push_back(operand.layout ? BroadcastStarts(*operand.layout, layout)
                                    : std::vector<int64_t>());
  }
  Symbols bytes;
  for (int64_t element = 0; element < count; ++element) {
    Term term(op.kind);
    bool is_defined = true;
    for (size_t k = 0; k < operands.size(); ++k) {
      const SymbolicOperand& operand = operands[k];
      if (!operand.layout) {
        AddOperand(operand, term);
        continue;
      }
      term.Add(operand.layout->dtype);
      for (int64_t i = 0; i < WidthOf(operand.layout->dtype); ++i) {
        const Symbol byte = operand.bytes[starts[k][element] + i];
        is_defined &= byte != kUndefined;
        term.Add(byte);
      }
    }
    const bool predicate = InfoFor(op.kind).rule == InferenceRule::kPredicate;
    if (op.kind == OpKind::kCast) term.Add(layout.dtype);
    Symbol symbol = term.state();
    if (predicate &&
        layout.dtype != DType::kBool) {  // In place: its truth, cast.
      symbol = Term(OpKind::kCast)
                   .Add(DType::kBool)
                   .Add(Scramble(symbol))
                   .Add(layout.dtype)
                   .state();
    }
    AppendElement(is_defined ? symbol : kUndefined, layout.dtype, bytes);
  }
  return bytes;
}

Symbols Moved(const Symbols& from, const std::vector<int64_t>& places) {
  Symbols bytes;
  for (int64_t place : places) bytes.push_back(from[place]);
  return bytes;
}

Symbols Broadcast(const SymbolicOperand& from, const Layout& to) {
  Symbols bytes;
  for (int64_t start : BroadcastStarts(*from.layout, to)) {
    for (int64_t i = 0; i < WidthOf(to.dtype); ++i) {
      bytes.push_back(from.bytes[start + i]);
    }
  }
  return bytes;
}

Symbols Flipped(const Function& function, const Op& op, const Layout& layout,
                const Symbols& from) {
  Dims strides = RowMajorStrides(layout.sizes);
  int64_t offset = 0;
  for (int64_t dim : function.ListOf(op, AttributeKey::kDims)) {
    offset += strides[dim] * std::max<int64_t>(layout.sizes[dim] - 1, 0);
    strides[dim] = -strides[dim];
  }
  return Moved(from, BytesOf({layout.dtype, layout.sizes, strides}, offset));
}

Symbols Joined(const Function& function, const Op& op, const Layout& layout,
               const std::vector<SymbolicOperand>& parts) {
  const int64_t dim = function.IntegerOf(op, AttributeKey::kDim);
  const Dims strides = RowMajorStrides(layout.sizes);
  Symbols bytes(BytesIn(layout), kUndefined);
  int64_t offset = 0;
  for (const SymbolicOperand& part : parts) {
    size_t i = 0;
    const Layout window{layout.dtype, part.layout->sizes, strides};
    for (int64_t byte : BytesOf(window, offset)) bytes[byte] = part.bytes[i++];
    offset += part.layout->sizes[dim] * strides[dim];
  }
  return bytes;
}

Symbols Assembled(const Function& function, const Layout& layout,
                  const std::vector<SymbolicOperand>& operands) {
  Symbols bytes(BytesIn(layout), kUndefined);
  for (const SymbolicOperand& piece : operands) {
    if (!piece.window) {
      bytes = piece.bytes;
      continue;
    }
    size_t i = 0;
    const Layout window = function.layouts.Get(piece.window->layout);
    for (int64_t byte : BytesOf(window, piece.window->offset)) {
      bytes[byte] = piece.bytes[i++];
    }
  }
  return bytes;
}

// `full` and `fill_`, `iota` and `constant`: patterns, element by element. A
// value is moved, but a bool becomes 0 or 1.
Symbols Pattern(const Function& function, const Op& op, const Layout& layout,
                const std::vector<SymbolicOperand>& operands) {
  const bool takes_value = op.kind == OpKind::kFill || op.kind == OpKind::kFull;
  if (takes_value && operands.back().layout && layout.dtype != DType::kBool) {
    return Broadcast(operands.back(), layout);
  }
  Symbols bytes;
  for (int64_t element = 0; element < ElementCount(layout.sizes); ++element) {
    Term term(op.kind == OpKind::kFill ? OpKind::kFull : op.kind);
    term.Add(layout.dtype);
    bool is_defined = true;
    if (op.kind == OpKind::kIota) {
      AddAttributes(function, op, term);
      term.Add(static_cast<uint64_t>(element));
    } else if (op.kind == OpKind::kConstant) {
      AddOperand(operands[element], term);
    } else {
      const SymbolicOperand& value = operands.back();
      AddOperand(value, term);
      for (Symbol byte : value.bytes) is_defined &= byte != kUndefined;
    }
    AppendElement(is_defined ? term.state() : kUndefined, layout.dtype, bytes);
  }
  return bytes;
}

// Any other op depends on everything that it reads.
Symbols Opaque(const Function& function, const Op& op, const Layout& layout,
               const std::vector<SymbolicOperand>& operands) {
  Term term(op.kind);
  AddAttributes(function, op, term);
  for (const SymbolicOperand& operand : operands) {
    term.Add(3);
    AddOperand(operand, term);
  }
  return OutputOf(term.state(), 0, layout);
}

}  // namespace

Symbols ResultOf(const Function& function, const Op& op, const Layout& layout,
                 const std::vector<SymbolicOperand>& operands) {
  switch (op.kind) {
    case OpKind::kClone:
      return operands[0].bytes;
    case OpKind::kCopy:
      return Broadcast(operands[1], layout);
    case OpKind::kEmpty:
      return Symbols(BytesIn(layout), kUndefined);
    case OpKind::kExtract:
      return Moved(operands[0].bytes,
                   BytesOf(function.layouts.Get(operands[0].window->layout),
                           operands[0].window->offset));
    case OpKind::kContents:
      return Symbols(operands[0].bytes.begin(),
                     operands[0].bytes.begin() + BytesIn(layout));
    case OpKind::kAssemble:
      return Assembled(function, layout, operands);
    case OpKind::kFlip:
      return Flipped(function, op, layout, operands[0].bytes);
    case OpKind::kCat:
      return Joined(function, op, layout, operands);
    default:
      break;
  }
  const KernelFamily family = InfoFor(op.kind).family;
  if (family == KernelFamily::kElementwise) {
    return Elementwise(op, layout, operands);
  }
  if (family == KernelFamily::kCreate) {
    return Pattern(function, op, layout, operands);
  }
  return Opaque(function, op, layout, operands);
}

Symbol TermOfCall(const Function& function, const Op& op,
                  const std::vector<SymbolicOperand>& operands,
                  int occurrence) {
  const Call& call = function.calls[op.call];
  Term term(op.kind);
  term.Add(function.names.Text(call.name))
      .Add(static_cast<uint64_t>(occurrence));
  for (const auto& [key, value] : call.attributes) {
    term.Add(function.names.Text(key)).Add(value);
  }
  for (const SymbolicOperand& operand : operands) {
    term.Add(3);
    AddOperand(operand, term);
  }
  return term.state();
}

Symbols OutputOf(Symbol term, int output, const Layout& layout) {
  Symbols bytes;
  const Symbol base = Term(OpKind::kCall)
                          .Add(term)
                          .Add(static_cast<uint64_t>(output))
                          .Add(layout.dtype)
                          .Add(layout.sizes)
                          .state();
  for (int64_t i = 0; i < BytesIn(layout); ++i) {
    bytes.push_back(Scramble(base + i));
  }
  return bytes;
}

}  // namespace palimpsest
