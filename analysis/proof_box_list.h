// Boxes of others, to find those that may meet a box. Private to
// analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_BOX_LIST_H_
#define PALIMPSEST_ANALYSIS_PROOF_BOX_LIST_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_box_index.h"

namespace palimpsest {
namespace proof {

// The boxes outlive it.
class BoxList {
 public:
  explicit BoxList(absl::Span<const Box> boxes) : boxes_(boxes) {
    for (const Box& box : boxes) reaches_.emplace_back(box);
    if (boxes.size() < kIndexed) return;
    for (size_t i = 0; i < boxes.size(); ++i) {
      index_.Insert(static_cast<int32_t>(i), reaches_[i]);
    }
  }

  // Calls visit(box), in the list's order, for each box that may meet this one.
  template <typename Visit>
  void ForEachMeeting(const Reach& reach, Visit visit) const {
    if (boxes_.size() < kIndexed) {
      for (size_t i = 0; i < boxes_.size(); ++i) {
        if (MayMeet(reaches_[i], reach)) visit(boxes_[i]);
      }
      return;
    }
    std::vector<int32_t> meeting;
    index_.AppendMeeting(reach, meeting);
    std::sort(meeting.begin(), meeting.end());
    for (int32_t i : meeting) visit(boxes_[i]);
  }

 private:
  static constexpr size_t kIndexed = 32;  // Fewer boxes are scanned.

  absl::Span<const Box> boxes_;
  std::vector<Reach> reaches_;
  BoxIndex index_;
};

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_BOX_LIST_H_
