// Reductions, cumsum and matmul on windows.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/executor.h"
#include "cuda/kernel_status.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {

// Precondition: `out` has the sizes of `in` without `dims`, or with each of
// them 1; it overlaps neither `in` nor itself.
absl::Status Executor::RunReduce(OpKind op, const View& out, const View& in,
                                 absl::Span<const int64_t> dims) const {
  if (out.count() == 0) return absl::OkStatus();
  const auto is_reduced = [&](int64_t d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
  };
  Dims kept_sizes, kept_out, kept_in, reduced_sizes, reduced_in;
  const bool keeps_dims = out.rank() == in.rank();
  int next = 0;
  for (int d = 0; d < in.rank(); ++d) {
    if (is_reduced(d)) {
      reduced_sizes.push_back(in.sizes[d]);
      reduced_in.push_back(in.strides[d]);
      next += keeps_dims ? 1 : 0;
    } else {
      kept_sizes.push_back(in.sizes[d]);
      kept_in.push_back(in.strides[d]);
      kept_out.push_back(out.strides[next++]);
    }
  }
  kernels::ReduceCall call = {};
  ASSIGN_OR_RETURN(
      call.kept, MakeRuns<2>(kept_sizes, {kept_out, kept_in}, WalkOrder::kAny));
  if (ElementCount(reduced_sizes) == 0) {
    call.reduced.count = 0;
    call.reduced.length = 0;
  } else {
    ASSIGN_OR_RETURN(call.reduced, MakeRuns<1>(reduced_sizes, {reduced_in},
                                               WalkOrder::kRowMajor));
    call.reduced.CutInto(call.reduced.length);
  }
  call.out = out.data();
  call.in = in.data();
  return KernelStatus(backend_.Reduce(KernelOf(op), TypeOf(in.dtype), call));
}

absl::Status Executor::Reduce(OpKind op, View out, const View& in,
                              absl::Span<const int64_t> dims) const {
  Dims all(dims.begin(), dims.end());
  for (int d = 0; dims.empty() && d < in.rank(); ++d) all.push_back(d);
  if (in.count() == 0 && out.count() != 0 &&
      (op == OpKind::kAmax || op == OpKind::kAmin)) {
    return absl::InvalidArgumentError(
        absl::StrCat(InfoFor(op).text, " of no elements has no value"));
  }
  ASSIGN_OR_RETURN(const View source, Apart(in, out));
  return ViaTemporary(out, [&](const View& target) -> absl::Status {
    RETURN_IF_ERROR(RunReduce(op, target, source, all));
    if (!target.has_poison() && !source.has_poison()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const View elements, PoisonOf(source));
    ASSIGN_OR_RETURN(const View poison, Temporary(DType::kBool, target.sizes));
    RETURN_IF_ERROR(RunReduce(OpKind::kSum, poison, elements, all));
    return SetPoison(target, poison);
  });
}

absl::Status Executor::RunCumsum(const View& out, const View& in,
                                 int64_t dim) const {
  if (out.count() == 0) return absl::OkStatus();
  kernels::CumsumCall call = {};
  View out_lines = out;
  View in_lines = in;
  if (out.rank() != 0) {
    call.length = out.sizes[dim];
    call.steps[0] = out.strides[dim];
    call.steps[1] = in.strides[dim];
    out_lines.sizes[dim] = 1;
  } else {
    call.length = 1;
  }
  ASSIGN_OR_RETURN(
      call.lines,
      MakeRuns<2>(out_lines.sizes, {out.strides, in.strides}, WalkOrder::kAny));
  call.out = out.data();
  call.in = in.data();
  return KernelStatus(backend_.Cumsum(TypeOf(out.dtype), call));
}

absl::Status Executor::Cumsum(View out, const View& in, int64_t dim) const {
  ASSIGN_OR_RETURN(const View source, Apart(in, out));
  return ViaTemporary(out, [&](const View& target) -> absl::Status {
    RETURN_IF_ERROR(RunCumsum(target, source, dim));
    if (!target.has_poison() && !source.has_poison()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const View elements, PoisonOf(source));
    ASSIGN_OR_RETURN(const View poison, Temporary(DType::kBool, target.sizes));
    RETURN_IF_ERROR(RunCumsum(poison, elements, dim));
    return SetPoison(target, poison);
  });
}

absl::Status Executor::RunMatmul(const View& out, const View& x,
                                 const View& y) const {
  if (out.count() == 0) return absl::OkStatus();
  const int batch = out.rank() - 2;  // 1 where there are batches, else 0.
  kernels::MatmulCall call = {};
  call.batches = batch == 1 ? out.sizes[0] : 1;
  call.m = out.sizes[batch];
  call.n = out.sizes[batch + 1];
  call.k = x.sizes[batch + 1];
  const auto take = [&](const View& view, int64_t(&strides)[3]) {
    strides[0] = batch == 1 ? view.strides[0] : 0;
    strides[1] = view.strides[batch];
    strides[2] = view.strides[batch + 1];
  };
  take(out, call.out_strides);
  take(x, call.x_strides);
  take(y, call.y_strides);
  call.out = out.data();
  call.x = x.data();
  call.y = y.data();
  return KernelStatus(backend_.Matmul(TypeOf(out.dtype), call));
}

absl::Status Executor::Matmul(View out, const View& x, const View& y) const {
  ASSIGN_OR_RETURN(const View left, Apart(x, out));
  ASSIGN_OR_RETURN(const View right, Apart(y, out));
  return ViaTemporary(out, [&](const View& target) -> absl::Status {
    RETURN_IF_ERROR(RunMatmul(target, left, right));
    if (!target.has_poison() && !left.has_poison() && !right.has_poison()) {
      return absl::OkStatus();
    }
    return MatmulPoison(target, left, right);
  });
}

}  // namespace palimpsest
