// Boxes: strided sets of bytes, each byte with the place that its value comes
// from. Private to analysis/proof*.
//
// A box has lanes. Lane 0 is an address in a buffer; the other lanes are the
// coordinates of a place in a term (proof_terms.h). A box with rows (n_i, v_i)
// stands for the points
//
//     base + k_1*v_1 + ... + k_d*v_d        0 <= k_i < n_i
//
// where base and the v_i have a number per lane. Lane 0 of the rows is
// positive, descending and nested: every row steps at least over all that the
// rows after it reach. So no two points have one address. Single elements have
// no rows.

#ifndef PALIMPSEST_ANALYSIS_PROOF_BOX_H_
#define PALIMPSEST_ANALYSIS_PROOF_BOX_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace palimpsest {
namespace proof {

class Box {
 public:
  // A single point, at 0 in every lane.
  explicit Box(int lanes, int32_t term = -1)
      : numbers_(lanes, 0), lanes_(lanes), term_(term) {}

  int lanes() const { return lanes_; }
  int rank() const { return rank_; }
  int32_t term() const { return term_; }

  int64_t base(int lane) const { return numbers_[lane]; }
  int64_t& base(int lane) { return numbers_[lane]; }
  int64_t size(int row) const { return numbers_[RowBegin(row)]; }
  int64_t& size(int row) { return numbers_[RowBegin(row)]; }
  int64_t step(int row, int lane) const {
    return numbers_[RowBegin(row) + 1 + lane];
  }
  int64_t& step(int row, int lane) {
    return numbers_[RowBegin(row) + 1 + lane];
  }
  // A row's steps in all lanes.
  absl::Span<const int64_t> steps(int row) const {
    return absl::MakeConstSpan(numbers_).subspan(RowBegin(row) + 1, lanes_);
  }

  // `steps` has a number per lane.
  void AddRow(int64_t size, absl::Span<const int64_t> steps);
  void PrependRow(int64_t size, absl::Span<const int64_t> steps);
  void EraseRow(int row);
  // Moves the base by `count` steps of the row.
  void Advance(int row, int64_t count);

  int64_t begin() const { return base(0); }         // The first address,
  int64_t end() const { return base(0) + Span(); }  // and after the last.
  // How far the addresses from row `first` on reach.
  int64_t Span(int first = 0) const;
  int64_t count() const;  // Of points.

  // The same points with as few rows as neighbours merge to.
  void Normalize();
  // Makes lane 0 positive, sorts the rows by it, and normalizes.
  void Sort();
  bool IsNested() const;  // Precondition: sorted.

  // A box of the given lanes of this one, in that order; rows as they are.
  Box Select(absl::Span<const int> lanes) const;

  friend bool operator==(const Box& a, const Box& b) {
    return a.term_ == b.term_ && a.lanes_ == b.lanes_ &&
           a.numbers_ == b.numbers_;
  }

 private:
  int RowBegin(int row) const { return lanes_ + row * (lanes_ + 1); }
  bool MergesWithNext(int row) const;

  absl::InlinedVector<int64_t, 12> numbers_;  // The base; per row size, steps.
  int16_t lanes_;
  int16_t rank_ = 0;
  int32_t term_;
};

// What is looked at first: where a box lies, and how its outermost row steps,
// rows that go on as the next one does taken for one.
struct Reach {
  explicit Reach(const Box& box);

  int64_t begin;
  int64_t end;
  int64_t step;   // 0 where the addresses have no gap.
  int64_t block;  // The span of the rows inside.
};

// False is a proof that no address of one box is an address of the other.
bool MayMeet(const Reach& a, const Reach& b);

// What the proof may still spend: steps, and boxes in memory at a time. Once
// exhausted, whatever was computed means nothing.
class Budget {
 public:
  explicit Budget(int64_t steps, int64_t boxes = INT64_MAX)
      : left_(steps), max_boxes_(boxes) {}

  bool Spend(int64_t steps) {
    left_ -= steps;
    return !exhausted();
  }

  // Boxes count from when they are made until whoever made them says how many
  // there are: what boxes() was before, and those kept.
  void Make(int64_t boxes) { SetBoxes(boxes_ + boxes); }
  void SetBoxes(int64_t boxes) {
    boxes_ = boxes;
    too_many_boxes_ |= boxes_ > max_boxes_;
  }
  int64_t boxes() const { return boxes_; }

  bool out_of_boxes() const { return too_many_boxes_; }
  bool exhausted() const { return left_ < 0 || too_many_boxes_; }

 private:
  int64_t left_;
  const int64_t max_boxes_;
  int64_t boxes_ = 0;
  bool too_many_boxes_ = false;
};

struct Parts {
  std::vector<Box> inside;   // Lanes of a, then those of b but for its lane 0.
  std::vector<Box> outside;  // Lanes of a.

  int64_t size() const {
    return static_cast<int64_t>(inside.size() + outside.size());
  }
};

// Splits a into the parts whose addresses b has and those whose addresses it
// has not, and appends them, not normalized. Exact. The budget's boxes are
// those that it appends.
void Split(const Box& a, const Box& b, Budget& budget, Parts& parts);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_BOX_H_
