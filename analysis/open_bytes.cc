// Boxes are what costs: a small write in the middle of a matrix leaves four,
// and the next one splits these. But most writes that a read finds lie apart
// from each other and are small beside what is read. While that is so, each of
// them shows, whatever the others leave, and no box is needed.

#include "analysis/open_bytes.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "analysis/footprint.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"

namespace palimpsest {
namespace {

// So many boxes of any window may be open.
constexpr int kMaxBoxes = 8;
// So many windows are compared with each other.
constexpr size_t kMaxTaken = 32;

}  // namespace

void OpenBytes::Open(const Window& window) {
  window_ = &window;
  // Two ends in each dimension, with some room for windows of another shape.
  max_boxes_ =
      std::max(kMaxBoxes, 4 * static_cast<int>(window.shape->box.dims.size()));
  boxes_.clear();
  taken_.clear();
  taken_bytes_ = 0;
  is_boxed_ = window.self_overlap() != Overlap::kNo;
  if (is_boxed_) boxes_.push_back(window.bytes_box());
}

bool OpenBytes::Take(const Window& by) {
  if (!is_boxed_) {
    if (IsApart(by)) {
      if (!windows_.MayOverlap(by, *window_)) return false;
      taken_.push_back(&by);
      taken_bytes_ += by.bytes();
      return true;
    }
    MakeBoxes();
  }
  const auto takes = windows_.Subtract(by, max_boxes_, boxes_);
  return takes ? *takes : windows_.MayOverlap(by, *window_);
}

// Whether it takes nothing that was taken before, and most stays open.
bool OpenBytes::IsApart(const Window& by) const {
  if (taken_.size() == kMaxTaken ||
      taken_bytes_ + by.bytes() > window_->bytes() / 2) {
    return false;
  }
  return std::none_of(taken_.begin(), taken_.end(), [&](const Window* taken) {
    return windows_.MayOverlap(by, *taken);
  });
}

void OpenBytes::MakeBoxes() {
  is_boxed_ = true;
  boxes_.push_back(window_->bytes_box());
  for (const Window* taken : taken_) {
    (void)windows_.Subtract(*taken, max_boxes_, boxes_);
  }
}

}  // namespace palimpsest
