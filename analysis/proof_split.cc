// Splitting one box by another, from the outermost rows inwards.
//
// Where both step by s outside, the blocks of b lie shifted against those of a
// by k blocks and a rest r, 0 <= r < s. Rows are nested, so a block of a meets
// at most two of b: the one that starts r after it and the one that starts s -
// r before it. Within the rows of a where the same of these exist, all blocks
// are split alike: one split of the inner rows does.
//
// Where the steps differ,
//   1. an interval that holds all of the other box needs no search;
//   2. a box that reaches no farther than one step of the other gets an outer
//      row of one block;
//   3. a row that is longer than the least common multiple of the steps is cut
//      into blocks of that length, the first of which starts where the other
//      box does, as near as its steps allow, and what is left at its ends;
//   4. else the blocks of the larger step are taken one by one.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"

namespace palimpsest {
namespace proof {
namespace {

using Steps = absl::InlinedVector<int64_t, 8>;

int64_t FloorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && a < 0);
}

// INT64_MAX where that does not hold it.
int64_t LeastCommonMultiple(int64_t a, int64_t b) {
  const absl::int128 multiple = absl::int128(a / std::gcd(a, b)) * b;
  return multiple > INT64_MAX ? INT64_MAX : static_cast<int64_t>(multiple);
}

int64_t Count(const std::vector<Box>& boxes) {
  return static_cast<int64_t>(boxes.size());
}

bool Disjoint(const Box& a, const Box& b) {
  return a.begin() >= b.end() || b.begin() >= a.end();
}

bool SameAddresses(const Box& a, const Box& b) {
  if (a.base(0) != b.base(0) || a.rank() != b.rank()) return false;
  for (int row = 0; row < a.rank(); ++row) {
    if (a.size(row) != b.size(row) || a.step(row, 0) != b.step(row, 0)) {
      return false;
    }
  }
  return true;
}

bool IsInterval(const Box& box) {
  return box.rank() == 1 && box.step(0, 0) == 1;
}

Steps JoinSteps(absl::Span<const int64_t> a, absl::Span<const int64_t> b) {
  Steps steps(a.begin(), a.end());
  steps.insert(steps.end(), b.begin() + 1, b.end());
  return steps;
}

// The points of a with the lanes of b too. Precondition: SameAddresses().
Box Join(const Box& a, const Box& b) {
  Box box(a.lanes() + b.lanes() - 1, a.term());
  for (int lane = 0; lane < a.lanes(); ++lane) box.base(lane) = a.base(lane);
  for (int lane = 1; lane < b.lanes(); ++lane) {
    box.base(a.lanes() + lane - 1) = b.base(lane);
  }
  for (int row = 0; row < a.rank(); ++row) {
    box.AddRow(a.size(row), JoinSteps(a.steps(row), b.steps(row)));
  }
  return box;
}

bool Holds(const Box& interval, const Box& box) {
  return IsInterval(interval) && interval.begin() <= box.begin() &&
         box.end() <= interval.end();
}

// The interval from `begin` on, without a row yet.
Box StartOf(const Box& interval, int64_t begin) {
  Box box = interval;
  box.Advance(0, begin - interval.begin());
  box.EraseRow(0);
  return box;
}

// Adds a row that steps by `step` addresses of the interval.
void AddRowOf(const Box& interval, int64_t size, int64_t step, Box& box) {
  if (size == 1) return;
  Steps steps;
  for (int64_t unit : interval.steps(0)) steps.push_back(unit * step);
  box.AddRow(size, steps);
}

// The part of the interval with the addresses of `box`, row by row.
Box StepAs(const Box& box, const Box& interval) {
  Box result = StartOf(interval, box.begin());
  for (int row = 0; row < box.rank(); ++row) {
    AddRowOf(interval, box.size(row), box.step(row, 0), result);
  }
  return result;
}

Box WithOuterRow(const Box& box, int64_t step) {
  Steps steps(box.lanes(), 0);
  steps[0] = step;
  Box result = box;
  result.PrependRow(1, steps);
  return result;
}

// Blocks [first, last) of the outermost row.
Box Blocks(const Box& box, int64_t first, int64_t last) {
  Box result = box;
  result.Advance(0, first);
  if (last - first == 1) {
    result.EraseRow(0);
  } else {
    result.size(0) = last - first;
  }
  return result;
}

// The outermost row cut into rows of `length` blocks, the first of which starts
// at `address`, less than a block before it, or whole rows from there; and the
// ends.
absl::InlinedVector<Box, 3> Cut(const Box& box, int64_t length,
                                int64_t address) {
  absl::InlinedVector<Box, 3> cut;
  const int64_t blocks = FloorDivide(address - box.base(0), box.step(0, 0));
  const int64_t phase = blocks - FloorDivide(blocks, length) * length;
  const int64_t rows = (box.size(0) - phase) / length;
  if (phase > 0) cut.push_back(Blocks(box, 0, phase));
  if (rows > 0) {
    cut.push_back(Blocks(box, phase, phase + length));
    if (rows > 1) {
      Steps steps;
      for (int64_t step : box.steps(0)) steps.push_back(step * length);
      cut.back().PrependRow(rows, steps);
    }
  }
  const int64_t last = phase + rows * length;
  if (last < box.size(0)) cut.push_back(Blocks(box, last, box.size(0)));
  return cut;
}

class Splitter {
 public:
  Splitter(Budget& budget, Parts& parts) : budget_(budget), parts_(parts) {}

  void Split(const Box& a, const Box& b) {
    if (!budget_.Spend(1)) return;
    if (Disjoint(a, b)) {
      AddOutside(a);
    } else if (SameAddresses(a, b)) {
      AddInside(Join(a, b));
    } else if (Holds(b, a)) {
      AddInside(Join(a, StepAs(a, b)));
    } else if (Holds(a, b)) {
      SplitInterval(a, b);
    } else {
      SplitByRows(a, b);
    }
  }

 private:
  // The blocks [first, last) of a that meet a block of b: block i of a meets
  // block i - shift of b, which starts `rest` after it.
  struct Meeting {
    int64_t shift;
    int64_t first;
    int64_t last;

    bool Holds(int64_t i) const { return first <= i && i < last; }
  };

  void AddInside(Box box) {
    budget_.Make(1);
    parts_.inside.push_back(std::move(box));
  }
  void AddOutside(Box box) {
    budget_.Make(1);
    parts_.outside.push_back(std::move(box));
  }

  static int64_t OuterStep(const Box& box) {
    return box.rank() == 0 ? 0 : box.step(0, 0);
  }

  // What each of b's boxes, in turn, leaves outside is split by the next.
  template <typename Bs>
  void SplitByAll(const Box& a, const Bs& bs) {
    std::vector<Box> left = {a};
    budget_.Make(1);
    for (const Box& b : bs) {
      const int64_t others = budget_.boxes() - parts_.size() - Count(left);
      const size_t mark = parts_.outside.size();
      for (const Box& box : left) Split(box, b);
      left.assign(std::make_move_iterator(parts_.outside.begin() + mark),
                  std::make_move_iterator(parts_.outside.end()));
      parts_.outside.resize(mark, Box(0));
      budget_.SetBoxes(others + parts_.size() + Count(left));
    }
    for (Box& box : left) parts_.outside.push_back(std::move(box));
  }

  // Outside b are the ends of the interval, and at each row of b what is left
  // of a step after a block.
  void SplitInterval(const Box& interval, const Box& b) {
    AddInside(Join(StepAs(b, interval), b));
    const auto add = [&](Box box, int64_t length) {
      if (length == 0) return;
      AddRowOf(interval, length, 1, box);
      AddOutside(std::move(box));
    };
    add(StartOf(interval, interval.begin()), b.begin() - interval.begin());
    add(StartOf(interval, b.end()), interval.end() - b.end());
    for (int row = 0; row < b.rank(); ++row) {
      if (b.size(row) == 1) continue;
      Box gaps = StartOf(interval, b.begin() + b.Span(row + 1));
      for (int outer = 0; outer < row; ++outer) {
        AddRowOf(interval, b.size(outer), b.step(outer, 0), gaps);
      }
      AddRowOf(interval, b.size(row) - 1, b.step(row, 0), gaps);
      add(std::move(gaps), b.step(row, 0) - b.Span(row + 1));
    }
  }

  void SplitByRows(const Box& a, const Box& b) {
    const int64_t of_a = OuterStep(a);
    const int64_t of_b = OuterStep(b);
    if (of_a == of_b) return Align(a, b);
    if (of_a < of_b && a.Span() <= of_b) return Align(WithOuterRow(a, of_b), b);
    if (of_b < of_a && b.Span() <= of_a) return Align(a, WithOuterRow(b, of_a));
    const int64_t multiple = LeastCommonMultiple(of_a, of_b);
    if (of_a < multiple && a.Span() > multiple) {
      for (const Box& part : Cut(a, multiple / of_a, b.begin())) Split(part, b);
    } else if (of_b < multiple && b.Span() > multiple) {
      SplitByAll(a, Cut(b, multiple / of_b, a.begin()));
    } else if (of_a > of_b) {
      for (int64_t i = 0; i < a.size(0) && !budget_.exhausted(); ++i) {
        Split(Blocks(a, i, i + 1), b);
      }
    } else {
      std::vector<Box> blocks;
      for (int64_t i = 0; i < b.size(0); ++i) {
        if (!budget_.Spend(1)) return;
        budget_.Make(1);
        blocks.push_back(Blocks(b, i, i + 1));
      }
      SplitByAll(a, blocks);
      budget_.SetBoxes(budget_.boxes() - Count(blocks));
    }
  }

  // Precondition: the outermost rows have the same step.
  void Align(const Box& a, const Box& b) {
    const int64_t step = a.step(0, 0);
    const int64_t shift = FloorDivide(b.base(0) - a.base(0), step);
    const int64_t rest = b.base(0) - a.base(0) - shift * step;
    const auto meeting = [&](int64_t by) {
      const int64_t first = std::max<int64_t>(0, by);
      const int64_t last = std::min(a.size(0), by + b.size(0));
      return first < last ? Meeting{by, first, last} : Meeting{by, 0, 0};
    };
    Meeting later{shift, 0, 0};
    Meeting earlier{shift + 1, 0, 0};
    if (rest < a.Span(1)) later = meeting(shift);
    if (rest - step + b.Span(1) > 0) earlier = meeting(shift + 1);

    absl::InlinedVector<int64_t, 6> cuts = {
        0, a.size(0), later.first, later.last, earlier.first, earlier.last};
    std::sort(cuts.begin(), cuts.end());
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i] == cuts[i + 1]) continue;
      absl::InlinedVector<Meeting, 2> meetings;
      for (const Meeting& m : {later, earlier}) {
        if (m.Holds(cuts[i])) meetings.push_back(m);
      }
      SplitBlocks(a, b, cuts[i], cuts[i + 1], meetings);
    }
  }

  // Blocks [first, last) of a, all of which have these meetings.
  void SplitBlocks(const Box& a, const Box& b, int64_t first, int64_t last,
                   absl::Span<const Meeting> meetings) {
    if (meetings.empty()) {
      AddOutside(Blocks(a, first, last));
      return;
    }
    const size_t inside = parts_.inside.size();
    const size_t outside = parts_.outside.size();
    absl::InlinedVector<Box, 2> blocks;
    for (const Meeting& meeting : meetings) {
      blocks.push_back(
          Blocks(b, first - meeting.shift, first - meeting.shift + 1));
    }
    const Box block = Blocks(a, first, first + 1);
    if (blocks.size() == 1) {
      Split(block, blocks[0]);
    } else {
      SplitByAll(block, blocks);
    }
    if (last - first == 1) return;
    const Steps steps = JoinSteps(a.steps(0), b.steps(0));
    for (size_t i = inside; i < parts_.inside.size(); ++i) {
      parts_.inside[i].PrependRow(last - first, steps);
    }
    for (size_t i = outside; i < parts_.outside.size(); ++i) {
      parts_.outside[i].PrependRow(last - first, a.steps(0));
    }
  }

  Budget& budget_;
  Parts& parts_;
};

}  // namespace

void Split(const Box& a, const Box& b, Budget& budget, Parts& parts) {
  const int64_t others = budget.boxes() - parts.size();
  Splitter(budget, parts).Split(a, b);
  budget.SetBoxes(others + parts.size());
}

}  // namespace proof
}  // namespace palimpsest
