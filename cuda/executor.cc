#include "cuda/executor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/buffer.h"
#include "cuda/kernel_status.h"
#include "cuda/view.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {

using kernels::MoveCall;

absl::StatusOr<View> Executor::Temporary(
    DType dtype, absl::Span<const int64_t> sizes) const {
  ASSIGN_OR_RETURN(
      Buffer buffer,
      Buffer::Allocate(ElementCount(sizes) * WidthOf(dtype), backend_));
  return WholeOf(std::move(buffer), dtype, sizes);
}

absl::StatusOr<View> Executor::CopyOf(const View& view) const {
  ASSIGN_OR_RETURN(View copy, Temporary(view.dtype, view.sizes));
  RETURN_IF_ERROR(Move(copy, view));
  return copy;
}

// The operand, or a copy where writing `out` could change it.
absl::StatusOr<View> Executor::Apart(const View& operand,
                                     const View& out) const {
  if (OverlapOf(operand, out) == ViewOverlap::kNone) return operand;
  return CopyOf(operand);
}

namespace {

absl::StatusOr<MoveCall> CallFor(const View& out, const View& in) {
  MoveCall call;
  ASSIGN_OR_RETURN(call.runs, MakeWriteRuns<2>(out, {out.strides, in.strides}));
  call.out = out.data();
  call.in = in.data();
  return call;
}

}  // namespace

// Precondition: `in` has the sizes of `out`.
absl::Status Executor::MoveBytes(const View& out, const View& in) const {
  if (out.count() == 0) return absl::OkStatus();
  const ViewOverlap overlap = OverlapOf(out, in);
  if (overlap == ViewOverlap::kSameMap) return absl::OkStatus();
  View source = in;
  if (overlap == ViewOverlap::kSome) {
    ASSIGN_OR_RETURN(source, Temporary(in.dtype, in.sizes));
    RETURN_IF_ERROR(MoveBytes(source, in));
  }
  ASSIGN_OR_RETURN(const MoveCall call, CallFor(out, source));
  return KernelStatus(backend_.Move(out.width(), call));
}

absl::Status Executor::Move(View out, const View& in) const {
  const View source = Broadcast(in, out.sizes);
  if (out.has_poison() || in.has_poison()) {
    RETURN_IF_ERROR(out.owner.MakeShadow());
    RETURN_IF_ERROR(MoveBytes(ShadowOf(out), ShadowOf(source)));
    RETURN_IF_ERROR(MoveBytes(out, source));
    return out.owner.DropShadowOfNothing();
  }
  return MoveBytes(out, source);
}

absl::Status Executor::Fill(View out, const View& value) const {
  ASSIGN_OR_RETURN(const View apart, Apart(value, out));
  if (out.dtype == DType::kBool) return Cast(out, Broadcast(apart, out.sizes));
  return Move(out, apart);
}

absl::Status Executor::Cast(View out, const View& in) const {
  if (out.count() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const View source, Apart(in, out));
  ASSIGN_OR_RETURN(const MoveCall call, CallFor(out, source));
  RETURN_IF_ERROR(
      KernelStatus(backend_.Cast(TypeOf(out.dtype), TypeOf(in.dtype), call)));
  if (!out.has_poison() && !source.has_poison()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const View poison, PoisonOf(source));
  return SetPoison(out, poison);
}

absl::Status Executor::MakePoison(View out) const {
  if (out.count() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(Buffer element,
                   Buffer::AllocatePoison(out.width(), backend_));
  return Move(out, WholeOf(std::move(element), out.dtype, {}));
}

absl::Status Executor::Iota(View out, const Literal& start,
                            const Literal& step) const {
  const auto real = [](const Literal& literal) {
    if (literal.kind == Literal::Kind::kFloat) return literal.real;
    if (literal.kind == Literal::Kind::kUnsigned) {
      return static_cast<double>(static_cast<uint64_t>(literal.integer));
    }
    return static_cast<double>(literal.integer);
  };
  const auto whole = [](const Literal& literal) {
    return literal.kind == Literal::Kind::kFloat
               ? static_cast<int64_t>(literal.real)
               : literal.integer;
  };
  ASSIGN_OR_RETURN(const View temporary, Temporary(out.dtype, out.sizes));
  const kernels::IotaCall call = {out.count(), whole(start), whole(step),
                                  real(start), real(step),   temporary.data()};
  RETURN_IF_ERROR(KernelStatus(backend_.Iota(TypeOf(out.dtype), call)));
  return Move(out, temporary);
}

absl::Status Executor::Cat(View out, absl::Span<const View> parts,
                           int64_t dim) const {
  return ViaTemporary(out, [&](const View& target) -> absl::Status {
    std::vector<View> sources;
    for (const View& part : parts) {
      ASSIGN_OR_RETURN(View source, Apart(part, target));
      sources.push_back(std::move(source));
    }
    View slice = target;
    for (const View& source : sources) {
      slice.sizes[dim] = source.sizes[dim];
      RETURN_IF_ERROR(Move(slice, source));
      slice.offset += slice.strides[dim] * source.sizes[dim];
    }
    return absl::OkStatus();
  });
}

absl::Status Executor::Flip(View out, const View& in,
                            absl::Span<const int64_t> dims) const {
  if (in.count() == 0) return absl::OkStatus();
  View flipped = in;
  for (int64_t dim : dims) {
    flipped.offset += flipped.strides[dim] * (flipped.sizes[dim] - 1);
    flipped.strides[dim] = -flipped.strides[dim];
  }
  return Move(out, flipped);
}

// Precondition: the operands have the sizes of `out`, and overlap it at most by
// the same map.
absl::Status Executor::RunElementwise(OpKind op, const View& out,
                                      absl::Span<const View> operands) const {
  if (out.count() == 0) return absl::OkStatus();
  kernels::ElementwiseCall call = {};
  const Dims none(out.sizes.size(), 0);
  std::array<absl::Span<const int64_t>, 4> strides = {out.strides, none, none,
                                                      none};
  for (size_t i = 0; i < operands.size(); ++i) {
    strides[i + 1] = operands[i].strides;
    call.in[i] = operands[i].data();
  }
  ASSIGN_OR_RETURN(call.runs, MakeWriteRuns<4>(out, strides));
  call.out = out.data();
  const DType computed = operands.back().dtype;
  return KernelStatus(
      backend_.Elementwise(KernelOf(op), TypeOf(computed), call));
}

absl::Status Executor::Elementwise(OpKind op, View out,
                                   absl::Span<const View> operands) const {
  if (op == OpKind::kCast) return Cast(out, operands[0]);
  const bool is_predicate = InfoFor(op).rule == InferenceRule::kPredicate;
  if (is_predicate && out.dtype != DType::kBool) {
    // In place: 0 or 1 of the destination's dtype.
    ASSIGN_OR_RETURN(const View answers, Temporary(DType::kBool, out.sizes));
    RETURN_IF_ERROR(Elementwise(op, answers, operands));
    return Cast(out, answers);
  }
  if (op == OpKind::kWhere) {
    ASSIGN_OR_RETURN(const bool poison, AnyPoison(operands[0]));
    if (poison) return absl::InvalidArgumentError("the condition is poison");
  }
  const bool overlaps_itself = MayOverlapItself(out);
  std::vector<View> sources;
  for (const View& operand : operands) {
    View source = Broadcast(operand, out.sizes);
    const ViewOverlap overlap = OverlapOf(source, out);
    if (overlap == ViewOverlap::kSome ||
        (overlap == ViewOverlap::kSameMap && overlaps_itself)) {
      ASSIGN_OR_RETURN(source, CopyOf(operand));
      source = Broadcast(source, out.sizes);
    }
    sources.push_back(std::move(source));
  }
  const bool poison =
      out.has_poison() ||
      std::any_of(sources.begin(), sources.end(),
                  [](const View& source) { return source.has_poison(); });
  if (!poison) return RunElementwise(op, out, sources);
  // The poison first: where's condition may be overwritten.
  RETURN_IF_ERROR(ElementwisePoison(op, out, sources));
  return RunElementwise(op, out, sources);
}

}  // namespace palimpsest
