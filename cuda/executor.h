// Runs one op on windows of memory: whatever a kernel needs from its windows
// (backend.h), done once for all back ends.
//
//  1. An op reads all of its operands, then writes. An operand that overlaps
//     the output, otherwise than by the same map where the kernel goes element
//     by element, is copied first.
//  2. An output that may overlap itself is written in row-major order, so that
//     the last write wins; other walks go by the output's strides.
//  3. Poison follows the data (the _poison methods): moves move it bytewise; an
//     element computed from an element of which a byte is poison is poison.
//     Shadows are windows of bools, so the same kernels carry them.
//
// Precondition of all: sizes and dtypes are right, which the verifier checked.

#ifndef PALIMPSEST_CUDA_EXECUTOR_H_
#define PALIMPSEST_CUDA_EXECUTOR_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {

// What one index tensor does: it picks elements along a dimension.
struct IndexAlong {
  View index;  // Shaped to broadcast to the places.
  int dim;     // Of the side that is indexed.
};

// An index op's walk, over `sizes`. Along each dimension it moves along one of
// the side that is indexed, x, or along none (-1); the indices say the rest.
// They broadcast to `places`, which are the dimensions of the walk from
// `front`.
struct IndexPlan {
  Dims sizes;
  absl::InlinedVector<int, 8> dims_of_x;
  Dims places;
  int front = 0;
  std::vector<IndexAlong> indices;
  kernels::NegativeIndex negative = kernels::NegativeIndex::kRefused;
};

class Executor {
 public:
  explicit Executor(kernels::Backend& backend) : backend_(backend) {}

  // Views lie in the back end's memory.

  // A row-major value of literals, as many as `sizes` has elements.
  absl::StatusOr<View> ValueOf(absl::Span<const Literal> literals, DType dtype,
                               absl::Span<const int64_t> sizes) const;
  // A row-major view of the same elements in the host's memory, which is the
  // view itself where it is one; and the other way.
  absl::StatusOr<View> ToHost(const View& view) const;
  absl::StatusOr<View> FromHost(const View& row_major) const;
  // Waits for all that was asked for.
  absl::Status Finish() const;

  // A new row-major copy; a view of new memory of any contents.
  absl::StatusOr<View> CopyOf(const View& view) const;
  absl::StatusOr<View> Temporary(DType dtype,
                                 absl::Span<const int64_t> sizes) const;

  // out = in, broadcast.
  absl::Status Move(View out, const View& in) const;
  // The same for a value of rank 0 or a literal; a bool becomes 0 or 1.
  absl::Status Fill(View out, const View& value) const;
  absl::Status Cast(View out, const View& in) const;
  absl::Status MakePoison(View out) const;
  absl::Status Iota(View out, const Literal& start, const Literal& step) const;
  absl::Status Cat(View out, absl::Span<const View> parts, int64_t dim) const;
  absl::Status Flip(View out, const View& in,
                    absl::Span<const int64_t> dims) const;

  absl::Status Elementwise(OpKind op, View out,
                           absl::Span<const View> operands) const;

  absl::Status Reduce(OpKind op, View out, const View& in,
                      absl::Span<const int64_t> dims) const;
  absl::Status Cumsum(View out, const View& in, int64_t dim) const;
  absl::Status Matmul(View out, const View& x, const View& y) const;

  absl::Status IndexRead(View out, const View& x, const IndexPlan& plan) const;
  // x[plan] = or += source, broadcast.
  absl::Status IndexUpdate(kernels::IndexedAction action, View x,
                           const View& source, const IndexPlan& plan) const;
  absl::Status MaskedFill(View x, const View& mask, const View& value) const;
  absl::Status MaskedScatter(View x, const View& mask,
                             const View& source) const;

  // Whether some byte of the view is poison.
  absl::StatusOr<bool> AnyPoison(const View& view) const;

 private:
  // The bytes of a row-major view, to and from the host's.
  absl::Status CopyIn(const View& row_major, const void* host) const;
  absl::Status CopyOut(void* host, const View& row_major) const;

  template <typename Compute>
  absl::Status ViaTemporary(View out, Compute compute) const;
  absl::StatusOr<View> Apart(const View& operand, const View& out) const;

  absl::Status MoveBytes(const View& out, const View& in) const;
  absl::Status RunElementwise(OpKind op, const View& out,
                              absl::Span<const View> operands) const;
  absl::Status RunReduce(OpKind op, const View& out, const View& in,
                         absl::Span<const int64_t> dims) const;
  absl::Status RunCumsum(const View& out, const View& in, int64_t dim) const;
  absl::Status RunMatmul(const View& out, const View& x, const View& y) const;
  absl::StatusOr<View> OffsetsOf(const View& x, const IndexPlan& plan) const;
  absl::Status AddOffsets(const View& x, const IndexPlan& plan,
                          const IndexAlong& along, View offsets) const;
  absl::Status RunIndexed(kernels::IndexedAction action, const View& plain,
                          const View& x, const View& offsets,
                          const IndexPlan& plan) const;
  absl::Status IndexUpdatePoison(kernels::IndexedAction action, View x,
                                 const View& source, const View& offsets,
                                 const IndexPlan& plan) const;
  absl::Status ClearPoison(View out) const;
  absl::Status RunMasked(const View& out, const View& in,
                         const View& mask) const;
  absl::StatusOr<View> PositionsIn(const View& mask, int64_t limit) const;
  absl::Status RunMaskedScatter(const View& out, const View& in,
                                const View& mask, const View& positions) const;

  // The poison of a view's bytes, as a view of the same shape and dtype; of
  // memory without poison, or of any, a view of zeros.
  View ShadowOf(const View& view) const;
  View ZerosLike(const View& view) const;
  // The first, byte by byte: one more dimension.
  View BytesOfShadow(const View& view) const;
  absl::StatusOr<bool> HoldsOne(const View& row_major_bools) const;

  // A bool for each element: whether some byte of it is poison.
  absl::StatusOr<View> PoisonOf(const View& view) const;
  // Makes the poison of each element of `out` what `poison` says.
  absl::Status SetPoison(View out, const View& poison) const;
  absl::Status ElementwisePoison(OpKind op, View out,
                                 absl::Span<const View> operands) const;
  absl::Status MatmulPoison(View out, const View& x, const View& y) const;

  kernels::Backend& backend_;
};

inline kernels::Type TypeOf(DType dtype) {
  return static_cast<kernels::Type>(dtype);
}
inline kernels::Op KernelOf(OpKind op) { return static_cast<kernels::Op>(op); }

// A walk over an output and windows of its sizes that writes the output.
template <int kTensors>
absl::StatusOr<kernels::Runs<kTensors>> MakeWriteRuns(
    const View& out,
    const std::array<absl::Span<const int64_t>, kTensors>& strides,
    WalkOrder order = WalkOrder::kAny) {
  const bool in_order = MayOverlapItself(out);
  absl::StatusOr<kernels::Runs<kTensors>> runs = MakeRuns<kTensors>(
      out.sizes, strides, in_order ? WalkOrder::kRowMajor : order);
  if (runs.ok() && in_order) runs->order = kernels::Order::kRowMajor;
  return runs;
}

// Computes into new memory where the output overlaps itself, so that `compute`
// may write in any order.
template <typename Compute>
absl::Status Executor::ViaTemporary(View out, Compute compute) const {
  if (!MayOverlapItself(out)) return compute(out);
  absl::StatusOr<View> temporary = Temporary(out.dtype, out.sizes);
  if (!temporary.ok()) return temporary.status();
  if (absl::Status status = compute(*temporary); !status.ok()) return status;
  return Move(out, *temporary);
}

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_EXECUTOR_H_
