#include "transforms/place_values.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "transforms/value_placer.h"

namespace palimpsest {
namespace {

// Values with more, their parts' among them, are not looked through to see
// whether they die.
constexpr size_t kMaxUses = 64;

}  // namespace

ValuePlacer::ValuePlacer(const Function& pure, const Function* source,
                         OnConflict on_conflict)
    : pure_(pure),
      on_conflict_(on_conflict),
      uses_(pure),
      emitter_(pure),
      placement_(pure, source, emitter_),
      where_(pure.values.size()),
      is_emitted_(pure.ops.size() + 1, false),
      is_in_progress_(pure.ops.size() + 1, false),
      is_pinned_(pure.values.size(), false),
      next_use_(pure.values.size(), 0) {}

Placed ValuePlacer::Run() && {
  for (const ValueId parameter : pure_.parameters) {
    Define(parameter, placement_.FixedPlace(parameter));
  }
  const int32_t ops = static_cast<int32_t>(pure_.ops.size());
  for (int32_t i = 0; i < ops; ++i) {
    // What was there at entry, wherever it is asked for.
    if (pure_.ops[i].kind == OpKind::kContents) Emit({i});
  }
  for (int32_t i = 0; i < ops; ++i) {
    if (!is_emitted_[i]) Emit({i});
  }
  EmitReturns();
  return {std::move(emitter_).Finish(), conflicts_};
}

int64_t ValuePlacer::BytesOf(ValueId value) const {
  const Layout layout = pure_.LayoutOf(value);
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

Place ValuePlacer::NewPlaceFor(ValueId value) {
  return emitter_.NewPlace(pure_.Get(value).type.layout);
}

// Whether no byte of it is defined, so that it need not be made.
bool ValuePlacer::IsUndefined(ValueId value) const {
  const OpId definition = pure_.Get(value).definition;
  return definition.valid() && pure_.Get(definition).kind == OpKind::kEmpty;
}

// The value lies there from now on, as do its parts that are windows.
void ValuePlacer::Define(ValueId value, Place place) {
  std::vector<ValueId> defined = {value};
  where_[value.value] = place;
  for (size_t i = 0; i < defined.size(); ++i) {
    const ValueId whole = defined[i];
    for (const ValueUse& use : uses_.Of(whole)) {
      if (use.op == uses_.returned() || is_emitted_[use.op.value]) continue;
      const Op& op = pure_.Get(use.op);
      if (op.kind != OpKind::kExtract) continue;
      const auto part = placement_.PlaceOfPart(
          WhereIs(whole), pure_.windows[pure_.OperandsOf(op)[0].window]);
      if (!part) continue;
      is_emitted_[use.op.value] = true;
      where_[pure_.Result(op).value] = *part;
      defined.push_back(pure_.Result(op));
    }
  }
  for (const ValueId whole : defined) Register(whole);
}

std::vector<Place> ValuePlacer::PlacesOf(const Op& op) const {
  std::vector<Place> places;
  for (const Operand& operand : pure_.OperandsOf(op)) {
    places.push_back(operand.is_value() ? WhereIs(operand.value()) : Place());
  }
  return places;
}

std::vector<Operand> ValuePlacer::OperandsAt(const Op& op,
                                             absl::Span<const Place> places) {
  std::vector<Operand> operands;
  for (const Operand& operand : pure_.OperandsOf(op)) {
    operands.push_back(operand);
    if (!operand.is_value()) continue;
    operands.back().ref = emitter_.At(places[operands.size() - 1]).value;
  }
  return operands;
}

void ValuePlacer::Emit(OpId id) {
  is_in_progress_[id.value] = true;
  const Op& op = pure_.Get(id);
  switch (op.kind) {
    case OpKind::kAssemble:
      EmitAssemble(id);
      return;
    case OpKind::kCall:
      EmitCall(id);
      return;
    case OpKind::kCommit:
    case OpKind::kBind:
      EmitEpilogue(id);
      return;
    case OpKind::kContents:
      FinishOp(id);
      Define(pure_.Result(op), placement_.FixedPlace(pure_.Result(op)));
      return;
    case OpKind::kEmpty:
      FinishOp(id);
      Define(pure_.Result(op), placement_.Of(pure_.Result(op)).place);
      return;
    default:
      EmitTableOp(id);
  }
}

// The op reads nothing more.
void ValuePlacer::FinishOp(OpId id) {
  is_emitted_[id.value] = true;
  for (const Operand& operand : pure_.OperandsOf(pure_.Get(id))) {
    if (operand.is_value() && !IsPending(operand.value())) {
      Unregister(operand.value());
    }
  }
}

// Whether the op is all that still reads the value, or a part of it that lies
// there, too, in a storage of ours.
bool ValuePlacer::DiesIn(OpId id, ValueId value) const {
  const StorageId storage = WhereIs(value).storage;
  if (emitter_.IsCallers(storage)) return false;
  std::vector<ValueId> asked = {value};
  size_t uses = 0;
  for (size_t i = 0; i < asked.size(); ++i) {
    uses += uses_.Of(asked[i]).size();
    if (uses > kMaxUses) return false;
    for (const ValueUse& use : uses_.Of(asked[i])) {
      if (use.op == id) continue;
      if (!is_emitted_[use.op.value]) return false;
      const Op& op = pure_.Get(use.op);
      if (op.kind != OpKind::kExtract && op.kind != OpKind::kAssemble) continue;
      const ValueId result = pure_.Result(op);
      if (WhereIs(result).storage == storage) asked.push_back(result);
    }
  }
  return true;
}

// Whether the op may write over the value where that lies.
bool ValuePlacer::MayOverwrite(OpId id, ValueId value) {
  const Place place = WhereIs(value);
  if (!placement_.CanHold(place)) return false;
  // What a part is of may be needed, too.
  ValueId whole = value;
  OpId definition = pure_.Get(whole).definition;
  size_t asked = 0;
  while (definition.valid() && pure_.Get(definition).kind == OpKind::kExtract) {
    const ValueId base = pure_.OperandsOf(pure_.Get(definition))[0].value();
    if (WhereIs(base).storage != place.storage) break;
    if (++asked > kMaxUses) return false;
    whole = base;
    definition = pure_.Get(whole).definition;
  }
  return definition.valid() && DiesIn(id, whole) &&
         Blocking({id, place, {}}).empty();
}

// Where an operand lies that the result may be written over, element over
// element.
absl::optional<Place> ValuePlacer::PlaceOfOperand(OpId id, ValueId result) {
  const Op& op = pure_.Get(id);
  if (InfoFor(op.kind).family != KernelFamily::kElementwise) {
    return absl::nullopt;
  }
  for (const Operand& operand : pure_.OperandsOf(op)) {
    if (!operand.is_value() || !IsAlike(pure_, operand.value(), result)) {
      continue;
    }
    const Place place = WhereIs(operand.value());
    if (place == placement_.Of(result).place) continue;
    if (MayOverwrite(id, operand.value()) ||
        (emitter_.IsCallers(place.storage) && placement_.CanHold(place) &&
         placement_.IsWritten(place) && Blocking({id, place, {}}).empty())) {
      return place;
    }
  }
  return absl::nullopt;
}

void ValuePlacer::EmitValue(OpId id, ValueId result) {
  const Op& op = pure_.Get(id);
  const bool is_free = HoistReaders(WriteOf(id, result));
  const std::vector<Place> places = PlacesOf(op);
  if (IsUpdate(op) && places[0] != placement_.Of(result).place &&
      MayOverwrite(id, pure_.OperandsOf(op)[0].value())) {
    placement_.Of(result).MoveTo(places[0]);
  }
  const bool updates = IsUpdate(op) && places[0] == placement_.Of(result).place;
  if (!is_free) MakeRoom(id, result, updates ? BytesOf(result) : 0);
  const Place home = placement_.Of(result).place;
  const std::vector<Operand> operands = OperandsAt(op, places);
  const OpInfo& info = InfoFor(op.kind);
  const bool may_update =
      IsUpdate(op) ||
      (info.family == KernelFamily::kElementwise && info.HasInPlaceForm() &&
       op.kind != OpKind::kWhere && operands[0].is_value() &&
       IsAlike(pure_, pure_.OperandsOf(op)[0].value(), result));
  if (may_update && places[0] == home) {
    emitter_.AppendUpdate(op, operands);
  } else {
    emitter_.AppendValue(op, operands, home);
  }
  NoteWrite(home);
  FinishOp(id);
  Define(result, home);
}

void ValuePlacer::EmitTableOp(OpId id) {
  const ValueId result = pure_.Result(pure_.Get(id));
  // A part that is no window of what it is a part of.
  if (!placement_.Of(result).place.valid()) MoveHome(id, result);
  EmitValue(id, result);
}

// Whether no other operand of a call may share a byte with this one.
bool ValuePlacer::IsAlone(absl::Span<const Place> places, size_t operand) {
  const WindowTable& windows = emitter_.windows();
  for (size_t i = 0; i < places.size(); ++i) {
    if (i == operand || places[i].storage != places[operand].storage) continue;
    if (windows.MayOverlap(windows.Get(places[i].window),
                           windows.Get(places[operand].window))) {
      return false;
    }
  }
  return true;
}

void ValuePlacer::EmitCall(OpId id) {
  const Op& op = pure_.Get(id);
  const absl::Span<const Operand> operands = pure_.OperandsOf(op);
  const int declared = pure_.calls[op.call].declared_results;
  for (int i = declared; i < op.results.count; ++i) {
    HoistReaders(WriteOf(id, pure_.Result(op, i)));
  }
  std::vector<Place> places = PlacesOf(op);
  std::vector<Place> results;
  for (int i = 0; i < declared; ++i) {
    const Place home = placement_.Of(pure_.Result(op, i)).place;
    const bool is_new =
        emitter_.MakesAll(home) && !absl::c_linear_search(results, home);
    results.push_back(is_new ? home : NewPlaceFor(pure_.Result(op, i)));
  }
  int number = declared;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].access == Access::kRead) continue;
    const ValueId result = pure_.Result(op, number++);
    const Place home = placement_.Of(result).place;
    const bool is_alone = IsAlone(places, i);
    if (is_alone && places[i] == home) MakeRoom(id, result, BytesOf(result));
    const bool stays = is_alone && places[i] == placement_.Of(result).place;
    if (!stays && !(is_alone && MayOverwrite(id, operands[i].value()))) {
      const Place own = NewPlaceFor(result);
      emitter_.AppendCopy(op, places[i], own);
      places[i] = own;
    }
    results.push_back(places[i]);
  }
  std::vector<Operand> moved = OperandsAt(op, places);
  for (Operand& operand : moved) {
    if (operand.access == Access::kUpd) operand.access = Access::kMut;
  }
  emitter_.AppendCall(op, moved, absl::MakeConstSpan(results).first(declared));
  FinishOp(id);
  for (const Place& place : results) NoteWrite(place);
  for (int i = 0; i < op.results.count; ++i) {
    Define(pure_.Result(op, i), results[i]);
  }
}

// Whether later commits are all that still read what lies there, and it lies
// where they want it.
bool ValuePlacer::IsCommittedIn(OpId id, StorageId storage, WindowId window) {
  const Place place{storage, window};
  for (const ValueId value : live_[storage.value]->At(window)) {
    for (const ValueUse& use : PendingUses(value)) {
      if (use.op == id) continue;
      if (use.op != uses_.returned() && is_emitted_[use.op.value]) continue;
      const bool is_there = use.op != uses_.returned() &&
                            pure_.Get(use.op).kind == OpKind::kCommit &&
                            placement_.TargetOf(pure_.Get(use.op)) == place;
      if (!is_there) return false;
    }
  }
  return true;
}

void ValuePlacer::EmitEpilogue(OpId id) {
  const Op& op = pure_.Get(id);
  const ValueId value = pure_.OperandsOf(op)[0].value();
  const Write write{id, placement_.TargetOf(op), {{id, 0}}};
  if (WhereIs(value) != write.place && !IsUndefined(value) &&
      !IsCopiedTo(value, write.place) &&
      !emitter_.windows().Get(write.place.window).empty()) {
    std::vector<WindowId> committed;
    const std::vector<WindowId> blocking = Blocking(write);
    for (const WindowId window : blocking) {
      if (IsCommittedIn(id, write.place.storage, window)) {
        committed.push_back(window);
      }
    }
    std::vector<Copy> copies;
    // A copy within the storage may write over what the next one reads.
    if (!AddCopiesAround(value, write, committed, copies) ||
        (copies.size() > 1 && WhereIs(value).storage == write.place.storage)) {
      copies = {{WhereIs(value), write}};
    }
    for (const Copy& copy : copies) {
      if (!blocking.empty()) SpillAll(copy.to);
      emitter_.AppendCopy(op, copy.from, copy.to.place);
      NoteWrite(copy.to.place);
    }
  }
  FinishOp(id);
}

// A result that lies in no storage of the caller's has one of its own.
void ValuePlacer::EmitReturns() {
  absl::flat_hash_set<StorageId> taken;
  for (const Return& returned : pure_.returns) {
    if (!returned.value.valid()) taken.insert(returned.window.storage);
  }
  for (const Return& returned : pure_.returns) {
    if (!returned.value.valid()) {
      emitter_.Return(emitter_.At(returned.window));
      continue;
    }
    Place place = WhereIs(returned.value);
    const bool is_new = !emitter_.IsCallers(place.storage) &&
                        IsRowMajor(emitter_.windows().LayoutOf(place.window)) &&
                        taken.insert(place.storage).second;
    if (!is_new) {
      const Place own = NewPlaceFor(returned.value);
      emitter_.AppendCopy(Op(), place, own);
      place = own;
    }
    emitter_.Return(emitter_.At(place));
  }
}

Placed PlaceValues(const Function& pure, const Function* source,
                   OnConflict on_conflict) {
  return ValuePlacer(pure, source, on_conflict).Run();
}

}  // namespace palimpsest
