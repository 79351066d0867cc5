// What a call does to memory that it is handed twice.

#ifndef PALIMPSEST_ANALYSIS_OVERLAPPING_CALLS_H_
#define PALIMPSEST_ANALYSIS_OVERLAPPING_CALLS_H_

namespace palimpsest {

// A call whose `mut` operand overlaps another otherwise than by the same map:
// only the callee knows.
enum class OverlappingCalls {
  kRefuse,
  kByValue,  // It reads all operands, then writes those marked, left to right.
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_OVERLAPPING_CALLS_H_
