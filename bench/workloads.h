// The programs that benchmarks and tests resolve: what tensor programs that
// write in place look like, at any length.

#ifndef PALIMPSEST_BENCH_WORKLOADS_H_
#define PALIMPSEST_BENCH_WORKLOADS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/program.h"

namespace palimpsest {

struct Workload {
  absl::string_view name;
  // A function of about so many statements, views counted.
  Function (*make)(int64_t ops);
};

// W1: decoding steps that write a position of a cache through a view of it, and
// read that position.
Function KvCache(int64_t ops);
// W2: slices of one row, no two of which are alike (3,072 kinds), written in
// turn; another is read after each write.
Function ManyViews(int64_t ops);
// W3: a chain of views, a write through the last one, a read of the first.
Function ViewChain(int64_t ops);
// W4: a value written again and again.
Function PointwiseChain(int64_t ops);
// W5: parameters that overlap in one storage, all written, then all read.
Function AliasingInputs(int64_t ops);
// W6: the columns of a matrix, each written and read twice.
Function InterleavedColumns(int64_t ops);
// W7: the heads of a query-key-value tensor, scaled, shifted and overwritten.
Function Heads(int64_t ops);
// W8: random slices of four matrices, written, copied and read.
Function RandomMix(int64_t ops);
// W9: many parameters, each in a storage of its own, written; a copy of each is
// returned.
Function ManyStorages(int64_t ops);

absl::Span<const Workload> AllWorkloads();

}  // namespace palimpsest

#endif  // PALIMPSEST_BENCH_WORKLOADS_H_
