// Reads and updates by index and by mask on windows.

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/buffer.h"
#include "cuda/executor.h"
#include "cuda/kernel_status.h"
#include "cuda/kernels/number.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {

using kernels::IndexedAction;

namespace {

// An integer's text.
std::string TextOf(DType dtype, const uint8_t* element) {
  std::string text;
  kernels::VisitType(TypeOf(dtype), [&](auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    if constexpr (kernels::kIsInteger<T>) {
      T integer;
      std::memcpy(&integer, element, sizeof integer);
      text = absl::StrCat(+integer);
    }
    return nullptr;
  });
  return text;
}

// Element number `place` of a view, in row-major order, as a view of rank 0.
View ElementAt(const View& view, int64_t place) {
  View element = view;
  for (int d = view.rank() - 1; d >= 0; --d) {
    element.offset += place % view.sizes[d] * view.strides[d];
    place /= view.sizes[d];
  }
  element.sizes.clear();
  element.strides.clear();
  return element;
}

}  // namespace

// Adds what one index tensor contributes to the offsets.
absl::Status Executor::AddOffsets(const View& x, const IndexPlan& plan,
                                  const IndexAlong& along, View offsets) const {
  ASSIGN_OR_RETURN(const bool poison, AnyPoison(along.index));
  if (poison) return absl::InvalidArgumentError("an index is poison");
  const View index = Broadcast(along.index, plan.places);
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  ASSIGN_OR_RETURN(const View first_bad, Temporary(DType::kI64, {}));
  RETURN_IF_ERROR(CopyIn(first_bad, &kNone));
  kernels::AddIndexCall call = {};
  ASSIGN_OR_RETURN(call.runs,
                   MakeRuns<2>(plan.places, {offsets.strides, index.strides},
                               WalkOrder::kRowMajor));
  call.size = x.sizes[along.dim];
  call.stride = x.strides[along.dim];
  call.negative = plan.negative;
  call.offsets = static_cast<int64_t*>(offsets.data());
  call.index = index.data();
  call.first_bad = static_cast<int64_t*>(first_bad.data());
  RETURN_IF_ERROR(KernelStatus(backend_.AddIndex(TypeOf(index.dtype), call)));
  int64_t place = 0;
  RETURN_IF_ERROR(CopyOut(&place, first_bad));
  if (place == kNone) return absl::OkStatus();
  uint8_t element[16];
  RETURN_IF_ERROR(CopyOut(element, ElementAt(index, place)));
  return absl::OutOfRangeError(absl::StrCat(
      "index ", TextOf(index.dtype, element), " is out of range for dimension ",
      along.dim, " of size ", call.size));
}

// The offsets into x, in elements, for each of the plan's places.
absl::StatusOr<View> Executor::OffsetsOf(const View& x,
                                         const IndexPlan& plan) const {
  ASSIGN_OR_RETURN(View offsets, Temporary(DType::kI64, plan.places));
  if (offsets.count() == 0) return offsets;
  RETURN_IF_ERROR(KernelStatus(
      backend_.Fill(offsets.data(), 0, offsets.count() * offsets.width())));
  for (const IndexAlong& along : plan.indices) {
    RETURN_IF_ERROR(AddOffsets(x, plan, along, offsets));
  }
  return offsets;
}

absl::Status Executor::RunIndexed(IndexedAction action, const View& plain,
                                  const View& x, const View& offsets,
                                  const IndexPlan& plan) const {
  if (ElementCount(plan.sizes) == 0) return absl::OkStatus();
  Dims strides;
  for (int d : plan.dims_of_x) strides.push_back(d < 0 ? 0 : x.strides[d]);
  Dims offset_strides(plan.sizes.size(), 0);
  for (int d = 0; d < offsets.rank(); ++d) {
    offset_strides[plan.front + d] = offsets.strides[d];
  }
  kernels::IndexedCall call = {};
  ASSIGN_OR_RETURN(
      call.runs,
      MakeRuns<3>(plan.sizes, {plain.strides, strides, offset_strides},
                  WalkOrder::kRowMajor));
  call.plain = plain.data();
  call.base = x.data();
  call.offsets = static_cast<const int64_t*>(offsets.data());
  const View& written = action == IndexedAction::kRead ? plain : x;
  if (MayOverlapItself(written)) call.runs.order = kernels::Order::kRowMajor;
  ASSIGN_OR_RETURN(
      const View scratch,
      Temporary(DType::kU8, {backend_.IndexedScratch(action, call)}));
  call.scratch = scratch.data();
  return KernelStatus(backend_.Indexed(action, TypeOf(x.dtype), call));
}

absl::Status Executor::IndexRead(View out, const View& x,
                                 const IndexPlan& plan) const {
  ASSIGN_OR_RETURN(const View offsets, OffsetsOf(x, plan));
  if (OverlapOf(out, x) != ViewOverlap::kNone) {
    ASSIGN_OR_RETURN(const View temporary, Temporary(out.dtype, out.sizes));
    RETURN_IF_ERROR(IndexRead(temporary, x, plan));
    return Move(out, temporary);
  }
  RETURN_IF_ERROR(RunIndexed(IndexedAction::kRead, out, x, offsets, plan));
  if (!x.has_poison()) return ClearPoison(out);
  RETURN_IF_ERROR(out.owner.MakeShadow());
  RETURN_IF_ERROR(RunIndexed(IndexedAction::kRead, ShadowOf(out), ShadowOf(x),
                             offsets, plan));
  return out.owner.DropShadowOfNothing();
}

absl::Status Executor::ClearPoison(View out) const {
  if (!out.has_poison()) return absl::OkStatus();
  RETURN_IF_ERROR(MoveBytes(ShadowOf(out), ZerosLike(out)));
  return out.owner.DropShadowOfNothing();
}

absl::Status Executor::IndexUpdate(IndexedAction action, View x,
                                   const View& source,
                                   const IndexPlan& plan) const {
  ASSIGN_OR_RETURN(const View offsets, OffsetsOf(x, plan));
  ASSIGN_OR_RETURN(const View apart, Apart(source, x));
  const View plain = Broadcast(apart, plan.sizes);
  RETURN_IF_ERROR(RunIndexed(action, plain, x, offsets, plan));
  if (!x.has_poison() && !source.has_poison()) return absl::OkStatus();
  return IndexUpdatePoison(action, x, plain, offsets, plan);
}

absl::Status Executor::IndexUpdatePoison(IndexedAction action, View x,
                                         const View& source,
                                         const View& offsets,
                                         const IndexPlan& plan) const {
  RETURN_IF_ERROR(x.owner.MakeShadow());
  if (action == IndexedAction::kWrite) {
    RETURN_IF_ERROR(
        RunIndexed(action, ShadowOf(source), ShadowOf(x), offsets, plan));
    return x.owner.DropShadowOfNothing();
  }
  // The poison of whole elements, row-major, so with offsets of their own.
  ASSIGN_OR_RETURN(const View of_x, PoisonOf(x));
  ASSIGN_OR_RETURN(const View of_source, PoisonOf(source));
  ASSIGN_OR_RETURN(const View places, OffsetsOf(of_x, plan));
  RETURN_IF_ERROR(RunIndexed(action, of_source, of_x, places, plan));
  return SetPoison(x, of_x);
}

absl::Status Executor::RunMasked(const View& out, const View& in,
                                 const View& mask) const {
  if (out.count() == 0) return absl::OkStatus();
  kernels::MaskedMoveCall call = {};
  ASSIGN_OR_RETURN(call.runs, MakeWriteRuns<3>(out, {out.strides, in.strides,
                                                     mask.strides}));
  call.out = out.data();
  call.in = in.data();
  call.mask = mask.data();
  return KernelStatus(backend_.MaskedMove(TypeOf(out.dtype), call));
}

absl::Status Executor::MaskedFill(View x, const View& mask,
                                  const View& value) const {
  ASSIGN_OR_RETURN(const bool poison, AnyPoison(mask));
  if (poison) return absl::InvalidArgumentError("the mask is poison");
  ASSIGN_OR_RETURN(const View apart_mask, Apart(mask, x));
  ASSIGN_OR_RETURN(const View apart, Apart(value, x));
  const View where = Broadcast(apart_mask, x.sizes);
  const View source = Broadcast(apart, x.sizes);
  RETURN_IF_ERROR(RunMasked(x, source, where));
  if (!x.has_poison() && !source.has_poison()) return absl::OkStatus();
  RETURN_IF_ERROR(x.owner.MakeShadow());
  RETURN_IF_ERROR(RunMasked(ShadowOf(x), ShadowOf(source), where));
  return x.owner.DropShadowOfNothing();
}

// For each element, how many true elements of the mask are before it. Refused
// where there are more than `limit` of them.
absl::StatusOr<View> Executor::PositionsIn(const View& mask,
                                           int64_t limit) const {
  const int64_t count = mask.count();
  ASSIGN_OR_RETURN(View positions, Temporary(DType::kI64, {count + 1}));
  const View last = positions;
  positions.sizes = mask.sizes;
  positions.strides = RowMajorStrides(mask.sizes);
  kernels::MaskPositionsCall call = {};
  ASSIGN_OR_RETURN(call.runs,
                   MakeRuns<2>(mask.sizes, {positions.strides, mask.strides},
                               WalkOrder::kRowMajor));
  call.positions = static_cast<int64_t*>(positions.data());
  call.mask = mask.data();
  ASSIGN_OR_RETURN(
      const View scratch,
      Temporary(DType::kU8, {backend_.MaskPositionsScratch(call)}));
  call.scratch = scratch.data();
  RETURN_IF_ERROR(KernelStatus(backend_.MaskPositions(call)));
  int64_t total = 0;
  RETURN_IF_ERROR(CopyOut(&total, ElementAt(last, count)));
  if (total <= limit) return positions;
  return absl::OutOfRangeError(absl::StrCat(
      "the mask picks ", total, " elements, but the source has ", limit));
}

// Precondition: `in` is row-major.
absl::Status Executor::RunMaskedScatter(const View& out, const View& in,
                                        const View& mask,
                                        const View& positions) const {
  kernels::MaskedScatterCall call = {};
  ASSIGN_OR_RETURN(
      call.runs,
      MakeWriteRuns<3>(out, {out.strides, mask.strides, positions.strides},
                       WalkOrder::kRowMajor));
  call.out = out.data();
  call.in = in.data();
  call.mask = mask.data();
  call.positions = static_cast<const int64_t*>(positions.data());
  return KernelStatus(backend_.MaskedScatter(TypeOf(out.dtype), call));
}

absl::Status Executor::MaskedScatter(View x, const View& mask,
                                     const View& source) const {
  ASSIGN_OR_RETURN(const bool poison, AnyPoison(mask));
  if (poison) return absl::InvalidArgumentError("the mask is poison");
  if (x.count() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const View apart, Apart(mask, x));
  const View where = Broadcast(apart, x.sizes);
  ASSIGN_OR_RETURN(const View positions, PositionsIn(where, source.count()));
  ASSIGN_OR_RETURN(const View in, CopyOf(source));
  RETURN_IF_ERROR(RunMaskedScatter(x, in, where, positions));
  if (!x.has_poison() && !in.has_poison()) return absl::OkStatus();
  RETURN_IF_ERROR(x.owner.MakeShadow());
  if (in.has_poison()) {
    RETURN_IF_ERROR(
        RunMaskedScatter(ShadowOf(x), ShadowOf(in), where, positions));
  } else {
    RETURN_IF_ERROR(RunMasked(ShadowOf(x), ZerosLike(x), where));
  }
  return x.owner.DropShadowOfNothing();
}

}  // namespace palimpsest
