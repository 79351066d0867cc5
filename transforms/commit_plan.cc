// Rules, in this order:
//
//   1. A write that newer writes cover together is dead.
//   2. A merge stands, at its own time, for the older writes that it covers, if
//      there are two or more, if it has no more bytes than they have, and if
//      every byte of it was written: then what it read is what they wrote.
//   3. If the commits come to more than twice their union, only the parts that
//      no newer write covers are committed: then they are the union.

#include "transforms/commit_plan.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "analysis/element_box.h"
#include "analysis/fill.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/ids.h"
#include "ir/type.h"
#include "transforms/pure_emitter.h"

namespace palimpsest {
namespace {

// Bounds on the search, each for one write or merge: beyond them, more may be
// committed than need be.
constexpr int kMaxParts = 64;
constexpr int kMaxNewerWrites = 64;
constexpr int64_t kVisitsEach = 64;

// A write, and what of it newer writes leave: parts of its box.
struct Entry {
  Definition definition;
  std::vector<Box> visible;
  bool is_whole = true;      // `visible` is the write's box.
  bool is_replaced = false;  // A merge stands for it.
};

class Planner {
 public:
  Planner(const WriteLog& log, PureEmitter& emitter)
      : log_(log), emitter_(emitter) {}

  CommitPlan Run() {
    FindVisibleParts();
    std::vector<Definition> chosen = StandInMerges();
    int64_t committed = 0;
    int64_t visible = 0;
    for (const Definition& definition : chosen) {
      committed += WindowOf(definition).bytes;
    }
    for (const Entry& entry : writes_) {
      for (const Box& box : entry.visible) visible += box.bytes();
    }
    if (committed - visible > visible) {
      for (const Entry& entry : writes_) CommitParts(entry);
    } else {
      for (const Definition& definition : chosen) CommitWhole(definition);
    }
    return std::move(plan_);
  }

 private:
  const Window& WindowOf(const Definition& definition) const {
    return emitter_.windows().Get(definition.window);
  }

  // Rule 1, and what rule 3 needs.
  void FindVisibleParts() {
    for (DefinitionId id : log_.Live(DefinitionKind::kWrite)) {
      Entry entry{log_.Get(id), {}};
      const Window& window = WindowOf(entry.definition);
      entry.visible = {window.box};
      WriteLog::Search search(log_, window, entry.definition.time);
      for (int budget = kMaxNewerWrites; budget > 0; --budget) {
        const DefinitionId newer = search.Next();
        if (!newer.valid()) break;
        if (log_.Get(newer).kind != DefinitionKind::kWrite) continue;
        // Where that takes many boxes, more is left than shows.
        if (emitter_.windows()
                .Subtract(WindowOf(log_.Get(newer)), kMaxParts, entry.visible)
                .value_or(false)) {
          entry.is_whole = false;
        }
        if (entry.visible.empty()) break;
        search.Narrow(entry.visible);
      }
      if (entry.visible.empty()) {
        ++plan_.dead_writes;
        continue;
      }
      index_[id] = writes_.size();
      writes_.push_back(std::move(entry));
    }
  }

  // Rule 2: the writes, or merges in their place; oldest first.
  std::vector<Definition> StandInMerges() {
    std::vector<Definition> chosen;
    std::vector<DefinitionId> merges = log_.Live(DefinitionKind::kMerge);
    visits_ =
        kVisitsEach * static_cast<int64_t>(writes_.size() + merges.size());
    for (auto id = merges.rbegin(); id != merges.rend(); ++id) {
      if (StandsIn(log_.Get(*id))) chosen.push_back(log_.Get(*id));
    }
    for (const Entry& entry : writes_) {
      if (!entry.is_replaced) chosen.push_back(entry.definition);
    }
    absl::c_sort(chosen, [](const Definition& a, const Definition& b) {
      return a.time < b.time;
    });
    return chosen;
  }

  // Whether the merge replaces writes; if so, says so of them.
  bool StandsIn(const Definition& merge) {
    const Window& window = WindowOf(merge);
    std::vector<Entry*> touching;
    WriteLog::Search search(log_, window);
    for (DefinitionId id = search.Next(); id.valid() && --visits_ > 0;
         id = search.Next()) {
      if (auto found = index_.find(id); found != index_.end()) {
        touching.push_back(&writes_[found->second]);
      }
    }
    std::vector<Entry*> covered;
    int64_t bytes = 0;
    for (Entry* entry : touching) {
      const Window& other = WindowOf(entry->definition);
      if (entry->is_replaced || entry->definition.time > merge.time ||
          !emitter_.windows().SurelyCovers(window, other)) {
        continue;
      }
      covered.push_back(entry);
      bytes += other.bytes;
    }
    if (covered.size() < 2 || bytes < window.bytes ||
        !IsWritten(window, touching)) {
      return false;
    }
    for (Entry* entry : covered) entry->is_replaced = true;
    return true;
  }

  // Whether every byte of the window was written, at any time.
  bool IsWritten(const Window& window,
                 const std::vector<Entry*>& writes) const {
    std::vector<Box> boxes;
    for (const Entry* entry : writes) {
      auto parts = emitter_.windows().Split(WindowOf(entry->definition).box,
                                            window, kMaxParts);
      if (!parts) continue;
      for (Box& part : parts->inside) boxes.push_back(std::move(part));
    }
    return SurelyFill(window.bytes, boxes);
  }

  void CommitWhole(const Definition& definition) {
    const Window& window = WindowOf(definition);
    const Layout layout = emitter_.windows().LayoutOf(definition.window);
    plan_.commits.push_back({definition.value, window.offset,
                             Dims(layout.strides.begin(), layout.strides.end()),
                             definition.source});
  }

  void CommitParts(const Entry& entry) {
    if (entry.is_whole) return CommitWhole(entry.definition);
    const DType dtype = emitter_.windows().DTypeOf(entry.definition.window);
    for (Box box : entry.visible) {
      box.target = box.address;
      for (BoxDim& dim : box.dims) dim.target = dim.address;
      const ElementBox part = InElements(box, dtype);
      const ValueId value = emitter_.Extract(
          entry.definition.value,
          {part.dtype, part.sizes, part.subject_strides}, part.subject);
      plan_.commits.push_back(
          {value, part.target, part.target_strides, entry.definition.source});
    }
  }

  const WriteLog& log_;
  PureEmitter& emitter_;
  std::vector<Entry> writes_;                        // Not dead, oldest first.
  absl::flat_hash_map<DefinitionId, size_t> index_;  // Into writes_.
  int64_t visits_ = 0;                               // What is left of them.
  CommitPlan plan_;
};

}  // namespace

CommitPlan PlanCommits(const WriteLog& log, PureEmitter& emitter) {
  return Planner(log, emitter).Run();
}

}  // namespace palimpsest
