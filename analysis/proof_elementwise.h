// Elementwise ops on contents. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_ELEMENTWISE_H_
#define PALIMPSEST_ANALYSIS_PROOF_ELEMENTWISE_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/proof_box.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_terms.h"

namespace palimpsest {
namespace proof {

// Row-major, of the sizes of the result.
struct ElementOperand {
  const Contents* contents;
  int64_t width;  // In bytes, of an element.
};

// The contents of the result: a box per box of the operands' common refinement.
// Elements that have poison in an operand are poison. Nullopt where a box would
// need a term of too many coordinates. The budget's boxes are the result's.
absl::optional<Contents> Elementwise(
    int32_t label, int64_t count, int64_t width,
    const std::vector<ElementOperand>& operands, TermTable& terms,
    Budget& budget);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_ELEMENTWISE_H_
