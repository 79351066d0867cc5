// Between the host's memory and the back end's.

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/buffer.h"
#include "cuda/executor.h"
#include "cuda/host_backend.h"
#include "cuda/kernel_status.h"
#include "cuda/literal.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

int64_t BytesIn(const View& row_major) {
  return row_major.count() * row_major.width();
}

const uint8_t* PoisonIn(const View& row_major) {
  return row_major.owner.poison() + row_major.offset * row_major.width();
}

}  // namespace

absl::Status Executor::CopyIn(const View& row_major, const void* host) const {
  return KernelStatus(
      backend_.CopyIn(row_major.data(), host, BytesIn(row_major)));
}

absl::Status Executor::CopyOut(void* host, const View& row_major) const {
  return KernelStatus(
      backend_.CopyOut(host, row_major.data(), BytesIn(row_major)));
}

absl::Status Executor::Finish() const {
  return KernelStatus(backend_.Finish());
}

absl::StatusOr<View> Executor::ValueOf(absl::Span<const Literal> literals,
                                       DType dtype,
                                       absl::Span<const int64_t> sizes) const {
  std::vector<uint8_t> elements(literals.size() * WidthOf(dtype));
  for (size_t i = 0; i < literals.size(); ++i) {
    EncodeLiteral(literals[i], dtype, elements.data() + i * WidthOf(dtype));
  }
  ASSIGN_OR_RETURN(View value, Temporary(dtype, sizes));
  RETURN_IF_ERROR(CopyIn(value, elements.data()));
  return value;
}

absl::StatusOr<View> Executor::ToHost(const View& view) const {
  View source = view;
  if (!IsRowMajor(view.layout())) {
    ASSIGN_OR_RETURN(source, CopyOf(view));
  }
  if (&backend_ == &kernels::HostBackend()) return source;
  const int64_t bytes = BytesIn(source);
  ASSIGN_OR_RETURN(Buffer copy, Buffer::Allocate(bytes));
  RETURN_IF_ERROR(CopyOut(copy.mutable_data(), source));
  if (source.has_poison()) {
    RETURN_IF_ERROR(copy.MakeShadow());
    RETURN_IF_ERROR(KernelStatus(
        backend_.CopyOut(copy.mutable_poison(), PoisonIn(source), bytes)));
    RETURN_IF_ERROR(copy.DropShadowOfNothing());
  }
  return WholeOf(std::move(copy), source.dtype, source.sizes);
}

absl::StatusOr<View> Executor::FromHost(const View& row_major) const {
  if (&backend_ == &kernels::HostBackend()) return row_major;
  ASSIGN_OR_RETURN(View copy, Temporary(row_major.dtype, row_major.sizes));
  RETURN_IF_ERROR(CopyIn(copy, row_major.data()));
  return copy;
}

}  // namespace palimpsest
