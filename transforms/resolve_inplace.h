// resolve-inplace: a function that writes in place becomes a pure one that has
// the same effect: the same results, the same final contents of the caller's
// storages, the same aliasing between results and storages.

#ifndef PALIMPSEST_TRANSFORMS_RESOLVE_INPLACE_H_
#define PALIMPSEST_TRANSFORMS_RESOLVE_INPLACE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "analysis/footprint.h"
#include "analysis/overlapping_calls.h"
#include "ir/program.h"
#include "transforms/pure_emitter.h"

namespace palimpsest {

// A destination that touches a byte twice, unless all of its elements get one
// value: eager frameworks leave undefined which write wins.
enum class OverlappingWrites {
  kRefuse,
  kSequential,  // In row-major order: the last wins.
};

struct ResolveOptions {
  OverlappingWrites overlapping_writes = OverlappingWrites::kRefuse;
  OverlappingCalls overlapping_calls = OverlappingCalls::kRefuse;
  NegativeStrides negative_strides = NegativeStrides::kAllow;
};

struct ResolveStats {
  // Writes to the caller's storages that newer ones were found to cover: they
  // take no commit.
  int64_t dead_writes = 0;
  int64_t forwarded_reads = 0;  // Reads that took no op.
  int64_t candidates = 0;       // Definitions that the logs looked at.
  LayerCounts layers;           // What decided how windows relate.
};

struct Resolution {
  Function function;  // A pure func. Its ops know the source ops: Op::sources.
  ResolveStats stats;
};

// Precondition: the function verifies. A pure function comes back as it is.
// FailedPrecondition, located at the op (see LocationOf), where it is refused,
// and where a storage has more than 2^56 bytes. O((n + k) log n) for n ops and
// k overlapping pairs (read, write) that no merge hides.
absl::StatusOr<Resolution> ResolveInPlace(const Function& function,
                                          const ResolveOptions& options = {});

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_RESOLVE_INPLACE_H_
