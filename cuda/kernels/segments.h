// Updates by index where units run in any order: the writes to one element must
// still follow each other as on the host.
//
//   items     what the index picks: the runs of the walk where a run has one
//             offset, else its elements; in row-major order
//   keys      where in the base each item starts
//   segments  the items of one key, after a stable sort by key: so in order
//
// A segment's first item adds up all of the segment; of writes only the last
// item's counts. Right, since items that touch a common element have equal
// keys: runs do where the base does not overlap itself (each covers all of some
// dimensions of it, at one place of the others), single elements always.

#ifndef PALIMPSEST_CUDA_KERNELS_SEGMENTS_H_
#define PALIMPSEST_CUDA_KERNELS_SEGMENTS_H_

#include <cstdint>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/index.h"

namespace palimpsest::kernels {

// Precondition: its runs are cut into items.
struct ItemKeysKernel {
  IndexedCall call;
  int64_t* keys;
  int64_t* items;

  PALIMPSEST_DEVICE void operator()(int64_t item) const {
    const auto run = call.runs.At(item);
    keys[item] = run.offsets[1] + call.offsets[run.offsets[2]];
    items[item] = item;
  }
};

// A unit is one element of an item. Precondition: as above.
template <IndexedAction action, typename T>
struct SegmentKernel {
  IndexedCall call;
  int64_t count;  // Of items.
  const int64_t* keys;
  const int64_t* items;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const Division at = Divide(unit, call.runs.chunk);
    int64_t i = at.quotient;
    if constexpr (action == IndexedAction::kAdd) {
      if (i > 0 && keys[i - 1] == keys[i]) return;
      do {
        Act(items[i], at.remainder);
        ++i;
      } while (i < count && keys[i] == keys[i - 1]);
    } else {
      if (i + 1 < count && keys[i + 1] == keys[i]) return;
      Act(items[i], at.remainder);
    }
  }

  PALIMPSEST_DEVICE void Act(int64_t item, int64_t element) const {
    const auto run = call.runs.At(item);
    const int64_t* steps = call.runs.steps;
    T* plain = static_cast<T*>(call.plain) + run.offsets[0];
    T* base = static_cast<T*>(call.base) + run.offsets[1] +
              call.offsets[run.offsets[2]];
    IndexedKernel<action, T>::Act(plain[element * steps[0]],
                                  base[element * steps[1]]);
  }
};

inline void CutIntoItems(Runs<3>& runs) {
  const bool one_offset = runs.steps[2] == 0 && runs.order == Order::kAny;
  runs.CutInto(one_offset ? runs.length : 1);
}

template <typename Launcher>
int64_t SegmentScratch(const Launcher& launcher, IndexedAction action,
                       IndexedCall call) {
  if (action == IndexedAction::kRead) return 0;
  CutIntoItems(call.runs);
  const int64_t items = call.runs.Units();
  constexpr int64_t kArrays = 4;
  return kArrays * items * static_cast<int64_t>(sizeof(int64_t)) +
         launcher.SortBytes(items);
}

template <typename Launcher>
const char* IndexedInSegments(const Launcher& launcher, IndexedAction action,
                              Type type, IndexedCall call) {
  if (action == IndexedAction::kRead) {
    call.runs.CutInto(launcher.max_chunk());
    return VisitWidth(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return launcher.Launch(IndexedKernel<IndexedAction::kRead, T>{call},
                             call.runs.Units(), call.runs.order);
    });
  }
  CutIntoItems(call.runs);
  const int64_t count = call.runs.Units();
  int64_t* keys = static_cast<int64_t*>(call.scratch);
  int64_t* items = keys + count;
  int64_t* sorted_keys = items + count;
  int64_t* sorted_items = sorted_keys + count;
  void* rest = sorted_items + count;
  const char* error = launcher.Launch(ItemKeysKernel{call, keys, items}, count);
  if (error != nullptr) return error;
  error = launcher.StableSort(
      {count, keys, sorted_keys, items, sorted_items, rest});
  if (error != nullptr) return error;
  return VisitIndexed(action, type, [&](auto of, auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    constexpr IndexedAction kAction = decltype(of)::action;
    if constexpr (kAction != IndexedAction::kRead) {
      return launcher.Launch(
          SegmentKernel<kAction, T>{call, count, sorted_keys, sorted_items},
          count * call.runs.chunk);
    }
    return nullptr;
  });
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_SEGMENTS_H_
