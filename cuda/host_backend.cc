#include "cuda/host_backend.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "cuda/backend.h"
#include "cuda/host_launcher.h"
#include "cuda/host_matmul.h"
#include "cuda/kernel_backend.h"
#include "cuda/kernels/families.h"

namespace palimpsest::kernels {
namespace {

constexpr int64_t kAlignment = 64;

class InOrderBackend final : public KernelBackend<HostLauncher> {
 public:
  InOrderBackend() : KernelBackend(HostLauncher(nullptr)) {}

  const char* Allocate(int64_t bytes, void** memory) override {
    const int64_t rounded = (bytes / kAlignment + 1) * kAlignment;
    *memory = std::aligned_alloc(kAlignment, rounded);
    return nullptr;
  }
  void Free(void* memory) override { std::free(memory); }
  const char* Fill(void* memory, uint8_t byte, int64_t bytes) override {
    if (bytes > 0) std::memset(memory, byte, bytes);
    return nullptr;
  }
  const char* CopyIn(void* to, const void* host, int64_t bytes) override {
    return Copy(to, host, bytes);
  }
  const char* CopyOut(void* host, const void* from, int64_t bytes) override {
    return Copy(host, from, bytes);
  }
  const char* Copy(void* to, const void* from, int64_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return nullptr;
  }
  const void* Zeros() const override {
    alignas(16) static constexpr uint8_t kZeros[16] = {};
    return kZeros;
  }
  const char* HoldsAny(const void* memory, int64_t bytes,
                       bool* answer) override {
    const uint8_t* first = static_cast<const uint8_t*>(memory);
    // Equal to itself shifted by one byte, from a 0 on: all are 0.
    *answer = bytes > 0 &&
              (*first != 0 || std::memcmp(first, first + 1, bytes - 1) != 0);
    return nullptr;
  }
  const char* Finish() override { return nullptr; }

  const char* Matmul(Type type, const MatmulCall& call) override {
    return HostMatmul(launcher(), type, call);
  }
  int64_t IndexedScratch(IndexedAction, const IndexedCall&) const override {
    return 0;
  }
  const char* Indexed(IndexedAction action, Type type,
                      const IndexedCall& call) override {
    return IndexedInOrder(launcher(), action, type, call);
  }
};

}  // namespace

Backend& HostBackend() {
  static InOrderBackend& backend = *new InOrderBackend;
  return backend;
}

}  // namespace palimpsest::kernels
