// Programs: functions as flat arrays of values, ops, operands and so on, with
// typed ids into them. Nothing here checks anything: builder.h makes
// well-formed functions and verifier.h says whether one is.

#ifndef PALIMPSEST_IR_PROGRAM_H_
#define PALIMPSEST_IR_PROGRAM_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {

enum class FunctionKind : uint8_t {
  kInPlace,  // `func`
  kPure,     // `pure func`
};

enum class StorageKind : uint8_t {
  kParameter,  // The caller's.
  kLocal,      // Made by an op of an in-place function.
  kBuffer,     // `buffer @b : N bytes`.
  kResult,     // Made by `bind` in a pure function.
};

struct Storage {
  Name name;
  StorageKind kind = StorageKind::kLocal;
  bool declared = false;  // `storage @s : N bytes` stands in the text.
  int64_t bytes = 0;
};

struct Value {
  Type type;  // In a pure function only parameters have a storage.
  Name name;
  OpId definition;  // Invalid for a parameter.
};

// `at [offset N] [strides [..]]` of an operand: where it lies in a row-major
// buffer. The layout holds the strides.
struct BufferWindow {
  LayoutId layout;
  int64_t offset = 0;
};

// What a call adds to an op. Each `upd` operand's new contents are a result
// after the declared ones.
struct Call {
  Name name;
  bool pure = false;  // May be dropped or merged.
  int32_t declared_results = 0;
  std::vector<std::pair<Name, std::string>> attributes;
};

struct Return {
  ValueId value;  // Or, where invalid,
  Type window;    // in a pure function: a window of a storage.
};

// A run of ops. Block 0 is the function's body.
struct Block {
  Range ops;
  Range parameters;  // Of the values.
};

class Function {
 public:
  std::string name;
  FunctionKind kind = FunctionKind::kInPlace;
  SourceLocation location;

  LayoutTable layouts;
  NameTable names;

  std::vector<ValueId> parameters;
  std::vector<Storage> storages;
  std::vector<Value> values;
  std::vector<Op> ops;  // In order; the epilogue's commits and binds are last.
  std::vector<Block> blocks;
  std::vector<Return> returns;

  // The arrays that the Ranges and indices of an Op point into.
  std::vector<Operand> operands;
  std::vector<Attribute> attributes;
  std::vector<int64_t> integers;
  std::vector<Literal> literals;
  std::vector<BufferWindow> windows;
  std::vector<Type> targets;
  std::vector<Call> calls;
  std::vector<OpId> sources;

  bool is_pure() const { return kind == FunctionKind::kPure; }

  const Value& Get(ValueId id) const { return values[id.value]; }
  const Op& Get(OpId id) const { return ops[id.value]; }
  const Storage& Get(StorageId id) const { return storages[id.value]; }
  Layout LayoutOf(ValueId id) const { return LayoutOf(Get(id).type); }
  Layout LayoutOf(const Type& type) const { return layouts.Get(type.layout); }

  absl::Span<const Operand> OperandsOf(const Op& op) const {
    return absl::MakeConstSpan(operands).subspan(op.operands.begin,
                                                 op.operands.count);
  }
  absl::Span<const Attribute> AttributesOf(const Op& op) const {
    return absl::MakeConstSpan(attributes)
        .subspan(op.attributes.begin, op.attributes.count);
  }
  // The value that `op` makes. Precondition: it has result number `i`.
  ValueId Result(const Op& op, int i = 0) const {
    return ValueId{op.results.begin + i};
  }
  absl::Span<const OpId> SourcesOf(const Op& op) const {
    return absl::MakeConstSpan(sources).subspan(op.sources.begin,
                                                op.sources.count);
  }

  // Attributes. Precondition: the op has the attribute (each op of the table
  // has all of its attributes, also where the text left one out).
  int64_t IntegerOf(const Op& op, AttributeKey key) const;
  absl::Span<const int64_t> ListOf(const Op& op, AttributeKey key) const;
  const Literal& LiteralOf(const Op& op, AttributeKey key) const;

  // Texts for messages: "%x", "@s", "add_".
  std::string TextOf(ValueId id) const;
  std::string TextOf(StorageId id) const;
  std::string TextOf(const Op& op) const;

  // Adds an operand, ... and returns its index.
  int32_t AddLiteral(const Literal& literal);
  int32_t AddTarget(const Type& type);

 private:
  const Attribute& Find(const Op& op, AttributeKey key) const;
};

struct Program {
  std::vector<Function> functions;

  // The function of that name, without "@"; null where there is none.
  const Function* Find(absl::string_view name) const;
};

// By StorageId: the dtypes of the parameters in it, in their order. O(size).
std::vector<absl::InlinedVector<DType, 1>> ParameterDTypes(
    const Function& function);

// Whether two functions are the same but for ids, source locations and sources:
// they print alike. O(size).
bool SameText(const Function& a, const Function& b);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_PROGRAM_H_
