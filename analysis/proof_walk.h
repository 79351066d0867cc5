// Runs a function on symbolic contents. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_WALK_H_
#define PALIMPSEST_ANALYSIS_PROOF_WALK_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/overlapping_calls.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_evaluate.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {

// The caller's storages are counted in the order of the parameters.
std::vector<StorageId> CallerStorages(const Function& function);

// What a caller can see of a function.
struct Outcome {
  struct Result {
    DType dtype = DType::kU8;
    Dims sizes;
    Dims strides;
    int64_t offset = 0;  // In bytes, in its storage; 0 of an empty window.
    // A caller's storage, by number; or else which of the results' new
    // storages, counted as they appear.
    int32_t caller_storage = -1;
    int32_t new_storage = -1;
    Contents contents;  // Row-major. None in a caller's storage.
  };
  std::vector<Result> results;
  std::vector<Contents> storages;  // Of the caller, at the end.
  std::vector<int32_t> effects;    // The calls that are not pure: their op ids.
};

// Unimplemented where the function does what no term is made for, or is too
// large; ResourceExhausted where the budget or the terms come to an end.
absl::StatusOr<Outcome> Walk(const Function& function,
                             OverlappingCalls overlapping_calls,
                             Context& context);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_WALK_H_
