#include "cuda/executor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/buffer.h"
#include "cuda/view.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {

using kernels::MoveCall;

absl::Status KernelStatus(const char* error) {
  return error == nullptr ? absl::OkStatus() : absl::InternalError(error);
}

absl::StatusOr<View> Executor::Temporary(
    DType dtype, absl::Span<const int64_t> sizes) const {
  ASSIGN_OR_RETURN(Buffer buffer,
                   Buffer::Allocate(ElementCount(sizes) * WidthOf(dtype)));
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

// Lets a move go by tiles where input and output differ in which dimension is
// the dense one.
void TakeColumns(MoveCall& call) {
  kernels::Runs<2>& runs = call.runs;
  constexpr int64_t kFew = 4;
  if (runs.steps[0] != 1 || runs.steps[1] == 1 || runs.steps[1] == 0) return;
  if (runs.length < kFew) return;
  for (int d = 0; d < runs.rank; ++d) {
    if (runs.strides[1][d] != 1 || runs.sizes[d] < kFew) continue;
    call.columns = runs.sizes[d];
    call.column_step_out = runs.strides[0][d];
    runs.count /= runs.sizes[d];
    for (--runs.rank; d < runs.rank; ++d) {
      runs.sizes[d] = runs.sizes[d + 1];
      runs.strides[0][d] = runs.strides[0][d + 1];
      runs.strides[1][d] = runs.strides[1][d + 1];
    }
    return;
  }
}

absl::StatusOr<MoveCall> CallFor(const View& out, const View& in,
                                 WalkOrder order) {
  MoveCall call;
  ASSIGN_OR_RETURN(call.runs,
                   MakeRuns<2>(out.sizes, {out.strides, in.strides}, order));
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
  const WalkOrder order = OrderOf(out);
  ASSIGN_OR_RETURN(MoveCall call, CallFor(out, source, order));
  if (order == WalkOrder::kAny) TakeColumns(call);
  return KernelStatus(backend_.move(out.width(), call));
}

absl::Status Executor::Move(View out, const View& in) const {
  const View source = Broadcast(in, out.sizes);
  if (out.has_poison() || in.has_poison()) {
    RETURN_IF_ERROR(out.owner.MakeShadow());
    RETURN_IF_ERROR(MoveBytes(ShadowOf(out), ShadowOf(source)));
    RETURN_IF_ERROR(MoveBytes(out, source));
    out.owner.DropShadowOfNothing();
    return absl::OkStatus();
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
  ASSIGN_OR_RETURN(const MoveCall call, CallFor(out, source, OrderOf(out)));
  RETURN_IF_ERROR(
      KernelStatus(backend_.cast(TypeOf(out.dtype), TypeOf(in.dtype), call)));
  if (!out.has_poison() && !source.has_poison()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const View poison, PoisonOf(source));
  return SetPoison(out, poison);
}

absl::Status Executor::MakePoison(View out) const {
  if (out.count() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(Buffer element, Buffer::AllocatePoison(out.width()));
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
  RETURN_IF_ERROR(KernelStatus(backend_.iota(TypeOf(out.dtype), call)));
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
  ASSIGN_OR_RETURN(call.runs, MakeRuns<4>(out.sizes, strides, OrderOf(out)));
  call.out = out.data();
  const DType computed = operands.back().dtype;
  return KernelStatus(
      backend_.elementwise(KernelOf(op), TypeOf(computed), call));
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
