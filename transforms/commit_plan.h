// Which writes of a storage to commit, and how.

#ifndef PALIMPSEST_TRANSFORMS_COMMIT_PLAN_H_
#define PALIMPSEST_TRANSFORMS_COMMIT_PLAN_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/type.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {

// A value to be laid at a window of a storage, in elements of its dtype.
struct PlannedCommit {
  ValueId value;
  LayoutId layout;  // At its place.
  int64_t offset = 0;
  OpId source;  // The op that wrote it.
};

struct CommitPlan {
  std::vector<PlannedCommit> commits;  // To be done in order.
  int64_t dead_writes = 0;             // Writes that newer ones cover together.
};

// What must be committed so that the storage holds at the end what its log
// says. No byte outside of the writes' windows is committed, and no more than
// twice the bytes that were written at all, but for the bounds on the search
// (commit_plan.cc). May append reads and extracts. O(n log n) for n live
// writes, and about a million marks.
CommitPlan PlanCommits(StorageState& state, WindowReader& reader,
                       PureEmitter& emitter);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_COMMIT_PLAN_H_
