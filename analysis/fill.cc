// Each box is a number of runs of contiguous bytes. With g the greatest length
// that divides all runs' lengths and places, the buffer is a row of granules of
// g bytes, each of which a run covers wholly or not at all: one mark each
// decides.

#include "analysis/fill.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/partition.h"

namespace palimpsest {
namespace {

constexpr int64_t kMaxMarks = 1 << 20;

// A box as runs: `length` bytes at start + the steps of `dims`.
struct Runs {
  int64_t start = 0;
  int64_t length = 1;
  int64_t count = 1;
  struct Dim {
    int64_t extent;
    int64_t step;  // Positive.
  };
  absl::InlinedVector<Dim, 6> dims;
};

Runs RunsOf(const Box& box) {
  Runs runs;
  runs.start = box.target;
  for (const BoxDim& dim : box.dims) {
    if (dim.extent == 1) continue;
    if (dim.target < 0) runs.start += (dim.extent - 1) * dim.target;
    runs.dims.push_back({dim.extent, std::abs(dim.target)});
  }
  std::sort(
      runs.dims.begin(), runs.dims.end(),
      [](const Runs::Dim& a, const Runs::Dim& b) { return a.step < b.step; });
  auto first = runs.dims.begin();
  while (first != runs.dims.end() && first->step == runs.length) {
    runs.length *= first->extent;
    ++first;
  }
  runs.dims.erase(runs.dims.begin(), first);
  for (const Runs::Dim& dim : runs.dims) runs.count *= dim.extent;
  return runs;
}

// Where all have the same outermost dimension and it spans the buffer, as
// columns of one matrix do: leaves one of its steps to be filled instead.
bool DropCommonDim(int64_t& bytes, std::vector<Runs>& all) {
  if (all[0].dims.empty()) return false;
  const Runs::Dim common = all[0].dims.back();
  if (common.step * common.extent != bytes) return false;
  for (const Runs& runs : all) {
    if (runs.dims.empty() || runs.dims.back().step != common.step ||
        runs.dims.back().extent != common.extent) {
      return false;
    }
    int64_t end = runs.start + runs.length;
    for (size_t i = 0; i + 1 < runs.dims.size(); ++i) {
      end += (runs.dims[i].extent - 1) * runs.dims[i].step;
    }
    if (end > common.step) return false;
  }
  for (Runs& runs : all) {
    runs.dims.pop_back();
    runs.count /= common.extent;
  }
  bytes = common.step;
  return true;
}

int64_t GranuleOf(int64_t bytes, absl::Span<const Runs> all) {
  int64_t granule = bytes;
  for (const Runs& runs : all) {
    granule = std::gcd(granule, std::gcd(runs.start, runs.length));
    for (const Runs::Dim& dim : runs.dims)
      granule = std::gcd(granule, dim.step);
  }
  return granule;
}

void Mark(const Runs& runs, int64_t granule, std::vector<bool>& marks) {
  absl::InlinedVector<int64_t, 6> index(runs.dims.size(), 0);
  int64_t place = runs.start;
  for (int64_t n = 0; n < runs.count; ++n) {
    const auto first = marks.begin() + place / granule;
    std::fill(first, first + runs.length / granule, true);
    for (size_t i = 0; i < index.size(); ++i) {
      place += runs.dims[i].step;
      if (++index[i] < runs.dims[i].extent) break;
      place -= runs.dims[i].step * runs.dims[i].extent;
      index[i] = 0;
    }
  }
}

}  // namespace

bool SurelyFill(int64_t bytes, absl::Span<const Box> boxes) {
  int64_t laid = 0;
  for (const Box& box : boxes) {
    if (laid < bytes) laid += box.bytes();
  }
  if (laid < bytes) return false;

  std::vector<Runs> all;
  all.reserve(boxes.size());
  for (const Box& box : boxes) all.push_back(RunsOf(box));
  while (DropCommonDim(bytes, all)) {
  }
  const int64_t granule = GranuleOf(bytes, all);
  int64_t marked = 0;
  for (const Runs& runs : all) marked += runs.count * runs.length;
  if (marked / granule > kMaxMarks) return false;
  std::vector<bool> marks(bytes / granule, false);
  for (const Runs& runs : all) Mark(runs, granule, marks);
  return std::find(marks.begin(), marks.end(), false) == marks.end();
}

}  // namespace palimpsest
