// How many bytes a function writes, by the rules of a cost model that reads
// pure and in-place functions alike.

#ifndef PALIMPSEST_TOOLS_BYTES_WRITTEN_H_
#define PALIMPSEST_TOOLS_BYTES_WRITTEN_H_

#include <cstdint>

#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

// Counted with repetition, where a window overlaps itself. An op writes
//
//   a value          the value's bytes, wherever they lie (also `into`)
//   in place         the elements that it updates: all of its destination, or
//                    those that its index names; with a mask, as if all were
//                    set
//   a call           its new results, and its operands marked mut or upd
//   commit           the window
//   view, extract, contents, empty, bind     nothing
//
// (An extract need be no copy, and a value that is bound is made where it
// stays.) No more than INT64_MAX.
int64_t BytesWritten(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_BYTES_WRITTEN_H_
