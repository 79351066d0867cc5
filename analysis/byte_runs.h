// A strided box as runs of contiguous bytes. Private to analysis/.
//
// With g the greatest length that divides all runs' lengths and places, a row
// of bytes is a row of granules of g bytes, each of which a run covers wholly
// or not at all: one mark each says what is covered.

#ifndef PALIMPSEST_ANALYSIS_BYTE_RUNS_H_
#define PALIMPSEST_ANALYSIS_BYTE_RUNS_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/partition.h"

namespace palimpsest {

// `length` bytes at start + the steps of `dims`.
struct ByteRuns {
  struct Dim {
    int64_t extent;
    int64_t step;  // Positive, or 0 where they repeat.
  };

  int64_t start = 0;
  int64_t length = 1;
  int64_t count = 1;
  absl::InlinedVector<Dim, 6> dims;  // By rising step.
};

// One of a box's places: `&Box::address, &BoxDim::address`, or the target's.
ByteRuns RunsOf(const Box& box, int64_t Box::*start, int64_t BoxDim::*step);

// The greatest length that divides `unit` and all lengths and distances, also
// those from 0.
int64_t GranuleOf(int64_t unit, absl::Span<const ByteRuns> all);

// Calls visit(first byte) for each run.
template <typename Visit>
void ForEachRun(const ByteRuns& runs, Visit visit) {
  absl::InlinedVector<int64_t, 6> index(runs.dims.size(), 0);
  int64_t place = runs.start;
  for (int64_t n = 0; n < runs.count; ++n) {
    visit(place);
    for (size_t i = 0; i < index.size(); ++i) {
      place += runs.dims[i].step;
      if (++index[i] < runs.dims[i].extent) break;
      place -= runs.dims[i].step * runs.dims[i].extent;
      index[i] = 0;
    }
  }
}

// A row of granules, each of which is marked or not. Precondition of all: runs
// lie in the row, and GranuleOf() them is a multiple of its granule.
class GranuleMarks {
 public:
  GranuleMarks(int64_t bytes, int64_t granule)
      : granule_(granule), marks_(bytes / granule, 0) {}

  // Marks the runs' granules; how many were not marked before.
  int64_t Add(const ByteRuns& runs);
  bool is_full() const {
    return marked_ == static_cast<int64_t>(marks_.size());
  }
  int64_t bytes() const { return marked_ * granule_; }  // That are marked.
  const std::vector<uint8_t>& marks() const { return marks_; }  // 1 or 0.

 private:
  int64_t granule_;
  std::vector<uint8_t> marks_;
  int64_t marked_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_BYTE_RUNS_H_
