// An index of windows by place and by time: which of them may touch a window's
// bytes, newest first.

#ifndef PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_
#define PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "analysis/window_table.h"

namespace palimpsest {

class WindowIndex {
 public:
  static constexpr int64_t kNever = -1;

  // Adds an entry and returns its number: 0, 1, .. Its stamp is kNever.
  // Amortized O(log^2 n). Precondition: the window is not empty.
  int Add(const Window& window);

  // Says when the entry was last touched. O(log n).
  void SetStamp(int entry, int64_t stamp);
  int64_t StampOf(int entry) const { return entries_[entry].stamp; }

  // Calls `visit` with entries whose bounds meet those of the window (they need
  // not share a byte) and whose stamp is above `after`, by falling stamp, until
  // it returns false. O(log n) for an entry where the index tells the windows
  // apart.
  void VisitNewestFirst(const Window& window, int64_t after,
                        absl::FunctionRef<bool(int entry)> visit) const;

  int size() const { return static_cast<int>(entries_.size()); }

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
  struct Entry {
    const Window* window;
    int64_t stamp;
    int32_t tree;  // -1: in tail_.
    int32_t leaf;
  };
  struct Node {
    Bounds bounds;
    int64_t stamp;  // The newest below.
  };
  // Packed: level 0 are the leaves, in an order that keeps neighbours together;
  // node i of level l + 1 is above nodes kFanout * i .. of level l.
  struct Tree {
    std::vector<int32_t> entries;  // Of the leaves.
    std::vector<std::vector<Node>> levels;
  };

  Bounds BoundsOf(const Window& window) const;
  void Flush();
  void ChooseStrides();
  Tree Build(std::vector<int32_t> entries) const;

  std::vector<Entry> entries_;
  std::vector<int32_t> tail_;  // Entries not yet in a tree; few.
  std::vector<Node> tail_nodes_;
  std::vector<Tree> trees_;                            // By falling size.
  absl::InlinedVector<int64_t, kMaxStrides> strides_;  // Falling.
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_WINDOW_INDEX_H_
