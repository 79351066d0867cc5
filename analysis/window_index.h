// An index of windows by place and by time: which of them may touch a window's
// bytes, newest first.

#ifndef PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_
#define PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"

namespace palimpsest {

// Searches remember what they computed, so one thread at a time.
class WindowIndex {
 private:
  // A coordinate for each of `strides_`, and one for what remains.
  static constexpr int kMaxStrides = 3;
  static constexpr int kCoordinates = kMaxStrides + 1;
  static constexpr int kFanout = 16;

  struct Bounds {  // Never negative.
    std::array<int32_t, kCoordinates> low;
    std::array<int32_t, kCoordinates> high;  // Inclusive.

    bool Meets(const Bounds& other) const;
    bool Holds(const Bounds& other) const;
    void Widen(const Bounds& other);
  };
  // Of a node's children, coordinate by coordinate, so that all are compared at
  // once.
  class ChildBounds {
   public:
    Bounds Get(int child) const;
    void Set(int child, const Bounds& bounds);
    void Widen(int child, const Bounds& bounds);
    // A negative number for each child whose bounds do not meet these.
    std::array<int32_t, kFanout> Apart(const Bounds& bounds) const;

   private:
    // Zero where no child is, since all are compared.
    std::array<std::array<int32_t, kFanout>, kCoordinates> low_ = {};
    std::array<std::array<int32_t, kFanout>, kCoordinates> high_ = {};
  };
  // Of a tree whose leaves' children are entries.
  struct Node {
    Node() { children.fill(-1); }

    int PositionOf(int32_t child) const;

    int32_t parent = -1;
    int16_t count = 0;
    bool is_leaf = true;
    // Of each child: the bounds and the newest stamp below, the curve's
    // smallest code below, and which node or entry it is.
    ChildBounds bounds;
    std::array<int64_t, kFanout> stamps;
    std::array<uint64_t, kFanout> codes;
    std::array<int32_t, kFanout> children;
  };
  struct Recent {
    Bounds bounds;
    int64_t stamp;
    int32_t entry;
  };

 public:
  static constexpr int64_t kNever = -1;
  static constexpr int kNoLimit = std::numeric_limits<int>::max();

  // Of windows in a storage of so many bytes.
  explicit WindowIndex(int64_t bytes);

  // Adds an entry and returns its number: 0, 1, .. Its stamp is kNever.
  // Amortized O(log n). Precondition: the window is not empty.
  int Add(const Window& window);

  // Says when the entry was last touched. O(log n). Precondition: it is larger
  // than all stamps so far, or kNever.
  void SetStamp(int entry, int64_t stamp);
  int64_t StampOf(int entry) const { return entries_[entry].stamp; }

  // Of the last few entries that were touched, those whose bounds the window's
  // hold, newest first. O(1).
  absl::InlinedVector<int, 4> RecentWithin(const Window& window) const;

  // A walk over the entries that may touch a window, newest first.
  class Search {
   public:
    // Entries whose bounds meet the window's (they need not share a byte) and
    // whose stamp is above `after`. The index must not change meanwhile. Looks
    // at no more than `max_nodes` nodes of its tree.
    Search(const WindowIndex& index, const Window& window, int64_t after,
           int max_nodes = kNoLimit);

    // The next entry by falling stamp, or -1. O(log n) where the index tells
    // windows apart.
    int Next();
    // From now on only entries that may touch one of the boxes, of which there
    // must be one.
    void Narrow(absl::Span<const Box> boxes);
    // Whether Next() ended since it had looked at too many nodes.
    bool is_cut() const { return nodes_left_ < 0; }

   private:
    // The same, but only of the last few entries that were touched. O(1).
    int NextRecent();

    struct Item {
      int64_t stamp;
      int32_t node;
      int32_t child;  // Of the node.

      bool operator<(const Item& other) const { return stamp < other.stamp; }
    };

    void StartTree();
    void PushChildren(int32_t node);

    const WindowIndex& index_;
    const int64_t after_;
    Bounds bounds_;
    size_t recents_left_;
    int nodes_left_;
    int64_t before_ = INT64_MAX;  // What the recents begin with.
    bool in_tree_ = false;
    bool is_narrowed_ = false;  // Since the heap was filled.
    absl::InlinedVector<Item, 48> heap_;
  };

  int size() const { return static_cast<int>(entries_.size()); }

 private:
  struct Entry {
    const Window* window;
    int64_t stamp;
    int32_t leaf;
  };
  // At each stride, how far below and above its first byte a window of some
  // shape reaches in what remains there.
  struct Reach {
    std::array<int64_t, kCoordinates> low;
    std::array<int64_t, kCoordinates> high;
  };

  Reach ReachOf(const Box& box) const;
  Bounds BoundsAt(int64_t address, const Reach& reach) const;
  Bounds BoundsOf(const Box& box) const;
  const Bounds& BoundsOf(const Window& window) const;
  uint64_t CodeOf(const Bounds& bounds) const;

  void SetStrides(const absl::InlinedVector<int64_t, kMaxStrides>& strides);
  absl::InlinedVector<int64_t, kMaxStrides> CommonStrides() const;
  void ChooseStrides();
  void Insert(int32_t entry, const Bounds& bounds);
  void InsertChild(int32_t node, int position, const Bounds& bounds,
                   int64_t stamp, uint64_t code, int32_t child);
  void SplitChild(int32_t parent, int position, uint64_t code);
  void Summarize(int32_t parent, int position);
  // In the tree.
  void Raise(int32_t entry, int64_t stamp);
  void Drop(int32_t entry);
  Bounds BoundsOfEntry(int32_t entry) const;
  void Remember(int32_t entry);

  const int64_t bytes_;
  std::vector<Entry> entries_;
  std::deque<Node> nodes_;  // Which stay where they are.
  int32_t root_ = 0;
  std::vector<Recent> recents_;  // The last SetStamp()s, oldest first.
  absl::InlinedVector<int64_t, kMaxStrides> strides_;  // Falling.
  // Of each coordinate: how many of its lowest bits the bounds leave out, and
  // how many bits are left.
  std::array<int, kCoordinates> shifts_;
  std::array<int, kCoordinates> bits_;
  mutable absl::flat_hash_map<const WindowShape*, Reach> reaches_;
  // Of the window that was last asked for: an op asks again and again.
  mutable const Window* last_window_ = nullptr;
  mutable Bounds last_bounds_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_
