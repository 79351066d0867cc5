#include "ir/op_memo.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/builder.h"
#include "ir/ids.h"
#include "ir/infer.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

constexpr size_t kFirstSlots = 64;
constexpr size_t kMostSlots = 1 << 14;

// What stands in a key for an operand that is no value. Layouts are not
// negative.
constexpr int32_t kLiteral = -1;
constexpr int32_t kNone = -2;

// Whether `operand` may be one of an op with that key, and is the function's.
bool IsPlain(const Function& function, const OpDraft& draft,
             const Operand& operand) {
  if (operand.window >= 0) return false;
  const size_t ref = static_cast<uint32_t>(operand.ref);
  switch (operand.kind) {
    case OperandKind::kValue:
      return ref < function.values.size();
    case OperandKind::kLiteral:
      return ref < draft.literals.size();
    case OperandKind::kNone:
      return true;
    case OperandKind::kStorage:
      return false;
  }
  return false;
}

}  // namespace

bool OpMemo::Key::Set(const Function& function, const OpDraft& draft) {
  if (draft.target || draft.call) return false;
  const bool in_place = draft.form == OpForm::kInPlace;
  if (draft.types.size() != (in_place ? 0 : 1)) return false;
  size_ = 0;
  Add(static_cast<int32_t>(draft.kind) << 8 |
      static_cast<int32_t>(draft.operands.size() & 0x7F) << 1 | in_place);
  if (!in_place) {
    if (!draft.types[0].layout.valid()) return false;
    Add(draft.types[0].layout.value);
  }
  return AddOperands(function, draft) && AddAttributes(draft);
}

bool OpMemo::Key::AddOperands(const Function& function, const OpDraft& draft) {
  if (draft.operands.size() > numbers_.size() - size_) return false;
  // The builder marks what an op in place writes, if the draft does not.
  Access marked = draft.form == OpForm::kInPlace ? Access::kMut : Access::kRead;
  for (const Operand& operand : draft.operands) {
    const bool access_fits =
        operand.access == Access::kRead || operand.access == marked;
    if (!access_fits || !IsPlain(function, draft, operand)) return false;
    marked = Access::kRead;
    Add(operand.is_value() ? function.Get(operand.value()).type.layout.value
        : operand.kind == OperandKind::kLiteral ? kLiteral
                                                : kNone);
  }
  return true;
}

bool OpMemo::Key::AddAttributes(const OpDraft& draft) {
  for (const AttributeDraft& attribute : draft.attributes) {
    if (TypeOf(attribute.key) == AttributeType::kLiteral) return false;
    const size_t count = attribute.integers.size();
    if (count >= numbers_.size() - size_) return false;
    Add(static_cast<int32_t>(attribute.key) << 8 | static_cast<int32_t>(count));
    for (int64_t integer : attribute.integers) {
      if (integer != static_cast<int32_t>(integer)) return false;
      Add(static_cast<int32_t>(integer));
    }
  }
  return true;
}

void OpMemo::Put(const Function& function, OpId op, const Key& key) {
  // A function of few ops gets along with few slots.
  if (slots_.size() < kMostSlots && 2 * puts_ >= slots_.size()) Grow();
  slots_[IndexOf(key)] = {key, {op, DataDTypeOf(function, function.Get(op))}};
  ++puts_;
}

void OpMemo::Grow() {
  std::vector<Slot> slots(std::max(kFirstSlots, 4 * slots_.size()));
  slots_.swap(slots);
  puts_ = 0;
  for (const Slot& slot : slots) {
    if (!slot.model.op.valid()) continue;
    slots_[IndexOf(slot.key)] = slot;
    ++puts_;
  }
}

}  // namespace palimpsest
