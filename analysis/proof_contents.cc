#include "analysis/proof_contents.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_route.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

constexpr int32_t kIndexed = 64;  // Fewer boxes are scanned,
constexpr int kScans = 8;         // and as often before an index is made.

bool IsAllInOrder(const ReadRoute& route, int64_t bytes) {
  if (!route.repeats.empty() || route.boxes.size() != 1) return false;
  const Box& box = route.boxes[0];
  return box.rank() == 1 && box.size(0) == bytes && box.step(0, 0) == 1 &&
         box.step(0, 1) == 1;
}

}  // namespace

Box MovedToLastLane(const Box& box) {
  absl::InlinedVector<int, 8> lanes = {box.lanes() - 1};
  for (int lane = 1; lane + 1 < box.lanes(); ++lane) lanes.push_back(lane);
  Box moved = box.Select(lanes);
  moved.Sort();
  return moved;
}

Contents Contents::OfTerm(int32_t term, int64_t bytes) {
  Contents contents(bytes);
  if (bytes == 0) return contents;
  Box box(2, term);
  box.AddRow(bytes, {1, 1});
  box.Normalize();
  contents.Add(std::move(box));
  return contents;
}

int64_t Contents::defined() const {
  int64_t count = 0;
  for (const Box& box : boxes_) count += box.count();
  return count;
}

void Contents::Add(Box box) {
  reaches_.emplace_back(box);
  if (index_) {
    index_->Insert(static_cast<int32_t>(boxes_.size()), reaches_.back());
  }
  boxes_.push_back(std::move(box));
}

// The last box takes its place.
void Contents::Erase(size_t i) {
  const size_t last = boxes_.size() - 1;
  if (index_) {
    index_->Erase(static_cast<int32_t>(i), reaches_[i]);
    if (i != last) {
      index_->Erase(static_cast<int32_t>(last), reaches_[last]);
      index_->Insert(static_cast<int32_t>(i), reaches_[last]);
    }
  }
  if (i != last) {
    boxes_[i] = std::move(boxes_[last]);
    reaches_[i] = reaches_[last];
  }
  boxes_.pop_back();
  reaches_.pop_back();
}

std::vector<int32_t> Contents::Meeting(const Reach& reach) const {
  std::vector<int32_t> meeting;
  const int32_t count = static_cast<int32_t>(boxes_.size());
  if (count < kIndexed || (!index_ && ++scans_ <= kScans)) {
    for (int32_t i = 0; i < count; ++i) {
      if (MayMeet(reaches_[i], reach)) meeting.push_back(i);
    }
    return meeting;
  }
  if (!index_) {
    index_.emplace();
    for (int32_t i = 0; i < count; ++i) index_->Insert(i, reaches_[i]);
  }
  index_->AppendMeeting(reach, meeting);
  std::sort(meeting.begin(), meeting.end());
  return meeting;
}

Contents Contents::Read(const Layout& layout, int64_t offset,
                        Budget& budget) const {
  const int64_t others = budget.boxes();
  Contents value(ElementCount(layout.sizes) * WidthOf(layout.dtype));
  const ReadRoute route = RouteOfRead(layout, offset, budget);
  if (IsAllInOrder(route, bytes_)) {
    value.boxes_ = boxes_;
    value.reaches_ = reaches_;
    value.SortBoxes();
    budget.SetBoxes(others + value.box_count());
    return value;
  }
  for (const Box& part : route.boxes) {
    for (int32_t i : Meeting(Reach(part))) {
      ReadBox(boxes_[i], part, route.repeats, budget, value);
      if (budget.exhausted()) return value;
    }
  }
  value.SortBoxes();
  budget.SetBoxes(others + value.box_count());
  return value;
}

void Contents::ReadBox(const Box& box, const Box& route,
                       absl::Span<const Repeat> repeats, Budget& budget,
                       Contents& to) const {
  const int64_t others = budget.boxes();
  Parts parts;
  Split(box, route, budget, parts);
  budget.SetBoxes(others + static_cast<int64_t>(parts.inside.size()));
  for (const Box& inside : parts.inside) {
    Box moved = MovedToLastLane(inside);
    for (const Repeat& repeat : repeats) {
      absl::InlinedVector<int64_t, 8> steps(moved.lanes(), 0);
      steps[0] = repeat.step;
      moved.AddRow(repeat.size, steps);
    }
    if (!repeats.empty()) moved.Sort();
    to.Add(std::move(moved));
  }
}

void Contents::Write(const Contents& value, const WriteRoute& route,
                     Budget& budget) {
  const int64_t others = budget.boxes() - box_count();
  for (const Box& part : route.boxes) {
    Box addresses = part.Select({1});
    addresses.Sort();
    MakePoison(addresses, budget);
    for (int32_t i : value.Meeting(Reach(part))) {
      Parts parts;
      Split(value.boxes_[i], part, budget, parts);
      if (budget.exhausted()) return;
      for (const Box& inside : parts.inside) Add(MovedToLastLane(inside));
      budget.SetBoxes(others + box_count());
    }
  }
}

void Contents::MakePoison(const Box& addresses, Budget& budget) {
  const int64_t others = budget.boxes() - box_count();
  const std::vector<int32_t> meeting = Meeting(Reach(addresses));
  // From the last on: erasing moves a later box.
  for (size_t k = meeting.size(); k-- > 0;) {
    Parts parts;
    Split(boxes_[meeting[k]], addresses, budget, parts);
    if (budget.exhausted()) return;
    if (!parts.inside.empty()) {
      Erase(meeting[k]);
      for (Box& outside : parts.outside) {
        outside.Normalize();
        Add(std::move(outside));
      }
    }
    budget.SetBoxes(others + box_count());
  }
}

void Contents::SortBoxes() {
  const auto before = [](const Reach& a, const Reach& b) {
    return a.begin < b.begin;
  };
  if (std::is_sorted(reaches_.begin(), reaches_.end(), before)) return;
  std::vector<size_t> order(boxes_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    return before(reaches_[i], reaches_[j]);
  });
  std::vector<Box> boxes;
  std::vector<Reach> reaches;
  boxes.reserve(order.size());
  reaches.reserve(order.size());
  for (size_t i : order) {
    boxes.push_back(std::move(boxes_[i]));
    reaches.push_back(reaches_[i]);
  }
  boxes_ = std::move(boxes);
  reaches_ = std::move(reaches);
  index_.reset();
}

}  // namespace proof
}  // namespace palimpsest
