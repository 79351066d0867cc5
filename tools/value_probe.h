// A function cut short, whose only result is what one value shows at its last
// use: what leads to the result is what is behind the value.

#ifndef PALIMPSEST_TOOLS_VALUE_PROBE_H_
#define PALIMPSEST_TOOLS_VALUE_PROBE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

// The moment whose contents are looked at.
struct Moment {
  int32_t ops = 0;   // Those before it.
  std::string text;  // "as read by line 7: ..", ..
};

// When the value is returned, else when an op that is no view reads or writes
// it for the last time, else the function's end.
Moment LastUseOf(ValueId value, const Function& function);

struct ValueProbe {
  Function function;
  // By op of it: the op of the source, invalid for what was added.
  std::vector<OpId> sources;
};

// The source's ops before the moment, then a clone of the value, which is
// returned. Resolving leaves no trace of a move, so `clone` and `copy_` become
// pure calls of that name: what is resolved then has a step for each of them.
// Precondition: a function that writes in place.
ValueProbe ProbeValue(ValueId value, const Moment& moment,
                      const Function& source);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_VALUE_PROBE_H_
