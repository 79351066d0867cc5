// Whether two footprints meet.
//
// a and b meet when  sum s_i*x_i - sum t_j*y_j = delta  has a solution within
// the extents, where s, t are the strides of a, b and delta = b.begin -
// a.begin.
//
// Digits (layer 3). Go through all strides by falling size; let G be the gcd of
// those seen. A cut here is valid if what remains of a, and what remains of b,
// reaches less than G. The strides seen since the last cut, a group, sum to a
// multiple of G, and what is left over lies in (-G, G): so at most two values
// of the group come into question, and each leaves the lower groups a target of
// their own, congruent modulo G: never more than two in all. A group of one or
// two different strides is solved in closed form. Slices of one contiguous
// parent (with steps, flips, permuted or broadcast) have a cut between any two
// of the parent's dimensions, so they never need more than that.
//
// That holds for the form in which only equal strides are merged: a dense merge
// makes one side's steps coarser than the other's and can undo a cut.

#include <algorithm>
#include <cstdint>

#include "absl/numeric/int128.h"
#include "absl/types/optional.h"
#include "analysis/footprint.h"
#include "analysis/footprint_bitset.h"
#include "analysis/footprint_search.h"
#include "ir/check.h"

namespace palimpsest {
namespace {

using footprint_internal::BitsetRelation;
using footprint_internal::CeilDiv;
using footprint_internal::CompareBits;
using footprint_internal::FitInt64;
using footprint_internal::FloorMod;
using footprint_internal::Gcd;
using footprint_internal::HaveFewElements;
using footprint_internal::MeetByElements;
using footprint_internal::Search;
using footprint_internal::SearchNodes;
using footprint_internal::SolveOne;
using footprint_internal::SolveTwo;
using footprint_internal::Variable;
using footprint_internal::Variables;

// What remains to be reached by the lower groups: at most two values.
template <typename Int>
class Targets {
 public:
  explicit Targets(Int target) : values_{target, target}, count_(1) {}
  Targets() = default;

  void Add(Int target) {
    if (count_ > 0 && values_[0] == target) return;
    if (count_ > 1 && values_[1] == target) return;
    PALIMPSEST_CHECK(count_ < 2);
    values_[count_++] = target;
  }
  const Int* begin() const { return values_; }
  const Int* end() const { return values_ + count_; }
  bool empty() const { return count_ == 0; }

 private:
  Int values_[2];
  int count_ = 0;
};

// Whether marking elements is allowed and less than a search.
bool MayMark(const FootprintShape& a, const FootprintShape& b,
             const FootprintLimits& limits) {
  return std::max(a.last(), b.last()) < limits.bitset_bytes &&
         HaveFewElements(a, b);
}

template <typename Int>
class DigitPass {
 public:
  DigitPass(const FootprintShape& a, const FootprintShape& b, Int delta,
            const FootprintLimits& limits)
      : shape_a_(a),
        shape_b_(b),
        limits_(limits),
        a_(a.dims().data()),
        a_end_(a_ + a.dims().size()),
        b_(b.dims().data()),
        b_end_(b_ + b.dims().size()),
        rest_a_(a.last()),
        rest_b_(b.last()),
        targets_(delta),
        nodes_(SearchNodes(std::max(a.last(), b.last()), limits)) {}

  OverlapResult Run() {
    while (a_ != a_end_ || b_ != b_end_) {
      TakeLargestStride();
      if (rest_a_ >= gcd_ || rest_b_ >= gcd_) continue;
      if (!CloseGroup()) return {Overlap::kUnknown, Layer::kUndecided};
      if (targets_.empty()) return {Overlap::kNo, layer_};
      group_.clear();
    }
    return {Overlap::kYes, layer_};
  }

 private:
  void TakeLargestStride() {
    const int64_t stride =
        std::max(a_ != a_end_ ? a_->stride : 0, b_ != b_end_ ? b_->stride : 0);
    Variable<Int> variable = {stride, 0, 0};
    if (a_ != a_end_ && a_->stride == stride) {
      variable.high = a_->extent - 1;
      rest_a_ -= variable.high * stride;
      ++a_;
    }
    if (b_ != b_end_ && b_->stride == stride) {
      variable.low = 1 - Int(b_->extent);
      rest_b_ += variable.low * stride;
      ++b_;
    }
    group_.push_back(variable);
    gcd_ = Gcd<Int>(gcd_, stride);
  }

  // Replaces each target by what the group can leave of it. False where the
  // search was given up.
  bool CloseGroup() {
    Targets<Int> left;
    for (const Int target : targets_) {
      Int multiple = CeilDiv<Int>(target - rest_a_, gcd_);
      for (Int value = multiple * gcd_; value <= target + rest_b_;
           value += gcd_, ++multiple) {
        const Overlap reached = Reach(value, multiple);
        if (reached == Overlap::kUnknown) return false;
        if (reached == Overlap::kYes) left.Add(target - value);
      }
    }
    targets_ = left;
    return true;
  }

  // Whether the group can sum to `value` = multiple * gcd_.
  Overlap Reach(Int value, Int multiple) {
    const Variable<Int>& first = group_[0];
    bool solved = false;
    if (group_.size() > 2) {
      if (MayMark(shape_a_, shape_b_, limits_)) return Overlap::kUnknown;
      layer_ = Layer::kSearch;
      return Search<Int>(group_, &nodes_).Solve(value);
    }
    if (group_.size() == 2) {
      solved = SolveTwo(first, group_[1], value);
    } else if (first.stride == gcd_) {
      solved = first.low <= multiple && multiple <= first.high;
    } else {
      solved = SolveOne(first, value);
    }
    return solved ? Overlap::kYes : Overlap::kNo;
  }

  const FootprintShape& shape_a_;
  const FootprintShape& shape_b_;
  const FootprintLimits& limits_;
  const ByteDim* a_;
  const ByteDim* a_end_;
  const ByteDim* b_;
  const ByteDim* b_end_;
  Int rest_a_;  // What the dimensions that are not yet taken reach.
  Int rest_b_;
  Int gcd_ = 0;
  Targets<Int> targets_;
  int64_t nodes_;
  Layer layer_ = Layer::kDigits;
  Variables<Int> group_;
};

// Runs of a.run() bytes at multiples of the common step against runs of
// b.run(): apart where neither run reaches the other's place in a step.
bool ResiduesAreApart(const FootprintShape& a, const FootprintShape& b,
                      int64_t delta) {
  const int64_t step = Gcd(a.step(), b.step());
  if (step == 0 || a.run() >= step || b.run() >= step) return false;
  const int64_t shift = FloorMod(delta, step);
  return shift >= a.run() && shift + b.run() <= step;
}

OverlapResult OverlapsByDigits(const FootprintShape& a, const FootprintShape& b,
                               int64_t delta, const FootprintLimits& limits) {
  if (FitInt64(a, b)) return DigitPass<int64_t>(a, b, delta, limits).Run();
  return DigitPass<absl::int128>(a, b, delta, limits).Run();
}

}  // namespace

OverlapResult Overlaps(FootprintRef a, FootprintRef b,
                       const FootprintLimits& limits) {
  constexpr auto kTooLarge = FootprintShape::Kind::kTooLarge;
  if (a.empty() || b.empty()) return {Overlap::kNo, Layer::kBounds};
  const FootprintShape& sa = a.shape();
  const FootprintShape& sb = b.shape();
  if (sa.kind() == kTooLarge || sb.kind() == kTooLarge) {
    return {Overlap::kUnknown, Layer::kUndecided};
  }
  if (a.last() < b.begin() || b.last() < a.begin()) {
    return {Overlap::kNo, Layer::kBounds};
  }
  // Both ends of a footprint belong to it, so one end of one of two intervals
  // that meet lies in the other.
  if (a.begin() == b.begin() || a.last() == b.last()) {
    return {Overlap::kYes, Layer::kNormalForm};
  }
  if (sa.is_interval() && (b.begin() > a.begin() || b.last() < a.last())) {
    return {Overlap::kYes, Layer::kNormalForm};
  }
  if (sb.is_interval() && (a.begin() > b.begin() || a.last() < b.last())) {
    return {Overlap::kYes, Layer::kNormalForm};
  }
  // The bounds meet, so the distance is at most an extent.
  const int64_t delta = b.begin() - a.begin();
  if (ResiduesAreApart(sa, sb, delta)) return {Overlap::kNo, Layer::kResidues};
  const OverlapResult digits = OverlapsByDigits(sa, sb, delta, limits);
  if (digits.overlap != Overlap::kUnknown) return digits;
  if (MayMark(sa, sb, limits)) {
    const bool meet = MeetByElements(a, b);
    return {meet ? Overlap::kYes : Overlap::kNo, Layer::kBitset};
  }
  const absl::optional<BitsetRelation> bits =
      CompareBits(a, b, limits.bitset_bytes);
  if (!bits) return {Overlap::kUnknown, Layer::kUndecided};
  return {bits->overlap ? Overlap::kYes : Overlap::kNo, Layer::kBitset};
}

}  // namespace palimpsest
