#include "analysis/proof_box.h"

#include <algorithm>
#include <cstdint>

#include "absl/types/span.h"

namespace palimpsest {
namespace proof {

void Box::AddRow(int64_t size, absl::Span<const int64_t> steps) {
  numbers_.push_back(size);
  numbers_.insert(numbers_.end(), steps.begin(), steps.end());
  ++rank_;
}

void Box::PrependRow(int64_t size, absl::Span<const int64_t> steps) {
  const auto at = numbers_.insert(numbers_.begin() + lanes_, lanes_ + 1, size);
  std::copy(steps.begin(), steps.end(), at + 1);
  ++rank_;
}

void Box::EraseRow(int row) {
  const auto begin = numbers_.begin() + RowBegin(row);
  numbers_.erase(begin, begin + lanes_ + 1);
  --rank_;
}

void Box::Advance(int row, int64_t count) {
  if (count == 0) return;
  for (int lane = 0; lane < lanes_; ++lane) {
    base(lane) += count * step(row, lane);
  }
}

int64_t Box::Span(int first) const {
  int64_t span = 1;
  for (int row = first; row < rank_; ++row) {
    span += (size(row) - 1) * step(row, 0);
  }
  return span;
}

int64_t Box::count() const {
  int64_t count = 1;
  for (int row = 0; row < rank_; ++row) count *= size(row);
  return count;
}

bool Box::MergesWithNext(int row) const {
  for (int lane = 0; lane < lanes_; ++lane) {
    if (step(row, lane) != size(row + 1) * step(row + 1, lane)) return false;
  }
  return true;
}

void Box::Normalize() {
  for (int row = rank_ - 1; row >= 0; --row) {
    if (size(row) == 1) EraseRow(row);
  }
  for (int row = rank_ - 2; row >= 0; --row) {
    if (!MergesWithNext(row)) continue;
    size(row + 1) *= size(row);
    EraseRow(row);
  }
}

void Box::Sort() {
  for (int row = 0; row < rank_; ++row) {
    if (step(row, 0) >= 0) continue;
    Advance(row, size(row) - 1);
    for (int lane = 0; lane < lanes_; ++lane) step(row, lane) *= -1;
  }
  const auto row_at = [&](int row) { return numbers_.begin() + RowBegin(row); };
  for (int row = 1; row < rank_; ++row) {
    for (int i = row; i > 0 && step(i - 1, 0) < step(i, 0); --i) {
      std::swap_ranges(row_at(i - 1), row_at(i), row_at(i));
    }
  }
  Normalize();
}

bool Box::IsNested() const {
  for (int row = 0; row < rank_; ++row) {
    if (step(row, 0) < Span(row + 1)) return false;
  }
  return true;
}

Box Box::Select(absl::Span<const int> lanes) const {
  Box box(static_cast<int>(lanes.size()), term_);
  absl::InlinedVector<int64_t, 8> steps(lanes.size());
  for (size_t i = 0; i < lanes.size(); ++i) box.base(i) = base(lanes[i]);
  for (int row = 0; row < rank_; ++row) {
    for (size_t i = 0; i < lanes.size(); ++i) steps[i] = step(row, lanes[i]);
    box.AddRow(size(row), steps);
  }
  return box;
}

Reach::Reach(const Box& box)
    : begin(box.begin()), end(box.end()), step(0), block(1) {
  if (box.rank() == 0) return;
  int row = 0;
  while (row + 1 < box.rank() &&
         box.step(row, 0) == box.size(row + 1) * box.step(row + 1, 0)) {
    ++row;
  }
  block = box.Span(row + 1);
  if (box.step(row, 0) > block) step = box.step(row, 0);
}

bool MayMeet(const Reach& a, const Reach& b) {
  if (a.begin >= b.end || b.begin >= a.end) return false;
  // Modulo the larger step a box is a block, or small, or nothing is known.
  const int64_t step = std::max(a.step, b.step);
  if (step <= 1) return true;
  const int64_t of_a = a.step == step ? a.block : a.end - a.begin;
  const int64_t of_b = b.step == step ? b.block : b.end - b.begin;
  int64_t distance = (b.begin - a.begin) % step;
  if (distance < 0) distance += step;
  return distance < of_a || distance > step - of_b;
}

}  // namespace proof
}  // namespace palimpsest
