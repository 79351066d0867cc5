// Which values still to be read may have bytes in a window.

#ifndef PALIMPSEST_TRANSFORMS_LIVE_READS_H_
#define PALIMPSEST_TRANSFORMS_LIVE_READS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/window_index.h"
#include "analysis/window_table.h"
#include "ir/ids.h"

namespace palimpsest {

// Of one storage. Values at one window hold the same, so they are kept
// together.
class LiveReads {
 public:
  LiveReads(const WindowTable& windows, int64_t bytes)
      : windows_(&windows), bytes_(bytes) {}

  // O(log n) in the number of windows that were ever added.
  void Add(WindowId window, ValueId value);
  void Remove(WindowId window, ValueId value);

  // The windows of the values that may share a byte with this one. O(log n) for
  // each, where the index tells windows apart.
  std::vector<WindowId> Meeting(WindowId window) const;
  const std::vector<ValueId>& At(WindowId window) const;

 private:
  // Fewer windows than this are looked at one by one.
  static constexpr size_t kFew = 8;

  struct Entry {
    WindowId window;
    std::vector<ValueId> values;
  };

  const WindowTable* windows_;
  int64_t bytes_;
  std::vector<Entry> entries_;
  absl::flat_hash_map<WindowId, int> entry_of_;
  std::unique_ptr<WindowIndex> index_;  // Of many: entry i is its entry i.
  int64_t time_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_LIVE_READS_H_
