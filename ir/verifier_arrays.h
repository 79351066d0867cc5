// The rules about a Function's arrays as such. Private to the verifier.

#ifndef PALIMPSEST_IR_VERIFIER_ARRAYS_H_
#define PALIMPSEST_IR_VERIFIER_ARRAYS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

template <typename... Args>
absl::Status BrokenRule(int rule, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("rule ", rule, ": ", args...));
}

std::string DescribeOp(const Function& function, const Op& op);

// Rules 1 to 3, and 5 for the layouts.
absl::Status CheckArrays(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_VERIFIER_ARRAYS_H_
