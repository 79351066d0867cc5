#include "analysis/byte_union.h"

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/byte_runs.h"
#include "analysis/partition.h"

namespace palimpsest {
namespace {

constexpr int64_t kMaxMarks = 1 << 20;
constexpr int64_t kMarksForEachBox = 64;

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

absl::optional<std::vector<RunSequence>> SequencesOf(
    const std::vector<uint8_t>& marks, int64_t begin, int64_t granule) {
  std::vector<RunSequence> sequences;
  for (size_t i = 0; i < marks.size();) {
    size_t end = i;
    while (end < marks.size() && marks[end] == marks[i]) ++end;
    if (marks[i] != 0) {
      const int64_t place = begin + static_cast<int64_t>(i) * granule;
      const int64_t length = static_cast<int64_t>(end - i) * granule;
      if (sequences.empty() || !Continue(sequences.back(), place, length)) {
        sequences.push_back({place, length, 1, 0});
      }
      if (sequences.size() > ByteUnion::kMaxSequences) return absl::nullopt;
    }
    i = end;
  }
  return sequences;
}

}  // namespace

absl::optional<ByteUnion> UnionOf(int64_t begin, int64_t end,
                                  absl::Span<const Box> boxes) {
  std::vector<ByteRuns> all;
  all.reserve(boxes.size());
  for (const Box& box : boxes) {
    all.push_back(RunsOf(box, &Box::address, &BoxDim::address));
    all.back().start -= begin;
  }
  const int64_t granule = GranuleOf(end - begin, all);
  const int64_t max_marks =
      kMaxMarks + kMarksForEachBox * static_cast<int64_t>(boxes.size());
  if ((end - begin) / granule > max_marks) return absl::nullopt;
  GranuleMarks marks(end - begin, granule);
  ByteUnion result;
  result.adds.assign(boxes.size(), false);
  int64_t visited = 0;
  for (size_t i = 0; i < all.size() && !marks.is_full(); ++i) {
    visited += all[i].count * (all[i].length / granule);
    if (visited > max_marks) return absl::nullopt;
    result.adds[i] = marks.Add(all[i]) > 0;
  }
  result.bytes = marks.bytes();
  result.sequences = SequencesOf(marks.marks(), begin, granule);
  return result;
}

}  // namespace palimpsest
