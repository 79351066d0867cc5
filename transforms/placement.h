// Where each value of a pure function should lie, so that what is laid together
// need not be moved. Only a wish: what else still needs the bytes there is for
// transforms/place_values to see.
//
// Values are asked for from the last op to the first. A commit wants its value
// in the caller's window, an assemble its pieces in theirs, an update its
// operand where its result lies, an elementwise op an operand that dies there
// likewise. What nobody asks for lies where the source function had it, if that
// is the caller's memory and the epilogue writes there anyway, or else in a new
// storage.

#ifndef PALIMPSEST_TRANSFORMS_PLACEMENT_H_
#define PALIMPSEST_TRANSFORMS_PLACEMENT_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "analysis/window_index.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "transforms/in_place_emitter.h"

namespace palimpsest {

// Whether the op's result is its first operand but for elements that it writes.
bool IsUpdate(const Op& op);
// Whether the result may lie over the operand, element over element.
bool IsAlike(const Function& function, ValueId operand, ValueId result);

// The assemble or commit that wants a value where it lies, as which operand.
struct Inside {
  OpId op;
  int32_t operand = 0;
};

struct Home {
  enum class Need : uint8_t {
    kNone,    // Anywhere else is as good.
    kCopied,  // If it lies elsewhere, it must be copied there.
  };
  Place place;
  Need need = Need::kNone;
  // Where it must be copied; it lies at `place` for free.
  Place copy;
  // Those that want the value there, or what it is updated to become.
  absl::InlinedVector<Inside, 1> insides;

  // Somewhere that nobody asked for.
  void MoveTo(Place elsewhere) {
    place = elsewhere;
    need = Need::kNone;
    copy = Place();
    insides.clear();
  }
};

class Placement {
 public:
  // `source` may be null; otherwise it is what `pure` was resolved from, and
  // sources of ops are its ops. The emitter was made of `pure`. Amortized
  // O(log n) an op.
  Placement(const Function& pure, const Function* source,
            InPlaceEmitter& emitter);

  Home& Of(ValueId value) { return homes_[value.value]; }
  const Home& Of(ValueId value) const { return homes_[value.value]; }
  // Counts a value more that lies there.
  void Count(Place place);
  // How many values want to lie in the storage, or did.
  int64_t CountIn(StorageId storage) const {
    const size_t index = storage.value;
    return index < counts_.size() ? counts_[index] : 0;
  }
  // Whether the epilogue writes to the caller's storage.
  bool IsCommitted(StorageId storage) const {
    return commits_[storage.value].has_value();
  }
  // Whether commits write all of it.
  bool IsWritten(Place place);
  // Whether a call is given bytes of it, or made of it, that nothing defined:
  // they must not become what happens to lie somewhere.
  bool KeepsUndefined(ValueId value) const {
    return keeps_undefined_[value.value];
  }
  // Whether values can be written there: each byte has one place.
  bool CanHold(Place place) const;
  // The place of operand `i` of an assemble whose result lies at `whole`.
  absl::optional<Place> PlaceOfPiece(const Op& assemble, int i, Place whole);
  // The place of a part of what lies at `whole`; nullopt where it is no window.
  absl::optional<Place> PlaceOfPart(Place whole, const BufferWindow& part);
  // The window that a commit writes or a bind makes.
  Place TargetOf(const Op& op);
  // Where a parameter lies, and the result of `contents`.
  Place FixedPlace(ValueId value) const { return fixed_[value.value]; }

 private:
  void Walk(OpId id);
  void Settle(ValueId value, const Op& op);
  void SettleAssemble(ValueId value, const Op& op);
  void WishOperands(OpId id);
  void WishPieces(OpId id);
  void Wish(ValueId value, const Home& home);
  void WishAnyway(ValueId value, const Home& home);
  void WishUnlessRead(ValueId value, const Home& home);
  void WishThroughExtract(const Op& extract, const Home& home);
  void MarkUsed(OpId id);
  void CollectCommits();
  void FindFixedPlaces();
  absl::optional<Place> WrittenBySource(ValueId value, const Op& op);
  absl::optional<Place> ReadBySource(ValueId value, const Op& op);
  absl::optional<Place> InCallers(ValueId in_source, ValueId value);
  bool PiecesAreWritten(const Op& assemble, Place place);

  const Function& pure_;
  const Function* source_;
  InPlaceEmitter& emitter_;
  std::vector<StorageId> storage_of_source_;
  std::vector<Home> homes_;      // By ValueId.
  std::vector<Place> fixed_;     // By ValueId; see FindFixedPlaces().
  std::vector<int64_t> counts_;  // By StorageId.
  // Whether what is behind the current op reads the value itself,
  std::vector<bool> is_read_;  // By ValueId.
  // or a part of it.
  std::vector<bool> is_needed_;        // By ValueId.
  std::vector<bool> keeps_undefined_;  // By ValueId.
  // What commits write, by StorageId, and whether places lie in that.
  struct Commits {
    explicit Commits(int64_t bytes) : index(bytes) {}
    WindowIndex index;
    std::vector<WindowId> windows;  // By entry of the index.
  };
  std::vector<absl::optional<Commits>> commits_;
  absl::flat_hash_map<Place, bool> is_written_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_PLACEMENT_H_
