// Ops: the table of kinds (ops.def) and one op of a function.

#ifndef PALIMPSEST_IR_OP_H_
#define PALIMPSEST_IR_OP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/type.h"

namespace palimpsest {

enum class OpKind : uint8_t {
#define PALIMPSEST_OP(enumerator, ...) enumerator,
#include "ir/ops.def"
#undef PALIMPSEST_OP
};

enum class OpForms : uint8_t { kValue, kBoth, kInPlace, kStructure };

enum class OperandRole : uint8_t {
  kTensor,    // %x
  kOperand,   // %x, or a literal of the other operand's dtype
  kScalar,    // a literal, or a %x of rank 0
  kIndex,     // %i of an integer dtype
  kIndices,   // [%i, none, ..]
  kMask,      // %m of dtype bool
  kTensors,   // [%x, %y, ..]
  kLiterals,  // [1, 2, ..]
  kWindow,    // %x at offset .. strides ..
  kPieces,    // %base, %piece at offset .. strides .., ..
  kStorage,   // @s
};

enum class AttributeKey : uint8_t {
  kDim,      // An integer, counted from the front; text may count from behind.
  kDims,     // A list of those, ascending; [] in text means all to a reduction.
  kKeepDim,  // A boolean; false where left out.
  kAccumulate,  // A boolean; false where left out.
  kStart,       // A literal; 0 where left out.
  kStep,        // A literal; 1 where left out.
};
enum class AttributeType : uint8_t { kInteger, kList, kBoolean, kLiteral };

absl::string_view TextOf(AttributeKey key);
AttributeType TypeOf(AttributeKey key);

enum class InferenceRule : uint8_t {
  kDeclared,
  kSame,
  kCast,
  kCopy,
  kElementwise,
  kPredicate,
  kWhere,
  kReduce,
  kMatmul,
  kCat,
  kIndexSelect,
  kGather,
  kIndex,
  kIndexCopy,
  kIndexFill,
  kIndexPut,
  kScatter,
  kMaskedFill,
  kMaskedScatter,
  kView,
  kExtract,
  kAssemble,
  kCall,
  kEpilogue,
};

enum class KernelFamily : uint8_t {
  kCreate,
  kMove,
  kElementwise,
  kReduce,
  kMatmul,
  kIndex,
  kCall,
  kStructure,
};

// A row of the table.
struct OpInfo {
  struct Operand {
    absl::string_view name;
    OperandRole role;
  };
  OpKind kind;
  absl::string_view text;
  OpForms forms;
  std::vector<Operand> operands;
  std::vector<AttributeKey> attributes;
  InferenceRule rule;
  absl::string_view classes;
  KernelFamily family;
  uint32_t dtypes = 0;  // Those of the classes, a bit each.
  int list = -1;        // The operand that is a list; -1 for none.

  bool Allows(DType dtype) const {
    return (dtypes >> static_cast<int>(dtype) & 1) != 0;
  }
  bool HasInPlaceForm() const {
    return forms == OpForms::kBoth || forms == OpForms::kInPlace;
  }
};

// Whether the role takes any number of operands: in brackets, or the pieces.
bool HasBrackets(OperandRole role);
bool IsList(OperandRole role);

absl::Span<const OpInfo> AllOps();  // In the table's order.
inline const OpInfo& InfoFor(OpKind kind) {
  static const OpInfo* const table = AllOps().data();
  return table[static_cast<int>(kind)];
}
absl::optional<OpKind> OpKindFromText(absl::string_view text);  // Without `_`.

// A number as written. A literal is rounded once to the dtype it is used in.
struct Literal {
  enum class Kind : uint8_t { kInteger, kUnsigned, kFloat, kBoolean, kComplex };
  Kind kind = Kind::kInteger;
  // kInteger and kBoolean: the value. kUnsigned: above INT64_MAX, its bits.
  int64_t integer = 0;
  double real = 0;       // kFloat, kComplex.
  double imaginary = 0;  // kComplex.

  static Literal Integer(int64_t value);
  static Literal Unsigned(uint64_t value);  // kInteger where that holds it.
  static Literal Float(double value);
  static Literal Boolean(bool value);  // NOLINT: the value itself.
  static Literal Complex(double real, double imaginary);

  // NaN equals NaN, and 0.0 differs from -0.0.
  friend bool operator==(const Literal& a, const Literal& b);
  friend bool operator!=(const Literal& a, const Literal& b) {
    return !(a == b);
  }
};

enum class OperandKind : uint8_t { kValue, kLiteral, kNone, kStorage };

// What an op does with a value operand. kRead for all but the first operand of
// an op in place, and the operands of a call marked `mut` (in place) or `upd`
// (pure: the updated contents are a result).
enum class Access : uint8_t { kRead, kMut, kUpd };

struct Operand {
  OperandKind kind = OperandKind::kNone;
  Access access = Access::kRead;
  int32_t ref = -1;     // A ValueId, a literal's index, a StorageId, or -1.
  int32_t window = -1;  // `at ..`: an index into Function::windows(), or -1.

  static Operand Value(ValueId id, Access access = Access::kRead) {
    return {OperandKind::kValue, access, id.value, -1};
  }
  static Operand Storage(StorageId id) {
    return {OperandKind::kStorage, Access::kRead, id.value, -1};
  }
  static Operand None() { return {}; }

  bool is_value() const { return kind == OperandKind::kValue; }
  // Precondition: kind is kValue (kStorage, for storage()).
  ValueId value() const { return ValueId{ref}; }
  StorageId storage() const { return StorageId{ref}; }
};

struct Attribute {
  AttributeKey key;
  Range integers;  // Of Function's integers; a kLiteral's is its literal index.
};

struct SourceLocation {
  int32_t line = 0;  // From 1; 0 where there is no text.
  int32_t column = 0;
};

enum class OpForm : uint8_t { kValue, kInPlace };

struct Op {
  OpKind kind = OpKind::kEmpty;
  OpForm form = OpForm::kValue;
  bool has_tag = false;
  Range operands;    // Of Function's operands.
  Range results;     // Of Function's values: consecutive ids.
  Range attributes;  // Of Function's attributes.
  Range sources;     // Of Function's sources: ops of the function it came from.
  int32_t call = -1;    // Of Function's calls.
  int32_t target = -1;  // `into TYPE`, `to TYPE`: of Function's targets, or -1.
  int64_t tag = 0;      // The embedder's mark, where has_tag.
  SourceLocation location;

  bool in_place() const { return form == OpForm::kInPlace; }
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_OP_H_
