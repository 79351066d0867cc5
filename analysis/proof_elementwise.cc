// An elementwise op commutes with moves, so each box of its operands' common
// refinement gets an elementwise term of its own (proof_terms.h).
//
// Operands are taken apart into planes, boxes of elements: one plane where all
// boxes hold whole elements, else one for each byte of the element. Bytes of an
// element that lie side by side are put together again as segments, so the
// segments do not depend on the planes.
//
// The term's coordinates are those of the segments, of which any two that step
// alike over the box share one: the first one's, plus a constant.

#include "analysis/proof_elementwise.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "analysis/proof_box.h"
#include "analysis/proof_box_list.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_terms.h"

namespace palimpsest {
namespace proof {
namespace {

constexpr int kMaxCoordinates = 16;

// Boxes whose lane 0 is the element's number; each holds the bytes from `first`
// on of its elements, that many, side by side or (step 0) all the same.
struct Plane {
  int32_t operand;
  int32_t first;
  int32_t bytes;
  int32_t step;
  std::vector<Box> boxes;
};

// The step of the bytes of whole elements, 1 or 0, where the box has such.
absl::optional<int32_t> StepOfWholeElements(const Box& box, int64_t width) {
  if (width == 1) return 0;
  const int last = box.rank() - 1;
  if (last < 0 || box.base(0) % width != 0 || box.size(last) % width != 0 ||
      box.step(last, 0) != 1) {
    return absl::nullopt;
  }
  for (int row = 0; row < last; ++row) {
    if (box.step(row, 0) % width != 0) return absl::nullopt;
  }
  for (int lane = 2; lane < box.lanes(); ++lane) {
    if (box.step(last, lane) != 0) return absl::nullopt;
  }
  const int64_t step = box.step(last, 1);
  if (step != 0 && step != 1) return absl::nullopt;
  return static_cast<int32_t>(step);
}

// The box by elements. Precondition: it has whole elements.
Box ByElements(const Box& box, int64_t width) {
  if (width == 1) return box;
  Box result = box;
  const int last = box.rank() - 1;
  result.size(last) /= width;
  for (int lane = 0; lane < box.lanes(); ++lane)
    result.step(last, lane) *= width;
  result.base(0) /= width;
  for (int row = 0; row <= last; ++row) result.step(row, 0) /= width;
  result.Normalize();
  return result;
}

class PlaneMaker {
 public:
  PlaneMaker(int64_t count, Budget& budget) : count_(count), budget_(budget) {}

  void Add(int32_t operand, const ElementOperand& of,
           std::vector<Plane>& planes) {
    absl::optional<int32_t> step = CommonStep(of);
    const int32_t width = static_cast<int32_t>(of.width);
    if (step) {
      planes.push_back({operand, 0, width, *step, {}});
      for (const Box& box : of.contents->boxes()) {
        planes.back().boxes.push_back(ByElements(box, width));
      }
      budget_.Make(of.contents->box_count());
      return;
    }
    for (int32_t byte = 0; byte < width; ++byte) {
      planes.push_back({operand, byte, 1, 0, {}});
      AddBytes(*of.contents, byte, width, planes.back());
    }
  }

 private:
  // Nullopt where not all boxes have whole elements of one step.
  static absl::optional<int32_t> CommonStep(const ElementOperand& of) {
    absl::optional<int32_t> common;
    for (const Box& box : of.contents->boxes()) {
      const absl::optional<int32_t> step = StepOfWholeElements(box, of.width);
      if (!step || (common && *common != *step)) return absl::nullopt;
      common = step;
    }
    return common ? common : absl::make_optional<int32_t>(0);
  }

  void AddBytes(const Contents& contents, int64_t byte, int64_t width,
                Plane& plane) {
    Box bytes(2);
    bytes.base(0) = byte;
    bytes.AddRow(count_, {width, 1});
    bytes.Normalize();
    for (const Box& box : contents.boxes()) {
      Parts parts;
      const int64_t others = budget_.boxes();
      Split(box, bytes, budget_, parts);
      budget_.SetBoxes(others + static_cast<int64_t>(parts.inside.size()));
      for (const Box& inside : parts.inside) {
        plane.boxes.push_back(MovedToLastLane(inside));
      }
    }
  }

  const int64_t count_;
  Budget& budget_;
};

// A box of elements with the places of all planes so far in its lanes.
struct Refined {
  Box box;
  absl::InlinedVector<TermId, 4> terms;  // A plane each.
};

std::vector<Refined> Refine(const std::vector<Plane>& planes, Budget& budget) {
  std::vector<Refined> refined;
  for (const Box& box : planes[0].boxes) refined.push_back({box, {box.term()}});
  budget.Make(static_cast<int64_t>(refined.size()));
  for (size_t i = 1; i < planes.size(); ++i) {
    const BoxList list(planes[i].boxes);
    std::vector<Refined> next;
    for (const Refined& part : refined) {
      list.ForEachMeeting(Reach(part.box), [&](const Box& box) {
        if (budget.exhausted()) return;
        const int64_t others = budget.boxes();
        Parts parts;
        Split(part.box, box, budget, parts);
        budget.SetBoxes(others + static_cast<int64_t>(parts.inside.size()));
        for (Box& inside : parts.inside) {
          next.push_back({std::move(inside), part.terms});
          next.back().terms.push_back(box.term());
        }
      });
    }
    budget.SetBoxes(budget.boxes() - static_cast<int64_t>(refined.size()));
    refined = std::move(next);
  }
  return refined;
}

// Where the first byte of a segment lies, on all points of a refined box.
struct Run {
  int32_t operand;
  int32_t bytes;
  int32_t step;
  TermId term;
  int lane;  // The lane of its first coordinate.
};

class TermMaker {
 public:
  TermMaker(int32_t label, int64_t width, const std::vector<Plane>& planes,
            TermTable& terms)
      : label_(label), width_(width), planes_(planes), terms_(terms) {}

  // The box of the result on this part. Nullopt: too many coordinates.
  absl::optional<Box> Make(const Refined& part) {
    Elements elements{label_, {}};
    lanes_.clear();
    for (const Run& run : RunsOf(part)) {
      elements.segments.push_back(SegmentOf(part.box, run));
    }
    const int coordinates = 1 + static_cast<int>(lanes_.size());
    if (coordinates > kMaxCoordinates) return absl::nullopt;
    const TermId term = terms_.Elementwise(std::move(elements), coordinates);
    return BoxOf(part.box, term);
  }

 private:
  std::vector<Run> RunsOf(const Refined& part) const {
    std::vector<Run> runs;
    int lane = 1;
    for (size_t i = 0; i < planes_.size(); ++i) {
      const Plane& plane = planes_[i];
      const Run run = {plane.operand, plane.bytes, plane.step, part.terms[i],
                       lane};
      lane += terms_.Get(run.term).coordinates;
      if (plane.first == 0 || !Extend(part.box, run, runs.back())) {
        runs.push_back(run);
      }
    }
    return runs;
  }

  // Adds a byte of the same operand to the run, where it lies next in it.
  bool Extend(const Box& box, const Run& byte, Run& run) const {
    if (byte.term != run.term) return false;
    const int count = terms_.Get(run.term).coordinates;
    for (int k = 0; k < count; ++k) {
      for (int row = 0; row < box.rank(); ++row) {
        if (box.step(row, byte.lane + k) != box.step(row, run.lane + k)) {
          return false;
        }
      }
      if (k > 0 && box.base(byte.lane + k) != box.base(run.lane + k)) {
        return false;
      }
    }
    const int64_t distance = box.base(byte.lane) - box.base(run.lane);
    if (run.bytes == 1 && (distance == 0 || distance == 1)) {
      run.step = static_cast<int32_t>(distance);
    } else if (distance != int64_t{run.step} * run.bytes || run.bytes == 1) {
      return false;
    }
    ++run.bytes;
    return true;
  }

  Segment SegmentOf(const Box& box, const Run& run) {
    Segment segment{run.operand, run.bytes, run.step, run.term, {}};
    const Term& term = terms_.Get(run.term);
    for (int k = 0; k < term.coordinates; ++k) {
      segment.place.push_back(CoordinateOf(box, run.lane + k, term, k));
    }
    return segment;
  }

  Coordinate CoordinateOf(const Box& box, int lane, const Term& term, int k) {
    const bool is_byte = term.kind == TermKind::kLiteral ||
                         (term.kind == TermKind::kElementwise && k == 0);
    if (is_byte && IsConstant(box, lane)) return {-1, box.base(lane)};
    size_t i = 0;
    while (i < lanes_.size() && !StepAlike(box, lanes_[i], lane)) ++i;
    if (i == lanes_.size()) lanes_.push_back(lane);
    return {static_cast<int32_t>(i) + 1, box.base(lane) - box.base(lanes_[i])};
  }

  static bool IsConstant(const Box& box, int lane) {
    for (int row = 0; row < box.rank(); ++row) {
      if (box.step(row, lane) != 0) return false;
    }
    return true;
  }

  static bool StepAlike(const Box& box, int lane, int other) {
    for (int row = 0; row < box.rank(); ++row) {
      if (box.step(row, lane) != box.step(row, other)) return false;
    }
    return true;
  }

  Box BoxOf(const Box& elements, TermId term) const {
    Box box(2 + static_cast<int>(lanes_.size()), term);
    absl::InlinedVector<int64_t, 8> steps(box.lanes(), 0);
    box.base(0) = elements.base(0) * width_;
    for (size_t i = 0; i < lanes_.size(); ++i) {
      box.base(i + 2) = elements.base(lanes_[i]);
    }
    for (int row = 0; row < elements.rank(); ++row) {
      steps[0] = elements.step(row, 0) * width_;
      for (size_t i = 0; i < lanes_.size(); ++i) {
        steps[i + 2] = elements.step(row, lanes_[i]);
      }
      box.AddRow(elements.size(row), steps);
    }
    steps.assign(box.lanes(), 0);
    steps[0] = steps[1] = 1;
    box.AddRow(width_, steps);
    box.Normalize();
    return box;
  }

  const int32_t label_;
  const int64_t width_;
  const std::vector<Plane>& planes_;
  TermTable& terms_;
  // Of the term's coordinates but the first.
  absl::InlinedVector<int, 8> lanes_;
};

}  // namespace

absl::optional<Contents> Elementwise(
    int32_t label, int64_t count, int64_t width,
    const std::vector<ElementOperand>& operands, TermTable& terms,
    Budget& budget) {
  Contents result(count * width);
  if (count == 0) return result;
  const int64_t others = budget.boxes();
  std::vector<Plane> planes;
  PlaneMaker maker(count, budget);
  for (size_t i = 0; i < operands.size(); ++i) {
    maker.Add(static_cast<int32_t>(i), operands[i], planes);
  }
  TermMaker term_maker(label, width, planes, terms);
  for (Refined& part : Refine(planes, budget)) {
    if (budget.exhausted() || terms.full()) return result;
    part.box.Normalize();
    absl::optional<Box> box = term_maker.Make(part);
    if (!box) return absl::nullopt;
    result.Add(*std::move(box));
  }
  result.SortBoxes();
  budget.SetBoxes(others + result.box_count());
  return result;
}

}  // namespace proof
}  // namespace palimpsest
