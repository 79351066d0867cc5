// Typed indices into the flat arrays of a Function, and interned names.

#ifndef PALIMPSEST_IR_IDS_H_
#define PALIMPSEST_IR_IDS_H_

#include <cstdint>
#include <utility>

namespace palimpsest {

template <typename Tag>
struct Id {
  int32_t value = -1;

  bool valid() const { return value >= 0; }

  friend bool operator==(Id a, Id b) { return a.value == b.value; }
  friend bool operator!=(Id a, Id b) { return a.value != b.value; }
  friend bool operator<(Id a, Id b) { return a.value < b.value; }
  template <typename H>
  friend H AbslHashValue(H h, Id id) {
    return H::combine(std::move(h), id.value);
  }
};

using ValueId = Id<struct ValueTag>;      // %x
using StorageId = Id<struct StorageTag>;  // @s
using OpId = Id<struct OpTag>;
using BlockId = Id<struct BlockTag>;
using LayoutId = Id<struct LayoutTag>;  // Interned dtype, sizes, strides.

// A name without its sigil. Decimal numbers without leading zeros need no room
// in the pool: number n is stored as -2 - n. -1 is no name.
struct Name {
  int32_t value = -1;

  static Name Number(int32_t n) { return Name{-2 - n}; }
  bool valid() const { return value != -1; }
  bool is_number() const { return value <= -2; }
  int32_t number() const { return -2 - value; }

  friend bool operator==(Name a, Name b) { return a.value == b.value; }
  friend bool operator!=(Name a, Name b) { return a.value != b.value; }
  template <typename H>
  friend H AbslHashValue(H h, Name name) {
    return H::combine(std::move(h), name.value);
  }
};

// A run of elements of one of a Function's flat arrays.
struct Range {
  int32_t begin = 0;
  int32_t count = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_IDS_H_
