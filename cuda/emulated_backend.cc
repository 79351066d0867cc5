// A device that is none (host_backend.h).
//
// Memory is handed out with a bit set that no address has, which Real() takes
// away again. A block of memory is a guard, the bytes, and a guard.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "cuda/backend.h"
#include "cuda/host_backend.h"
#include "cuda/host_launcher.h"
#include "cuda/kernel_backend.h"

namespace palimpsest::kernels {
namespace {

// Neither x86-64 nor arm64 has user memory at such addresses.
constexpr uintptr_t kTag = uintptr_t{1} << 55;

template <typename T>
T* Tagged(T* real) {
  return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(real) | kTag);
}
template <typename T>
T* Real(T* tagged) {
  return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(tagged) & ~kTag);
}

template <typename... Pointers>
void MakeReal(Pointers&... pointers) {
  ((pointers = Real(pointers)), ...);
}

constexpr int64_t kGuard = 64;
constexpr uint8_t kGuardByte = 0xE7;
constexpr uint8_t kRubbish = 0xCD;
constexpr char kGuardBroken[] = "a kernel wrote outside of its memory";

class EmulatedBackend final : private EmulatedThreads,
                              public KernelBackend<HostLauncher> {
 public:
  explicit EmulatedBackend(uint64_t seed)
      : EmulatedThreads(seed),
        KernelBackend(HostLauncher(static_cast<EmulatedThreads*>(this))) {}

  // Memory.
  const char* Allocate(int64_t bytes, void** memory) override;
  void Free(void* memory) override;
  const char* Fill(void* memory, uint8_t byte, int64_t bytes) override {
    if (bytes > 0) std::memset(Real(memory), byte, bytes);
    return nullptr;
  }
  const char* CopyIn(void* to, const void* host, int64_t bytes) override {
    if (bytes > 0) std::memcpy(Real(to), host, bytes);
    return nullptr;
  }
  const char* CopyOut(void* host, const void* from, int64_t bytes) override {
    if (bytes > 0) std::memcpy(host, Real(from), bytes);
    return nullptr;
  }
  const char* Copy(void* to, const void* from, int64_t bytes) override {
    if (bytes > 0) std::memcpy(Real(to), Real(from), bytes);
    return nullptr;
  }
  const void* Zeros() const override { return Tagged(zeros_); }
  const char* HoldsAny(const void* memory, int64_t bytes,
                       bool* answer) override;
  const char* Finish() override;

  // Kernels, on the real addresses.
  const char* Elementwise(Op op, Type type,
                          const ElementwiseCall& call) override;
  const char* Cast(Type to, Type from, const MoveCall& call) override;
  const char* Move(int64_t width, const MoveCall& call) override;
  const char* Iota(Type type, const IotaCall& call) override;
  const char* Reduce(Op op, Type type, const ReduceCall& call) override;
  const char* Cumsum(Type type, const CumsumCall& call) override;
  const char* Matmul(Type type, const MatmulCall& call) override;
  const char* AddIndex(Type type, const AddIndexCall& call) override;
  const char* Indexed(IndexedAction action, Type type,
                      const IndexedCall& call) override;
  const char* MaskedMove(Type type, const MaskedMoveCall& call) override;
  const char* MaskPositions(const MaskPositionsCall& call) override;
  const char* MaskedScatter(Type type, const MaskedScatterCall& call) override;

 private:
  using Base = KernelBackend<HostLauncher>;

  static bool GuardsHold(const uint8_t* block, int64_t bytes);

  alignas(16) const uint8_t zeros_[16] = {};
  std::unordered_map<uint8_t*, int64_t> blocks_;  // With their bytes.
  bool guard_broken_ = false;
};

const char* EmulatedBackend::Allocate(int64_t bytes, void** memory) {
  const int64_t rounded = (bytes / kGuard + 3) * kGuard;
  uint8_t* block = static_cast<uint8_t*>(std::aligned_alloc(kGuard, rounded));
  *memory = nullptr;
  if (block == nullptr) return nullptr;
  std::memset(block, kGuardByte, kGuard);
  std::memset(block + kGuard, kRubbish, bytes);
  std::memset(block + kGuard + bytes, kGuardByte, kGuard);
  blocks_[block] = bytes;
  *memory = Tagged(block + kGuard);
  return nullptr;
}

void EmulatedBackend::Free(void* memory) {
  uint8_t* block = Real(static_cast<uint8_t*>(memory)) - kGuard;
  const auto found = blocks_.find(block);
  guard_broken_ |= !GuardsHold(block, found->second);
  blocks_.erase(found);
  std::free(block);
}

bool EmulatedBackend::GuardsHold(const uint8_t* block, int64_t bytes) {
  for (int64_t i = 0; i < kGuard; ++i) {
    if (block[i] != kGuardByte) return false;
    if (block[kGuard + bytes + i] != kGuardByte) return false;
  }
  return true;
}

const char* EmulatedBackend::Finish() {
  for (const auto& [block, bytes] : blocks_) {
    guard_broken_ |= !GuardsHold(block, bytes);
  }
  return guard_broken_ ? kGuardBroken : nullptr;
}

const char* EmulatedBackend::HoldsAny(const void* memory, int64_t bytes,
                                      bool* answer) {
  uint8_t any = 0;
  const char* error = kernels::HoldsAny(
      launcher(), Real(static_cast<const uint8_t*>(memory)), bytes, &any);
  *answer = any != 0;
  return error;
}

const char* EmulatedBackend::Elementwise(Op op, Type type,
                                         const ElementwiseCall& call) {
  ElementwiseCall real = call;
  MakeReal(real.out, real.in[0], real.in[1], real.in[2]);
  return Base::Elementwise(op, type, real);
}

const char* EmulatedBackend::Cast(Type to, Type from, const MoveCall& call) {
  MoveCall real = call;
  MakeReal(real.out, real.in);
  return Base::Cast(to, from, real);
}

const char* EmulatedBackend::Move(int64_t width, const MoveCall& call) {
  MoveCall real = call;
  MakeReal(real.out, real.in);
  return Base::Move(width, real);
}

const char* EmulatedBackend::Iota(Type type, const IotaCall& call) {
  IotaCall real = call;
  MakeReal(real.out);
  return Base::Iota(type, real);
}

const char* EmulatedBackend::Reduce(Op op, Type type, const ReduceCall& call) {
  ReduceCall real = call;
  MakeReal(real.out, real.in);
  return Base::Reduce(op, type, real);
}

const char* EmulatedBackend::Cumsum(Type type, const CumsumCall& call) {
  CumsumCall real = call;
  MakeReal(real.out, real.in);
  return Base::Cumsum(type, real);
}

const char* EmulatedBackend::Matmul(Type type, const MatmulCall& call) {
  MatmulCall real = call;
  MakeReal(real.out, real.x, real.y);
  return Base::Matmul(type, real);
}

const char* EmulatedBackend::AddIndex(Type type, const AddIndexCall& call) {
  AddIndexCall real = call;
  MakeReal(real.offsets, real.index, real.first_bad);
  return Base::AddIndex(type, real);
}

const char* EmulatedBackend::Indexed(IndexedAction action, Type type,
                                     const IndexedCall& call) {
  IndexedCall real = call;
  MakeReal(real.plain, real.base, real.offsets, real.scratch);
  return Base::Indexed(action, type, real);
}

const char* EmulatedBackend::MaskedMove(Type type, const MaskedMoveCall& call) {
  MaskedMoveCall real = call;
  MakeReal(real.out, real.in, real.mask);
  return Base::MaskedMove(type, real);
}

const char* EmulatedBackend::MaskPositions(const MaskPositionsCall& call) {
  MaskPositionsCall real = call;
  MakeReal(real.positions, real.mask, real.scratch);
  return Base::MaskPositions(real);
}

const char* EmulatedBackend::MaskedScatter(Type type,
                                           const MaskedScatterCall& call) {
  MaskedScatterCall real = call;
  MakeReal(real.out, real.in, real.mask, real.positions);
  return Base::MaskedScatter(type, real);
}

}  // namespace

std::unique_ptr<Backend> MakeEmulatedBackend(uint64_t seed) {
  return std::make_unique<EmulatedBackend>(seed);
}

}  // namespace palimpsest::kernels
