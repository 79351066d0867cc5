// The in-place function under construction: appends ops of a pure function with
// operands and results at places that somebody else chose.

#ifndef PALIMPSEST_TRANSFORMS_IN_PLACE_EMITTER_H_
#define PALIMPSEST_TRANSFORMS_IN_PLACE_EMITTER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "analysis/window_table.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

// Where a value lies: a window of a storage.
struct Place {
  StorageId storage;
  WindowId window;

  bool valid() const { return storage.valid(); }

  friend bool operator==(Place a, Place b) {
    return a.storage == b.storage && a.window == b.window;
  }
  friend bool operator!=(Place a, Place b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, Place place) {
    return H::combine(std::move(h), place.storage, place.window);
  }
};

class InPlaceEmitter {
 public:
  // Starts a func with the parameters and the caller's storages of a pure
  // function, which keep their ids. So do layouts, literals, attributes and
  // calls, so that the ops of `pure` can be copied.
  explicit InPlaceEmitter(const Function& pure);

  WindowTable& windows() { return windows_; }
  const WindowTable& windows() const { return windows_; }
  const Storage& Get(StorageId id) const { return function_.Get(id); }
  bool IsCallers(StorageId id) const {
    return Get(id).kind == StorageKind::kParameter;
  }

  // A storage of its own, which the first op that uses it makes.
  StorageId NewStorage(int64_t bytes);
  // All of a new storage, for a row-major value of that dtype and these sizes.
  Place NewPlace(LayoutId like);

  // Whether a result there is all of a storage that nothing has made yet.
  bool MakesAll(Place place) const;

  // The value that is this window of its storage, which is made where it was
  // not used before. Amortized O(1).
  ValueId At(Place place);
  // The same with these very strides.
  ValueId At(const Type& window);

  // A value-making op, which writes its result there. Precondition: the op is
  // one of `pure` with one result.
  void AppendValue(const Op& op, absl::Span<const Operand> operands, Place to);
  // An update in place, of the first operand.
  void AppendUpdate(const Op& op, absl::Span<const Operand> operands);
  // A call, whose declared results get these places, of new storages. Operands
  // marked `mut` are updated.
  void AppendCall(const Op& op, absl::Span<const Operand> operands,
                  absl::Span<const Place> results);
  // Moves bytes: as a new value where that makes the storage, else in place.
  void AppendCopy(const Op& source, Place from, Place to);
  void Return(ValueId value);

  // The function, its values and storages named. The emitter is of no use then.
  Function Finish() &&;

 private:
  // Whether a result at that window may be what makes the storage.
  bool Makes(Place place) const;
  Type TypeAt(Place place) const;
  Op& Append(const Op& op, absl::Span<const Operand> operands);
  ValueId AddResult(Op& op, const Type& type);
  void Make(StorageId storage);
  ValueId AnyValueIn(StorageId storage) { return any_value_[storage.value]; }
  void Remember(Place place, ValueId value);
  void DropUnused();

  Function function_;
  WindowTable windows_;
  std::vector<ValueId> any_value_;  // By StorageId; invalid: not made yet.
  absl::flat_hash_map<Place, ValueId> views_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_IN_PLACE_EMITTER_H_
