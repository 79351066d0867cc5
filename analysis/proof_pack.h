// Boxes in little memory, to be kept. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_PACK_H_
#define PALIMPSEST_ANALYSIS_PROOF_PACK_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_contents.h"

namespace palimpsest {
namespace proof {

// The boxes, in their order, as text: about 15 bytes each where a box in use
// takes hundreds. Equal texts are equal boxes.
std::string Pack(absl::Span<const Box> boxes);

// Adds the boxes to contents. Precondition: `text` is from Pack().
void Unpack(absl::string_view text, Contents& to);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_PACK_H_
