// Cost: the bytes that a function reads and writes, and the memory that it
// takes beside the caller's. One set of rules for pure functions and those that
// write in place, so that the two can be compared.
//
// Elements are counted with repetition, where a window overlaps itself or is an
// operand twice. An op reads
//
//   operands         all of their elements; of what is read by index, as many
//                    as the result has, and of a scattered source as many as
//                    the index has
//   a destination    in place, the elements that it updates, where the op
//                    computes with what they hold
//
// and writes
//
//   a value          the value's bytes, wherever they lie (also `into`)
//   in place         the elements that it updates: all of its destination, or
//                    those that its index names; with a mask, as if all were
//                    set
//   a call           its new results, and its operands marked mut or upd
//   commit           the window.
//
// View, contents, empty and bind write and read nothing, nor does an extract in
// a pure func: it need be no copy, and a value that is bound or returned is
// made where it stays. In a func an extract makes a copy.
//
// Temporary are, while an op runs: the storages, and the values of a pure func
// that are no views, that are live (analysis/liveness.h), results and operands
// of that op among them, and what it has to save of the operands that it
// overwrites (analysis/op_overlap.h). Not what is the caller's, or will be:
//
//   parameters and `contents`
//   of a storage, the bytes from the first to the last that is returned, for as
//   long as it lives: that is memory of the result's. What a storage has beside
//   them counts, so that no function hides its memory behind a result
//   a value that is returned or bound, and no view; the base of a view that is
//   returned counts, since the result is a copy of it.
//
// Which memory a back end would use again, and when it would return any, is not
// considered.

#ifndef PALIMPSEST_ANALYSIS_COST_H_
#define PALIMPSEST_ANALYSIS_COST_H_

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace palimpsest {

// In bytes; INT64_MAX stands for any number above it.
struct OpCost {
  int64_t read = 0;
  int64_t written = 0;
  int64_t temporary = 0;  // While it runs.
};

struct Cost {
  int64_t read = 0;
  int64_t written = 0;
  int64_t temporary = 0;  // At the peak.
};

// Precondition of both: the verifier accepts the function. O(ops and their
// operands, values, storages), but for CommonBytes() of operands that lie in
// their op's destination's storage.
std::vector<OpCost> CostByOp(const Function& function);
Cost CostOf(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_COST_H_
