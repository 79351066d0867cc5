// The part of the walk that lays pieces over a base: those that lie in place
// take nothing, of others what shows is copied.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/element_box.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "transforms/value_placer.h"

namespace palimpsest {
namespace {

// More copies than this and the whole is made anew.
constexpr int kMaxBoxes = 64;
// Pieces that are moved within the storage of the whole.
constexpr int kMaxMoved = 16;
// Of a piece, those that are found to want it in the same place.
constexpr size_t kMaxCommits = 4;

// The box, with its place in the storage as the target.
Box ToStorage(Box box) {
  box.target = box.address;
  for (BoxDim& dim : box.dims) dim.target = dim.address;
  return box;
}

}  // namespace

void ValuePlacer::EmitAssemble(OpId id) {
  const Op& op = pure_.Get(id);
  const ValueId result = pure_.Result(op);
  auto copies = CopiesFor(id);
  bool is_free = true;
  if (copies) {
    for (const Copy& copy : *copies) is_free = HoistReaders(copy.to) && is_free;
  }
  if (!is_free) copies = CopiesFor(id);  // A piece may have been moved.
  if (!is_free && copies && !copies->empty()) {
    bool is_blocked = false;
    int64_t blocking = 0;
    int64_t copied = 0;
    for (const Copy& copy : *copies) {
      const std::vector<WindowId> windows = Blocking(copy.to);
      is_blocked = is_blocked || !windows.empty();
      blocking += BytesToSave(copy.to, windows);
      copied += emitter_.windows().Get(copy.to.place.window).bytes();
    }
    const bool is_wanted = placement_.Of(result).need == Home::Need::kCopied;
    const int64_t anew = BytesOf(result) * (is_wanted ? 2 : 1) - copied;
    if (is_blocked && ShouldMove(result, anew, blocking)) {
      MoveHome(id, result);
      copies = absl::nullopt;
    }
  }
  if (!copies) {
    EmitValue(id, result);
    return;
  }
  for (const Copy& copy : *copies) {
    if (!is_free) SpillAll(copy.to);
    emitter_.AppendCopy(op, copy.from, copy.to.place);
    NoteWrite(copy.to.place);
    const int operand = copy.to.insides[0].operand;
    const ValueId piece = pure_.OperandsOf(op)[operand].value();
    if (copy.from == WhereIs(piece)) NoteCopy(piece, copy.to.place);
  }
  FinishOp(id);
  Define(result, placement_.Of(result).place);
}

// What must be copied so that the result lies at its home; nullopt where the
// pieces help nothing with that.
absl::optional<std::vector<ValuePlacer::Copy>> ValuePlacer::CopiesFor(OpId id) {
  const Op& op = pure_.Get(id);
  const absl::Span<const Operand> operands = pure_.OperandsOf(op);
  const Place home = placement_.Of(pure_.Result(op)).place;
  std::vector<Place> targets;
  std::vector<int> missing;
  for (int i = 0; i < op.operands.count; ++i) {
    const auto target = placement_.PlaceOfPiece(op, i, home);
    if (!target) return absl::nullopt;
    targets.push_back(*target);
    const ValueId value = operands[i].value();
    const bool is_anything_right =
        IsUndefined(value) && (i == 0 || !placement_.KeepsUndefined(value));
    if (WhereIs(value) == *target || is_anything_right ||
        IsCopiedTo(value, *target)) {
      continue;
    }
    if (emitter_.windows().Get(target->window).empty()) continue;
    missing.push_back(i);
  }
  std::vector<Copy> copies;
  if (static_cast<int>(missing.size()) == op.operands.count) {
    return absl::nullopt;
  }
  for (const int i : missing) {
    if (!AddCopies(id, i, targets, copies)) return absl::nullopt;
  }
  if (MayMeet(copies)) return absl::nullopt;
  return copies;
}

// Whether one of these copies might write over what a later one reads.
bool ValuePlacer::MayMeet(absl::Span<const Copy> copies) const {
  const WindowTable& windows = emitter_.windows();
  int moved = 0;
  for (size_t i = 0; i < copies.size(); ++i) {
    const Place from = copies[i].from;
    if (from.storage != copies[i].to.place.storage) continue;
    if (++moved > kMaxMoved) return true;
    for (size_t j = 0; j < i; ++j) {
      if (windows.MayOverlap(windows.Get(from.window),
                             windows.Get(copies[j].to.place.window))) {
        return true;
      }
    }
  }
  return false;
}

// Of what is laid at the operand's target, the parts that no later operand is
// laid over.
bool ValuePlacer::AddCopies(OpId id, int operand,
                            absl::Span<const Place> targets,
                            std::vector<Copy>& copies) {
  std::vector<WindowId> covers;
  for (size_t j = operand + 1; j < targets.size(); ++j) {
    covers.push_back(targets[j].window);
  }
  const ValueId value = pure_.OperandsOf(pure_.Get(id))[operand].value();
  Write write{id, targets[operand], {{id, operand}}};
  for (const ValueUse& use : PendingUses(value)) {
    if (use.op == uses_.returned() || write.insides.size() > kMaxCommits) break;
    const Op& op = pure_.Get(use.op);
    if (op.kind == OpKind::kCommit &&
        placement_.TargetOf(op) == targets[operand]) {
      write.insides.push_back({use.op, 0});
    }
  }
  return AddCopiesAround(value, write, covers, copies);
}

// Copies of what of the value is to be written and not covered; false, and
// none, where that is more than a few windows, or where such are no windows of
// the value.
bool ValuePlacer::AddCopiesAround(ValueId value, const Write& write,
                                  absl::Span<const WindowId> covers,
                                  std::vector<Copy>& copies) {
  WindowTable& windows = emitter_.windows();
  LayoutTable& layouts = windows.layouts();
  std::vector<Box> boxes = {ToStorage(windows.Get(write.place.window).box())};
  bool is_cut = false;
  for (const WindowId cover : covers) {
    if (boxes.empty()) break;
    if (windows.Get(cover).empty()) continue;
    const auto cuts = windows.Subtract(windows.Get(cover), kMaxBoxes, boxes);
    if (!cuts) return false;
    is_cut = is_cut || *cuts;
  }
  if (!is_cut) {
    copies.push_back({WhereIs(value), write});
    return true;
  }
  std::vector<Copy> parts;
  const DType dtype = pure_.layouts.DTypeOf(pure_.Get(value).type.layout);
  for (const Box& box : boxes) {
    const ElementBox part = InElements(ToStorage(box), dtype);
    const auto from = placement_.PlaceOfPart(
        WhereIs(value),
        {layouts.Intern(part.dtype, part.sizes, part.subject_strides),
         part.subject});
    if (!from) return false;
    const WindowId to = windows.Intern(
        layouts.Intern(part.dtype, part.sizes, part.target_strides),
        part.target);
    parts.push_back(
        {*from, {write.op, {write.place.storage, to}, write.insides}});
  }
  copies.insert(copies.end(), parts.begin(), parts.end());
  return true;
}

}  // namespace palimpsest
