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
// cheap: the same window at once, others where they were touched lately.

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
  int64_t time = 0;
  WindowId window;
  // Invalid: not made yet (the contents of a parameter's storage).
  ValueId value;
  OpId source;  // The op that wrote, or whose read merged.
  DefinitionKind kind = DefinitionKind::kWrite;
};

using DefinitionId = Id<struct DefinitionTag>;

class WriteLog {
 public:
  static constexpr int64_t kAtEntry = -1;  // Before all times.

  // Of a storage of so many bytes.
  WriteLog(const WindowTable& windows, int64_t bytes)
      : windows_(&windows), bytes_(bytes) {}

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
    Search(const WriteLog& log, const Window& window, int64_t after = kAtEntry,
           int max_nodes = WindowIndex::kNoLimit);

    // The next definition; invalid at the end.
    DefinitionId Next();
    // From now on only those that may touch one of the boxes, of which there
    // must be one.
    void Narrow(absl::Span<const Box> boxes) {
      if (entries_) entries_->Narrow(boxes);
    }
    // Whether there may be more than Next() gave, past `max_nodes`.
    bool is_cut() const { return entries_ && entries_->is_cut(); }

   private:
    const WriteLog& log_;
    absl::optional<WindowIndex::Search> entries_;  // Of a log with many.
    bool only_is_next_ = false;
  };

  // What the last read or write of exactly this window found or left there, and
  // when: it reads as that unless a write over it came since. O(1).
  struct Memory {
    int64_t time = kAtEntry;
    ValueId value;
    DefinitionId definition;  // That says so; invalid where a read found it.
  };
  absl::optional<Memory> Recall(WindowId window) const;
  // Remembers what a read through the window found at `time`.
  void Remember(WindowId window, ValueId value, int64_t time);
  // Whether a write later than `time` may touch the window; yes, too, where
  // it would take long to know. O(log n).
  bool HasWriteSince(int64_t time, const Window& window) const;
  int64_t last_write_time() const { return last_write_time_; }

  // The live definitions of a kind, oldest first. O(n log n).
  std::vector<DefinitionId> Live(DefinitionKind kind) const;

  // Frees the definitions: nothing may be asked but what follows.
  void Release() { many_.reset(); }

  int64_t bytes() const { return bytes_; }  // Of the storage.
  int64_t dead_writes() const { return dead_writes_; }
  int64_t candidates() const { return candidates_; }

 private:
  // Of one window; it has at most one definition of each kind.
  struct Known {
    Memory memory;
    std::array<DefinitionId, kDefinitionKinds> definitions;
    WindowId window;
  };
  // A log that knows of more than one window. Definition i is entry i of the
  // index.
  struct Many {
    explicit Many(int64_t bytes) : index(bytes) {}

    std::vector<Definition> definitions;
    WindowIndex index;
    std::vector<Known> known;
    // Where in it the windows are that another log knew first: few, since most
    // windows are ever seen in one storage.
    absl::flat_hash_map<WindowId, int32_t> elsewhere;
  };

  Definition& At(DefinitionId id) {
    return many_ ? many_->definitions[id.value] : only_;
  }
  bool IsLive(DefinitionId id) const {
    return many_->index.StampOf(id.value) != WindowIndex::kNever;
  }
  // Null where nothing is known. Precondition: there are many.
  const Known* Find(WindowId window) const;
  Known& FindOrAdd(WindowId window);
  void MakeMany();
  void AddToMany(const Definition& definition);
  void Drop(DefinitionId id);
  void DropCovered(const Definition& newest);

  const WindowTable* windows_;
  int64_t bytes_;
  Definition only_;  // Where it has a valid window and many_ is null.
  std::unique_ptr<Many> many_;
  int64_t last_write_time_ = kAtEntry;
  int64_t dead_writes_ = 0;
  mutable int64_t candidates_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_WRITE_LOG_H_
