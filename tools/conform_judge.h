// Judges one recorded case: every program of it, against what was recorded and
// against each other.

#ifndef PALIMPSEST_TOOLS_CONFORM_JUDGE_H_
#define PALIMPSEST_TOOLS_CONFORM_JUDGE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "cuda/backend.h"
#include "tools/recorded_case.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

struct CaseVerdict {
  enum class Kind {
    kPassed,
    kFailed,
    kSkipped,  // `resolve` refuses the program, as an undefined one.
  };
  Kind kind = Kind::kPassed;
  std::string why;       // The first difference, or the refusal.
  std::string resolved;  // The texts, where there are such.
  std::string reinplaced;
  std::string unproved;  // Of a case that passed without a proof: why.
};

// In order, until one fails:
//
//   1. the program, run on the recorded contents, gives the recorded results
//      and storages (where no op is opaque), and results that alias as
//      recorded;
//   2. its resolved form verifies, is a pure func, and reads back as it prints;
//   3. that form, run on the same contents, gives the very bits of 1, and the
//      same aliasing;
//   4. so it does on random contents;
//   5. 2 to 4 hold of the form that is back in place, too, and it writes no
//      more bytes than the program, nor takes more temporary ones.
//
// Where all hold a proof is looked for, too; a case passes without one.
//
// `origin` stands for the case's text in messages. All is run on `backend`;
// null is the host.
CaseVerdict JudgeCase(const RecordedCase& recorded, absl::string_view origin,
                      const ResolveOptions& options, kernels::Backend* backend);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_CONFORM_JUDGE_H_
