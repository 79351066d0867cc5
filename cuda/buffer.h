// Bytes that programs read and write, and which of them are poison.
//
// A Buffer is a handle: copies share the bytes. Whoever allocates a buffer
// fills it, then hands it out; from then on nobody writes to it.
//
// Memory that nothing has written is poison. The bytes of such memory are 0xA5,
// and a shadow, one byte each, says 1; a buffer without poison has no shadow.
//
// The bytes lie in the host's memory, or for the time of a run in a device's,
// where their addresses are of use to that back end alone.

#ifndef PALIMPSEST_CUDA_BUFFER_H_
#define PALIMPSEST_CUDA_BUFFER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace palimpsest {

namespace kernels {
class Backend;
}

class Buffer {
 public:
  Buffer() = default;  // No bytes.

  // Of any contents, without poison. Refused where memory is short.
  static absl::StatusOr<Buffer> Allocate(int64_t size);
  // All of it is poison.
  static absl::StatusOr<Buffer> AllocatePoison(int64_t size);
  static absl::StatusOr<Buffer> CopyOf(absl::Span<const uint8_t> bytes);
  // The same in the memory of a back end, which must outlive the buffer.
  static absl::StatusOr<Buffer> Allocate(int64_t size,
                                         kernels::Backend& backend);
  static absl::StatusOr<Buffer> AllocatePoison(int64_t size,
                                               kernels::Backend& backend);
  // The same bytes and shadow in memory of their own.
  absl::StatusOr<Buffer> Clone() const;
  // This buffer, or a copy of it where it lies in other memory. One of the two
  // is the host's.
  absl::StatusOr<Buffer> In(kernels::Backend& backend) const;

  const uint8_t* data() const { return block_ ? block_->data : nullptr; }
  int64_t size() const { return block_ ? block_->size : 0; }
  bool exists() const { return block_ != nullptr; }
  bool is_unique() const { return block_.use_count() == 1; }
  bool same_memory(const Buffer& other) const { return block_ == other.block_; }

  // A byte for each byte: 1 where it is poison. Null where none is.
  const uint8_t* poison() const { return block_ ? block_->poison : nullptr; }

  // For whoever still fills it.
  uint8_t* mutable_data() { return block_ ? block_->data : nullptr; }
  uint8_t* mutable_poison() { return block_ ? block_->poison : nullptr; }
  absl::Status MakeShadow();           // Of zeros, where there is none.
  absl::Status DropShadowOfNothing();  // Where it says 0 throughout.

 private:
  struct Block {
    explicit Block(kernels::Backend& backend) : backend(backend) {}
    ~Block();
    kernels::Backend& backend;
    uint8_t* data = nullptr;
    int64_t size = 0;
    uint8_t* poison = nullptr;
  };

  absl::Status MakeShadowOfAnything();

  std::shared_ptr<Block> block_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_BUFFER_H_
