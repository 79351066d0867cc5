#include "cuda/buffer.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/status_macros.h"

namespace palimpsest {
namespace {

constexpr int64_t kAlignment = 64;
constexpr uint8_t kPoisonByte = 0xA5;

absl::Status OutOfMemory(int64_t size) {
  return absl::ResourceExhaustedError(
      absl::StrCat("out of memory: ", size, " bytes asked for"));
}

}  // namespace

Buffer::Block::~Block() { std::free(data); }

absl::StatusOr<Buffer> Buffer::Allocate(int64_t size) {
  if (size > std::numeric_limits<int64_t>::max() - 2 * kAlignment) {
    return OutOfMemory(size);
  }
  Buffer buffer;
  buffer.block_ = std::make_shared<Block>();
  const int64_t rounded = (size / kAlignment + 1) * kAlignment;
  buffer.block_->data =
      static_cast<uint8_t*>(std::aligned_alloc(kAlignment, rounded));
  if (buffer.block_->data == nullptr) return OutOfMemory(size);
  buffer.block_->size = size;
  return buffer;
}

absl::StatusOr<Buffer> Buffer::AllocatePoison(int64_t size) {
  ASSIGN_OR_RETURN(Buffer buffer, Allocate(size));
  RETURN_IF_ERROR(buffer.MakeShadow());
  std::memset(buffer.mutable_data(), kPoisonByte, size);
  std::memset(buffer.mutable_poison(), 1, size);
  return buffer;
}

absl::StatusOr<Buffer> Buffer::CopyOf(absl::Span<const uint8_t> bytes) {
  ASSIGN_OR_RETURN(Buffer buffer, Allocate(bytes.size()));
  if (!bytes.empty()) {
    std::memcpy(buffer.mutable_data(), bytes.data(), bytes.size());
  }
  return buffer;
}

absl::StatusOr<Buffer> Buffer::Clone() const {
  ASSIGN_OR_RETURN(Buffer copy, CopyOf(absl::MakeConstSpan(data(), size())));
  if (poison() != nullptr) {
    RETURN_IF_ERROR(copy.MakeShadow());
    std::memcpy(copy.mutable_poison(), poison(), size());
  }
  return copy;
}

absl::Status Buffer::MakeShadow() {
  if (block_ == nullptr || block_->poison != nullptr) return absl::OkStatus();
  block_->poison.reset(new (std::nothrow) uint8_t[block_->size + 1]());
  return block_->poison == nullptr ? OutOfMemory(block_->size)
                                   : absl::OkStatus();
}

void Buffer::DropShadowOfNothing() {
  if (poison() == nullptr || std::memchr(poison(), 1, size()) != nullptr)
    return;
  block_->poison.reset();
}

}  // namespace palimpsest
