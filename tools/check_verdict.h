// The verdict on two functions, as `check` and `resolve --check` say it.

#ifndef PALIMPSEST_TOOLS_CHECK_VERDICT_H_
#define PALIMPSEST_TOOLS_CHECK_VERDICT_H_

#include <string>

#include "absl/status/statusor.h"
#include "cuda/check.h"
#include "ir/program.h"
#include "tools/commands.h"

namespace palimpsest {

struct CheckVerdict {
  Exit exit = Exit::kDone;
  // "equal on 3 inputs", or "different: .." with the first difference; then
  // what weakens the verdict, a line each.
  std::string text;
};

// An error where the original cannot be run.
absl::StatusOr<CheckVerdict> Check(const Function& original,
                                   const Function& other,
                                   const CheckOptions& options = {});

// Says that there is no device to run on.
absl::StatusOr<Exit> NoCudaDevice();

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_CHECK_VERDICT_H_
