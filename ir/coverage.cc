#include "ir/coverage.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// The most granules that are looked at for one buffer.
constexpr int64_t kBudget = int64_t{1} << 22;

struct Dim {
  int64_t size;
  int64_t stride;  // In bytes; positive.
};

// A window as runs of `run` adjacent bytes, repeated.
struct Runs {
  int64_t offset;  // In bytes, of the lowest.
  int64_t run;
  absl::InlinedVector<Dim, 8> dims;  // By stride, the largest first.
  int64_t count = 1;                 // Of runs, counted with repetition.
};

Runs RunsOf(const CoverWindow& window) {
  const int64_t width = WidthOf(window.layout.dtype);
  Runs runs{window.offset * width, width, {}};
  for (int i = 0; i < window.layout.rank(); ++i) {
    const int64_t size = window.layout.sizes[i];
    int64_t stride = window.layout.strides[i] * width;
    if (size == 1 || stride == 0) continue;
    if (stride < 0) {
      runs.offset += (size - 1) * stride;
      stride = -stride;
    }
    runs.dims.push_back({size, stride});
  }
  std::sort(runs.dims.begin(), runs.dims.end(),
            [](Dim a, Dim b) { return a.stride > b.stride; });
  while (!runs.dims.empty() && runs.dims.back().stride == runs.run) {
    runs.run *= runs.dims.back().size;
    runs.dims.pop_back();
  }
  for (Dim dim : runs.dims) runs.count *= dim.size;
  return runs;
}

int64_t GranuleOf(absl::Span<const Runs> all, int64_t bytes) {
  int64_t granule = bytes;
  for (const Runs& runs : all) {
    granule = std::gcd(std::gcd(granule, runs.offset), runs.run);
    for (Dim dim : runs.dims) granule = std::gcd(granule, dim.stride);
  }
  return granule;
}

// Marks the granules of `runs`, and returns how many were not marked before.
int64_t Mark(const Runs& runs, int64_t granule, std::vector<bool>& marked) {
  int64_t fresh = 0;
  absl::InlinedVector<int64_t, 8> index(runs.dims.size(), 0);
  int64_t start = runs.offset;
  for (int64_t k = 0; k < runs.count; ++k) {
    for (int64_t at = start; at < start + runs.run; at += granule) {
      fresh += !marked[at / granule];
      marked[at / granule] = true;
    }
    for (int i = static_cast<int>(index.size()) - 1; i >= 0; --i) {
      start += runs.dims[i].stride;
      if (++index[i] < runs.dims[i].size) break;
      start -= runs.dims[i].size * runs.dims[i].stride;
      index[i] = 0;
    }
  }
  return fresh;
}

}  // namespace

Coverage CoverageOf(absl::Span<const CoverWindow> windows, int64_t bytes) {
  if (bytes == 0) return Coverage::kComplete;
  std::vector<Runs> all;
  for (const CoverWindow& window : windows) {
    if (ElementCount(window.layout.sizes) > 0) all.push_back(RunsOf(window));
  }
  // A window touches at most as many bytes as its elements have.
  double touched = 0;
  for (const Runs& runs : all) {
    touched += static_cast<double>(runs.count) * static_cast<double>(runs.run);
  }
  if (touched < static_cast<double>(bytes)) return Coverage::kIncomplete;
  const int64_t granule = GranuleOf(all, bytes);
  if (bytes / granule > kBudget ||
      touched / static_cast<double>(granule) > static_cast<double>(kBudget)) {
    return Coverage::kUnknown;
  }
  std::vector<bool> marked(bytes / granule);
  int64_t missing = bytes / granule;
  for (const Runs& runs : all) missing -= Mark(runs, granule, marked);
  return missing == 0 ? Coverage::kComplete : Coverage::kIncomplete;
}

}  // namespace palimpsest
