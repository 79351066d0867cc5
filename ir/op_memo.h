// OpMemo: for a statement as written, an op that passed all checks and that it
// is like, so that it passes them too.
//
// What infer.h checks and infers follows from the function's kind, the op's
// kind and form, the operands' kinds and accesses, the layouts of those that
// are values, literals, attributes, windows, storages and target, and the
// declared layout. The memo is for drafts without windows, storages, targets
// and literal attributes. Such a draft is like another of the same function
// where all else, which is its key, is equal; CheckLiteral() alone has to look
// at its literals again.
//
// Whole keys are compared, each in the one slot that its hash gives it: an
// answer is right whatever was put in, and memory is bounded.

#ifndef PALIMPSEST_IR_OP_MEMO_H_
#define PALIMPSEST_IR_OP_MEMO_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

struct OpDraft;

class OpMemo {
 public:
  // Equal where the numbers are: counts stand before what they count.
  class Key {
   public:
    // Sets the key to the draft's. Whether it has one: the memo is for it, it
    // declares what it makes, its operands are the function's, and there are
    // not too many of them.
    bool Set(const Function& function, const OpDraft& draft);

   private:
    friend class OpMemo;

    bool AddOperands(const Function& function, const OpDraft& draft);
    bool AddAttributes(const OpDraft& draft);
    void Add(int32_t number) { numbers_[size_++] = number; }
    uint32_t Hash() const;
    bool Equals(const Key& other) const;

    int32_t size_ = 0;
    std::array<int32_t, 11> numbers_ = {};  // The first size_ of them.
  };

  struct Model {
    OpId op;
    DType literals = DType::kF32;  // The dtype that its literals have.
  };

  // The op that was put in with such a key; null where that is gone or never
  // was.
  const Model* Find(const Key& key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[IndexOf(key)];
    return slot.key.Equals(key) ? &slot.model : nullptr;
  }
  // `op` is what the draft with that key became.
  void Put(const Function& function, OpId op, const Key& key);

 private:
  struct Slot {
    Key key;  // Of size 0 in an empty slot.
    Model model;
  };
  size_t IndexOf(const Key& key) const {
    return key.Hash() & (slots_.size() - 1);
  }
  void Grow();

  std::vector<Slot> slots_;  // None, or a power of two.
  size_t puts_ = 0;          // Since slots_ grew.
};

inline uint32_t OpMemo::Key::Hash() const {
  uint64_t hash = 0;
  for (int32_t i = 0; i < size_; ++i) {
    hash = (hash ^ static_cast<uint32_t>(numbers_[i])) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return static_cast<uint32_t>(hash);
}

inline bool OpMemo::Key::Equals(const Key& other) const {
  if (size_ != other.size_) return false;
  for (int32_t i = 0; i < size_; ++i) {
    if (numbers_[i] != other.numbers_[i]) return false;
  }
  return true;
}

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_OP_MEMO_H_
