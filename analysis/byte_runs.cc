#include "analysis/byte_runs.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/bits.h"
#include "absl/types/span.h"
#include "analysis/partition.h"

namespace palimpsest {

ByteRuns RunsOf(const Box& box, int64_t Box::*start, int64_t BoxDim::*step) {
  ByteRuns runs;
  runs.start = box.*start;
  for (const BoxDim& dim : box.dims) {
    if (dim.extent == 1 || dim.*step == 0) continue;
    if (dim.*step < 0) runs.start += (dim.extent - 1) * (dim.*step);
    runs.dims.push_back({dim.extent, std::abs(dim.*step)});
  }
  std::sort(runs.dims.begin(), runs.dims.end(),
            [](const ByteRuns::Dim& a, const ByteRuns::Dim& b) {
              return a.step < b.step;
            });
  auto first = runs.dims.begin();
  while (first != runs.dims.end() && first->step == runs.length) {
    runs.length *= first->extent;
    ++first;
  }
  runs.dims.erase(runs.dims.begin(), first);
  return runs;
}

int64_t GranuleOf(int64_t unit, const ByteRuns& runs, int64_t distance) {
  int64_t granule = std::gcd(unit, runs.length);
  granule = std::gcd(granule, runs.start + distance);
  for (const ByteRuns::Dim& dim : runs.dims) {
    granule = std::gcd(granule, dim.step);
  }
  return granule;
}

// The innermost run or, where runs are single granules, the innermost
// dimension.
GranuleMarks::Row GranuleMarks::RowOf(const ByteRuns& runs) const {
  const int64_t length = runs.length / granule_;
  if (length > 1 || runs.dims.empty()) return {length, 1, 0};
  return {runs.dims[0].extent, runs.dims[0].step / granule_, 1};
}

int64_t GranuleMarks::Cost(const ByteRuns& runs) const {
  const Row row = RowOf(runs);
  int64_t cost =
      row.step < kWord ? row.count * row.step / kWord + 1 : row.count;
  for (size_t i = row.outer_dims; i < runs.dims.size(); ++i) {
    cost *= runs.dims[i].extent;
  }
  return cost;
}

int64_t GranuleMarks::Add(const ByteRuns& runs, int64_t distance) {
  const Row row = RowOf(runs);
  const auto outer = absl::MakeConstSpan(runs.dims).subspan(row.outer_dims);
  absl::InlinedVector<int64_t, 6> index(outer.size(), 0);
  int64_t place = runs.start + distance;
  int64_t added = 0;
  while (true) {
    const int64_t first = place / granule_;
    added += row.step < kWord ? MarkClose(first, row) : MarkEach(first, row);
    size_t i = 0;
    for (; i < outer.size(); ++i) {
      place += outer[i].step;
      if (++index[i] < outer[i].extent) break;
      place -= outer[i].step * outer[i].extent;
      index[i] = 0;
    }
    if (i == outer.size()) break;
  }
  marked_ += added;
  return added;
}

// Word by word: the bits of a row repeat from one to the next, shifted.
int64_t GranuleMarks::MarkClose(int64_t first, const Row& row) {
  uint64_t pattern = 0;
  for (int64_t bit = 0; bit < kWord; bit += row.step) {
    pattern |= uint64_t{1} << bit;
  }
  const int64_t end = first + (row.count - 1) * row.step + 1;
  int64_t added = 0;
  for (int64_t at = first; at < end;) {
    const int64_t bit = at % kWord;
    uint64_t bits = pattern << bit;
    const int64_t word_end = at - bit + kWord;
    if (end < word_end) bits &= ~uint64_t{0} >> (word_end - end);
    uint64_t& word = words_[at / kWord];
    added += absl::popcount(bits & ~word);
    word |= bits;
    at += (word_end - at + row.step - 1) / row.step * row.step;
  }
  return added;
}

int64_t GranuleMarks::MarkEach(int64_t first, const Row& row) {
  int64_t added = 0;
  for (int64_t n = 0; n < row.count; ++n) {
    const int64_t at = first + n * row.step;
    const uint64_t bit = uint64_t{1} << (at % kWord);
    uint64_t& word = words_[at / kWord];
    added += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  return added;
}

int64_t GranuleMarks::Next(int64_t from, uint64_t flip) const {
  while (from < granules_) {
    const int64_t bit = from % kWord;
    const uint64_t rest = (words_[from / kWord] ^ flip) >> bit;
    if (rest != 0) return std::min(from + absl::countr_zero(rest), granules_);
    from += kWord - bit;
  }
  return granules_;
}

}  // namespace palimpsest
