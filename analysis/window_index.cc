// Columns of a matrix, heads, time slots: their byte intervals all overlap,
// their footprints never do. So bounds are kept in digits: with strides s_1 >
// s_2 > .. taken from the windows themselves, an address is a point (a / s_1,
// (a mod s_1) / s_2, .., rest), and a window is bounded by a box of such
// points. Two columns differ in the rest; two rows in the first digit. Where a
// window wraps at a stride, what is below is unbounded as far as the next
// stride that divides it, which costs time and never an answer.
//
// The boxes are kept in a B-tree along a Z-order curve through their centres,
// whose nodes know the bounds and the newest stamp below them (an R-tree by a
// space-filling curve: Kamel and Faloutsos, "Hilbert R-tree", VLDB 1994). A
// query takes nodes from a heap by stamp, so it sees entries newest first and
// pays for no older ones than it asks for. (Boost's R-tree does not know what
// is newest below a node, nor can it be asked in that order.)
//
// Most queries end at something that was touched a moment ago, so the last
// few entries touched are kept in a row, and looked at before the tree.

#include "analysis/window_index.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/numeric/bits.h"
#include "absl/types/span.h"
#include "analysis/floor_div.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"

namespace palimpsest {
namespace {

constexpr size_t kRecents = 16;
constexpr size_t kLately = 9;  // Of them, for RecentWithin().
// The strides are chosen anew whenever there are four times as many entries as
// the last time, from so many of them.
constexpr size_t kFirstChoice = 16;
constexpr size_t kSample = 256;
constexpr int kCodeBits = 16;  // Of each coordinate.

// The 16 lowest bits of x with three zero bits between each.
uint64_t Spread(uint64_t x) {
  x = (x | x << 24) & 0x000000FF000000FF;
  x = (x | x << 12) & 0x000F000F000F000F;
  x = (x | x << 6) & 0x0303030303030303;
  x = (x | x << 3) & 0x1111111111111111;
  return x;
}

bool IsChoiceDue(size_t entries) {
  if (entries < kFirstChoice || (entries & (entries - 1)) != 0) return false;
  const int doublings = absl::countr_zero(entries / kFirstChoice);
  return doublings % 2 == 0;
}

}  // namespace

// By the differences' signs: a branch for each coordinate would be hard to
// foresee.
bool WindowIndex::Bounds::Meets(const Bounds& other) const {
  int32_t signs = 0;
  for (int i = 0; i < kCoordinates; ++i) {
    signs |= (high[i] - other.low[i]) | (other.high[i] - low[i]);
  }
  return signs >= 0;
}

bool WindowIndex::Bounds::Holds(const Bounds& other) const {
  int32_t signs = 0;
  for (int i = 0; i < kCoordinates; ++i) {
    signs |= (other.low[i] - low[i]) | (high[i] - other.high[i]);
  }
  return signs >= 0;
}

void WindowIndex::Bounds::Widen(const Bounds& other) {
  for (int i = 0; i < kCoordinates; ++i) {
    low[i] = std::min(low[i], other.low[i]);
    high[i] = std::max(high[i], other.high[i]);
  }
}

WindowIndex::Bounds WindowIndex::ChildBounds::Get(int child) const {
  Bounds bounds;
  for (int i = 0; i < kCoordinates; ++i) {
    bounds.low[i] = low_[i][child];
    bounds.high[i] = high_[i][child];
  }
  return bounds;
}

void WindowIndex::ChildBounds::Set(int child, const Bounds& bounds) {
  for (int i = 0; i < kCoordinates; ++i) {
    low_[i][child] = bounds.low[i];
    high_[i][child] = bounds.high[i];
  }
}

void WindowIndex::ChildBounds::Widen(int child, const Bounds& bounds) {
  for (int i = 0; i < kCoordinates; ++i) {
    low_[i][child] = std::min(low_[i][child], bounds.low[i]);
    high_[i][child] = std::max(high_[i][child], bounds.high[i]);
  }
}

std::array<int32_t, WindowIndex::kFanout> WindowIndex::ChildBounds::Apart(
    const Bounds& bounds) const {
  const Bounds of = bounds;
  std::array<int32_t, kFanout> signs;
  for (int child = 0; child < kFanout; ++child) {
    int32_t sign = 0;
    for (int i = 0; i < kCoordinates; ++i) {
      sign |= (high_[i][child] - of.low[i]) | (of.high[i] - low_[i][child]);
    }
    signs[child] = sign;
  }
  return signs;
}

// All slots are compared, which takes no branches: a child is in one of them
// only, since those that a split leaves behind went to another node for good.
int WindowIndex::Node::PositionOf(int32_t child) const {
  int position = 0;
  for (int i = 0; i < kFanout; ++i) {
    position |= children[i] == child ? i : 0;
  }
  return position;
}

WindowIndex::WindowIndex(int64_t bytes) : bytes_(bytes), nodes_(1) {
  SetStrides({});
}

void WindowIndex::SetStrides(
    const absl::InlinedVector<int64_t, kMaxStrides>& strides) {
  strides_ = strides;
  reaches_.clear();
  last_window_ = nullptr;
  int64_t range = bytes_;  // Of what remains.
  for (size_t i = 0; i < kCoordinates; ++i) {
    const int64_t unit = i < strides_.size() ? strides_[i] : 1;
    const int bits = absl::bit_width(static_cast<uint64_t>(range / unit));
    shifts_[i] = std::max(bits - 31, 0);
    bits_[i] = bits - shifts_[i];
    range = unit;
  }
}

WindowIndex::Reach WindowIndex::ReachOf(const Box& box) const {
  Reach reach = {};
  for (const BoxDim& dim : box.dims) {
    int64_t step = dim.extent == 1 ? 0 : dim.address;
    for (size_t i = 0; step != 0; ++i) {
      const int64_t far = step * (dim.extent - 1);
      (far < 0 ? reach.low : reach.high)[i] += far;
      if (i == strides_.size()) break;
      if (std::abs(step) >= strides_[i]) step %= strides_[i];
    }
  }
  return reach;
}

WindowIndex::Bounds WindowIndex::BoundsAt(int64_t address,
                                          const Reach& reach) const {
  Bounds bounds;
  const auto set = [&](size_t i, int64_t low, int64_t high) {
    bounds.low[i] = static_cast<int32_t>(low >> shifts_[i]);
    bounds.high[i] = static_cast<int32_t>(high >> shifts_[i]);
  };
  const size_t count = strides_.size();
  int64_t rest = address;
  int64_t low = rest + reach.low[0];
  int64_t high = rest + reach.high[0];
  // Whether what remains is [low, high]; if not, whether it is that modulo the
  // last stride, which is enough for a stride that divides it.
  bool is_exact = true;
  bool is_affine = true;
  for (size_t i = 0; i < count; ++i) {
    const int64_t stride = strides_[i];
    set(i, FloorDiv(low, stride), FloorDiv(high, stride));
    rest -= FloorDiv(rest, stride) * stride;
    low = rest + reach.low[i + 1];
    high = rest + reach.high[i + 1];
    is_affine =
        is_exact || (is_affine && i > 0 && strides_[i - 1] % stride == 0);
    is_exact = is_affine && low >= 0 && high < stride;
    if (!is_exact) {
      low = 0;
      high = stride - 1;
    }
  }
  set(count, low, high);
  for (size_t i = count + 1; i < kCoordinates; ++i) set(i, 0, 0);
  return bounds;
}

WindowIndex::Bounds WindowIndex::BoundsOf(const Box& box) const {
  return BoundsAt(box.address, ReachOf(box));
}

const WindowIndex::Bounds& WindowIndex::BoundsOf(const Window& window) const {
  if (last_window_ != &window) {
    const auto [reach, is_new] = reaches_.try_emplace(window.shape);
    if (is_new) reach->second = ReachOf(window.shape->box);
    last_window_ = &window;
    last_bounds_ =
        BoundsAt(window.shape->box.address + window.start, reach->second);
  }
  return last_bounds_;
}

uint64_t WindowIndex::CodeOf(const Bounds& bounds) const {
  uint64_t code = 0;
  for (int i = 0; i < kCoordinates; ++i) {
    const int64_t centre = (int64_t{bounds.low[i]} + bounds.high[i]) / 2;
    const int excess = bits_[i] - kCodeBits;
    const int64_t scaled = excess > 0 ? centre >> excess : centre << -excess;
    code |= Spread(static_cast<uint64_t>(scaled)) << i;
  }
  return code;
}

int WindowIndex::Add(const Window& window) {
  const int32_t entry = size();
  entries_.push_back({&window, kNever, -1});
  Insert(entry, BoundsOf(window));
  if (IsChoiceDue(entries_.size())) ChooseStrides();
  return entry;
}

// The strides that most windows have, of a sample.
absl::InlinedVector<int64_t, WindowIndex::kMaxStrides>
WindowIndex::CommonStrides() const {
  absl::flat_hash_map<int64_t, int> counts;
  const size_t step = std::max<size_t>(entries_.size() / kSample, 1);
  for (size_t i = 0; i < entries_.size(); i += step) {
    const Window& window = *entries_[i].window;
    if (!window.has_digits()) continue;
    for (const DigitSystem::Level& level : window.digits().levels()) {
      if (level.stride > 1) ++counts[level.stride];
    }
  }
  std::vector<std::pair<int, int64_t>> ranked;
  for (const auto& [stride, count] : counts)
    ranked.push_back({-count, -stride});
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMaxStrides) ranked.resize(kMaxStrides);
  absl::InlinedVector<int64_t, kMaxStrides> strides;
  for (const auto& [count, stride] : ranked) strides.push_back(-stride);
  std::sort(strides.begin(), strides.end(), std::greater<int64_t>());
  return strides;
}

void WindowIndex::ChooseStrides() {
  const auto strides = CommonStrides();
  if (strides == strides_) return;
  SetStrides(strides);
  nodes_.clear();
  nodes_.emplace_back();
  root_ = 0;
  for (int32_t i = 0; i < size(); ++i) {
    Insert(i, BoundsOf(*entries_[i].window));
    Raise(i, entries_[i].stamp);
  }
  for (Recent& recent : recents_) recent.bounds = BoundsOfEntry(recent.entry);
}

// Full nodes are split on the way down, so that there is room for a split
// below.
void WindowIndex::Insert(int32_t entry, const Bounds& bounds) {
  const uint64_t code = CodeOf(bounds);
  if (nodes_[root_].count == kFanout) {
    const int32_t old_root = root_;
    root_ = static_cast<int32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[root_].is_leaf = false;
    InsertChild(root_, 0, Bounds{}, kNever, 0, old_root);
    SplitChild(root_, 0, code);
  }
  int32_t at = root_;
  while (true) {
    Node& node = nodes_[at];
    const uint64_t* const codes = node.codes.data();
    int position = static_cast<int>(
        std::upper_bound(codes, codes + node.count, code) - codes);
    if (node.is_leaf) {
      InsertChild(at, position, bounds, kNever, code, entry);
      return;
    }
    position = std::max(position - 1, 0);
    if (nodes_[node.children[position]].count == kFanout) {
      SplitChild(at, position, code);
      continue;  // Which of the two halves it is.
    }
    node.codes[position] = std::min(node.codes[position], code);
    node.bounds.Widen(position, bounds);
    at = node.children[position];
  }
}

void WindowIndex::InsertChild(int32_t number, int position,
                              const Bounds& bounds, int64_t stamp,
                              uint64_t code, int32_t child) {
  Node& node = nodes_[number];
  const auto insert = [&](auto& array, const auto& item) {
    std::move_backward(array.begin() + position, array.begin() + node.count,
                       array.begin() + node.count + 1);
    array[position] = item;
  };
  for (int i = node.count; i > position; --i) {
    node.bounds.Set(i, node.bounds.Get(i - 1));
  }
  node.bounds.Set(position, bounds);
  insert(node.stamps, stamp);
  insert(node.codes, code);
  insert(node.children, child);
  ++node.count;
  if (node.is_leaf) {
    entries_[child].leaf = number;
  } else {
    nodes_[child].parent = number;
  }
}

// Moves the upper part of a full child to a new node behind it: half, or little
// where `code`, which comes next, goes behind all, as do those of windows that
// are made in order.
void WindowIndex::SplitChild(int32_t parent, int position, uint64_t code) {
  const int32_t right = static_cast<int32_t>(nodes_.size());
  nodes_.emplace_back();
  const int32_t left = nodes_[parent].children[position];
  Node& from = nodes_[left];
  const int kept = code >= from.codes[kFanout - 1] ? kFanout - 2 : kFanout / 2;
  nodes_[right].is_leaf = from.is_leaf;
  for (int i = kept; i < kFanout; ++i) {
    InsertChild(right, i - kept, from.bounds.Get(i), from.stamps[i],
                from.codes[i], from.children[i]);
  }
  from.count = static_cast<int16_t>(kept);
  InsertChild(parent, position + 1, Bounds{}, kNever, 0, right);
  Summarize(parent, position);
  Summarize(parent, position + 1);
}

// What a node knows of a child.
void WindowIndex::Summarize(int32_t parent, int position) {
  Node& node = nodes_[parent];
  const Node& child = nodes_[node.children[position]];
  node.codes[position] = child.codes[0];
  node.bounds.Set(position, child.bounds.Get(0));
  node.stamps[position] = child.stamps[0];
  for (int i = 1; i < child.count; ++i) {
    node.bounds.Widen(position, child.bounds.Get(i));
    node.stamps[position] = std::max(node.stamps[position], child.stamps[i]);
  }
}

WindowIndex::Bounds WindowIndex::BoundsOfEntry(int32_t entry) const {
  const Node& leaf = nodes_[entries_[entry].leaf];
  return leaf.bounds.Get(leaf.PositionOf(entry));
}

void WindowIndex::Remember(int32_t entry) {
  // Twice as many before the older half goes.
  if (recents_.size() == 2 * kRecents) {
    recents_.erase(recents_.begin(), recents_.begin() + kRecents);
  }
  recents_.push_back({BoundsOfEntry(entry), entries_[entry].stamp, entry});
}

void WindowIndex::SetStamp(int entry, int64_t stamp) {
  entries_[entry].stamp = stamp;
  if (stamp == kNever) {
    Drop(entry);
  } else {
    Raise(entry, stamp);
    Remember(entry);
  }
}

void WindowIndex::Raise(int32_t entry, int64_t stamp) {
  int32_t child = entry;
  for (int32_t at = entries_[entry].leaf; at >= 0; at = nodes_[at].parent) {
    int64_t& newest = nodes_[at].stamps[nodes_[at].PositionOf(child)];
    if (newest >= stamp) return;
    newest = stamp;
    child = at;
  }
}

void WindowIndex::Drop(int32_t entry) {
  int32_t child = entry;
  int64_t stamp = kNever;
  for (int32_t at = entries_[entry].leaf; at >= 0; at = nodes_[at].parent) {
    Node& node = nodes_[at];
    int64_t& newest = node.stamps[node.PositionOf(child)];
    if (newest == stamp) return;
    newest = stamp;
    stamp =
        *std::max_element(node.stamps.data(), node.stamps.data() + node.count);
    child = at;
  }
}

absl::InlinedVector<int, 4> WindowIndex::RecentWithin(
    const Window& window) const {
  const Bounds& bounds = BoundsOf(window);
  absl::InlinedVector<int, 4> within;
  const size_t end = recents_.size();
  for (size_t i = end; i > 0 && i + kLately > end; --i) {
    const Recent& recent = recents_[i - 1];
    if (bounds.Holds(recent.bounds) && recent.stamp == StampOf(recent.entry)) {
      within.push_back(recent.entry);
    }
  }
  return within;
}

WindowIndex::Search::Search(const WindowIndex& index, const Window& window,
                            int64_t after, int max_nodes)
    : index_(index),
      after_(after),
      bounds_(index.BoundsOf(window)),
      recents_left_(index.recents_.size()),
      nodes_left_(max_nodes) {}

int WindowIndex::Search::Next() {
  if (!in_tree_) {
    const int entry = NextRecent();
    if (entry >= 0) return entry;
    StartTree();
  }
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Item item = heap_.back();
    heap_.pop_back();
    const Node& node = index_.nodes_[item.node];
    if (is_narrowed_ && !node.bounds.Get(item.child).Meets(bounds_)) continue;
    if (node.is_leaf) return node.children[item.child];
    PushChildren(node.children[item.child]);
  }
  return -1;
}

int WindowIndex::Search::NextRecent() {
  while (recents_left_ > 0) {
    const Recent& recent = index_.recents_[--recents_left_];
    if (recent.stamp <= after_) {
      recents_left_ = 0;
      break;
    }
    // Not what was touched again, or dropped.
    if (recent.bounds.Meets(bounds_) &&
        recent.stamp == index_.StampOf(recent.entry)) {
      return recent.entry;
    }
  }
  return -1;
}

void WindowIndex::Search::StartTree() {
  in_tree_ = true;
  is_narrowed_ = false;
  if (!index_.recents_.empty()) before_ = index_.recents_[0].stamp;
  if (before_ > after_ + 1) PushChildren(index_.root_);
}

void WindowIndex::Search::PushChildren(int32_t number) {
  if (--nodes_left_ < 0) {
    heap_.clear();
    return;
  }
  const Node& node = index_.nodes_[number];
  const auto apart = node.bounds.Apart(bounds_);
  for (int i = 0; i < node.count; ++i) {
    if (apart[i] < 0 || node.stamps[i] <= after_) continue;
    if (node.is_leaf && node.stamps[i] >= before_) continue;  // It was recent.
    heap_.push_back({node.stamps[i], number, i});
    std::push_heap(heap_.begin(), heap_.end());
  }
}

void WindowIndex::Search::Narrow(absl::Span<const Box> boxes) {
  is_narrowed_ = true;
  bounds_ = index_.BoundsOf(boxes[0]);
  for (const Box& box : boxes.subspan(1)) bounds_.Widen(index_.BoundsOf(box));
}

}  // namespace palimpsest
