#include "analysis/common_bytes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/byte_runs.h"
#include "analysis/footprint.h"
#include "analysis/partition.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr int64_t kMaxSteps = 1 << 16;  // A step marks up to 64 granules.

int64_t BytesWithRepetition(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

// Nullopt where digits do not tell.
absl::optional<int64_t> CommonByDigits(const Footprint& a, const Footprint& b) {
  const absl::optional<Footprint> common = Intersection(a, b);
  if (!common) return absl::nullopt;
  return common->shape().bytes();
}

// The windows' bytes as runs, counted from the least.
class MarkedRuns {
 public:
  explicit MarkedRuns(absl::Span<const PlacedLayout> windows) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const PlacedLayout& window : windows) {
      runs_.push_back(RunsOf(Box::Of(window.layout, window.offset),
                             &Box::address, &BoxDim::address));
      least = std::min(least, runs_.back().start);
    }
    for (ByteRuns& runs : runs_) {
      runs.start -= least;
      granule_ = GranuleOf(granule_, runs);
      int64_t end = runs.start + runs.length;
      for (const ByteRuns::Dim& dim : runs.dims) {
        end += (dim.extent - 1) * dim.step;
      }
      end_ = std::max(end_, end);
    }
  }

  bool TakesTooMuch() const {
    const GranuleMarks nothing(0, granule_);
    int64_t steps = end_ / granule_ / 64;
    for (const ByteRuns& runs : runs_) {
      // First, so that Cost() does not overflow.
      int64_t starts = 1;
      for (const ByteRuns::Dim& dim : runs.dims) {
        if (dim.extent > kMaxSteps * 64) return true;
        starts *= dim.extent;
        if (starts > kMaxSteps * 64) return true;
      }
      steps += nothing.Cost(runs);
      if (steps > kMaxSteps) return true;
    }
    return false;
  }

  // How many bytes of the first window others have.
  int64_t OfFirst() const {
    GranuleMarks alone(end_, granule_);
    const int64_t bytes = alone.Add(runs_[0]) * granule_;
    GranuleMarks others(end_, granule_);
    for (size_t i = 1; i < runs_.size(); ++i) others.Add(runs_[i]);
    return bytes - others.Add(runs_[0]) * granule_;
  }

 private:
  std::vector<ByteRuns> runs_;
  int64_t granule_ = 0;
  int64_t end_ = 0;
};

}  // namespace

int64_t CommonBytes(const PlacedLayout& window,
                    absl::Span<const PlacedLayout> others) {
  const int64_t most = BytesWithRepetition(window.layout);
  const Footprint footprint = Footprint::Of(window.layout, window.offset);
  std::vector<PlacedLayout> meeting = {window};
  int64_t sum = 0;
  bool exact = true;
  for (const PlacedLayout& other : others) {
    const Footprint of_other = Footprint::Of(other.layout, other.offset);
    const absl::optional<int64_t> common = CommonByDigits(footprint, of_other);
    if (common == 0) continue;
    exact &= common.has_value() && meeting.size() == 1;
    sum += std::min(most - sum,
                    common.value_or(BytesWithRepetition(other.layout)));
    meeting.push_back(other);
  }
  if (exact) return sum;
  const MarkedRuns runs(meeting);
  return runs.TakesTooMuch() ? sum : runs.OfFirst();
}

}  // namespace palimpsest
