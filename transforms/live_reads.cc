#include "transforms/live_reads.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/algorithm/container.h"
#include "analysis/window_index.h"
#include "analysis/window_table.h"
#include "ir/ids.h"

namespace palimpsest {

void LiveReads::Add(WindowId window, ValueId value) {
  if (windows_->Get(window).empty()) return;
  const auto [known, is_new] =
      entry_of_.try_emplace(window, static_cast<int>(entries_.size()));
  const int entry = known->second;
  if (is_new) {
    entries_.push_back({window, {}});
    if (entries_.size() == kFew + 1) {
      index_ = std::make_unique<WindowIndex>(bytes_);
      for (size_t i = 0; i < entries_.size(); ++i) {
        index_->Add(windows_->Get(entries_[i].window));
        if (!entries_[i].values.empty()) {
          index_->SetStamp(static_cast<int>(i), ++time_);
        }
      }
    } else if (index_ != nullptr) {
      index_->Add(windows_->Get(window));
    }
  }
  std::vector<ValueId>& values = entries_[entry].values;
  if (values.empty() && index_ != nullptr) index_->SetStamp(entry, ++time_);
  values.push_back(value);
}

void LiveReads::Remove(WindowId window, ValueId value) {
  const auto known = entry_of_.find(window);
  if (known == entry_of_.end()) return;
  std::vector<ValueId>& values = entries_[known->second].values;
  const auto it = absl::c_find(values, value);
  if (it == values.end()) return;
  *it = values.back();
  values.pop_back();
  if (values.empty() && index_ != nullptr) {
    index_->SetStamp(known->second, WindowIndex::kNever);
  }
}

std::vector<WindowId> LiveReads::Meeting(WindowId window) const {
  std::vector<WindowId> meeting;
  const Window& asked = windows_->Get(window);
  if (asked.empty()) return meeting;
  const auto look = [&](const Entry& entry) {
    if (entry.values.empty()) return;
    if (entry.window == window ||
        windows_->MayOverlap(windows_->Get(entry.window), asked)) {
      meeting.push_back(entry.window);
    }
  };
  if (index_ == nullptr) {
    for (const Entry& entry : entries_) look(entry);
    return meeting;
  }
  WindowIndex::Search search(*index_, asked, WindowIndex::kNever);
  for (int i = search.Next(); i >= 0; i = search.Next()) look(entries_[i]);
  return meeting;
}

const std::vector<ValueId>& LiveReads::At(WindowId window) const {
  static const auto& kNone = *new std::vector<ValueId>;
  const auto known = entry_of_.find(window);
  return known == entry_of_.end() ? kNone : entries_[known->second].values;
}

}  // namespace palimpsest
