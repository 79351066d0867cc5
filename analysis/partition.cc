// Partition by digits. With the other window as a number system of levels
// v_1 > v_2 > .. > 1, an address a is start + d_1 v_1 + d_2 v_2 + .., each rest
// d_i+1 v_i+1 + .. in [0, v_i). It lies in the window iff 0 <= d_i < n_i for
// all levels.
//
// A box is *regular* at a level when no step of it carries: the rest stays in
// [0, v_i) over the whole box, so that the digit is an affine function of the
// box's indices. At each level, from the top:
//
//   1. A box that is not regular is split along the dimension that reaches
//      farthest, at the carries, so that each part carries less. Many carries
//      are dealt with at once: where the step divides v_i, whole periods become
//      one box of two dimensions (rows of a flat range); otherwise the phases
//      of the step modulo v_i become a box each (every third element).
//   2. A regular box whose digits leave [0, n_i) is split there; what is
//      outside is final.
//
// Both splits make the box smaller, so this ends; the budget bounds it.
//
// A box that is regular and in range at all levels is inside, and its place in
// the other's buffer is the digits' sum weighted with the buffer's strides.

#include "analysis/partition.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "analysis/floor_div.h"
#include "ir/check.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// More phases than this and the carries are split one by one instead.
constexpr int64_t kMaxPhases = 16;

int64_t CeilDiv(int64_t a, int64_t b) { return -FloorDiv(-a, b); }

using Steps = absl::InlinedVector<int64_t, 6>;

// The values of base + k . steps over the box's indices k.
struct Reach {
  int64_t low;
  int64_t high;

  bool Within(int64_t count) const { return low >= 0 && high < count; }
};

Reach ReachOf(const Box& box, int64_t base, const Steps& steps,
              int except = -1) {
  Reach reach{base, base};
  const BoxDim* const dims = box.dims.data();
  const int rank = static_cast<int>(steps.size());
  const int64_t* const step = steps.data();
  for (int j = 0; j < rank; ++j) {
    if (j == except) continue;
    const int64_t far = step[j] * (dims[j].extent - 1);
    (far < 0 ? reach.low : reach.high) += far;
  }
  return reach;
}

int FarthestReaching(const Box& box, const Steps& steps) {
  int best = 0;
  int64_t best_reach = -1;
  for (int j = 0; j < static_cast<int>(steps.size()); ++j) {
    const int64_t reach = std::abs(steps[j]) * (box.dims[j].extent - 1);
    if (reach > best_reach) {
      best = j;
      best_reach = reach;
    }
  }
  return best;
}

// The part of `box` with index first + step * [0, count) in dimension j.
Box Slice(const Box& box, int j, int64_t first, int64_t count,
          int64_t step = 1) {
  Box slice = box;
  BoxDim& dim = slice.dims[j];
  slice.address += first * dim.address;
  slice.subject += first * dim.subject;
  dim = {count, dim.address * step, dim.subject * step, 0};
  return slice;
}

void Flip(Box& box, int j) {
  BoxDim& dim = box.dims[j];
  box.address += (dim.extent - 1) * dim.address;
  box.subject += (dim.extent - 1) * dim.subject;
  dim.address = -dim.address;
  dim.subject = -dim.subject;
}

enum class Fate {
  kInside,
  kOutside,
  kCarries,  // It is not regular at a level,
  kLeaves,   // or is regular there and has digits inside and outside.
};

// The digits of a box at one level after another, as affine functions of its
// indices.
struct Digits {
  const DigitSystem::Level* level = nullptr;
  int64_t digit = 0;  // Of the box's first index, and per step of each other.
  Steps digit_steps;
  int64_t rest = 0;  // Below the level; likewise.
  Steps steps;

  // Down to the level that decides. Gives the box its place in the other's
  // buffer as far as that.
  Fate Walk(Box& box, const PlacedDigits& other) {
    const int rank = static_cast<int>(box.dims.size());
    rest = box.address - other.start();
    if (static_cast<int>(steps.size()) != rank) {
      steps.resize(rank);
      digit_steps.resize(rank);
    }
    BoxDim* const dims = box.dims.data();
    for (int j = 0; j < rank; ++j) {
      steps[j] = dims[j].extent == 1 ? 0 : dims[j].address;
      dims[j].target = 0;
    }
    box.target = other.buffer_start();
    for (const DigitSystem::Level& next : other.levels()) {
      level = &next;
      if (level->stride == 1) {  // The last.
        digit = rest;
        std::copy_n(steps.data(), rank, digit_steps.data());
      } else {
        TakeDigit(box);
        if (!ReachOf(box, rest, steps).Within(level->stride)) {
          return Fate::kCarries;
        }
      }
      const Reach digits = ReachOf(box, digit, digit_steps);
      if (digits.high < 0 || digits.low >= level->extent) return Fate::kOutside;
      if (!digits.Within(level->extent)) return Fate::kLeaves;
      box.target += digit * level->buffer;
      const int64_t* const digit_step = digit_steps.data();
      for (int j = 0; j < rank; ++j) {
        dims[j].target += digit_step[j] * level->buffer;
      }
    }
    return Fate::kInside;
  }

 private:
  void TakeDigit(const Box& box) {
    const int64_t stride = level->stride;
    digit = FloorDiv(rest, stride);
    rest -= digit * stride;
    const BoxDim* const dims = box.dims.data();
    const size_t rank = steps.size();
    int64_t* const step = steps.data();
    int64_t* const digit_step = digit_steps.data();
    for (size_t j = 0; j < rank; ++j) {
      digit_step[j] = 0;
      // A dimension of two elements is affine whatever it carries.
      if (std::abs(step[j]) >= stride || dims[j].extent == 2) {
        digit_step[j] = FloorDiv(rest + step[j], stride);
        step[j] -= digit_step[j] * stride;
      }
    }
  }
};

class Partitioner {
 public:
  // Appends to the result.
  Partitioner(const PlacedDigits& other, int max_boxes, Partition& result)
      : other_(other), max_boxes_(max_boxes), result_(result) {}

  // False where it is over the budget.
  bool Run(const Box& subject) {
    if (subject.dims.size() == 1 && subject.dims[0].address == 1 &&
        other_.levels().size() == 1) {
      RunOnInterval(subject);
      return BoxCount() <= max_boxes_;
    }
    Box box = subject;
    Place(box);
    while (!pending_.empty()) {
      if (BoxCount() > max_boxes_) return false;
      box = std::move(pending_.back());
      pending_.pop_back();
      Place(box);
    }
    // A split stops short when it is over the budget: what is there is not all.
    return BoxCount() <= max_boxes_;
  }

 private:
  int BoxCount() const {
    return static_cast<int>(pending_.size() + result_.inside.size() +
                            result_.outside.size());
  }

  // Both are intervals.
  void RunOnInterval(const Box& box) {
    const DigitSystem::Level& level = other_.levels()[0];
    const int64_t extent = box.dims[0].extent;
    const int64_t begin = other_.start() - box.address;
    const int64_t first = std::min(std::max<int64_t>(begin, 0), extent);
    const int64_t last =
        std::max(std::min(begin + level.extent, extent), first);
    if (first == last) return result_.outside.push_back(box);
    if (first > 0) result_.outside.push_back(Slice(box, 0, 0, first));
    if (last < extent) {
      result_.outside.push_back(Slice(box, 0, last, extent - last));
    }
    Box& inside =
        result_.inside.emplace_back(Slice(box, 0, first, last - first));
    inside.target = other_.buffer_start() + (first - begin) * level.buffer;
    inside.dims[0].target = level.buffer;
  }

  // Puts the box where it belongs, or parts of it on pending_.
  void Place(Box& box) {
    switch (digits_.Walk(box, other_)) {
      case Fate::kInside:
        result_.inside.push_back(std::move(box));
        return;
      case Fate::kOutside:
        result_.outside.push_back(std::move(box));
        return;
      case Fate::kCarries:
        return SplitAtCarries(box, digits_.rest, digits_.steps,
                              digits_.level->stride);
      case Fate::kLeaves:
        return SplitAtEnds(box, digits_.digit, digits_.digit_steps,
                           digits_.level->extent);
    }
  }

  void SplitAtCarries(Box& box, int64_t rest, const Steps& steps,
                      int64_t stride) {
    const int j = FarthestReaching(box, steps);
    const int64_t extent = box.dims[j].extent;
    const int64_t step = std::abs(steps[j]);
    const int64_t carries = step * (extent - 1) / stride;
    const int64_t phases = stride / std::gcd(stride, step);
    if (carries > 2) {
      if (stride % step == 0 && SplitIntoPeriods(box, j, rest, steps, stride)) {
        return;
      }
      if (phases <= kMaxPhases && phases < extent) {
        for (int64_t phase = 0; phase < phases; ++phase) {
          pending_.push_back(
              Slice(box, j, phase, CeilDiv(extent - phase, phases), phases));
        }
        return;
      }
    }
    SplitAtEachCarry(box, j, rest, steps, stride);
  }

  // Runs of dimension j over which the carry is the same for the whole box;
  // single indices where it is not.
  void SplitAtEachCarry(const Box& box, int j, int64_t rest, const Steps& steps,
                        int64_t stride) {
    const Reach others = ReachOf(box, rest, steps, j);
    const int64_t step = steps[j];
    const int64_t extent = box.dims[j].extent;
    for (int64_t k = 0; k < extent;) {
      int64_t last = k;
      const int64_t carry = FloorDiv(others.low + step * k, stride);
      if (carry == FloorDiv(others.high + step * k, stride)) {
        last = step > 0 ? ((carry + 1) * stride - 1 - others.high) / step
                        : (others.low - carry * stride) / -step;
        last = std::min(last, extent - 1);
      }
      pending_.push_back(Slice(box, j, k, last - k + 1));
      if (BoxCount() > max_boxes_) return;
      k = last + 1;
    }
  }

  // Dimension j, whose step divides the stride, as the rest of a period, whole
  // periods, and the rest. False where the other dimensions carry in a period.
  bool SplitIntoPeriods(Box& box, int j, int64_t rest, const Steps& steps,
                        int64_t stride) {
    const Reach others = ReachOf(box, 0, steps, j);
    const int64_t extent = box.dims[j].extent;
    const int64_t step = std::abs(steps[j]);
    if (steps[j] < 0) rest += steps[j] * (extent - 1);
    rest -= FloorDiv(rest, stride) * stride;
    const int64_t head = rest < step ? 0 : CeilDiv(stride - rest, step);
    const int64_t phase = (rest + head * step) % stride;
    if (phase + others.low < 0 || phase + others.high >= step) return false;
    const int64_t length = stride / step;
    const int64_t periods = (extent - head) / length;
    if (periods < 1) return false;

    if (steps[j] < 0) Flip(box, j);
    const int64_t tail = head + periods * length;
    if (head > 0) pending_.push_back(Slice(box, j, 0, head));
    if (tail < extent) pending_.push_back(Slice(box, j, tail, extent - tail));
    Box middle = Slice(box, j, head, length);
    const BoxDim dim = middle.dims[j];
    middle.dims.insert(
        middle.dims.begin() + j,
        BoxDim{periods, dim.address * length, dim.subject * length});
    pending_.push_back(std::move(middle));
    return true;
  }

  // A regular box whose digits leave [0, count): whole runs of its farthest-
  // reaching dimension that are inside or outside, single indices where the
  // other dimensions decide.
  void SplitAtEnds(Box& box, int64_t digit, Steps& digit_steps, int64_t count) {
    const int j = FarthestReaching(box, digit_steps);
    const int64_t extent = box.dims[j].extent;
    if (digit_steps[j] < 0) {
      digit += digit_steps[j] * (extent - 1);
      digit_steps[j] = -digit_steps[j];
      Flip(box, j);
    }
    const int64_t step = digit_steps[j];
    const Reach others = ReachOf(box, digit, digit_steps, j);
    auto clamp = [&](int64_t k) {
      return std::min(std::max<int64_t>(k, 0), extent);
    };
    // Indices below `first` and from `last` on are outside.
    const int64_t first = clamp(FloorDiv(-1 - others.high, step) + 1);
    const int64_t last = clamp(CeilDiv(count - others.low, step));
    // Those in [inner, inner_end) are inside; there may be none.
    const int64_t inner = std::max(first, clamp(CeilDiv(-others.low, step)));
    const int64_t inner_end =
        std::max(inner, clamp(FloorDiv(count - 1 - others.high, step) + 1));
    if (first > 0) result_.outside.push_back(Slice(box, j, 0, first));
    if (last < extent) {
      result_.outside.push_back(Slice(box, j, last, extent - last));
    }
    if (inner < inner_end) {
      pending_.push_back(Slice(box, j, inner, inner_end - inner));
    }
    PushSingles(box, j, first, std::min(inner, last));
    PushSingles(box, j, std::max(inner_end, first), last);
  }

  void PushSingles(const Box& box, int j, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end && BoxCount() <= max_boxes_; ++k) {
      pending_.push_back(Slice(box, j, k, 1));
    }
  }

  const PlacedDigits& other_;
  const int max_boxes_;
  Digits digits_;
  absl::InlinedVector<Box, 3> pending_;
  Partition& result_;
};

// PlaceIn() for a window that is an interval: one level, of stride 1.
absl::optional<Box> PlaceInInterval(const Box& subject,
                                    const PlacedDigits& other) {
  const DigitSystem::Level& level = other.levels()[0];
  Box box = subject;
  const int64_t first = box.address - other.start();
  int64_t low = first;
  int64_t high = first;
  for (BoxDim& dim : box.dims) {
    const int64_t step = dim.extent == 1 ? 0 : dim.address;
    (step < 0 ? low : high) += step * (dim.extent - 1);
    dim.target = step * level.buffer;
  }
  if (low < 0 || high >= level.extent) return absl::nullopt;
  box.target = other.buffer_start() + first * level.buffer;
  return box;
}

}  // namespace

Box Box::Of(const Layout& layout, int64_t offset) {
  const int64_t width = WidthOf(layout.dtype);
  Box box;
  box.address = offset * width;
  box.dims.resize(layout.rank() + 1);
  box.dims.back() = {width, 1, 1};
  int64_t buffer = width;
  for (int i = layout.rank() - 1; i >= 0; --i) {
    const int64_t stride = layout.sizes[i] == 1 ? 0 : layout.strides[i] * width;
    box.dims[i] = {layout.sizes[i], stride, buffer};
    buffer *= layout.sizes[i];
  }
  return box;
}

int64_t Box::bytes() const {
  int64_t count = 1;
  for (const BoxDim& dim : dims) count *= dim.extent;
  return count;
}

DigitSystem DigitSystem::Interval(int64_t begin, int64_t count) {
  DigitSystem system;
  system.start_ = begin;
  system.levels_.push_back({count, 1, 1});
  return system;
}

absl::optional<DigitSystem> DigitSystem::Of(const Layout& layout,
                                            int64_t offset) {
  const Box box = Box::Of(layout, offset);
  DigitSystem system;
  system.start_ = box.address;
  for (const BoxDim& dim : box.dims) {
    if (dim.extent == 1 || dim.address == 0) continue;
    Level level{dim.extent, dim.address, dim.subject};
    if (level.stride < 0) {
      system.start_ += (level.extent - 1) * level.stride;
      system.buffer_start_ += (level.extent - 1) * level.buffer;
      level.stride = -level.stride;
      level.buffer = -level.buffer;
    }
    system.levels_.push_back(level);
  }
  auto& levels = system.levels_;
  std::stable_sort(
      levels.begin(), levels.end(),
      [](const Level& a, const Level& b) { return a.stride > b.stride; });
  if (levels.empty() || levels.back().stride != 1) levels.push_back({1, 1, 1});
  if (!system.Merge()) return absl::nullopt;
  return system;
}

DigitSystem DigitSystem::OfBuffer(const Layout& layout, int64_t offset) {
  const Box box = Box::Of(layout, offset);
  DigitSystem system;
  system.buffer_start_ = box.address;
  for (const BoxDim& dim : box.dims) {
    if (dim.extent == 1) continue;
    system.levels_.push_back({dim.extent, dim.subject, dim.address});
  }
  auto& levels = system.levels_;
  if (levels.empty() || levels.back().stride != 1) levels.push_back({1, 1, 1});
  PALIMPSEST_CHECK(system.Merge());
  return system;
}

bool DigitSystem::Merge() {
  // From the innermost outwards; `kept` is the first level kept.
  auto& levels = levels_;
  int kept = static_cast<int>(levels.size()) - 1;
  int64_t span = levels[kept].extent - 1;
  for (int i = kept - 1; i >= 0; --i) {
    const Level& outer = levels[i];
    Level& inner = levels[kept];
    if (outer.stride <= span) return false;
    span += outer.stride * (outer.extent - 1);
    if (outer.stride == inner.stride * inner.extent &&
        outer.buffer == inner.buffer * inner.extent) {
      inner.extent *= outer.extent;
    } else {
      levels[--kept] = outer;
    }
  }
  levels.erase(levels.begin(), levels.begin() + kept);
  return true;
}

absl::optional<Partition> PartitionBy(const Box& subject,
                                      const PlacedDigits& other,
                                      int max_boxes) {
  Partition result;
  if (!Partitioner(other, max_boxes, result).Run(subject)) return absl::nullopt;
  return result;
}

bool PartitionInto(const Box& subject, const PlacedDigits& other, int max_boxes,
                   Partition& result) {
  result.inside.clear();
  result.outside.clear();
  return Partitioner(other, max_boxes, result).Run(subject);
}

absl::optional<Box> PlaceIn(const Box& subject, const PlacedDigits& other) {
  if (other.levels().size() == 1) return PlaceInInterval(subject, other);
  Box box = subject;
  Digits digits;
  if (digits.Walk(box, other) != Fate::kInside) return absl::nullopt;
  return box;
}

}  // namespace palimpsest
