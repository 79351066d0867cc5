#include "analysis/byte_runs.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "absl/types/span.h"
#include "analysis/partition.h"

namespace palimpsest {

ByteRuns RunsOf(const Box& box, int64_t Box::*start, int64_t BoxDim::*step) {
  ByteRuns runs;
  runs.start = box.*start;
  for (const BoxDim& dim : box.dims) {
    if (dim.extent == 1) continue;
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
  for (const ByteRuns::Dim& dim : runs.dims) runs.count *= dim.extent;
  return runs;
}

int64_t GranuleOf(int64_t unit, absl::Span<const ByteRuns> all) {
  int64_t granule = unit;
  for (const ByteRuns& runs : all) {
    granule = std::gcd(granule, std::gcd(runs.start, runs.length));
    for (const ByteRuns::Dim& dim : runs.dims) {
      granule = std::gcd(granule, dim.step);
    }
  }
  return granule;
}

int64_t GranuleMarks::Add(const ByteRuns& runs) {
  int64_t added = 0;
  ForEachRun(runs, [&](int64_t place) {
    uint8_t* mark = marks_.data() + place / granule_;
    for (int64_t n = runs.length / granule_; n > 0; --n, ++mark) {
      added += *mark ^ 1;
      *mark = 1;
    }
  });
  marked_ += added;
  return added;
}

}  // namespace palimpsest
