// A proof that two functions do the same for all inputs, without running them.
//
// Both are run on symbolic contents. Moves (views, copies, assemble, commit,
// ..) move places; any other op makes a term of its operands' contents. Where
// that proves nothing an elementwise op makes one per box of them, since it
// commutes with moves. No algebra is done on values, so what is proved is equal
// bit for bit.
//
// It knows nothing of footprints, logs or transforms: what it checks shares no
// code with it.
//
// What it takes for granted: a call marked `pure` does not fail, and gives
// equal results for equal operands. What it refuses: values and storages of
// more than 2^56 bytes.

#ifndef PALIMPSEST_ANALYSIS_PROOF_H_
#define PALIMPSEST_ANALYSIS_PROOF_H_

#include <cstdint>
#include <string>

#include "analysis/overlapping_calls.h"
#include "ir/program.h"

namespace palimpsest {

// Where one of them is passed the answer is kNotProved. By default the proof
// takes at most about 1 GiB of memory.
struct ProofLimits {
  int64_t steps = int64_t{1} << 27;  // Splits of boxes, and the like.
  int64_t terms = int64_t{1} << 20;
  int64_t boxes = int64_t{1} << 21;  // At a time.
};

struct ProofOptions {
  ProofLimits limits;
  OverlappingCalls overlapping_calls = OverlappingCalls::kRefuse;
};

struct ProofResult {
  enum class Verdict {
    kProved,     // Equal for all inputs for which `a` is defined.
    kNotProved,  // Anything: they may be equal, or not.
  };
  Verdict verdict = Verdict::kNotProved;
  int64_t terms = 0;
  int64_t boxes = 0;   // That the results and storages are compared by.
  std::string reason;  // Where not proved: what differs, or what is in the way.

  // "proved: 12 terms, 3 boxes", or "not proved: ..".
  std::string ToString() const;
};

// Whether b does what a does: equal results (dtype, sizes, strides, values,
// which of them share a storage, and where in the caller's), equal final
// contents of every storage of the caller, equal calls with effects, in order.
// Where a leaves poison, b may leave anything. Near linear in the ops where
// windows are few boxes; at most the limit of steps, twice. Precondition: both
// verify.
ProofResult Prove(const Function& a, const Function& b,
                  const ProofOptions& options = {});

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_H_
