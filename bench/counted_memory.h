// How many bytes the program holds on the heap, and has held at most: this
// library replaces operator new and delete.

#ifndef PALIMPSEST_BENCH_COUNTED_MEMORY_H_
#define PALIMPSEST_BENCH_COUNTED_MEMORY_H_

#include <cstdint>

namespace palimpsest {

int64_t BytesHeld();

// The most that were held at once since the last call of StartPeak(), which
// must come first.
void StartPeak();
int64_t PeakBytesHeld();

}  // namespace palimpsest

#endif  // PALIMPSEST_BENCH_COUNTED_MEMORY_H_
