// The part of the walk that lays pieces over a base: those that lie in place
// take nothing, of others what shows is copied.

#include <cstdint>
#include <utility>
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

// The window's box, with its place in the storage as the target.
Box ToStorage(const Window& window) {
  Box box = window.box();
  box.target = box.address;
  for (BoxDim& dim : box.dims) dim.target = dim.address;
  return box;
}

}  // namespace

void ValuePlacer::EmitAssemble(OpId id) {
  const Op& op = pure_.Get(id);
  const ValueId result = pure_.Result(op);
  auto copies = CopiesFor(id);
  if (copies && !copies->empty()) {
    for (const Copy& copy : *copies) HoistReaders(copy.to);
    copies = CopiesFor(id);  // What was hoisted may have moved a piece.
  }
  if (copies && !copies->empty()) {
    int64_t blocking = 0;
    int64_t copied = 0;
    for (const Copy& copy : *copies) {
      blocking += BytesOf(Blocking(copy.to));
      copied += emitter_.windows().Get(copy.to.place.window).bytes();
    }
    const bool is_wanted = placement_.Of(result).need == Home::Need::kCopied;
    const int64_t anew = BytesOf(result) * (is_wanted ? 2 : 1) - copied;
    if (blocking > 0 && ShouldMove(result, anew, blocking)) {
      MoveHome(result);
      copies = absl::nullopt;
    }
  }
  if (!copies) {
    EmitValue(id, result);
    return;
  }
  for (const Copy& copy : *copies) {
    SpillAll(copy.to);
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
    if (WhereIs(value) == *target || is_anything_right) continue;
    if (emitter_.windows().Get(target->window).empty()) continue;
    // What moves within the storage might be overwritten by an earlier copy.
    if (WhereIs(value).storage == home.storage) return absl::nullopt;
    missing.push_back(i);
  }
  std::vector<Copy> copies;
  if (static_cast<int>(missing.size()) == op.operands.count) {
    return absl::nullopt;
  }
  for (const int i : missing) {
    if (!AddCopies(id, i, targets, copies)) return absl::nullopt;
  }
  return copies;
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
  const Write write{id, targets[operand], {{id, operand}}};
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
  std::vector<Box> boxes = {ToStorage(windows.Get(write.place.window))};
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
  for (Box& box : boxes) {
    box.target = box.address;
    for (BoxDim& dim : box.dims) dim.target = dim.address;
    const ElementBox part =
        InElements(box, pure_.layouts.DTypeOf(pure_.Get(value).type.layout));
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
