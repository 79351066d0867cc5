// What is noted of a run where its cost is to be measured.

#include <algorithm>
#include <cstdint>

#include "absl/status/statusor.h"
#include "cuda/cost_meter.h"
#include "cuda/interpretation.h"
#include "cuda/run_op.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"

namespace palimpsest {
namespace {

bool IsMasked(OpKind kind) {
  return kind == OpKind::kMaskedFill || kind == OpKind::kMaskedScatter;
}

}  // namespace

void Interpretation::NoteHeld(int32_t memory, int64_t bytes) {
  if (meter_ != nullptr) meter_->Hold(memory, bytes);
}

void Interpretation::NoteRead(const View& view) {
  if (meter_ != nullptr) meter_->Read(view.count() * view.width());
}

void Interpretation::NoteWritten(const View& view) {
  if (meter_ != nullptr) meter_->Write(view.count() * view.width());
}

// How many elements the op's mask picks; 0 where it has none.
absl::StatusOr<int64_t> Interpretation::CountMasked(const Op& op,
                                                    const OpWindows& windows) {
  if (meter_ == nullptr || !IsMasked(op.kind)) return 0;
  ASSIGN_OR_RETURN(
      const View mask,
      executor_.ToHost(Broadcast(*windows.operands[1], windows.out.sizes)));
  const uint8_t* bools = static_cast<const uint8_t*>(mask.data());
  return mask.count() - std::count(bools, bools + mask.count(), 0);
}

void Interpretation::NoteTableOp(const Op& op, const OpWindows& windows,
                                 const IndexActivity& activity,
                                 int64_t masked) {
  if (meter_ == nullptr) return;
  const OpInfo& info = InfoFor(op.kind);
  const bool by_index = info.family == KernelFamily::kIndex;
  const int64_t picked = IsMasked(op.kind) ? masked : activity.places;
  const int64_t updated = by_index ? picked : windows.out.count();
  if (op.kind != OpKind::kEmpty) {
    meter_->Write((op.in_place() ? updated : windows.out.count()) *
                  windows.out.width());
  }
  const bool adds = activity.adds || info.family == KernelFamily::kElementwise;
  for (int i = 0; i < op.operands.count; ++i) {
    if (!function_.OperandsOf(op)[i].is_value()) continue;
    const View& operand = *windows.operands[i];
    int64_t elements = operand.count();
    if (i == 0 && op.in_place()) {
      elements = adds ? updated : 0;
    } else if (i == 0 && by_index && !info.HasInPlaceForm()) {
      elements = picked;
    } else if (i == 2 &&
               (op.kind == OpKind::kScatter || op.kind == OpKind::kScatterAdd ||
                op.kind == OpKind::kMaskedScatter)) {
      elements = picked;
    }
    meter_->Read(elements * operand.width());
  }
}

}  // namespace palimpsest
