// The bytes that one op reads and writes, by the rules of cost.h.

#ifndef PALIMPSEST_ANALYSIS_OP_TRAFFIC_H_
#define PALIMPSEST_ANALYSIS_OP_TRAFFIC_H_

#include <cstdint>

#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

// Whether an op in place depends on what its destination holds: whether it
// computes with it, or only overwrites it, all of it or some. Precondition: the
// op is in place.
bool ReadsDestination(const Function& function, const Op& op);

// In bytes, at most INT64_MAX. O(operands).
struct OpTraffic {
  int64_t read = 0;
  int64_t written = 0;
};
OpTraffic TrafficOf(const Function& function, const Op& op);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_OP_TRAFFIC_H_
