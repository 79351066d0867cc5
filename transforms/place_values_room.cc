// The part of the walk that looks for what is still needed where an op writes.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/partition.h"
#include "analysis/window_index.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "transforms/live_reads.h"
#include "transforms/placement.h"
#include "transforms/value_placer.h"
#include "transforms/value_uses.h"

namespace palimpsest {
namespace {

// Assembles and commits looked at to see what a write comes into: an assemble
// may enclose another, and that another.
constexpr size_t kMaxInsides = 8;
// Pieces of an assemble that are looked at for that, and boxes that these take.
constexpr int kMaxPieces = 16;
// Ops that go first at once, and that go first for one that goes first.
constexpr int kMaxHoisted = 8;
constexpr int kMaxDepth = 3;

}  // namespace

bool ValuePlacer::IsShared(StorageId storage) const {
  if (emitter_.IsCallers(storage)) return placement_.IsCommitted(storage);
  const bool is_bound =
      storage.value < static_cast<int32_t>(pure_.storages.size());
  return is_bound || placement_.CountIn(storage) > 1;
}

// From the first op that has yet to be emitted; there may be others behind it
// that have been.
absl::Span<const ValueUse> ValuePlacer::PendingUses(ValueId value) {
  const absl::Span<const ValueUse> uses = uses_.Of(value);
  int32_t& next = next_use_[value.value];
  while (next < static_cast<int32_t>(uses.size()) &&
         is_emitted_[uses[next].op.value]) {
    ++next;
  }
  return uses.subspan(next);
}

void ValuePlacer::Register(ValueId value) {
  const Place place = WhereIs(value);
  if (!IsShared(place.storage) || IsUndefined(value) || !IsPending(value)) {
    return;
  }
  ReadsIn(live_, place.storage).Add(place.window, value);
}

LiveReads& ValuePlacer::ReadsIn(std::vector<absl::optional<LiveReads>>& reads,
                                StorageId storage) {
  const size_t index = storage.value;
  if (reads.size() <= index) reads.resize(index + 1);
  if (!reads[index]) {
    reads[index].emplace(emitter_.windows(), emitter_.Get(storage).bytes);
  }
  return *reads[index];
}

void ValuePlacer::NoteCopy(ValueId value, Place place) {
  ReadsIn(copies_, place.storage).Add(place.window, value);
}

void ValuePlacer::NoteWrite(Place place) {
  const size_t index = place.storage.value;
  if (index >= copies_.size() || !copies_[index]) return;
  for (const WindowId window : copies_[index]->Meeting(place.window)) {
    const std::vector<ValueId> values = copies_[index]->At(window);
    for (const ValueId value : values) copies_[index]->Remove(window, value);
  }
}

bool ValuePlacer::IsCopiedTo(ValueId value, Place place) const {
  const size_t index = place.storage.value;
  return index < copies_.size() && copies_[index] &&
         absl::c_linear_search(copies_[index]->At(place.window), value);
}

void ValuePlacer::Unregister(ValueId value) {
  const Place place = WhereIs(value);
  const size_t index = place.storage.value;
  if (index < live_.size() && live_[index]) {
    live_[index]->Remove(place.window, value);
  }
}

// Whether what is written comes into the op that has this use, as a later
// operand, or into the commits after that.
bool ValuePlacer::ComesInto(const Write& write, const ValueUse& use) const {
  const bool is_commit = pure_.Get(use.op).kind == OpKind::kCommit;
  absl::InlinedVector<Inside, 4> insides(write.insides.begin(),
                                         write.insides.end());
  for (size_t i = 0; i < insides.size() && i < kMaxInsides; ++i) {
    const Inside inside = insides[i];
    const Op& op = pure_.Get(inside.op);
    if (op.kind == OpKind::kCommit) {
      if (is_commit && use.op < inside.op) return true;
      continue;
    }
    if (inside.op == use.op) {
      if (inside.operand > use.operand) return true;
      continue;
    }
    if (op.kind != OpKind::kAssemble) continue;
    const Home& home = placement_.Of(pure_.Result(op));
    insides.insert(insides.end(), home.insides.begin(), home.insides.end());
  }
  return false;
}

// Where the assemble's pieces lie, or are to be laid.
const ValuePlacer::Pieces& ValuePlacer::PiecesOf(OpId id) {
  const Op& op = pure_.Get(id);
  const Place whole = placement_.Of(pure_.Result(op)).place;
  Pieces& pieces = pieces_[id];
  if (pieces.index && pieces.whole == whole) return pieces;
  pieces.whole = whole;
  pieces.index.emplace(emitter_.Get(whole.storage).bytes);
  pieces.operands.clear();
  for (int i = 0; i < op.operands.count; ++i) {
    const auto piece = placement_.PlaceOfPiece(op, i, whole);
    if (!piece) continue;
    const Window& window = emitter_.windows().Get(piece->window);
    if (window.empty()) continue;
    pieces.index->SetStamp(pieces.index->Add(window), i + 1);
    pieces.operands.push_back({piece->window, i});
  }
  return pieces;
}

// Whether operands of the assemble behind this one, whatever they are, are laid
// over all that is written of what lies there.
bool ValuePlacer::IsCovered(const ValueUse& use, Place there,
                            const Write& write) {
  const WindowTable& windows = emitter_.windows();
  const Window& written = windows.Get(write.place.window);
  const Pieces& pieces = PiecesOf(use.op);
  std::vector<Box> left = {written.box()};
  WindowIndex::Search search(*pieces.index, written, WindowIndex::kNever);
  int entry = search.Next();
  for (int asked = 0; entry >= 0 && asked < kMaxPieces; ++asked) {
    const auto [window, operand] = pieces.operands[entry];
    entry = search.Next();
    if (operand <= use.operand) continue;
    (void)windows.Subtract(windows.Get(window), kMaxPieces, left);
    if (left.empty()) return true;
  }
  const auto meets =
      windows.Subtract(windows.Get(there.window), kMaxPieces, left);
  return meets && !*meets;
}

// Whether the use is of an operand in place whose bytes under the write a later
// operand is laid over anyway.
bool ValuePlacer::IsLaidOver(ValueId value, const ValueUse& use,
                             const Write& write) {
  if (use.op == uses_.returned()) return false;
  const Op& op = pure_.Get(use.op);
  const bool is_commit = op.kind == OpKind::kCommit;
  if (!is_commit && op.kind != OpKind::kAssemble) return false;
  if (is_commit) {
    return ComesInto(write, use) && WhereIs(value) == placement_.TargetOf(op);
  }
  const ValueId whole = pure_.Result(op);
  const Place home = placement_.Of(whole).place;
  if (home.storage != write.place.storage) return false;
  const auto place = placement_.PlaceOfPiece(op, use.operand, home);
  if (!place || *place != WhereIs(value)) return false;
  if (!ComesInto(write, use) && !IsCovered(use, *place, write)) return false;
  is_pinned_[whole.value] = true;
  return true;
}

// Whether something but the writing op itself still reads the value.
bool ValuePlacer::Blocks(ValueId value, const Write& write) {
  for (const ValueUse& use : PendingUses(value)) {
    if (use.op == write.op || is_emitted_[use.op.value]) continue;
    if (!IsLaidOver(value, use, write)) return true;
  }
  return false;
}

std::vector<WindowId> ValuePlacer::Blocking(const Write& write) {
  std::vector<WindowId> blocking;
  const size_t index = write.place.storage.value;
  if (index >= live_.size() || !live_[index]) return blocking;
  for (const WindowId window : live_[index]->Meeting(write.place.window)) {
    for (const ValueId value : live_[index]->At(window)) {
      if (!Blocks(value, write)) continue;
      blocking.push_back(window);
      break;
    }
  }
  return blocking;
}

// Whether the op can come next, after ops that it needs, without being in
// anybody's way.
bool ValuePlacer::CanEmit(OpId id, int depth, int& budget) {
  if (id == uses_.returned() || is_in_progress_[id.value]) return false;
  if (is_emitted_[id.value]) return true;
  if (depth > kMaxDepth || --budget < 0) return false;
  const Op& op = pure_.Get(id);
  const OpInfo& info = InfoFor(op.kind);
  if (info.rule == InferenceRule::kEpilogue || op.kind == OpKind::kCall) {
    return false;
  }
  for (const Operand& operand : pure_.OperandsOf(op)) {
    if (!operand.is_value() || WhereIs(operand.value()).valid()) continue;
    const OpId definition = pure_.Get(operand.value()).definition;
    if (!CanEmit(definition, depth + 1, budget)) return false;
  }
  const ValueId result = pure_.Result(op);
  return op.kind == OpKind::kExtract || Blocking(WriteOf(id, result)).empty();
}

void ValuePlacer::EmitWithOperands(OpId id) {
  if (is_emitted_[id.value]) return;
  for (const Operand& operand : pure_.OperandsOf(pure_.Get(id))) {
    if (!operand.is_value() || WhereIs(operand.value()).valid()) continue;
    EmitWithOperands(pure_.Get(operand.value()).definition);
  }
  if (!is_emitted_[id.value]) Emit(id);
}

// Lets those that read what lies in the way go first, where all of them can.
// Whether there was nothing.
bool ValuePlacer::HoistReaders(const Write& write) {
  const std::vector<WindowId> blocking = Blocking(write);
  if (blocking.empty() || depth_ >= kMaxDepth) return blocking.empty();
  const size_t index = write.place.storage.value;
  ++depth_;
  for (const WindowId window : blocking) {
    std::vector<OpId> readers;
    int budget = kMaxHoisted;
    bool all_can = true;
    for (const ValueId value : live_[index]->At(window)) {
      for (const ValueUse& use : PendingUses(value)) {
        if (!all_can) break;
        if (use.op == write.op || is_emitted_[use.op.value]) continue;
        if (IsLaidOver(value, use, write)) continue;
        all_can = CanEmit(use.op, 0, budget);
        readers.push_back(use.op);
      }
    }
    if (!all_can) continue;
    for (const OpId reader : readers) EmitWithOperands(reader);
  }
  --depth_;
  return false;
}

// Where one of the values is committed or bound, if nothing is in the way
// there, so that saving costs nothing.
absl::optional<Place> ValuePlacer::PlaceToSave(const Write& write,
                                               WindowId window) {
  const StorageId storage = write.place.storage;
  const WindowTable& windows = emitter_.windows();
  for (const ValueId value : live_[storage.value]->At(window)) {
    for (const ValueUse& use : PendingUses(value)) {
      if (use.op == uses_.returned() || is_emitted_[use.op.value]) continue;
      const Op& op = pure_.Get(use.op);
      if (op.kind != OpKind::kBind && op.kind != OpKind::kCommit) continue;
      const Place target = placement_.TargetOf(op);
      const bool is_there =
          target.storage == storage &&
          (target.window == window ||
           windows.MayOverlap(windows.Get(target.window),
                              windows.Get(write.place.window)));
      if (!is_there && Blocking({use.op, target, {{use.op, 0}}}).empty()) {
        return target;
      }
    }
  }
  return absl::nullopt;
}

// Saves what lies in the window.
void ValuePlacer::Spill(const Write& write, WindowId window) {
  const StorageId storage = write.place.storage;
  const std::vector<ValueId> values = live_[storage.value]->At(window);
  const auto place = PlaceToSave(write, window);
  const Place saved =
      place ? *place : emitter_.NewPlace(emitter_.windows().Get(window).layout);
  emitter_.AppendCopy(pure_.Get(write.op), {storage, window}, saved);
  NoteWrite(saved);
  for (size_t i = 0; i < values.size(); ++i) placement_.Count(saved);
  for (const ValueId value : values) {
    Unregister(value);
    where_[value.value] = saved;
    Register(value);
  }
}

int64_t ValuePlacer::BytesToSave(const Write& write,
                                 absl::Span<const WindowId> windows) {
  int64_t bytes = 0;
  for (const WindowId window : windows) {
    if (PlaceToSave(write, window)) continue;
    bytes += emitter_.windows().Get(window).bytes();
  }
  return bytes;
}

void ValuePlacer::SpillAll(const Write& write) {
  for (const WindowId window : Blocking(write)) {
    Spill(write, window);
  }
}

ValuePlacer::Write ValuePlacer::WriteOf(OpId id, ValueId result) {
  const Home& home = placement_.Of(result);
  return {id, home.place, home.insides};
}

void ValuePlacer::MoveHome(OpId id, ValueId result) {
  Home& home = placement_.Of(result);
  if (!home.copy.valid()) {
    const auto place = PlaceOfOperand(id, result);
    home.MoveTo(place ? *place : NewPlaceFor(result));
    return;
  }
  home.MoveTo(home.copy);
  home.need = Home::Need::kCopied;
}

// Whether to write the result elsewhere, rather than to save what it would be
// written over; both in bytes.
bool ValuePlacer::ShouldMove(ValueId result, int64_t cost_of_moving,
                             int64_t blocking) {
  if (is_pinned_[result.value]) return false;
  ++conflicts_;
  switch (on_conflict_) {
    case OnConflict::kCheapest:
      return cost_of_moving <= blocking;
    case OnConflict::kSave:
      return cost_of_moving == 0;
    case OnConflict::kMove:
      return true;
  }
  return true;
}

// `cost_of_moving`: bytes that the op must write more where its result lies
// elsewhere.
void ValuePlacer::MakeRoom(OpId id, ValueId result, int64_t cost_of_moving) {
  const Write write = WriteOf(id, result);
  const std::vector<WindowId> blocking = Blocking(write);
  if (blocking.empty()) return;
  if (placement_.Of(result).need == Home::Need::kCopied) {
    cost_of_moving += BytesOf(result);
  }
  if (ShouldMove(result, cost_of_moving, BytesToSave(write, blocking))) {
    MoveHome(id, result);
    MakeRoom(id, result, 0);  // There may be something, too.
    return;
  }
  SpillAll(write);
}

}  // namespace palimpsest
