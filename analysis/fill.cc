#include "analysis/fill.h"

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "analysis/byte_runs.h"
#include "analysis/partition.h"

namespace palimpsest {
namespace {

constexpr int64_t kMaxGranules = 1 << 20;
constexpr int64_t kMaxSteps = 1 << 18;

// Where all have the same outermost dimension and it spans the buffer, as
// columns of one matrix do: leaves one of its steps to be filled instead.
bool DropCommonDim(int64_t& bytes, std::vector<ByteRuns>& all) {
  if (all[0].dims.empty()) return false;
  const ByteRuns::Dim common = all[0].dims.back();
  if (common.step * common.extent != bytes) return false;
  for (const ByteRuns& runs : all) {
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
  for (ByteRuns& runs : all) {
    runs.dims.pop_back();
  }
  bytes = common.step;
  return true;
}

}  // namespace

bool SurelyFill(int64_t bytes, absl::Span<const Box> boxes) {
  int64_t laid = 0;
  for (const Box& box : boxes) {
    if (laid < bytes) laid += box.bytes();
  }
  if (laid < bytes) return false;

  std::vector<ByteRuns> all;
  all.reserve(boxes.size());
  for (const Box& box : boxes) {
    all.push_back(RunsOf(box, &Box::target, &BoxDim::target));
  }
  while (DropCommonDim(bytes, all)) {
  }
  int64_t granule = bytes;
  for (const ByteRuns& runs : all) granule = GranuleOf(granule, runs);
  if (bytes / granule > kMaxGranules) return false;
  GranuleMarks marks(bytes, granule);
  int64_t steps = 0;
  for (const ByteRuns& runs : all) {
    steps += marks.Cost(runs);
    if (steps > kMaxSteps) return false;
    marks.Add(runs);
  }
  return marks.is_full();
}

}  // namespace palimpsest
