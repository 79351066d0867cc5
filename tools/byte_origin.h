// Which op a byte that the caller can see comes from.

#ifndef PALIMPSEST_TOOLS_BYTE_ORIGIN_H_
#define PALIMPSEST_TOOLS_BYTE_ORIGIN_H_

#include "absl/types/optional.h"
#include "cuda/compare.h"
#include "ir/ids.h"
#include "ir/program.h"

namespace palimpsest {

// In a function that writes in place: the last op that wrote the byte. In a
// pure one, where a commit only says that something is written: the op that
// made what is, through extracts and assembles. Nullopt for what was there at
// entry. O(ops), and at most the
// elements of a window whose strides interleave. Precondition: the function has
// that result or parameter, and the byte lies inside.
absl::optional<OpId> OriginOf(const Function& function, const BytePlace& place);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_BYTE_ORIGIN_H_
