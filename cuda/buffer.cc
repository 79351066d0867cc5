#include "cuda/buffer.h"

#include <cstdint>
#include <limits>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/host_backend.h"
#include "cuda/kernel_status.h"
#include "ir/status_macros.h"

namespace palimpsest {
namespace {

using kernels::Backend;

constexpr uint8_t kPoisonByte = 0xA5;
// Back ends round sizes up.
constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max() - 4096;

absl::StatusOr<uint8_t*> MemoryOf(int64_t size, Backend& backend) {
  void* memory = nullptr;
  if (size <= kMostBytes) {
    RETURN_IF_ERROR(KernelStatus(backend.Allocate(size, &memory)));
  }
  if (memory == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("out of memory: ", size, " bytes asked for"));
  }
  return static_cast<uint8_t*>(memory);
}

// Between two memories, one of which is the host's.
absl::Status CopyBetween(Backend& to_backend, uint8_t* to,
                         Backend& from_backend, const uint8_t* from,
                         int64_t size) {
  return KernelStatus(&to_backend == &kernels::HostBackend()
                          ? from_backend.CopyOut(to, from, size)
                          : to_backend.CopyIn(to, from, size));
}

}  // namespace

Buffer::Block::~Block() {
  if (data != nullptr) backend.Free(data);
  if (poison != nullptr) backend.Free(poison);
}

absl::StatusOr<Buffer> Buffer::Allocate(int64_t size) {
  return Allocate(size, kernels::HostBackend());
}

absl::StatusOr<Buffer> Buffer::AllocatePoison(int64_t size) {
  return AllocatePoison(size, kernels::HostBackend());
}

absl::StatusOr<Buffer> Buffer::CopyOf(absl::Span<const uint8_t> bytes) {
  ASSIGN_OR_RETURN(Buffer buffer, Allocate(bytes.size()));
  RETURN_IF_ERROR(KernelStatus(buffer.block_->backend.CopyIn(
      buffer.mutable_data(), bytes.data(), bytes.size())));
  return buffer;
}

absl::StatusOr<Buffer> Buffer::Allocate(int64_t size, Backend& backend) {
  Buffer buffer;
  buffer.block_ = std::make_shared<Block>(backend);
  ASSIGN_OR_RETURN(buffer.block_->data, MemoryOf(size, backend));
  buffer.block_->size = size;
  return buffer;
}

absl::StatusOr<Buffer> Buffer::AllocatePoison(int64_t size, Backend& backend) {
  ASSIGN_OR_RETURN(Buffer buffer, Allocate(size, backend));
  RETURN_IF_ERROR(buffer.MakeShadowOfAnything());
  RETURN_IF_ERROR(
      KernelStatus(backend.Fill(buffer.mutable_data(), kPoisonByte, size)));
  RETURN_IF_ERROR(KernelStatus(backend.Fill(buffer.mutable_poison(), 1, size)));
  return buffer;
}

absl::StatusOr<Buffer> Buffer::Clone() const {
  if (block_ == nullptr) return Buffer();
  Backend& backend = block_->backend;
  ASSIGN_OR_RETURN(Buffer copy, Allocate(size(), backend));
  RETURN_IF_ERROR(
      KernelStatus(backend.Copy(copy.mutable_data(), data(), size())));
  if (poison() == nullptr) return copy;
  RETURN_IF_ERROR(copy.MakeShadowOfAnything());
  RETURN_IF_ERROR(
      KernelStatus(backend.Copy(copy.mutable_poison(), poison(), size())));
  return copy;
}

absl::StatusOr<Buffer> Buffer::In(Backend& backend) const {
  if (block_ == nullptr || &block_->backend == &backend) return *this;
  ASSIGN_OR_RETURN(Buffer copy, Allocate(size(), backend));
  RETURN_IF_ERROR(CopyBetween(backend, copy.mutable_data(), block_->backend,
                              data(), size()));
  if (poison() == nullptr) return copy;
  RETURN_IF_ERROR(copy.MakeShadowOfAnything());
  RETURN_IF_ERROR(CopyBetween(backend, copy.mutable_poison(), block_->backend,
                              poison(), size()));
  return copy;
}

absl::Status Buffer::MakeShadowOfAnything() {
  ASSIGN_OR_RETURN(block_->poison, MemoryOf(size(), block_->backend));
  return absl::OkStatus();
}

absl::Status Buffer::MakeShadow() {
  if (block_ == nullptr || block_->poison != nullptr) return absl::OkStatus();
  RETURN_IF_ERROR(MakeShadowOfAnything());
  return KernelStatus(block_->backend.Fill(block_->poison, 0, size()));
}

absl::Status Buffer::DropShadowOfNothing() {
  if (poison() == nullptr) return absl::OkStatus();
  bool any = false;
  RETURN_IF_ERROR(
      KernelStatus(block_->backend.HoldsAny(poison(), size(), &any)));
  if (any) return absl::OkStatus();
  block_->backend.Free(block_->poison);
  block_->poison = nullptr;
  return absl::OkStatus();
}

}  // namespace palimpsest
