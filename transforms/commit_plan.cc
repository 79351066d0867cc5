// Writes whose byte intervals overlap or touch are a group. Rules, in this
// order:
//
//   1. A write that newer writes cover together is dead.
//   2. A merge stands, at its own time, for the older writes that it covers, if
//      there are two or more, if it has no more bytes than they have, and if
//      every byte of it is written at some time: what it read of bytes that are
//      written later is committed before those.
//   3. If the commits come to more than twice what was written, then those of
//      each group of which that is true are replaced: where its union is a few
//      rows, or sequences of them, by what these read as; else by the parts of
//      each write that no newer one covers.

#include "transforms/commit_plan.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/node_hash_map.h"
#include "absl/types/optional.h"
#include "analysis/byte_union.h"
#include "analysis/element_box.h"
#include "analysis/fill.h"
#include "analysis/joined_boxes.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/ids.h"
#include "ir/type.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {
namespace {

// Bounds on the search, each for one write or merge: beyond them, more may be
// committed than need be.
constexpr int kMaxParts = 64;
constexpr int kMaxNewerWrites = 64;
constexpr int64_t kVisitsEach = 64;

struct Entry {
  Definition definition;
  bool is_dead = false;
  bool is_replaced = false;  // A merge stands for it.
  int32_t group = 0;
};

struct Group {
  int64_t begin = 0;
  int64_t end = 0;
  std::vector<Entry*> entries;  // Oldest first.
  int64_t bytes = 0;            // Of those that are not dead.
  int64_t visible = 0;          // Of what they touch together, at most.
  absl::optional<std::vector<RunSequence>> sequences;

  bool IsWrittenThroughout() const {
    return sequences && sequences->size() == 1 &&
           (*sequences)[0].length == end - begin;
  }
  bool Holds(const Window& window) const {
    return begin <= window.begin() && window.end() <= end;
  }
};

class Planner {
 public:
  Planner(StorageState& state, WindowReader& reader, PureEmitter& emitter)
      : state_(state), reader_(reader), emitter_(emitter) {}

  CommitPlan Run() {
    MakeGroups();
    int64_t visible = 0;
    for (Group& group : groups_) {
      FindDead(group);
      visible += group.visible;
    }
    const std::vector<Definition> chosen = StandInMerges();
    int64_t committed = 0;
    for (const Definition& definition : chosen) {
      committed += WindowOf(definition).bytes();
    }
    if (committed - visible > visible) {
      for (const Group& group : groups_) CommitGroup(group);
    } else {
      for (const Definition& definition : chosen) CommitWhole(definition);
    }
    return std::move(plan_);
  }

 private:
  WindowTable& windows() const { return emitter_.windows(); }
  const Window& WindowOf(const Definition& definition) const {
    return windows().Get(definition.window);
  }

  void MakeGroups() {
    const std::vector<DefinitionId> live =
        state_.log.Live(DefinitionKind::kWrite);
    struct Place {
      int64_t begin;
      int64_t end;
      size_t write;
    };
    std::vector<Place> by_place;
    by_place.reserve(live.size());
    writes_.reserve(live.size());
    for (DefinitionId id : live) {
      if (index_.size() <= static_cast<size_t>(id.value)) {
        index_.resize(id.value + 1, -1);
      }
      index_[id.value] = static_cast<int32_t>(writes_.size());
      const Window& window = WindowOf(state_.log.Get(id));
      by_place.push_back({window.begin(), window.end(), writes_.size()});
      writes_.push_back({state_.log.Get(id)});
    }
    absl::c_sort(by_place, [](const Place& a, const Place& b) {
      return std::tie(a.begin, a.write) < std::tie(b.begin, b.write);
    });
    for (const Place& place : by_place) {
      if (groups_.empty() || groups_.back().end < place.begin) {
        groups_.emplace_back();
        groups_.back().begin = place.begin;
      }
      groups_.back().end = std::max(groups_.back().end, place.end);
      writes_[place.write].group = static_cast<int32_t>(groups_.size()) - 1;
      groups_.back().entries.push_back(&writes_[place.write]);
    }
    // The array of all is in the order of time.
    for (Group& group : groups_) absl::c_sort(group.entries);
  }

  // Rule 1, and what rule 3 needs to know.
  void FindDead(Group& group) {
    if (group.entries.size() > 1 && !FindDeadByMarks(group)) {
      for (Entry* entry : group.entries) {
        const std::vector<Box>& visible = VisiblePartsOf(*entry);
        for (const Box& box : visible) group.visible += box.bytes();
        entry->is_dead = visible.empty();
      }
    }
    for (const Entry* entry : group.entries) {
      if (entry->is_dead) {
        ++plan_.dead_writes;
      } else {
        group.bytes += WindowOf(entry->definition).bytes();
      }
    }
    if (group.entries.size() == 1) group.visible = group.bytes;
  }

  bool FindDeadByMarks(Group& group) {
    std::vector<const Window*> newest_first;
    newest_first.reserve(group.entries.size());
    for (auto entry = group.entries.rbegin(); entry != group.entries.rend();
         ++entry) {
      newest_first.push_back(&WindowOf((*entry)->definition));
    }
    absl::optional<ByteUnion> all =
        UnionOf(group.begin, group.end, newest_first);
    if (!all) return false;
    group.visible = all->bytes;
    group.sequences = std::move(all->sequences);
    for (size_t i = 0; i < newest_first.size(); ++i) {
      group.entries[newest_first.size() - 1 - i]->is_dead = !all->adds[i];
    }
    return true;
  }

  // What of the write's box newer ones leave.
  const std::vector<Box>& VisiblePartsOf(const Entry& entry) {
    const auto [known, is_new] = visible_.try_emplace(&entry);
    std::vector<Box>& visible = known->second;
    if (!is_new) return visible;
    const Window& window = WindowOf(entry.definition);
    visible.push_back(window.box());
    WriteLog::Search search(state_.log, window, entry.definition.time);
    for (int budget = kMaxNewerWrites; budget > 0 && !visible.empty();
         --budget) {
      const DefinitionId newer = search.Next();
      if (!newer.valid()) break;
      const Definition& definition = state_.log.Get(newer);
      if (definition.kind != DefinitionKind::kWrite) continue;
      // Where that takes many boxes, more is left than shows.
      const bool is_less =
          windows()
              .Subtract(WindowOf(definition), kMaxParts, visible)
              .value_or(false);
      if (is_less && !visible.empty()) search.Narrow(visible);
    }
    return visible;
  }

  // Rule 2: the writes, or merges in their place; oldest first.
  std::vector<Definition> StandInMerges() {
    std::vector<Definition> chosen;
    const std::vector<DefinitionId> merges =
        state_.log.Live(DefinitionKind::kMerge);
    visits_ =
        kVisitsEach * static_cast<int64_t>(writes_.size() + merges.size());
    for (auto id = merges.rbegin(); id != merges.rend(); ++id) {
      const Definition& merge = state_.log.Get(*id);
      if (StandsIn(merge)) chosen.push_back(merge);
    }
    for (const Entry& entry : writes_) {
      if (!entry.is_dead && !entry.is_replaced) {
        chosen.push_back(entry.definition);
      }
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
    WriteLog::Search search(state_.log, window);
    for (DefinitionId id = search.Next(); id.valid() && --visits_ > 0;
         id = search.Next()) {
      if (static_cast<size_t>(id.value) < index_.size() &&
          index_[id.value] >= 0) {
        touching.push_back(&writes_[index_[id.value]]);
      }
    }
    std::vector<Entry*> covered;
    int64_t bytes = 0;
    for (Entry* entry : touching) {
      const Window& other = WindowOf(entry->definition);
      if (entry->is_dead || entry->is_replaced ||
          entry->definition.time > merge.time ||
          !windows().SurelyCovers(window, other)) {
        continue;
      }
      covered.push_back(entry);
      bytes += other.bytes();
    }
    if (covered.size() < 2 || bytes < window.bytes() ||
        !IsWritten(window, touching)) {
      return false;
    }
    for (Entry* entry : covered) entry->is_replaced = true;
    return true;
  }

  // Whether every byte of the window was written, at any time.
  bool IsWritten(const Window& window,
                 const std::vector<Entry*>& writes) const {
    std::vector<int32_t> groups;
    for (const Entry* entry : writes) groups.push_back(entry->group);
    absl::c_sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    int64_t bytes = 0;
    for (int32_t group : groups) bytes += groups_[group].visible;
    if (bytes < window.bytes()) return false;
    if (groups.size() == 1 && groups_[groups[0]].IsWrittenThroughout() &&
        groups_[groups[0]].Holds(window)) {
      return true;
    }
    std::vector<Box> boxes;
    for (const Entry* entry : writes) {
      auto parts =
          windows().Split(WindowOf(entry->definition).box(), window, kMaxParts);
      if (!parts) continue;
      for (Box& part : parts->inside) boxes.push_back(std::move(part));
    }
    return SurelyFill(window.bytes(), boxes);
  }

  void CommitGroup(const Group& group) {
    const bool is_excessive = group.bytes - group.visible > group.visible;
    if (is_excessive && group.sequences) {
      const DType dtype =
          windows().DTypeOf(group.entries.back()->definition.window);
      const OpId source = group.entries.back()->definition.source;
      for (const RunSequence& sequence : *group.sequences) {
        CommitSequence(sequence, dtype, source);
      }
      return;
    }
    for (Entry* entry : group.entries) {
      if (entry->is_dead) continue;
      if (is_excessive) {
        CommitParts(*entry);
      } else {
        CommitWhole(entry->definition);
      }
    }
  }

  void CommitWhole(const Definition& definition) {
    Commit(definition.window, definition.value, definition.source);
  }

  void Commit(WindowId window, ValueId value, OpId source) {
    plan_.commits.push_back({value, windows().Get(window).layout,
                             windows().Get(window).offset, source});
  }

  void CommitSequence(const RunSequence& sequence, DType dtype, OpId source) {
    const int64_t width = WidthOf(dtype);
    if (sequence.begin % width != 0 || sequence.length % width != 0 ||
        sequence.step % width != 0) {
      return CommitSequence(sequence, DType::kU8, source);
    }
    const int64_t length = sequence.length / width;
    const int64_t offset = sequence.begin / width;
    const WindowId window =
        sequence.count == 1
            ? windows().InternRow(dtype, offset, length)
            : windows().Intern(
                  windows().layouts().Intern(dtype, {sequence.count, length},
                                             {sequence.step / width, 1}),
                  offset);
    Commit(window, reader_.Read(state_, window), source);
  }

  void CommitParts(Entry& entry) {
    std::vector<Box> visible = VisiblePartsOf(entry);
    if (visible.size() == 1 &&
        visible[0].bytes() == WindowOf(entry.definition).bytes()) {
      return CommitWhole(entry.definition);
    }
    const DType dtype = windows().DTypeOf(entry.definition.window);
    for (Box& box : visible) {
      box.target = box.address;
      for (BoxDim& dim : box.dims) dim.target = dim.address;
    }
    JoinBoxes(visible);
    for (const Box& box : visible) {
      const ElementBox part = InElements(box, dtype);
      const ValueId value = emitter_.Extract(
          entry.definition.value,
          {part.dtype, part.sizes, part.subject_strides}, part.subject);
      const LayoutId layout = windows().layouts().Intern(part.dtype, part.sizes,
                                                         part.target_strides);
      plan_.commits.push_back(
          {value, layout, part.target, entry.definition.source});
    }
  }

  StorageState& state_;
  WindowReader& reader_;
  PureEmitter& emitter_;
  std::vector<Entry> writes_;   // Oldest first.
  std::vector<int32_t> index_;  // By DefinitionId: into writes_, or -1.
  absl::node_hash_map<const Entry*, std::vector<Box>> visible_;
  std::vector<Group> groups_;
  int64_t visits_ = 0;  // What is left of them.
  CommitPlan plan_;
};

}  // namespace

CommitPlan PlanCommits(StorageState& state, WindowReader& reader,
                       PureEmitter& emitter) {
  return Planner(state, reader, emitter).Run();
}

}  // namespace palimpsest
