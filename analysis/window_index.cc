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

#include "analysis/window_index.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"

namespace palimpsest {
namespace {

constexpr size_t kTailSize = 32;
constexpr size_t kFanout = 8;

int64_t FloorDiv(int64_t a, int64_t b) {  // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

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

WindowIndex::Bounds WindowIndex::BoundsOf(const Window& window) const {
  Bounds bounds;
  int64_t rest = window.box.address;
  absl::InlinedVector<int64_t, 8> steps;
  for (const BoxDim& dim : window.box.dims) {
    steps.push_back(dim.extent == 1 ? 0 : dim.address);
  }
  // All rests of the window lie in [low, high].
  int64_t low = window.begin();
  int64_t high = window.end() - 1;
  bool wraps = false;
  for (size_t i = 0; i < strides_.size(); ++i) {
    const int64_t stride = strides_[i];
    bounds.low[i] = FloorDiv(low, stride);
    bounds.high[i] = FloorDiv(high, stride);
    rest -= FloorDiv(rest, stride) * stride;
    low = high = rest;
    for (size_t j = 0; j < steps.size(); ++j) {
      steps[j] %= stride;
      const int64_t reach = steps[j] * (window.box.dims[j].extent - 1);
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

int WindowIndex::Add(const Window& window) {
  const int32_t entry = size();
  if (tail_.size() == kTailSize) Flush();
  entries_.push_back({&window, kNever, -1, static_cast<int32_t>(tail_.size())});
  tail_.push_back(entry);
  tail_nodes_.push_back({BoundsOf(window), kNever});
  return entry;
}

void WindowIndex::Flush() {
  std::vector<int32_t> entries = std::move(tail_);
  tail_.clear();
  tail_nodes_.clear();
  while (!trees_.empty() && trees_.back().entries.size() <= entries.size()) {
    const std::vector<int32_t>& others = trees_.back().entries;
    entries.insert(entries.end(), others.begin(), others.end());
    trees_.pop_back();
  }
  // Only where no other tree has bounds in the old coordinates.
  if (trees_.empty()) ChooseStrides();
  trees_.push_back(Build(std::move(entries)));
  const Tree& tree = trees_.back();
  for (size_t i = 0; i < tree.entries.size(); ++i) {
    Entry& entry = entries_[tree.entries[i]];
    entry.tree = static_cast<int32_t>(trees_.size()) - 1;
    entry.leaf = static_cast<int32_t>(i);
  }
}

// The strides that most windows have.
void WindowIndex::ChooseStrides() {
  absl::flat_hash_map<int64_t, int> counts;
  for (const Entry& entry : entries_) {
    if (!entry.window->digits) continue;
    for (const DigitSystem::Level& level : entry.window->digits->levels()) {
      if (level.stride > 1) ++counts[level.stride];
    }
  }
  std::vector<std::pair<int, int64_t>> ranked;
  for (const auto& [stride, count] : counts)
    ranked.push_back({-count, -stride});
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMaxStrides) ranked.resize(kMaxStrides);
  strides_.clear();
  for (const auto& [count, stride] : ranked) strides_.push_back(-stride);
  std::sort(strides_.begin(), strides_.end(), std::greater<int64_t>());
}

WindowIndex::Tree WindowIndex::Build(std::vector<int32_t> entries) const {
  std::vector<Node> leaves;
  leaves.reserve(entries.size());
  for (int32_t entry : entries) {
    leaves.push_back(
        {BoundsOf(*entries_[entry].window), entries_[entry].stamp});
  }
  Bounds all = leaves[0].bounds;
  for (const Node& leaf : leaves) all.Widen(leaf.bounds);
  // Along a Z-order curve through the boxes' centres.
  std::vector<std::pair<uint64_t, int32_t>> order;
  order.reserve(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    uint64_t code = 0;
    for (int j = 0; j < kCoordinates; ++j) {
      const double width = static_cast<double>(all.high[j]) - all.low[j] + 1;
      const double centre = (static_cast<double>(leaves[i].bounds.low[j]) +
                             leaves[i].bounds.high[j]) /
                                2 -
                            all.low[j];
      code |= Spread(static_cast<uint64_t>(centre / width * 65535)) << j;
    }
    order.push_back({code, static_cast<int32_t>(i)});
  }
  std::sort(order.begin(), order.end());

  Tree tree;
  std::vector<Node> level;
  for (const auto& [code, i] : order) {
    tree.entries.push_back(entries[i]);
    level.push_back(leaves[i]);
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

void WindowIndex::SetStamp(int entry, int64_t stamp) {
  Entry& found = entries_[entry];
  found.stamp = stamp;
  if (found.tree < 0) {
    tail_nodes_[found.leaf].stamp = stamp;
    return;
  }
  Tree& tree = trees_[found.tree];
  tree.levels[0][found.leaf].stamp = stamp;
  size_t i = found.leaf;
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

void WindowIndex::VisitNewestFirst(
    const Window& window, int64_t after,
    absl::FunctionRef<bool(int entry)> visit) const {
  const Bounds bounds = BoundsOf(window);
  struct Item {
    int64_t stamp;
    int32_t tree;   // -1: `index` is an entry.
    int32_t level;  // Of the nodes from `index` on.
    int32_t index;

    bool operator<(const Item& other) const { return stamp < other.stamp; }
  };
  absl::InlinedVector<Item, 64> heap;
  auto push = [&](const Node& node, const Item& item) {
    if (node.stamp <= after || !node.bounds.Meets(bounds)) return;
    heap.push_back(item);
    std::push_heap(heap.begin(), heap.end());
  };
  auto push_level = [&](int32_t t, int32_t level, size_t begin) {
    const Tree& tree = trees_[t];
    const std::vector<Node>& nodes = tree.levels[level];
    const size_t end = std::min(nodes.size(), begin + kFanout);
    for (size_t i = begin; i < end; ++i) {
      const int32_t index =
          level == 0 ? tree.entries[i] : static_cast<int32_t>(i);
      push(nodes[i], {nodes[i].stamp, level == 0 ? -1 : t, level, index});
    }
  };
  for (size_t i = 0; i < tail_.size(); ++i) {
    push(tail_nodes_[i], {tail_nodes_[i].stamp, -1, 0, tail_[i]});
  }
  for (size_t t = 0; t < trees_.size(); ++t) {
    push_level(static_cast<int32_t>(t),
               static_cast<int32_t>(trees_[t].levels.size()) - 1, 0);
  }
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    const Item item = heap.back();
    heap.pop_back();
    if (item.tree >= 0) {
      push_level(item.tree, item.level - 1, item.index * kFanout);
    } else if (!visit(item.index)) {
      return;
    }
  }
}

}  // namespace palimpsest
