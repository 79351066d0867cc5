// After which op a walk may forget what. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_LIFETIMES_H_
#define PALIMPSEST_ANALYSIS_PROOF_LIFETIMES_H_

#include <vector>

#include "ir/program.h"

namespace palimpsest {
namespace proof {

// By op: the values that it is the last to read, and the storages that it is
// the last to read or write. What the caller sees at the end is in none.
struct Lifetimes {
  explicit Lifetimes(const Function& function);

  std::vector<std::vector<ValueId>> values;
  std::vector<std::vector<StorageId>> storages;
};

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_LIFETIMES_H_
