#include "analysis/byte_union.h"

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/byte_runs.h"
#include "analysis/window_table.h"

namespace palimpsest {
namespace {

constexpr int64_t kMaxSteps = 1 << 18;
constexpr int64_t kStepsForEachWindow = 64;
constexpr int64_t kMarksForEachStep = 64;

// Whether the run goes on with a sequence; if so, it does.
bool Continue(RunSequence& sequence, int64_t begin, int64_t length) {
  const int64_t step =
      begin - sequence.begin - (sequence.count - 1) * sequence.step;
  if (length != sequence.length ||
      (sequence.count > 1 && step != sequence.step)) {
    return false;
  }
  sequence.step = step;
  ++sequence.count;
  return true;
}

absl::optional<std::vector<RunSequence>> SequencesOf(const GranuleMarks& marks,
                                                     int64_t begin,
                                                     int64_t granule) {
  std::vector<RunSequence> sequences;
  for (int64_t i = marks.NextMarked(0); i < marks.size();) {
    const int64_t end = marks.NextUnmarked(i);
    const int64_t place = begin + i * granule;
    const int64_t length = (end - i) * granule;
    if (sequences.empty() || !Continue(sequences.back(), place, length)) {
      sequences.push_back({place, length, 1, 0});
    }
    if (sequences.size() > ByteUnion::kMaxSequences) return absl::nullopt;
    i = marks.NextMarked(end);
  }
  return sequences;
}

}  // namespace

absl::optional<ByteUnion> UnionOf(int64_t begin, int64_t end,
                                  absl::Span<const Window* const> windows) {
  int64_t granule = end - begin;
  for (const Window* window : windows) {
    granule = GranuleOf(granule, window->shape->runs, window->start - begin);
  }
  const int64_t max_steps =
      kMaxSteps + kStepsForEachWindow * static_cast<int64_t>(windows.size());
  if ((end - begin) / granule > kMarksForEachStep * max_steps) {
    return absl::nullopt;
  }
  GranuleMarks marks(end - begin, granule);
  ByteUnion result;
  result.adds.assign(windows.size(), false);
  int64_t steps = 0;
  for (size_t i = 0; i < windows.size() && !marks.is_full(); ++i) {
    const ByteRuns& runs = windows[i]->shape->runs;
    steps += marks.Cost(runs);
    if (steps > max_steps) return absl::nullopt;
    result.adds[i] = marks.Add(runs, windows[i]->start - begin) > 0;
  }
  result.bytes = marks.bytes();
  result.sequences = SequencesOf(marks, begin, granule);
  return result;
}

}  // namespace palimpsest
