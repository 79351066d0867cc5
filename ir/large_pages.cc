#include "ir/large_pages.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace palimpsest {

void PreferLargePages(void* begin, size_t bytes) {
#ifdef MADV_HUGEPAGE
  // Below a few large pages, what of the first and the last lies outside
  // outweighs what is gained.
  constexpr size_t kLeast = size_t{4} << 20;
  constexpr uintptr_t kPage = 4096;
  if (bytes < kLeast) return;
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t aligned = (first + kPage - 1) / kPage * kPage;
  // A refusal changes nothing.
  (void)madvise(reinterpret_cast<void*>(aligned),
                (first + bytes - aligned) / kPage * kPage, MADV_HUGEPAGE);
#else
  (void)begin;
  (void)bytes;
#endif
}

}  // namespace palimpsest
