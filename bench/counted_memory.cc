#include "bench/counted_memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace palimpsest {
namespace {

int64_t held = 0;  // Benchmarks have one thread.
int64_t peak = 0;

void* Allocate(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  held += static_cast<int64_t>(malloc_usable_size(memory));
  peak = std::max(peak, held);
  return memory;
}

void Release(void* memory) {
  held -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

int64_t BytesHeld() { return held; }
void StartPeak() { peak = held; }
int64_t PeakBytesHeld() { return peak; }

}  // namespace palimpsest

void* operator new(std::size_t size) { return palimpsest::Allocate(size); }
void* operator new[](std::size_t size) { return palimpsest::Allocate(size); }
void operator delete(void* memory) noexcept { palimpsest::Release(memory); }
void operator delete[](void* memory) noexcept { palimpsest::Release(memory); }
void operator delete(void* memory, std::size_t) noexcept {
  palimpsest::Release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  palimpsest::Release(memory);
}
