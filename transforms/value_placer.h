// Gives the values of a pure function places in memory, and writes the function
// that computes them there. Private to place_values*.cc.
//
// One walk over the ops. A value lies where it was first put until nobody reads
// it any more: before an op writes anywhere, what is still to be read there is
// found (live_reads.h) and got out of the way, whatever costs least:
//
//   1. its readers go first, where they can;
//   2. the op writes somewhere else, which may take a copy later;
//   3. what lies there is saved in a new storage.
//
// So each read finds what it must, wherever placement.h wished values to lie.

#ifndef PALIMPSEST_TRANSFORMS_VALUE_PLACER_H_
#define PALIMPSEST_TRANSFORMS_VALUE_PLACER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/window_index.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "transforms/in_place_emitter.h"
#include "transforms/live_reads.h"
#include "transforms/place_values.h"
#include "transforms/placement.h"
#include "transforms/value_uses.h"

namespace palimpsest {

class ValuePlacer {
 public:
  ValuePlacer(const Function& pure, const Function* source,
              OnConflict on_conflict);

  Placed Run() &&;

 private:
  // What is written where, to become operands of what (see Home).
  struct Write {
    OpId op;
    Place place;
    absl::InlinedVector<Inside, 1> insides;
  };
  // An assemble's, while its home is there.
  struct Pieces {
    Place whole;
    absl::optional<WindowIndex> index;
    std::vector<std::pair<WindowId, int>> operands;  // By entry of the index.
  };
  struct Copy {
    Place from;
    Write to;
  };

  // place_values.cc: the walk.
  void Emit(OpId id);
  void EmitTableOp(OpId id);
  void EmitCall(OpId id);
  void EmitEpilogue(OpId id);
  bool IsCommittedIn(OpId id, StorageId storage, WindowId window);
  void EmitReturns();
  bool DiesIn(OpId id, ValueId value) const;
  bool MayOverwrite(OpId id, ValueId value);
  bool IsAlone(absl::Span<const Place> places, size_t operand);
  absl::optional<Place> PlaceOfOperand(OpId id, ValueId result);
  void EmitValue(OpId id, ValueId result);
  void Define(ValueId value, Place place);
  void FinishOp(OpId id);
  Place WhereIs(ValueId value) const { return where_[value.value]; }
  std::vector<Operand> OperandsAt(const Op& op, absl::Span<const Place> places);
  std::vector<Place> PlacesOf(const Op& op) const;
  Place NewPlaceFor(ValueId value);
  int64_t BytesOf(ValueId value) const;
  bool IsUndefined(ValueId value) const;

  // place_values_assemble.cc: pieces that lie in place, and copies of others.
  void EmitAssemble(OpId id);
  absl::optional<std::vector<Copy>> CopiesFor(OpId id);
  bool MayMeet(absl::Span<const Copy> copies) const;
  bool AddCopies(OpId id, int operand, absl::Span<const Place> targets,
                 std::vector<Copy>& copies);
  bool AddCopiesAround(ValueId value, const Write& write,
                       absl::Span<const WindowId> covers,
                       std::vector<Copy>& copies);

  // place_values_room.cc: what is still needed where an op writes.
  bool IsShared(StorageId storage) const;
  void Register(ValueId value);
  void Unregister(ValueId value);
  LiveReads& ReadsIn(std::vector<absl::optional<LiveReads>>& reads,
                     StorageId storage);
  absl::Span<const ValueUse> PendingUses(ValueId value);
  bool IsPending(ValueId value) { return !PendingUses(value).empty(); }
  bool Blocks(ValueId value, const Write& write);
  bool IsLaidOver(ValueId value, const ValueUse& use, const Write& write);
  bool ComesInto(const Write& write, const ValueUse& use) const;
  const Pieces& PiecesOf(OpId id);
  bool IsCovered(const ValueUse& use, Place there, const Write& write);
  std::vector<WindowId> Blocking(const Write& write);
  bool HoistReaders(const Write& write);
  bool CanEmit(OpId id, int depth, int& budget);
  void EmitWithOperands(OpId id);
  void Spill(const Write& write, WindowId window);
  absl::optional<Place> PlaceToSave(const Write& write, WindowId window);
  int64_t BytesToSave(const Write& write, absl::Span<const WindowId> windows);
  void SpillAll(const Write& write);
  // Copies of values, as long as nothing writes there.
  void NoteWrite(Place place);
  void NoteCopy(ValueId value, Place place);
  bool IsCopiedTo(ValueId value, Place place) const;
  // Moves the result's home, or what is needed there.
  void MakeRoom(OpId id, ValueId result, int64_t cost_of_moving);
  bool ShouldMove(ValueId result, int64_t cost_of_moving, int64_t blocking);
  Write WriteOf(OpId id, ValueId result);
  void MoveHome(OpId id, ValueId result);

  const Function& pure_;
  const OnConflict on_conflict_;
  const ValueUses uses_;
  InPlaceEmitter emitter_;
  Placement placement_;

  std::vector<Place> where_;          // By ValueId; invalid: not made yet.
  std::vector<bool> is_emitted_;      // By OpId.
  std::vector<bool> is_in_progress_;  // By OpId.
  std::vector<bool> is_pinned_;       // By ValueId: its home must not move.
  std::vector<int32_t> next_use_;     // By ValueId: those before are emitted.
  std::vector<absl::optional<LiveReads>> live_;    // By StorageId.
  std::vector<absl::optional<LiveReads>> copies_;  // By StorageId.
  absl::flat_hash_map<OpId, Pieces> pieces_;
  int64_t conflicts_ = 0;
  int depth_ = 0;  // Of hoisted ops.
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_VALUE_PLACER_H_
