// What of a window its newer writes leave to be seen, while they are looked at
// newest first.

#ifndef PALIMPSEST_ANALYSIS_OPEN_BYTES_H_
#define PALIMPSEST_ANALYSIS_OPEN_BYTES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"

namespace palimpsest {

// Memory is used again from one window to the next.
class OpenBytes {
 public:
  explicit OpenBytes(const WindowTable& windows) : windows_(windows) {}

  // All of the window is open. It must outlive what is asked of it here.
  void Open(const Window& window);

  // Takes what the other covers; whether that may be anything. Exact where what
  // remains is a few boxes; what would leave more is not taken. O(1) for the
  // first few that lie apart and cover little of the window, else a partition
  // of each box.
  bool Take(const Window& by);

  // Whether nothing is left.
  bool is_empty() const { return is_boxed_ && boxes_.empty(); }
  // Boxes that hold all that is open; none where the window says as much.
  absl::Span<const Box> boxes() const { return boxes_; }

 private:
  bool IsApart(const Window& by) const;
  void MakeBoxes();

  const WindowTable& windows_;
  const Window* window_ = nullptr;
  int max_boxes_ = 0;
  bool is_boxed_ = false;
  std::vector<Box> boxes_;  // Where is_boxed_.
  // Else what was taken: windows that lie apart from each other.
  std::vector<const Window*> taken_;
  int64_t taken_bytes_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_OPEN_BYTES_H_
