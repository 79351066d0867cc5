// What an op overwrites that it has yet to read.

#ifndef PALIMPSEST_ANALYSIS_OP_OVERLAP_H_
#define PALIMPSEST_ANALYSIS_OP_OVERLAP_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/common_bytes.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

// An op reads all of its operands, then writes. Where its destination overlaps
// an operand, it has to keep the bytes of the overlap meanwhile. Not
//
//   where the op goes element by element (elementwise ops, copies, the operand
//   that an update starts as, a piece at its place), and element k of the
//   operand is element k of the destination;
//   for a call: what it keeps is its own affair.
//
// In a pure func this is about commits: of the caller's memory, to the caller's
// memory.
class OpOverlap {
 public:
  // The function must outlive it.
  explicit OpOverlap(const Function& function);

  // The bytes of the destination that are also an operand's, each counted once;
  // no less where CommonBytes() is not exact, or an `extract` is of a window
  // with gaps. In a pure func all ops are to be asked about, in order. Linear
  // in the operands, but for CommonBytes().
  int64_t BytesOf(const Op& op);

 private:
  // A window of a storage that is read; none where it has no storage.
  struct Place {
    Type window;
    bool is_whole = true;  // Else some of it is read.
  };
  using Windows = absl::InlinedVector<PlacedLayout, 4>;

  absl::optional<Type> DestinationOf(const Op& op) const;
  Place PlaceOf(const Operand& operand) const;
  Place PlaceReadBy(const Op& op, const Operand& operand) const;
  void NotePlaceOfResult(const Op& op);
  void AddSource(const Op& op, int i, const Type& destination,
                 Windows& sources) const;

  const Function& function_;
  std::vector<Place> places_;  // Of a pure func, by ValueId.
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_OP_OVERLAP_H_
