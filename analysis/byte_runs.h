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
#include "analysis/partition.h"

namespace palimpsest {

// `length` bytes at start + the steps of `dims`.
struct ByteRuns {
  struct Dim {
    int64_t extent;
    int64_t step;  // Positive: what repeats is taken once.
  };

  int64_t start = 0;
  int64_t length = 1;
  absl::InlinedVector<Dim, 6> dims;  // By rising step.
};

// One of a box's places: `&Box::address, &BoxDim::address`, or the target's.
ByteRuns RunsOf(const Box& box, int64_t Box::*start, int64_t BoxDim::*step);

// The greatest length that divides `unit` and the runs' lengths and distances,
// also the one from 0, once they are moved by `distance`.
int64_t GranuleOf(int64_t unit, const ByteRuns& runs, int64_t distance = 0);

// A row of granules, each of which is marked or not. Precondition of all: runs
// lie in the row, and GranuleOf() them is a multiple of its granule.
class GranuleMarks {
 public:
  GranuleMarks(int64_t bytes, int64_t granule)
      : granule_(granule),
        granules_(bytes / granule),
        words_((granules_ + kWord - 1) / kWord, 0) {}

  // Marks the granules of the runs, moved by `distance`; how many were not
  // marked before. O(Cost()).
  int64_t Add(const ByteRuns& runs, int64_t distance = 0);
  // About how many steps that takes: 64 granules that lie close are one.
  int64_t Cost(const ByteRuns& runs) const;

  bool is_full() const { return marked_ == granules_; }
  int64_t bytes() const { return marked_ * granule_; }  // That are marked.

  // The first granule from `from` on that is marked, or that is not; or the
  // number of all. O(granules / 64).
  int64_t NextMarked(int64_t from) const { return Next(from, 0); }
  int64_t NextUnmarked(int64_t from) const { return Next(from, ~uint64_t{0}); }
  int64_t size() const { return granules_; }

 private:
  static constexpr int64_t kWord = 64;  // Bits.

  // `count` granules, `step` granules from one to the next.
  struct Row {
    int64_t count;
    int64_t step;
    size_t outer_dims;  // The first dimension of which each step is a row.
  };

  Row RowOf(const ByteRuns& runs) const;
  int64_t MarkClose(int64_t first, const Row& row);
  int64_t MarkEach(int64_t first, const Row& row);
  int64_t Next(int64_t from, uint64_t flip) const;

  int64_t granule_;
  int64_t granules_;
  std::vector<uint64_t> words_;
  int64_t marked_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_BYTE_RUNS_H_
