// The verdict on two functions, as `check` and `resolve --check` say it.

#ifndef PALIMPSEST_TOOLS_CHECK_VERDICT_H_
#define PALIMPSEST_TOOLS_CHECK_VERDICT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/overlapping_calls.h"
#include "cuda/check.h"
#include "ir/program.h"
#include "tools/commands.h"

namespace palimpsest {

struct CheckVerdict {
  Exit exit = Exit::kDone;
  // "proved: 12 terms, 3 boxes"; or "equal on 3 inputs", then what weakens
  // that, a line each; or "different: .." with the first difference, then the
  // ops that it comes from.
  std::string text;
};

struct VerdictOptions {
  Option proof = Option::kOn;  // Look for one first; else run at once.
  OverlappingCalls overlapping_calls = OverlappingCalls::kRefuse;
  CheckOptions run;
};

// An error where there is no proof and the original cannot be run.
absl::StatusOr<CheckVerdict> Check(const Function& original,
                                   const Function& other,
                                   const VerdictOptions& options = {});

// Says that there is nothing to run on, and why.
absl::StatusOr<Exit> NoBackend(const absl::Status& why);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_CHECK_VERDICT_H_
