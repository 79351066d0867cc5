// The write log: what one storage holds, as definitions over time.
//
// A definition says that from `time` on, a window of the storage reads as a
// value. A *write* changes the storage; what it overlaps of older definitions
// is stale from then on. A *merge* was assembled by a read: it says again what
// the storage held at its time, so it makes nothing stale. *Initial*
// definitions say what was there at entry.
//
// A definition all of whose bytes newer writes cover is dead: no read can see
// it. Dropping it is only ever a matter of cost, so it is done where that is
// cheap: the same window at once, others while the budget of a write lasts.

#ifndef PALIMPSEST_ANALYSIS_WRITE_LOG_H_
#define PALIMPSEST_ANALYSIS_WRITE_LOG_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/partition.h"
#include "analysis/window_index.h"
#include "analysis/window_table.h"
#include "ir/ids.h"

namespace palimpsest {

enum class DefinitionKind : uint8_t { kInitial, kWrite, kMerge };
constexpr int kDefinitionKinds = 3;

struct Definition {
  DefinitionKind kind = DefinitionKind::kWrite;
  WindowId window;
  // Invalid: not made yet (the contents of a parameter's storage).
  ValueId value;
  int64_t time = 0;
  OpId source;  // The op that wrote, or whose read merged.
};

using DefinitionId = Id<struct DefinitionTag>;

class WriteLog {
 public:
  static constexpr int64_t kAtEntry = -1;  // Before all times.

  explicit WriteLog(const WindowTable& windows) : windows_(&windows) {}

  // Adds a definition that is no older than any other. Preconditions: the
  // window is not empty; that of a write does not overlap itself. Amortized
  // O(log^2 n) in the number of distinct windows.
  void Add(const Definition& definition);

  // The value of a definition that has none yet, now that it is made.
  void SetValue(DefinitionId id, ValueId value) { At(id).value = value; }
  const Definition& Get(DefinitionId id) const {
    return many_ ? many_->definitions[id.value] : only_;
  }

  // A walk over the live definitions that may touch a window, newest first.
  class Search {
   public:
    // Those later than `after`. The log must not change meanwhile.
    Search(const WriteLog& log, const Window& window, int64_t after = kAtEntry);

    // The next definition; invalid at the end.
    DefinitionId Next();
    // From now on only those that may touch one of the boxes.
    void Narrow(absl::Span<const Box> boxes) {
      if (entries_) entries_->Narrow(boxes);
    }

   private:
    const WriteLog& log_;
    absl::optional<WindowIndex::Search> entries_;  // Of a log with many.
    bool only_is_next_ = false;
  };

  // What a read through exactly this window found: the value, where no write
  // over the window came since.
  absl::optional<ValueId> Recall(WindowId window) const;
  // Remembers what a read through the window found at `time`.
  void Remember(WindowId window, ValueId value, int64_t time);

  // The live definitions of a kind, oldest first. O(n log n).
  std::vector<DefinitionId> Live(DefinitionKind kind) const;

  int64_t dead_writes() const { return dead_writes_; }
  int64_t candidates() const { return candidates_; }

 private:
  // Of one window: what its last read or write found, and its definitions,
  // which are at most one of each kind.
  struct Memory {
    ValueId value;
    int64_t time = kAtEntry;
    std::array<DefinitionId, kDefinitionKinds> definitions;
  };
  // A log with more than one definition. Definition i is entry i of the index.
  struct Many {
    std::vector<Definition> definitions;
    WindowIndex index;
    absl::flat_hash_map<WindowId, Memory> memory;
  };

  Definition& At(DefinitionId id) {
    return many_ ? many_->definitions[id.value] : only_;
  }
  bool IsLive(DefinitionId id) const {
    return many_->index.StampOf(id.value) != WindowIndex::kNever;
  }
  void AddToMany(const Definition& definition);
  void Drop(DefinitionId id);
  void DropCovered(const Definition& newest);
  bool HasWriteSince(int64_t time, const Window& window) const;

  const WindowTable* windows_;
  Definition only_;  // Where it has a valid window and many_ is null.
  std::unique_ptr<Many> many_;
  int64_t last_write_time_ = kAtEntry;
  int64_t dead_writes_ = 0;
  mutable int64_t candidates_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_WRITE_LOG_H_
