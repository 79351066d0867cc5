// Memory as a long-lived process has it.

#ifndef PALIMPSEST_BENCH_KEPT_MEMORY_H_
#define PALIMPSEST_BENCH_KEPT_MEMORY_H_

namespace palimpsest {

// From now on freed memory stays with the process, so that the time in which a
// kernel gives out pages is not measured. Does nothing where the allocator is
// not glibc's.
void KeepMemory();

}  // namespace palimpsest

#endif  // PALIMPSEST_BENCH_KEPT_MEMORY_H_
