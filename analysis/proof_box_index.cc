// Columns of a matrix all reach over the whole of it, but their blocks lie
// apart modulo the step. So boxes of one step are kept by where their blocks
// begin modulo that step, and intervals by where they begin. Since the boxes of
// a class are at most `length` long, those that meet a window begin less than
// that before it, or inside.

#include "analysis/proof_box_index.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/proof_box.h"

namespace palimpsest {
namespace proof {
namespace {

int64_t Remainder(int64_t a, int64_t b) {
  const int64_t remainder = a % b;
  return remainder < 0 ? remainder + b : remainder;
}

}  // namespace

BoxIndex::Class BoxIndex::ClassOf(const Reach& reach) {
  const int64_t length = reach.step > 0 ? reach.block : reach.end - reach.begin;
  int64_t limit = 1;
  while (limit < length) {
    limit = limit > INT64_MAX / 2 ? INT64_MAX : limit * 2;
  }
  return {reach.step, limit, {}};
}

BoxIndex::Entry BoxIndex::EntryOf(int32_t id, const Reach& reach) {
  const int64_t key =
      reach.step > 0 ? Remainder(reach.begin, reach.step) : reach.begin;
  return {key, id, reach};
}

BoxIndex::Class* BoxIndex::Find(const Class& like) {
  for (Class& boxes : classes_) {
    if (boxes.step == like.step && boxes.length == like.length) return &boxes;
  }
  return nullptr;
}

void BoxIndex::Insert(int32_t id, const Reach& reach) {
  Class like = ClassOf(reach);
  Class* boxes = Find(like);
  if (boxes == nullptr) {
    classes_.push_back(std::move(like));
    boxes = &classes_.back();
  }
  boxes->entries.insert(EntryOf(id, reach));
}

void BoxIndex::Erase(int32_t id, const Reach& reach) {
  Find(ClassOf(reach))->entries.erase(EntryOf(id, reach));
}

void BoxIndex::AppendMeeting(const Reach& reach,
                             std::vector<int32_t>& ids) const {
  for (const Class& boxes : classes_) AppendMeeting(boxes, reach, ids);
}

// Of those with keys in [first, last].
void BoxIndex::AppendRange(const Class& boxes, int64_t first, int64_t last,
                           const Reach& reach, std::vector<int32_t>& ids) {
  const Entry least = {first, -1, reach};
  for (auto entry = boxes.entries.lower_bound(least);
       entry != boxes.entries.end() && entry->key <= last; ++entry) {
    if (MayMeet(entry->reach, reach)) ids.push_back(entry->id);
  }
}

// Of intervals that may begin in front of a block of the window, or in it.
void BoxIndex::AppendIntervals(const Class& boxes, const Reach& reach,
                               std::vector<int32_t>& ids) {
  const int64_t before = boxes.length - 1;
  const bool apart = reach.step - reach.block > before;
  const int64_t count =
      apart ? (reach.end - reach.begin - reach.block) / reach.step + 1 : 1;
  if (!apart || count > static_cast<int64_t>(boxes.entries.size())) {
    return AppendRange(boxes, reach.begin - before, reach.end - 1, reach, ids);
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t begin = reach.begin + i * reach.step;
    AppendRange(boxes, begin - before, begin + reach.block - 1, reach, ids);
  }
}

void BoxIndex::AppendMeeting(const Class& boxes, const Reach& reach,
                             std::vector<int32_t>& ids) {
  if (boxes.step == 0) return AppendIntervals(boxes, reach, ids);
  // The window modulo the step, where it is less than all of it.
  const int64_t step = boxes.step;
  const bool is_block = reach.step > 0 && reach.step % step == 0;
  const int64_t width = is_block ? reach.block : reach.end - reach.begin;
  if (width >= step || boxes.length >= step - width) {
    return AppendRange(boxes, 0, step - 1, reach, ids);
  }
  const int64_t begin = Remainder(reach.begin, step);
  const int64_t first = begin - (boxes.length - 1);
  const int64_t past = begin - (step - width);  // How much of it is wrapped.
  const int64_t last = past > 0 ? step - 1 : begin + width - 1;
  AppendRange(boxes, first, last, reach, ids);
  if (first < 0) AppendRange(boxes, first + step, step - 1, reach, ids);
  if (past > 0) AppendRange(boxes, 0, past - 1, reach, ids);
}

}  // namespace proof
}  // namespace palimpsest
