// Memory comes from the device's pool, in the order of the stream: what is
// freed is taken again only by what comes later, so nothing has to wait.

#include "cuda/device_backend.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cuda/backend.h"
#include "cuda/device_launcher.h"
#include "cuda/kernel_backend.h"
#include "cuda/kernels/families.h"

namespace palimpsest::kernels {
namespace {

// Returns the error of a call of CUDA, with the call's name.
#define PALIMPSEST_CUDA(errors, call, ...)                        \
  do {                                                            \
    const char* error = (errors).Check(#call, call(__VA_ARGS__)); \
    if (error != nullptr) return error;                           \
  } while (false)

struct Errors {
  DeviceErrors errors_;
};

class DeviceBackend final : private Errors,
                            public KernelBackend<DeviceLauncher> {
 public:
  explicit DeviceBackend(cudaStream_t stream)
      : KernelBackend(DeviceLauncher(stream, &errors_)), stream_(stream) {}
  ~DeviceBackend() override;

  // Precondition of all else.
  const char* Open();

  const char* Allocate(int64_t bytes, void** memory) override;
  void Free(void* memory) override;
  const char* Fill(void* memory, uint8_t byte, int64_t bytes) override {
    PALIMPSEST_CUDA(errors_, cudaMemsetAsync, memory, byte, bytes, stream_);
    return nullptr;
  }
  const char* CopyIn(void* to, const void* host, int64_t bytes) override {
    return CopyAndWait(to, host, bytes, cudaMemcpyHostToDevice);
  }
  const char* CopyOut(void* host, const void* from, int64_t bytes) override {
    return CopyAndWait(host, from, bytes, cudaMemcpyDeviceToHost);
  }
  const char* Copy(void* to, const void* from, int64_t bytes) override {
    PALIMPSEST_CUDA(errors_, cudaMemcpyAsync, to, from, bytes,
                    cudaMemcpyDeviceToDevice, stream_);
    return nullptr;
  }
  const void* Zeros() const override { return zeros_; }
  const char* HoldsAny(const void* memory, int64_t bytes,
                       bool* answer) override;
  const char* Finish() override;

 private:
  const char* CopyAndWait(void* to, const void* from, int64_t bytes,
                          cudaMemcpyKind kind) {
    if (bytes == 0) return nullptr;
    PALIMPSEST_CUDA(errors_, cudaMemcpyAsync, to, from, bytes, kind, stream_);
    PALIMPSEST_CUDA(errors_, cudaStreamSynchronize, stream_);
    return nullptr;
  }

  const cudaStream_t stream_;
  void* zeros_ = nullptr;
  void* answer_ = nullptr;  // One byte, of HoldsAny.
  cudaError_t free_error_ = cudaSuccess;
};

const char* DeviceBackend::Open() {
  constexpr int64_t kZeros = 16;
  PALIMPSEST_CUDA(errors_, cudaMallocAsync, &zeros_, kZeros, stream_);
  PALIMPSEST_CUDA(errors_, cudaMallocAsync, &answer_, 1, stream_);
  return Fill(zeros_, 0, kZeros);
}

// A device that is broken says so to whoever uses it next.
DeviceBackend::~DeviceBackend() {
  if (zeros_ != nullptr) (void)cudaFreeAsync(zeros_, stream_);
  if (answer_ != nullptr) (void)cudaFreeAsync(answer_, stream_);
  (void)cudaStreamSynchronize(stream_);
  (void)cudaStreamDestroy(stream_);
}

const char* DeviceBackend::Allocate(int64_t bytes, void** memory) {
  *memory = nullptr;
  const size_t size = bytes == 0 ? 1 : static_cast<size_t>(bytes);
  const cudaError_t error = cudaMallocAsync(memory, size, stream_);
  if (error != cudaErrorMemoryAllocation) {
    return errors_.Check("cudaMallocAsync", error);
  }
  *memory = nullptr;
  (void)cudaGetLastError();  // It is reported, and no longer the last.
  return nullptr;
}

void DeviceBackend::Free(void* memory) {
  const cudaError_t error = cudaFreeAsync(memory, stream_);
  if (free_error_ == cudaSuccess) free_error_ = error;
}

const char* DeviceBackend::HoldsAny(const void* memory, int64_t bytes,
                                    bool* answer) {
  const char* error = Fill(answer_, 0, 1);
  if (error != nullptr) return error;
  error = kernels::HoldsAny(launcher(), static_cast<const uint8_t*>(memory),
                            bytes, static_cast<uint8_t*>(answer_));
  if (error != nullptr) return error;
  uint8_t any = 0;
  error = CopyOut(&any, answer_, 1);
  *answer = any != 0;
  return error;
}

const char* DeviceBackend::Finish() {
  PALIMPSEST_CUDA(errors_, cudaStreamSynchronize, stream_);
  return errors_.Check("cudaFreeAsync",
                       std::exchange(free_error_, cudaSuccess));
}

// The first device, ready to make streams on.
const char* PrepareDevice(DeviceErrors& errors) {
  int devices = 0;
  PALIMPSEST_CUDA(errors, cudaGetDeviceCount, &devices);
  if (devices == 0) return "none is visible";
  constexpr int kDevice = 0;
  PALIMPSEST_CUDA(errors, cudaSetDevice, kDevice);
  int has_pools = 0;
  PALIMPSEST_CUDA(errors, cudaDeviceGetAttribute, &has_pools,
                  cudaDevAttrMemoryPoolsSupported, kDevice);
  if (has_pools == 0) return "the first one has no memory pools";
  // Keeps what is freed, instead of giving it back at every wait.
  cudaMemPool_t pool;
  PALIMPSEST_CUDA(errors, cudaDeviceGetDefaultMemPool, &pool, kDevice);
  uint64_t all = UINT64_MAX;
  PALIMPSEST_CUDA(errors, cudaMemPoolSetAttribute, pool,
                  cudaMemPoolAttrReleaseThreshold, &all);
  return nullptr;
}

const char* MakeStream(DeviceErrors& errors, cudaStream_t* stream) {
  PALIMPSEST_CUDA(errors, cudaStreamCreateWithFlags, stream,
                  cudaStreamNonBlocking);
  return nullptr;
}

#undef PALIMPSEST_CUDA

}  // namespace

std::unique_ptr<Backend> OpenDevice(std::string* why) {
  DeviceErrors errors;
  cudaStream_t stream = nullptr;
  const char* error = PrepareDevice(errors);
  if (error == nullptr) error = MakeStream(errors, &stream);
  if (error != nullptr) {
    *why = error;
    return nullptr;
  }
  auto backend = std::make_unique<DeviceBackend>(stream);
  error = backend->Open();
  if (error == nullptr) return backend;
  *why = error;
  return nullptr;
}

}  // namespace palimpsest::kernels
