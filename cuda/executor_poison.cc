// How poison follows the data: shadows are windows of bools, with one more
// dimension for the bytes of an element, so kernels of bools do all of it.

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cuda/buffer.h"
#include "cuda/executor.h"
#include "cuda/kernel_status.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
View Executor::ZerosLike(const View& view) const {
  View zeros = view;
  zeros.owner = Buffer();
  zeros.base = static_cast<uint8_t*>(const_cast<void*>(backend_.Zeros()));
  zeros.offset = 0;
  zeros.strides.assign(view.strides.size(), 0);
  return zeros;
}

View Executor::ShadowOf(const View& view) const {
  if (!view.has_poison()) return ZerosLike(view);
  View shadow = view;
  shadow.owner = Buffer();
  shadow.base = const_cast<uint8_t*>(view.owner.poison());
  return shadow;
}

View Executor::BytesOfShadow(const View& view) const {
  View bytes = ShadowOf(view);
  const int64_t width = view.width();
  bytes.dtype = DType::kBool;
  bytes.offset *= width;
  for (int64_t& stride : bytes.strides) stride *= width;
  bytes.sizes.push_back(width);
  bytes.strides.push_back(view.has_poison() ? 1 : 0);
  return bytes;
}

absl::StatusOr<bool> Executor::HoldsOne(const View& row_major_bools) const {
  bool any = false;
  RETURN_IF_ERROR(KernelStatus(backend_.HoldsAny(
      row_major_bools.data(), row_major_bools.count(), &any)));
  return any;
}

absl::StatusOr<View> Executor::PoisonOf(const View& view) const {
  ASSIGN_OR_RETURN(View poison, Temporary(DType::kBool, view.sizes));
  const View bytes = BytesOfShadow(view);
  RETURN_IF_ERROR(RunReduce(OpKind::kAmax, poison, bytes, {view.rank()}));
  return poison;
}

absl::StatusOr<bool> Executor::AnyPoison(const View& view) const {
  if (!view.has_poison()) return false;
  ASSIGN_OR_RETURN(const View poison, PoisonOf(view));
  return HoldsOne(poison);
}

absl::Status Executor::SetPoison(View out, const View& poison) const {
  if (!out.has_poison()) {
    ASSIGN_OR_RETURN(const bool any, HoldsOne(poison));
    if (!any) return absl::OkStatus();
  }
  RETURN_IF_ERROR(out.owner.MakeShadow());
  View elements = poison;
  elements.sizes.push_back(1);
  elements.strides.push_back(0);
  const View bytes = BytesOfShadow(out);
  RETURN_IF_ERROR(MoveBytes(bytes, Broadcast(elements, bytes.sizes)));
  return out.owner.DropShadowOfNothing();
}

absl::Status Executor::ElementwisePoison(
    OpKind op, View out, absl::Span<const View> operands) const {
  std::vector<View> poisons;
  for (const View& operand : operands) {
    ASSIGN_OR_RETURN(View poison, PoisonOf(operand));
    poisons.push_back(std::move(poison));
  }
  View& result = poisons.back();
  if (op == OpKind::kWhere) {
    // Of the element that is chosen.
    RETURN_IF_ERROR(RunElementwise(OpKind::kWhere, result,
                                   {operands[0], poisons[1], poisons[2]}));
  } else if (poisons.size() == 2) {
    RETURN_IF_ERROR(RunElementwise(OpKind::kLogicalOr, result, poisons));
  }
  return SetPoison(out, result);
}

absl::Status Executor::MatmulPoison(View out, const View& x,
                                    const View& y) const {
  const int rank = out.rank();
  ASSIGN_OR_RETURN(const View of_x, PoisonOf(x));
  ASSIGN_OR_RETURN(const View of_y, PoisonOf(y));
  Dims rows = x.sizes;
  Dims columns = y.sizes;
  rows[rank - 1] = 1;
  columns[rank - 2] = 1;
  ASSIGN_OR_RETURN(View row, Temporary(DType::kBool, rows));
  ASSIGN_OR_RETURN(View column, Temporary(DType::kBool, columns));
  RETURN_IF_ERROR(Reduce(OpKind::kSum, row, of_x, {rank - 1}));
  RETURN_IF_ERROR(Reduce(OpKind::kSum, column, of_y, {rank - 2}));
  ASSIGN_OR_RETURN(const View result, Temporary(DType::kBool, out.sizes));
  RETURN_IF_ERROR(Elementwise(OpKind::kLogicalOr, result, {row, column}));
  return SetPoison(out, result);
}

}  // namespace palimpsest
