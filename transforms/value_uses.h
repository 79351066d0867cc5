// Who reads each value of a function, in order.

#ifndef PALIMPSEST_TRANSFORMS_VALUE_USES_H_
#define PALIMPSEST_TRANSFORMS_VALUE_USES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/program.h"

namespace palimpsest {

struct ValueUse {
  OpId op;  // ValueUses::returned() where the function returns it.
  int32_t operand = 0;
};

class ValueUses {
 public:
  // O(size).
  explicit ValueUses(const Function& function);

  absl::Span<const ValueUse> Of(ValueId value) const {
    const int32_t begin = begins_[value.value];
    return absl::MakeConstSpan(uses_).subspan(begin,
                                              begins_[value.value + 1] - begin);
  }
  // Stands for an op behind the last.
  OpId returned() const { return returned_; }

 private:
  OpId returned_;
  std::vector<int32_t> begins_;
  std::vector<ValueUse> uses_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_VALUE_USES_H_
