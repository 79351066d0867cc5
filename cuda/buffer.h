// Bytes that programs read and write, and which of them are poison.
//
// A Buffer is a handle: copies share the bytes. Whoever allocates a buffer
// fills it, then hands it out; from then on nobody writes to it.
//
// Memory that nothing has written is poison. The bytes of such memory are 0xA5,
// and a shadow, one byte each, says 1; a buffer without poison has no shadow.

#ifndef PALIMPSEST_CUDA_BUFFER_H_
#define PALIMPSEST_CUDA_BUFFER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace palimpsest {

class Buffer {
 public:
  Buffer() = default;  // No bytes.

  // Of any contents, without poison. Refused where memory is short.
  static absl::StatusOr<Buffer> Allocate(int64_t size);
  // All of it is poison.
  static absl::StatusOr<Buffer> AllocatePoison(int64_t size);
  static absl::StatusOr<Buffer> CopyOf(absl::Span<const uint8_t> bytes);
  // The same bytes and shadow in memory of their own.
  absl::StatusOr<Buffer> Clone() const;

  const uint8_t* data() const { return block_ ? block_->data : nullptr; }
  int64_t size() const { return block_ ? block_->size : 0; }
  bool exists() const { return block_ != nullptr; }
  bool is_unique() const { return block_.use_count() == 1; }
  bool same_memory(const Buffer& other) const { return block_ == other.block_; }

  // A byte for each byte: 1 where it is poison. Null where none is.
  const uint8_t* poison() const {
    return block_ ? block_->poison.get() : nullptr;
  }

  // For whoever still fills it.
  uint8_t* mutable_data() { return block_ ? block_->data : nullptr; }
  uint8_t* mutable_poison() { return block_ ? block_->poison.get() : nullptr; }
  absl::Status MakeShadow();   // Of zeros, where there is none.
  void DropShadowOfNothing();  // Where it says 0 throughout.

 private:
  struct Block {
    ~Block();
    uint8_t* data = nullptr;  // 64-byte aligned.
    int64_t size = 0;
    std::unique_ptr<uint8_t[]> poison;
  };

  std::shared_ptr<Block> block_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_BUFFER_H_
