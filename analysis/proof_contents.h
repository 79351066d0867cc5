// Contents: what the bytes of a buffer are, as disjoint boxes of places in
// terms. A byte in no box is poison. Private to analysis/proof*.
//
// The same contents have many decompositions into boxes. Questions about them
// (proof_compare.h) do not depend on which it is.

#ifndef PALIMPSEST_ANALYSIS_PROOF_CONTENTS_H_
#define PALIMPSEST_ANALYSIS_PROOF_CONTENTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_box_index.h"
#include "analysis/proof_route.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {

class Contents {
 public:
  Contents() = default;                                // No bytes.
  explicit Contents(int64_t bytes) : bytes_(bytes) {}  // Poison.

  // The first bytes of a term that has one coordinate.
  static Contents OfTerm(int32_t term, int64_t bytes);

  int64_t bytes() const { return bytes_; }
  absl::Span<const Box> boxes() const { return boxes_; }
  int64_t box_count() const { return static_cast<int64_t>(boxes_.size()); }
  int64_t defined() const;  // How many bytes are not poison.

  // Precondition: no byte of the box is in another.
  void Add(Box box);

  // The window's elements in row-major order. The budget's boxes are those of
  // the value. Precondition: it lies inside.
  Contents Read(const Layout& layout, int64_t offset, Budget& budget) const;

  // Writes a row-major value along the route. The budget's boxes are those by
  // which there are more, if not fewer, than before.
  void Write(const Contents& value, const WriteRoute& route, Budget& budget);

  // Sorts the boxes by their first address.
  void SortBoxes();

 private:
  // The boxes that may meet one that reaches so, in ascending order.
  std::vector<int32_t> Meeting(const Reach& reach) const;
  void Erase(size_t i);
  void ReadBox(const Box& box, const Box& route,
               absl::Span<const Repeat> repeats, Budget& budget,
               Contents& to) const;
  void MakePoison(const Box& addresses, Budget& budget);

  int64_t bytes_ = 0;
  std::vector<Box> boxes_;
  std::vector<Reach> reaches_;  // Of boxes_, in one place to be scanned.
  // Of boxes_, once there are many of them and some questions were asked, so
  // contents are not to be shared between threads.
  mutable absl::optional<BoxIndex> index_;
  mutable int scans_ = 0;
};

// The box in terms of its last lane, which becomes lane 0 in the stead of the
// present one. Private to analysis/proof*.
Box MovedToLastLane(const Box& box);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_CONTENTS_H_
