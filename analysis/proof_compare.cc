// Two contents are compared on the common refinement of their boxes.
//
// Two places with the same term and coordinates hold the same byte. So do
// places of two elementwise terms of one op, at the same byte of the element,
// if their segments' places do, one by one; that is looked at until it is
// proved or fails, and where poison may become anything, places of outputs of
// one op whose operands are compared in turn. Places are affine in the points
// of a box: all points are compared at once.

#include "analysis/proof_compare.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "analysis/proof_box.h"
#include "analysis/proof_box_list.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_terms.h"

namespace palimpsest {
namespace proof {
namespace {

// What is kept for each takes the memory of a box or two, and stays.
constexpr int64_t kStepsPerKey = 64;
// Of ops that read what others made: this many are looked through.
constexpr int kMaxDepth = 64;

Place PlaceAtBase(const Box& box, TermId term, int lane, int count) {
  Place place;
  place.term = term;
  for (int k = 0; k < count; ++k) {
    place.coordinates.push_back(box.base(lane + k));
  }
  return place;
}

bool SameBoxes(const Contents& a, const Contents& b) {
  return std::equal(a.boxes().begin(), a.boxes().end(), b.boxes().begin(),
                    b.boxes().end());
}

}  // namespace

Comparer::Places Comparer::PlacesIn(const Box& joined, TermId term, int lane,
                                    int count) {
  Places places{term, {}};
  for (int k = lane; k < lane + count; ++k) {
    places.numbers.push_back(joined.base(k));
    for (int row = 0; row < joined.rank(); ++row) {
      places.numbers.push_back(joined.step(row, k));
    }
  }
  return places;
}

// The places of the segment's first byte, for elements at these places.
Comparer::Places Comparer::PlacesOf(const Places& element,
                                    const Segment& segment) const {
  const size_t columns =
      element.numbers.size() / terms_.Get(element.term).coordinates;
  Places places{segment.term, {}};
  for (const Coordinate& coordinate : segment.place) {
    const size_t begin = places.numbers.size();
    places.numbers.resize(begin + columns, 0);
    if (coordinate.local >= 0) {
      std::copy_n(element.numbers.begin() + coordinate.local * columns, columns,
                  places.numbers.begin() + begin);
    }
    places.numbers[begin] += coordinate.constant;
  }
  return places;
}

bool Comparer::SamePlaces(const Box& joined, TermId a, TermId b) {
  const int of_a = terms_.Get(a).coordinates;
  const int of_b = terms_.Get(b).coordinates;
  if (a == b) {
    bool same = true;
    for (int k = 1; k <= of_a && same; ++k) {
      same = joined.base(k) == joined.base(of_a + k);
      for (int row = 0; row < joined.rank(); ++row) {
        same &= joined.step(row, k) == joined.step(row, of_a + k);
      }
    }
    if (same) return true;
  }
  const bool may_refine = relation_ == Relation::kRefines &&
                          terms_.Get(a).kind == TermKind::kOutput;
  if (terms_.Get(a).kind != TermKind::kElementwise && !may_refine) return false;
  return ProveAll(
      {{PlacesIn(joined, a, 1, of_a), PlacesIn(joined, b, 1 + of_a, of_b)}});
}

bool Comparer::ProveAll(std::vector<Pair> pairs) {
  auto& proved = proved_[static_cast<size_t>(relation_)];
  absl::flat_hash_set<std::vector<int64_t>> seen;
  while (!pairs.empty()) {
    if (!budget_.Spend(1)) return false;
    const Pair pair = std::move(pairs.back());
    pairs.pop_back();
    if (pair.a.term == pair.b.term && pair.a.numbers == pair.b.numbers)
      continue;
    std::vector<int64_t> key = {pair.a.term, pair.b.term};
    key.insert(key.end(), pair.a.numbers.begin(), pair.a.numbers.end());
    key.insert(key.end(), pair.b.numbers.begin(), pair.b.numbers.end());
    if (proved.contains(key) || !seen.insert(std::move(key)).second) continue;
    if (!budget_.Spend(kStepsPerKey)) return false;
    if (!RefinesOutput(pair) && !Expand(pair, pairs)) return false;
  }
  proved.insert(seen.begin(), seen.end());
  return true;
}

bool Comparer::RefinesOutput(const Pair& pair) {
  const Term& a = terms_.Get(pair.a.term);
  const Term& b = terms_.Get(pair.b.term);
  return relation_ == Relation::kRefines && a.kind == TermKind::kOutput &&
         b.kind == TermKind::kOutput && a.output == b.output &&
         pair.a.numbers == pair.b.numbers &&
         RefinesOperands(terms_.OpOf(pair.a.term), terms_.OpOf(pair.b.term));
}

bool Comparer::RefinesOperands(const WholeOp& a, const WholeOp& b) {
  if (a.label != b.label || a.is_call ||
      a.operands.size() != b.operands.size() || depth_ == kMaxDepth) {
    return false;
  }
  for (size_t i = 0; i < a.operands.size(); ++i) {
    const WholeOperand& of_a = a.operands[i];
    const WholeOperand& of_b = b.operands[i];
    if (of_a.form != of_b.form || of_a.dtype != of_b.dtype ||
        of_a.sizes != of_b.sizes) {
      return false;
    }
    if (of_a.contents == of_b.contents) continue;
    const std::pair<int32_t, int32_t> key(of_a.contents, of_b.contents);
    const auto known = refines_.find(key);
    if (known != refines_.end()) {
      if (!known->second) return false;
      continue;
    }
    ++depth_;
    const bool refines =
        !FindDifference(get_contents_(of_a.contents),
                        get_contents_(of_b.contents), Relation::kRefines);
    --depth_;
    refines_[key] = refines;
    if (!refines) return false;
  }
  return true;
}

// Replaces a pair of places in elementwise terms by those of their segments.
bool Comparer::Expand(const Pair& pair, std::vector<Pair>& pairs) const {
  if (terms_.Get(pair.a.term).kind != TermKind::kElementwise ||
      terms_.Get(pair.b.term).kind != TermKind::kElementwise) {
    return false;
  }
  const Elements& a = terms_.ElementsOf(pair.a.term);
  const Elements& b = terms_.ElementsOf(pair.b.term);
  if (a.label != b.label || a.segments.size() != b.segments.size())
    return false;
  const size_t columns =
      pair.a.numbers.size() / terms_.Get(pair.a.term).coordinates;
  if (!std::equal(pair.a.numbers.begin(), pair.a.numbers.begin() + columns,
                  pair.b.numbers.begin())) {
    return false;  // Not the same byte of the element.
  }
  for (size_t i = 0; i < a.segments.size(); ++i) {
    const Segment& of_a = a.segments[i];
    const Segment& of_b = b.segments[i];
    if (of_a.operand != of_b.operand || of_a.bytes != of_b.bytes ||
        of_a.step != of_b.step) {
      return false;
    }
    pairs.push_back({PlacesOf(pair.a, of_a), PlacesOf(pair.b, of_b)});
  }
  return true;
}

// A point at which the places differ. They are affine, so where they agree at
// the base they differ after a step of some row.
Box Comparer::DifferentPoint(const Box& joined, TermId a, TermId b) {
  Box base = joined;
  while (base.rank() > 0) base.EraseRow(0);
  for (int row = 0; row < joined.rank(); ++row) {
    Box next = base;
    for (int lane = 0; lane < joined.lanes(); ++lane) {
      next.base(lane) += joined.step(row, lane);
    }
    if (!SamePlaces(next, a, b) && SamePlaces(base, a, b)) return next;
  }
  return base;
}

absl::optional<Difference> Comparer::FindDifference(const Box& a,
                                                    const BoxList& bs) {
  const int64_t others = budget_.boxes();
  absl::optional<Difference> difference;
  std::vector<Box> left = {a};
  bs.ForEachMeeting(Reach(a), [&](const Box& b) {
    if (difference || budget_.exhausted()) return;
    Parts parts;
    for (const Box& box : left) Split(box, b, budget_, parts);
    for (Box& inside : parts.inside) {
      inside.Normalize();
      if (SamePlaces(inside, a.term(), b.term())) continue;
      const Box point = DifferentPoint(inside, a.term(), b.term());
      const int lanes = a.lanes();
      difference =
          Difference{point.base(0), PlaceAtBase(point, a.term(), 1, lanes - 1),
                     PlaceAtBase(point, b.term(), lanes, b.lanes() - 1)};
      return;
    }
    left = std::move(parts.outside);
    budget_.SetBoxes(others + static_cast<int64_t>(left.size()));
  });
  budget_.SetBoxes(others);
  if (difference || left.empty()) return difference;
  return Difference{left[0].base(0),
                    PlaceAtBase(left[0], a.term(), 1, a.lanes() - 1), Place()};
}

absl::optional<Difference> Comparer::FindDifference(const Contents& a,
                                                    const Contents& b,
                                                    Relation relation) {
  if (SameBoxes(a, b)) return absl::nullopt;
  relation_ = relation;
  const BoxList of_b(b.boxes());
  for (const Box& box : a.boxes()) {
    absl::optional<Difference> difference = FindDifference(box, of_b);
    if (difference) return difference;
  }
  if (relation == Relation::kRefines || a.defined() == b.defined()) {
    return absl::nullopt;
  }
  // All that a defines is alike, and b defines more.
  const BoxList of_a(a.boxes());
  for (const Box& box : b.boxes()) {
    absl::optional<Difference> difference = FindDifference(box, of_a);
    if (!difference) continue;
    std::swap(difference->a, difference->b);
    return difference;
  }
  return absl::nullopt;
}

}  // namespace proof
}  // namespace palimpsest
