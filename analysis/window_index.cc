// Columns of a matrix, heads, time slots: their byte intervals all overlap,
// their footprints never do. So bounds are kept in digits: with strides s_1 >
// s_2 > .. taken from the windows themselves, an address is a point (a / s_1,
// (a mod s_1) / s_2, .., rest), and a window is bounded by a box of such
// points. Two columns differ in the rest; two rows in the first digit. A
// coordinate in which a window wraps is unbounded below that digit, which costs
// time and never an answer.
//
// The boxes are leaves of packed trees whose nodes know the newest stamp below
// them. A query takes nodes from a heap by stamp, so it sees entries newest
// first and pays for no older ones than it asks for. New entries wait in a
// short tail; a full tail becomes a tree, and trees of like size are merged
// (Bentley and Saxe), so that each entry is packed O(log n) times.
//
// Most queries end at something that was touched a moment ago, so the last
// few entries touched are kept in a row, and looked at before any tree.

#include "analysis/window_index.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/floor_div.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"

namespace palimpsest {
namespace {

constexpr size_t kTailSize = 32;
constexpr size_t kFanout = 8;
constexpr size_t kRecents = 16;

// The 16 lowest bits of x with three zero bits between each.
uint64_t Spread(uint64_t x) {
  x = (x | x << 24) & 0x000000FF000000FF;
  x = (x | x << 12) & 0x000F000F000F000F;
  x = (x | x << 6) & 0x0303030303030303;
  x = (x | x << 3) & 0x1111111111111111;
  return x;
}

}  // namespace

bool WindowIndex::Bounds::Meets(const Bounds& other) const {
  for (int i = 0; i < kCoordinates; ++i) {
    if (high[i] < other.low[i] || other.high[i] < low[i]) return false;
  }
  return true;
}

void WindowIndex::Bounds::Widen(const Bounds& other) {
  for (int i = 0; i < kCoordinates; ++i) {
    low[i] = std::min(low[i], other.low[i]);
    high[i] = std::max(high[i], other.high[i]);
  }
}

WindowIndex::Bounds WindowIndex::BoundsOf(const Box& box) const {
  Bounds bounds;
  absl::InlinedVector<int64_t, 8> steps;
  // All rests of the box lie in [low, high].
  int64_t rest = box.address;
  int64_t low = rest;
  int64_t high = rest;
  for (const BoxDim& dim : box.dims) {
    steps.push_back(dim.extent == 1 ? 0 : dim.address);
    const int64_t reach = steps.back() * (dim.extent - 1);
    (reach < 0 ? low : high) += reach;
  }
  bool wraps = false;
  for (size_t i = 0; i < strides_.size(); ++i) {
    const int64_t stride = strides_[i];
    const int64_t digit = FloorDiv(rest, stride);
    bounds.low[i] = FloorDiv(low, stride);
    bounds.high[i] = FloorDiv(high, stride);
    rest -= digit * stride;
    low = high = rest;
    for (size_t j = 0; j < steps.size(); ++j) {
      steps[j] %= stride;
      const int64_t reach = steps[j] * (box.dims[j].extent - 1);
      (reach < 0 ? low : high) += reach;
    }
    wraps = wraps || low < 0 || high >= stride;
    if (wraps) {
      low = 0;
      high = stride - 1;
    }
  }
  const size_t count = strides_.size();
  bounds.low[count] = low;
  bounds.high[count] = high;
  for (size_t i = count + 1; i < kCoordinates; ++i) {
    bounds.low[i] = bounds.high[i] = 0;
  }
  return bounds;
}

const WindowIndex::Bounds& WindowIndex::BoundsOf(const Window& window) const {
  if (last_window_ != &window) {
    last_window_ = &window;
    last_bounds_ = BoundsOf(window.box());
  }
  return last_bounds_;
}

int WindowIndex::Add(const Window& window) {
  const int32_t entry = size();
  if (tail_.size() == kTailSize) Flush();
  entries_.push_back({&window, kNever, -1, static_cast<int32_t>(tail_.size())});
  tail_.push_back(entry);
  tail_nodes_.push_back({BoundsOf(window), kNever});
  return entry;
}

void WindowIndex::Flush() {
  std::vector<Leaf> leaves;
  for (size_t i = 0; i < tail_.size(); ++i) {
    leaves.push_back({tail_nodes_[i], tail_[i]});
  }
  tail_.clear();
  tail_nodes_.clear();
  while (!trees_.empty() && trees_.back().entries.size() <= leaves.size()) {
    const Tree& tree = trees_.back();
    for (size_t i = 0; i < tree.entries.size(); ++i) {
      leaves.push_back({tree.levels[0][i], tree.entries[i]});
    }
    trees_.pop_back();
  }
  // Only where no other tree has bounds in the old coordinates.
  if (trees_.empty() && ChooseStrides()) {
    last_window_ = nullptr;
    for (std::vector<Leaf>* all : {&leaves, &recents_}) {
      for (Leaf& leaf : *all) {
        leaf.node.bounds = BoundsOf(entries_[leaf.entry].window->box());
      }
    }
  }
  trees_.push_back(Build(leaves));
  const Tree& tree = trees_.back();
  for (size_t i = 0; i < tree.entries.size(); ++i) {
    Entry& entry = entries_[tree.entries[i]];
    entry.tree = static_cast<int32_t>(trees_.size()) - 1;
    entry.leaf = static_cast<int32_t>(i);
  }
}

// Takes the strides that most windows have; whether these are others than
// before.
bool WindowIndex::ChooseStrides() {
  absl::flat_hash_map<int64_t, int> counts;
  for (const Entry& entry : entries_) {
    if (!entry.window->has_digits()) continue;
    for (const DigitSystem::Level& level : entry.window->digits().levels()) {
      if (level.stride > 1) ++counts[level.stride];
    }
  }
  std::vector<std::pair<int, int64_t>> ranked;
  for (const auto& [stride, count] : counts)
    ranked.push_back({-count, -stride});
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMaxStrides) ranked.resize(kMaxStrides);
  const auto before = strides_;
  strides_.clear();
  for (const auto& [count, stride] : ranked) strides_.push_back(-stride);
  std::sort(strides_.begin(), strides_.end(), std::greater<int64_t>());
  return strides_ != before;
}

WindowIndex::Tree WindowIndex::Build(absl::Span<const Leaf> leaves) {
  Bounds all = leaves[0].node.bounds;
  for (const Leaf& leaf : leaves) all.Widen(leaf.node.bounds);
  // Along a Z-order curve through the boxes' centres.
  std::vector<std::pair<uint64_t, int32_t>> order;
  order.reserve(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    uint64_t code = 0;
    for (int j = 0; j < kCoordinates; ++j) {
      const double width = static_cast<double>(all.high[j]) - all.low[j] + 1;
      const Bounds& bounds = leaves[i].node.bounds;
      const double centre =
          (static_cast<double>(bounds.low[j]) + bounds.high[j]) / 2 -
          all.low[j];
      code |= Spread(static_cast<uint64_t>(centre / width * 65535)) << j;
    }
    order.push_back({code, static_cast<int32_t>(i)});
  }
  std::sort(order.begin(), order.end());

  Tree tree;
  std::vector<Node> level;
  for (const auto& [code, i] : order) {
    tree.entries.push_back(leaves[i].entry);
    level.push_back(leaves[i].node);
  }
  tree.levels.push_back(std::move(level));
  while (tree.levels.back().size() > kFanout) {
    const std::vector<Node>& below = tree.levels.back();
    std::vector<Node> above;
    for (size_t i = 0; i < below.size(); ++i) {
      if (i % kFanout == 0) {
        above.push_back(below[i]);
      } else {
        above.back().bounds.Widen(below[i].bounds);
        above.back().stamp = std::max(above.back().stamp, below[i].stamp);
      }
    }
    tree.levels.push_back(std::move(above));
  }
  return tree;
}

const WindowIndex::Node& WindowIndex::NodeOf(int number) const {
  const Entry& entry = entries_[number];
  return entry.tree < 0 ? tail_nodes_[entry.leaf]
                        : trees_[entry.tree].levels[0][entry.leaf];
}

void WindowIndex::Remember(int entry) {
  // Twice as many before the older half goes.
  if (recents_.size() == 2 * kRecents) {
    recents_.erase(recents_.begin(), recents_.begin() + kRecents);
  }
  recents_.push_back({NodeOf(entry), entry});
}

void WindowIndex::SetStamp(int entry, int64_t stamp) {
  Entry& found = entries_[entry];
  found.stamp = stamp;
  if (found.tree < 0) {
    tail_nodes_[found.leaf].stamp = stamp;
  } else {
    SetStampInTree(trees_[found.tree], found.leaf, stamp);
  }
  if (stamp != kNever) Remember(entry);
}

void WindowIndex::SetStampInTree(Tree& tree, size_t leaf, int64_t stamp) {
  tree.levels[0][leaf].stamp = stamp;
  size_t i = leaf;
  for (size_t level = 1; level < tree.levels.size(); ++level) {
    i /= kFanout;
    const std::vector<Node>& below = tree.levels[level - 1];
    const size_t end = std::min(below.size(), (i + 1) * kFanout);
    int64_t newest = kNever;
    for (size_t j = i * kFanout; j < end; ++j) {
      newest = std::max(newest, below[j].stamp);
    }
    if (tree.levels[level][i].stamp == newest) return;
    tree.levels[level][i].stamp = newest;
  }
}

WindowIndex::Search::Search(const WindowIndex& index, const Window& window,
                            int64_t after)
    : index_(index),
      after_(after),
      bounds_(index.BoundsOf(window)),
      recents_left_(index.recents_.size()) {}

int WindowIndex::Search::Next() {
  if (!in_trees_) {
    const int entry = NextRecent();
    if (entry >= 0) return entry;
    StartTrees();
  }
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Item item = heap_.back();
    heap_.pop_back();
    if (is_narrowed_ && !NodeOf(item).bounds.Meets(bounds_)) continue;
    if (item.tree < 0) return item.index;
    PushChildren(item.tree, item.level - 1, item.index * kFanout);
  }
  return -1;
}

int WindowIndex::Search::NextRecent() {
  while (recents_left_ > 0) {
    const Leaf& recent = index_.recents_[--recents_left_];
    if (recent.node.stamp <= after_) {
      recents_left_ = 0;
      break;
    }
    // Not what was touched again, or dropped.
    if (recent.node.stamp == index_.StampOf(recent.entry) &&
        recent.node.bounds.Meets(bounds_)) {
      return recent.entry;
    }
  }
  return -1;
}

void WindowIndex::Search::StartTrees() {
  in_trees_ = true;
  is_narrowed_ = false;
  if (!index_.recents_.empty()) before_ = index_.recents_[0].node.stamp;
  if (before_ <= after_ + 1) return;
  for (size_t i = 0; i < index_.tail_.size(); ++i) {
    const Node& node = index_.tail_nodes_[i];
    Push(node, {node.stamp, -1, 0, index_.tail_[i]});
  }
  for (size_t t = 0; t < index_.trees_.size(); ++t) {
    const size_t top = index_.trees_[t].levels.size() - 1;
    PushChildren(static_cast<int32_t>(t), static_cast<int32_t>(top), 0);
  }
}

void WindowIndex::Search::Push(const Node& node, const Item& item) {
  if (node.stamp <= after_ || !node.bounds.Meets(bounds_)) return;
  if (item.tree < 0 && node.stamp >= before_) return;  // It was recent.
  heap_.push_back(item);
  std::push_heap(heap_.begin(), heap_.end());
}

// The nodes of `level` from `begin` on that have one parent.
void WindowIndex::Search::PushChildren(int32_t t, int32_t level, size_t begin) {
  const Tree& tree = index_.trees_[t];
  const std::vector<Node>& nodes = tree.levels[level];
  const size_t end = std::min(nodes.size(), begin + kFanout);
  for (size_t i = begin; i < end; ++i) {
    Push(nodes[i],
         level == 0 ? Item{nodes[i].stamp, -1, 0, tree.entries[i]}
                    : Item{nodes[i].stamp, t, level, static_cast<int32_t>(i)});
  }
}

const WindowIndex::Node& WindowIndex::Search::NodeOf(const Item& item) const {
  return item.tree >= 0
             ? index_.trees_[item.tree].levels[item.level][item.index]
             : index_.NodeOf(item.index);
}

void WindowIndex::Search::Narrow(absl::Span<const Box> boxes) {
  is_narrowed_ = true;
  bounds_ = index_.BoundsOf(boxes[0]);
  for (const Box& box : boxes.subspan(1)) bounds_.Widen(index_.BoundsOf(box));
}

}  // namespace palimpsest
