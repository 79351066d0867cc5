// An index of windows by place and by time: which of them may touch a window's
// bytes, newest first.

#ifndef PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_
#define PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"

namespace palimpsest {

class WindowIndex {
 private:
  // Bounds in the coordinates of `strides_`: a digit for each, and what
  // remains.
  static constexpr int kMaxStrides = 3;
  static constexpr int kCoordinates = kMaxStrides + 1;
  struct Bounds {
    std::array<int64_t, kCoordinates> low;
    std::array<int64_t, kCoordinates> high;  // Inclusive.

    bool Meets(const Bounds& other) const;
    void Widen(const Bounds& other);
  };
  struct Node {
    Bounds bounds;
    int64_t stamp;  // The newest below.
  };
  struct Leaf {
    Node node;
    int32_t entry;
  };

 public:
  static constexpr int64_t kNever = -1;

  // Adds an entry and returns its number: 0, 1, .. Its stamp is kNever.
  // Amortized O(log^2 n). Precondition: the window is not empty.
  int Add(const Window& window);

  // Says when the entry was last touched. O(log n). Precondition: no entry's
  // stamp was ever larger, or it is kNever.
  void SetStamp(int entry, int64_t stamp);
  int64_t StampOf(int entry) const { return entries_[entry].stamp; }

  // A walk over the entries that may touch a window, newest first.
  class Search {
   public:
    // Entries whose bounds meet the window's (they need not share a byte) and
    // whose stamp is above `after`. The index must not change meanwhile.
    Search(const WindowIndex& index, const Window& window, int64_t after);

    // The next entry by falling stamp, or -1. O(log n) where the index tells
    // windows apart.
    int Next();
    // The same, but only of the last few entries that were touched. O(1).
    int NextRecent();
    // From now on only entries that may touch one of the boxes.
    void Narrow(absl::Span<const Box> boxes);

   private:
    struct Item {
      int64_t stamp;
      int32_t tree;   // -1: `index` is an entry.
      int32_t level;  // Of the node.
      int32_t index;

      bool operator<(const Item& other) const { return stamp < other.stamp; }
    };

    void StartTrees();
    void Push(const Node& node, const Item& item);
    void PushChildren(int32_t tree, int32_t level, size_t begin);
    const Node& NodeOf(const Item& item) const;

    const WindowIndex& index_;
    const int64_t after_;
    Bounds bounds_;
    size_t recents_left_;
    int64_t before_ = INT64_MAX;  // What the recents begin with.
    bool in_trees_ = false;
    bool is_narrowed_ = false;  // Since the heap was filled.
    absl::InlinedVector<Item, 48> heap_;
  };

  int size() const { return static_cast<int>(entries_.size()); }

 private:
  struct Entry {
    const Window* window;
    int64_t stamp;
    int32_t tree;  // -1: in tail_.
    int32_t leaf;
  };
  // Packed: level 0 are the leaves, in an order that keeps neighbours together;
  // node i of level l + 1 is above nodes kFanout * i .. of level l.
  struct Tree {
    std::vector<int32_t> entries;  // Of the leaves.
    std::vector<std::vector<Node>> levels;
  };

  Bounds BoundsOf(const Box& box) const;
  const Bounds& BoundsOf(const Window& window) const;
  const Node& NodeOf(int entry) const;
  void Remember(int entry);
  void Flush();
  bool ChooseStrides();
  static Tree Build(absl::Span<const Leaf> leaves);
  static void SetStampInTree(Tree& tree, size_t leaf, int64_t stamp);

  std::vector<Entry> entries_;
  std::vector<int32_t> tail_;  // Entries not yet in a tree; few.
  std::vector<Node> tail_nodes_;
  std::vector<Tree> trees_;    // By falling size.
  std::vector<Leaf> recents_;  // The last SetStamp()s, oldest first.
  absl::InlinedVector<int64_t, kMaxStrides> strides_;  // Falling.
  // Of the window that was last asked for: an op asks again and again.
  mutable const Window* last_window_ = nullptr;
  mutable Bounds last_bounds_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_
