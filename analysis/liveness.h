// Liveness: from which op to which the storages of a function, and the values
// of a pure one, are needed.
//
// In a func a storage is made by the first op with a result in it (or, for a
// `buffer`, the first that uses it) and needed until the last op that reads or
// writes any window of it. In a pure func an `extract` is a view: while it is
// needed, so is the value that it is of. What the caller has at the end is
// needed until then: its own storages, and what is returned.

#ifndef PALIMPSEST_ANALYSIS_LIVENESS_H_
#define PALIMPSEST_ANALYSIS_LIVENESS_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/program.h"

namespace palimpsest {

// Ops count from 0, in order. What is needed while op i runs has
// birth <= i <= death.
struct Lifetime {
  static constexpr int32_t kAtEntry = -1;  // As a birth.

  int32_t birth = kAtEntry;
  // The number of ops: the caller has it then. What no op uses after its birth
  // dies there; a buffer that none uses has its death, -1, at entry.
  int32_t death = kAtEntry;
};

class Liveness {
 public:
  // O(ops and their operands, values, storages).
  static Liveness Run(const Function& function);

  // In a pure func, where values have no storages: the caller's storages, and
  // those that `bind` makes.
  const Lifetime& Of(StorageId id) const { return storages_[id.value]; }
  // Precondition: a pure func.
  const Lifetime& Of(ValueId id) const { return values_[id.value]; }

  // The last op that depends on what the storage holds, which one that only
  // overwrites some of it does not (ReadsDestination in op_traffic.h); the
  // number of ops where the caller has it at the end, -1 where there is none.
  // Precondition: a func.
  int32_t LastReadOf(StorageId id) const { return last_reads_[id.value]; }

 private:
  Liveness() = default;
  void RunInPlace(const Function& function);
  void RunPure(const Function& function);

  std::vector<Lifetime> storages_;
  std::vector<Lifetime> values_;
  std::vector<int32_t> last_reads_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_LIVENESS_H_
