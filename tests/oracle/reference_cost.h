// How many ops a resolved function needs at most, by enumeration: every
// definition is kept, and each read is answered in the most straightforward way
// that the bytes allow (reference_log.h says what that costs).
//
// All else costs what it must: an op of the source is one op, and a cast where
// the result of a comparison is written to another dtype than bool; a clone
// none; a copy_ none, or an extract where it broadcasts; a fill_ one. Views and
// the epilogue's statements are no ops, what the epilogue reads is. Ops that
// nothing needs which the caller can see are not counted.
//
// Whether an op is needed is known at the end only. Until then its reads have
// been answered, and later reads may build on what was assembled for them:
// `ops_kept` counts all that was made on the way.

#ifndef PALIMPSEST_TESTS_ORACLE_REFERENCE_COST_H_
#define PALIMPSEST_TESTS_ORACLE_REFERENCE_COST_H_

#include <cstdint>

#include "ir/program.h"

namespace palimpsest {

struct ReferenceCost {
  int64_t ops = 0;
  int64_t ops_kept = 0;
  // Whether a parameter's window or one that is written overlaps itself, or its
  // dimensions interleave: that definition is no base and takes several
  // windows, which is not counted here.
  bool has_irregular_definitions = false;
  // Whether a row was read for a window that it spans.
  bool has_spans = false;
};

// Precondition: the function writes in place.
ReferenceCost CostByEnumeration(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_REFERENCE_COST_H_
