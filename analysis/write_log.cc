#include "analysis/write_log.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "analysis/window_index.h"
#include "analysis/window_table.h"
#include "ir/ids.h"

namespace palimpsest {
namespace {

// How many nodes of the index the question what was written since may take.
constexpr int kSinceBudget = 8;

}  // namespace

void WriteLog::Add(const Definition& definition) {
  if (definition.kind == DefinitionKind::kWrite) {
    last_write_time_ = definition.time;
  }
  if (many_) return AddToMany(definition);
  const bool hides_it = definition.kind == DefinitionKind::kWrite &&
                        definition.window == only_.window;
  if (!only_.window.valid() || hides_it) {
    if (hides_it && only_.kind == DefinitionKind::kWrite) ++dead_writes_;
    only_ = definition;
    return;
  }
  MakeMany();
  AddToMany(definition);
}

void WriteLog::MakeMany() {
  many_ = std::make_unique<Many>(bytes_);
  if (only_.window.valid()) AddToMany(only_);
}

const WriteLog::Known* WriteLog::Find(WindowId window) const {
  const std::vector<Known>& known = many_->known;
  const int32_t place = windows_->Get(window).place_in_log;
  if (place < 0) return nullptr;
  if (static_cast<size_t>(place) < known.size() &&
      known[place].window == window) {
    return &known[place];
  }
  const auto it = many_->elsewhere.find(window);
  return it == many_->elsewhere.end() ? nullptr : &known[it->second];
}

WriteLog::Known& WriteLog::FindOrAdd(WindowId window) {
  std::vector<Known>& known = many_->known;
  if (const Known* found = Find(window)) return known[found - known.data()];
  const auto place = static_cast<int32_t>(known.size());
  int32_t& first = windows_->Get(window).place_in_log;
  if (first < 0) {
    first = place;
  } else {
    many_->elsewhere[window] = place;
  }
  known.emplace_back().window = window;
  return known.back();
}

void WriteLog::AddToMany(const Definition& definition) {
  Known& known = FindOrAdd(definition.window);
  // A merge says again what older writes said; these are still to be committed.
  auto of_kind = [&](DefinitionKind kind) -> DefinitionId& {
    return known.definitions[static_cast<int>(kind)];
  };
  if (definition.kind == DefinitionKind::kWrite) {
    Drop(of_kind(DefinitionKind::kWrite));
    Drop(of_kind(DefinitionKind::kMerge));
  }
  DefinitionId& id = of_kind(definition.kind);
  if (!id.valid()) {
    id = {many_->index.Add(windows_->Get(definition.window))};
    many_->definitions.emplace_back();
  }
  known.memory = {definition.time, definition.value, id};
  many_->definitions[id.value] = definition;
  many_->index.SetStamp(id.value, definition.time);
  if (definition.kind != DefinitionKind::kInitial) DropCovered(definition);
}

void WriteLog::Drop(DefinitionId id) {
  if (!id.valid() || !IsLive(id)) return;
  many_->index.SetStamp(id.value, WindowIndex::kNever);
  if (Get(id).kind == DefinitionKind::kWrite) ++dead_writes_;
}

// Drops recent definitions that the newest covers: writes and merges where it
// is a write, merges where it is a merge.
void WriteLog::DropCovered(const Definition& newest) {
  const Window& window = windows_->Get(newest.window);
  for (const int entry : many_->index.RecentWithin(window)) {
    ++candidates_;
    const DefinitionId id{entry};
    const Definition& old = Get(id);
    if (old.kind != DefinitionKind::kInitial && old.time < newest.time &&
        (newest.kind == DefinitionKind::kWrite || old.kind == newest.kind) &&
        windows_->SurelyCovers(window, windows_->Get(old.window))) {
      Drop(id);
    }
  }
}

WriteLog::Search::Search(const WriteLog& log, const Window& window,
                         int64_t after, int max_nodes)
    : log_(log) {
  if (log.many_) {
    entries_.emplace(log.many_->index, window, after, max_nodes);
  } else if (log.only_.window.valid() && log.only_.time > after) {
    const Window& other = log.windows_->Get(log.only_.window);
    only_is_next_ =
        other.begin() < window.end() && window.begin() < other.end();
  }
}

DefinitionId WriteLog::Search::Next() {
  DefinitionId next;
  if (entries_) {
    next.value = entries_->Next();
  } else if (only_is_next_) {
    next.value = 0;
    only_is_next_ = false;
  }
  if (next.valid()) ++log_.candidates_;
  return next;
}

absl::optional<WriteLog::Memory> WriteLog::Recall(WindowId window) const {
  absl::optional<Memory> memory;
  if (!many_) {
    if (only_.window == window) memory = {only_.time, only_.value, {0}};
  } else if (const Known* known = Find(window)) {
    memory = known->memory;
  }
  if (memory && !memory->value.valid()) return absl::nullopt;
  return memory;
}

void WriteLog::Remember(WindowId window, ValueId value, int64_t time) {
  if (!many_) {
    if (window == only_.window) return;
    MakeMany();
  }
  Memory& memory = FindOrAdd(window).memory;
  if (memory.value != value) memory = {time, value, {}};
  memory.time = time;
}

bool WriteLog::HasWriteSince(int64_t time, const Window& window) const {
  if (last_write_time_ <= time) return false;
  Search search(*this, window, time, kSinceBudget);
  for (DefinitionId id = search.Next(); id.valid(); id = search.Next()) {
    if (Get(id).kind == DefinitionKind::kWrite &&
        windows_->MayOverlap(windows_->Get(Get(id).window), window)) {
      return true;
    }
  }
  return search.is_cut();
}

std::vector<DefinitionId> WriteLog::Live(DefinitionKind kind) const {
  std::vector<DefinitionId> live;
  if (!many_) {
    if (only_.window.valid() && only_.kind == kind) live.push_back({0});
    return live;
  }
  for (int i = 0; i < many_->index.size(); ++i) {
    const DefinitionId id{i};
    if (Get(id).kind == kind && IsLive(id)) live.push_back(id);
  }
  std::sort(live.begin(), live.end(), [&](DefinitionId a, DefinitionId b) {
    return Get(a).time < Get(b).time;
  });
  return live;
}

}  // namespace palimpsest
