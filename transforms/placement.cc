#include "transforms/placement.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/window_index.h"
#include "analysis/window_table.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "transforms/in_place_emitter.h"

namespace palimpsest {
namespace {

// Commits that are looked at to see whether they hold a window, and boxes of it
// that they may leave.
constexpr int kMaxCommitsAsked = 16;
constexpr int kMaxBoxesLeft = 16;

// Of a value, those that are looked at to see whether it may be written where
// it lies.
constexpr size_t kMaxInsides = 4;

// Of an assemble, those that are asked whether they are laid over another.
constexpr size_t kMaxPiecesAsked = 16;

// The values with bytes that nothing defined, or that depend on such, which
// reach a call: what it is given must not depend on where they lie.
std::vector<bool> UndefinedInCalls(const Function& pure) {
  std::vector<bool> reaches_call(pure.values.size(), false);
  for (int i = static_cast<int>(pure.ops.size()) - 1; i >= 0; --i) {
    const Op& op = pure.ops[i];
    bool reaches = op.kind == OpKind::kCall;
    for (int j = 0; j < op.results.count; ++j) {
      reaches = reaches || reaches_call[pure.Result(op, j).value];
    }
    if (!reaches) continue;
    for (const Operand& operand : pure.OperandsOf(op)) {
      if (operand.is_value()) reaches_call[operand.ref] = true;
    }
  }
  std::vector<bool> undefined(pure.values.size(), false);
  for (const Op& op : pure.ops) {
    bool is_undefined = op.kind == OpKind::kEmpty &&
                        ElementCount(pure.LayoutOf(pure.Result(op)).sizes) > 0;
    for (const Operand& operand : pure.OperandsOf(op)) {
      is_undefined =
          is_undefined || (operand.is_value() && undefined[operand.ref]);
    }
    for (int j = 0; is_undefined && j < op.results.count; ++j) {
      const ValueId result = pure.Result(op, j);
      undefined[result.value] = reaches_call[result.value];
    }
  }
  return undefined;
}

// Whether the part is all bytes of the whole in their order.
bool IsWhole(const Layout& whole, const Layout& part, int64_t offset) {
  return offset == 0 && IsRowMajor(part) &&
         ElementCount(whole.sizes) * WidthOf(whole.dtype) ==
             ElementCount(part.sizes) * WidthOf(part.dtype);
}

}  // namespace

bool IsUpdate(const Op& op) {
  const OpInfo& info = InfoFor(op.kind);
  return info.family == KernelFamily::kIndex && info.HasInPlaceForm();
}

bool IsAlike(const Function& function, ValueId operand, ValueId result) {
  return function.Get(operand).type.layout == function.Get(result).type.layout;
}

Placement::Placement(const Function& pure, const Function* source,
                     InPlaceEmitter& emitter)
    : pure_(pure),
      source_(source),
      emitter_(emitter),
      homes_(pure.values.size()),
      is_read_(pure.values.size(), false),
      is_needed_(pure.values.size(), false),
      keeps_undefined_(UndefinedInCalls(pure)) {
  CollectCommits();
  FindFixedPlaces();
  if (source_ != nullptr) {
    // Resolution keeps the caller's storages in their order.
    int32_t count = 0;
    storage_of_source_.resize(source_->storages.size());
    for (size_t i = 0; i < source_->storages.size(); ++i) {
      if (source_->storages[i].kind != StorageKind::kParameter) continue;
      storage_of_source_[i] = {count++};
    }
  }
  for (const Return& returned : pure_.returns) {
    if (!returned.value.valid()) continue;
    is_read_[returned.value.value] = true;
    is_needed_[returned.value.value] = true;
  }
  for (int32_t i = static_cast<int32_t>(pure_.ops.size()) - 1; i >= 0; --i) {
    Walk({i});
    MarkUsed({i});
  }
}

void Placement::CollectCommits() {
  commits_.resize(pure_.storages.size());
  int64_t time = 0;
  for (const Op& op : pure_.ops) {
    if (op.kind != OpKind::kCommit) continue;
    const Place target = TargetOf(op);
    const Window& window = emitter_.windows().Get(target.window);
    if (window.empty()) continue;
    absl::optional<Commits>& commits = commits_[target.storage.value];
    if (!commits) commits.emplace(pure_.Get(target.storage).bytes);
    commits->index.SetStamp(commits->index.Add(window), ++time);
    commits->windows.push_back(target.window);
    is_written_[target] = true;
  }
}

Place Placement::TargetOf(const Op& op) {
  const Type& type = pure_.targets[op.target];
  return {type.storage, emitter_.windows().Intern(type)};
}

absl::optional<Place> Placement::PlaceOfPart(Place whole,
                                             const BufferWindow& part) {
  const auto window =
      emitter_.windows().Within(whole.window, part.layout, part.offset);
  if (!window) return absl::nullopt;
  return Place{whole.storage, *window};
}

absl::optional<Place> Placement::PlaceOfPiece(const Op& assemble, int i,
                                              Place whole) {
  const int32_t window = pure_.OperandsOf(assemble)[i].window;
  if (window < 0) return whole;
  return PlaceOfPart(whole, pure_.windows[window]);
}

void Placement::Walk(OpId id) {
  const Op& op = pure_.Get(id);
  switch (op.kind) {
    case OpKind::kCommit:
    case OpKind::kBind: {
      Home home;
      home.place = TargetOf(op);
      home.need = Home::Need::kCopied;
      home.insides.push_back({id, 0});
      Wish(pure_.OperandsOf(op)[0].value(), home);
      return;
    }
    case OpKind::kExtract:
      WishThroughExtract(op, Of(pure_.Result(op)));
      Count(Of(pure_.Result(op)).place);
      return;
    case OpKind::kContents:
      return;
    default:
      break;
  }
  for (int i = 0; i < op.results.count; ++i) Settle(pure_.Result(op, i), op);
  WishOperands(id);
}

// Gives the value a place, whether or not anybody asked for it.
void Placement::Settle(ValueId value, const Op& op) {
  Home& home = Of(value);
  const bool is_declared_by_call =
      op.kind == OpKind::kCall &&
      value.value < op.results.begin + pure_.calls[op.call].declared_results;
  if (is_declared_by_call && !emitter_.MakesAll(home.place)) {
    home.place = Place();
  }
  if (!is_declared_by_call && !KeepsUndefined(value)) {
    if (op.kind == OpKind::kAssemble) {
      SettleAssemble(value, op);
    } else if (!home.place.valid()) {
      const auto place = WrittenBySource(value, op);
      if (place && CanHold(*place)) home.place = *place;
    }
  }
  if (!home.place.valid()) {
    home.MoveTo(emitter_.NewPlace(pure_.Get(value).type.layout));
  }
  Count(home.place);
}

// Where its pieces lie in the caller's memory in the end an assemble is free,
// so that a copy of it costs no more than making it where it is wanted.
void Placement::SettleAssemble(ValueId value, const Op& op) {
  const auto place = ReadBySource(value, op);
  Home& home = Of(value);
  if (!place || !CanHold(*place) ||
      (home.need == Home::Need::kCopied &&
       home.place.storage == place->storage)) {
    return;
  }
  const Place copy = home.need == Home::Need::kCopied ? home.place : Place();
  home.MoveTo(*place);
  home.copy = copy;
  Count(copy);
}

void Placement::Count(Place place) {
  if (!place.valid()) return;
  const size_t index = place.storage.value;
  if (counts_.size() <= index) counts_.resize(2 * index + 16, 0);
  ++counts_[index];
}

// A piece may be read behind the op, too, if no other is laid over it.
void Placement::WishPieces(OpId id) {
  const Op& op = pure_.Get(id);
  const absl::Span<const Operand> operands = pure_.OperandsOf(op);
  const Place whole = Of(pure_.Result(op)).place;
  const WindowTable& windows = emitter_.windows();
  std::vector<Place> later;
  for (int i = op.operands.count - 1; i >= 0; --i) {
    const auto place = PlaceOfPiece(op, i, whole);
    if (!place) continue;
    Home home;
    home.place = *place;
    home.need = Home::Need::kCopied;
    home.insides.push_back({id, i});
    bool is_covered = later.size() > kMaxPiecesAsked;
    for (size_t j = 0; j < later.size() && !is_covered; ++j) {
      is_covered = windows.MayOverlap(windows.Get(place->window),
                                      windows.Get(later[j].window));
    }
    if (is_covered) {
      WishUnlessRead(operands[i].value(), home);
    } else {
      WishAnyway(operands[i].value(), home);
    }
    later.push_back(*place);
  }
}

void Placement::WishOperands(OpId id) {
  const Op& op = pure_.Get(id);
  const absl::Span<const Operand> operands = pure_.OperandsOf(op);
  if (op.kind == OpKind::kAssemble) {
    WishPieces(id);
    return;
  }
  if (IsUpdate(op)) {
    Home home = Of(pure_.Result(op));
    home.need = Home::Need::kCopied;
    WishUnlessRead(operands[0].value(), home);
    return;
  }
  if (op.kind == OpKind::kCall) {
    int result = pure_.calls[op.call].declared_results;
    for (const Operand& operand : operands) {
      if (operand.access == Access::kRead) continue;
      Home home = Of(pure_.Result(op, result++));
      home.need = Home::Need::kCopied;
      WishUnlessRead(operand.value(), home);
    }
    return;
  }
  if (InfoFor(op.kind).family != KernelFamily::kElementwise) return;
  for (const Operand& operand : operands) {
    if (!operand.is_value() || is_needed_[operand.ref] ||
        !IsAlike(pure_, operand.value(), pure_.Result(op))) {
      continue;
    }
    Home home = Of(pure_.Result(op));
    home.need = Home::Need::kNone;
    Wish(operand.value(), home);
    return;
  }
}

bool Placement::CanHold(Place place) const {
  return emitter_.windows().Get(place.window).self_overlap() == Overlap::kNo;
}

void Placement::Wish(ValueId value, const Home& home) {
  if (!pure_.Get(value).definition.valid() || Of(value).place.valid() ||
      !CanHold(home.place) || KeepsUndefined(value)) {
    return;
  }
  Of(value) = home;
}

// It may lie there anyway.
void Placement::WishAnyway(ValueId value, const Home& home) {
  Home& known = Of(value);
  if (!known.place.valid() || known.place != home.place) {
    Wish(value, home);
  } else if (known.insides.size() < kMaxInsides) {
    known.insides.insert(known.insides.end(), home.insides.begin(),
                         home.insides.end());
  }
}

// What ops behind the current one read must not be written over here.
void Placement::WishUnlessRead(ValueId value, const Home& home) {
  if (!is_read_[value.value] || Of(value).place.valid()) {
    WishAnyway(value, home);
  }
}

// All of a value, read with other sizes, wants the value to lie accordingly. So
// does a part of it that is to become the same part of another whole.
void Placement::WishThroughExtract(const Op& extract, const Home& home) {
  const Operand& operand = pure_.OperandsOf(extract)[0];
  if (!home.place.valid() || is_read_[operand.ref]) return;
  const LayoutId whole = pure_.Get(operand.value()).type.layout;
  const BufferWindow& part = pure_.windows[operand.window];
  if (IsWhole(pure_.layouts.Get(whole), pure_.layouts.Get(part.layout),
              part.offset)) {
    const auto place = PlaceOfPart(home.place, {whole, 0});
    if (!place) return;
    Home inner = home;
    inner.place = *place;
    Wish(operand.value(), inner);
    return;
  }
  for (const Inside inside : home.insides) {
    const Op& op = pure_.Get(inside.op);
    if (op.kind != OpKind::kAssemble) continue;
    const int32_t piece = pure_.OperandsOf(op)[inside.operand].window;
    const ValueId result = pure_.Result(op);
    if (piece < 0 || KeepsUndefined(result) ||
        pure_.windows[piece].layout != part.layout ||
        pure_.windows[piece].offset != part.offset ||
        pure_.Get(result).type.layout != whole) {
      continue;
    }
    Home outer = Of(result);
    outer.need = Home::Need::kNone;
    Wish(operand.value(), outer);
    return;
  }
}

void Placement::MarkUsed(OpId id) {
  const Op& op = pure_.Get(id);
  const bool is_part = op.kind == OpKind::kExtract;
  const bool is_needed = !is_part || is_needed_[pure_.Result(op).value];
  for (const Operand& operand : pure_.OperandsOf(op)) {
    if (!operand.is_value()) continue;
    if (!is_part) is_read_[operand.ref] = true;
    if (is_needed) is_needed_[operand.ref] = true;
  }
}

// The window of the caller's memory that a value of the source is, where it
// has this value's elements and the epilogue writes all of it.
absl::optional<Place> Placement::InCallers(ValueId in_source, ValueId value) {
  const Type& type = source_->Get(in_source).type;
  const StorageId storage = storage_of_source_[type.storage.value];
  if (!storage.valid()) return absl::nullopt;
  const Layout layout = source_->LayoutOf(type);
  const Layout wanted = pure_.LayoutOf(value);
  if (layout.dtype != wanted.dtype || layout.sizes != wanted.sizes) {
    return absl::nullopt;
  }
  LayoutTable& layouts = emitter_.windows().layouts();
  const LayoutId id =
      layouts.Intern(layout.dtype, layout.sizes, layout.strides);
  return Place{storage, emitter_.windows().Intern(id, type.offset)};
}

// Where the source wrote what became this value.
absl::optional<Place> Placement::WrittenBySource(ValueId value, const Op& op) {
  if (source_ == nullptr) return absl::nullopt;
  for (const OpId id : pure_.SourcesOf(op)) {
    const Op& write = source_->Get(id);
    absl::optional<Place> place;
    if (write.in_place()) {
      place = InCallers(source_->OperandsOf(write)[0].value(), value);
    } else if (write.target >= 0) {
      place = InCallers(source_->Result(write), value);
    } else if (write.kind == OpKind::kCall && op.kind == OpKind::kCall) {
      // A call's undeclared results are its `mut` operands, in order.
      int number = value.value - op.results.begin -
                   pure_.calls[op.call].declared_results;
      for (const Operand& operand : source_->OperandsOf(write)) {
        if (operand.access != Access::kMut || number-- != 0) continue;
        place = InCallers(operand.value(), value);
      }
    }
    if (place && IsWritten(*place)) return place;
  }
  return absl::nullopt;
}

// Where the source read what is assembled here.
absl::optional<Place> Placement::ReadBySource(ValueId value, const Op& op) {
  const Operand& first = pure_.OperandsOf(op)[0];
  if (fixed_[value.value].valid()) return fixed_[value.value];
  if (first.window < 0) {
    const Place base = Of(first.value()).place;
    if (base.valid() && emitter_.IsCallers(base.storage) &&
        PiecesAreWritten(op, base)) {
      return base;
    }
  }
  if (source_ == nullptr) return absl::nullopt;
  for (const OpId id : pure_.SourcesOf(op)) {
    for (const Operand& operand : source_->OperandsOf(source_->Get(id))) {
      if (!operand.is_value()) continue;
      const auto place = InCallers(operand.value(), value);
      if (!place || !PiecesAreWritten(op, *place)) continue;
      if (first.window >= 0 || IsWritten(*place)) return place;
    }
  }
  return absl::nullopt;
}

bool Placement::PiecesAreWritten(const Op& assemble, Place place) {
  const int first = pure_.OperandsOf(assemble)[0].window < 0 ? 1 : 0;
  for (int i = first; i < assemble.operands.count; ++i) {
    const auto piece = PlaceOfPiece(assemble, i, place);
    if (!piece) return false;
    const ValueId value = pure_.OperandsOf(assemble)[i].value();
    if (fixed_[value.value] != *piece && !IsWritten(*piece)) return false;
  }
  return true;
}

bool Placement::IsWritten(Place place) {
  if (!emitter_.IsCallers(place.storage)) return true;
  const auto [known, is_new] = is_written_.try_emplace(place, false);
  const absl::optional<Commits>& commits = commits_[place.storage.value];
  if (!is_new || !commits) return known->second;
  WindowTable& windows = emitter_.windows();
  const Window& window = windows.Get(place.window);
  if (window.empty()) return known->second = true;
  WindowIndex::Search search(commits->index, window, WindowIndex::kNever);
  std::vector<Box> left = {window.box()};
  int entry = search.Next();
  for (int asked = 0; entry >= 0 && asked < kMaxCommitsAsked; ++asked) {
    const Window& commit = windows.Get(commits->windows[entry]);
    if (windows.SurelyCovers(commit, window)) return known->second = true;
    (void)windows.Subtract(commit, kMaxBoxesLeft, left);
    if (left.empty()) return known->second = true;
    entry = search.Next();
  }
  return false;
}

// Where values lie that no op need make, and wholes all of whose pieces lie in
// the caller's memory in the end.
void Placement::FindFixedPlaces() {
  fixed_.resize(pure_.values.size());
  for (const ValueId parameter : pure_.parameters) {
    const Type& type = pure_.Get(parameter).type;
    fixed_[parameter.value] = {type.storage, emitter_.windows().Intern(type)};
  }
  for (const Op& op : pure_.ops) {
    if (op.kind == OpKind::kContents) {
      const ValueId result = pure_.Result(op);
      fixed_[result.value] = {
          pure_.OperandsOf(op)[0].storage(),
          emitter_.windows().Intern(pure_.Get(result).type.layout, 0)};
    }
    if (op.kind != OpKind::kExtract && op.kind != OpKind::kAssemble) continue;
    const Operand& first = pure_.OperandsOf(op)[0];
    const Place base = fixed_[first.ref];
    if (!base.valid()) continue;
    Place& result = fixed_[pure_.Result(op).value];
    if (op.kind == OpKind::kExtract) {
      const auto part = PlaceOfPart(base, pure_.windows[first.window]);
      if (part) result = *part;
    } else if (first.window < 0 && PiecesAreWritten(op, base)) {
      result = base;
    }
  }
}

}  // namespace palimpsest
