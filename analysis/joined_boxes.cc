// A partition splits where digits carry: a row that goes over the end of
// another window's rows becomes its end, whole rows, and a beginning. Where
// nothing moves relatively these are one run again.
//
//   1. Two boxes that differ in the extent of one dimension, one behind the
//      other along it, are one that is as long as both.
//   2. Two boxes alike in all but their place are one with a dimension of two
//      steps, which others may lengthen. This may take a box from a longer
//      row, so it comes second.

#include "analysis/joined_boxes.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/partition.h"

namespace palimpsest {
namespace {

bool SameSteps(const BoxDim& a, const BoxDim& b) {
  return a.subject == b.subject && a.target == b.target;
}
bool Same(const BoxDim& a, const BoxDim& b) {
  return a.extent == b.extent && SameSteps(a, b);
}

// Without dimensions of one element, but for the last, which are an element's
// bytes; those that are one in both buffers are merged.
Box Flattened(const Box& box) {
  Box flat;
  flat.subject = box.subject;
  flat.target = box.target;
  for (size_t i = 0; i < box.dims.size(); ++i) {
    BoxDim dim = {box.dims[i].extent, 0, box.dims[i].subject,
                  box.dims[i].target};
    if (dim.extent == 1) {
      if (i + 1 < box.dims.size()) continue;
      dim.subject = dim.target = 1;
    }
    if (!flat.dims.empty() &&
        flat.dims.back().subject == dim.extent * dim.subject &&
        flat.dims.back().target == dim.extent * dim.target) {
      dim.extent *= flat.dims.back().extent;
      flat.dims.pop_back();
    }
    flat.dims.push_back(dim);
  }
  return flat;
}

bool IsBehind(const Box& box, const Box& other, const BoxDim& dim) {
  return other.subject - box.subject == dim.extent * dim.subject &&
         other.target - box.target == dim.extent * dim.target;
}

// Rule 1, along dimension `k` of two boxes of one rank.
absl::optional<Box> Lengthened(const Box& first, const Box& second, size_t k) {
  for (size_t i = 0; i < first.dims.size(); ++i) {
    const bool is_alike = i == k ? SameSteps(first.dims[i], second.dims[i])
                                 : Same(first.dims[i], second.dims[i]);
    if (!is_alike) return absl::nullopt;
  }
  if (!IsBehind(first, second, first.dims[k])) return absl::nullopt;
  Box joined = first;
  joined.dims[k].extent += second.dims[k].extent;
  return joined;
}

// The box with another dimension, of one element, which steps like `dim`.
Box WithDim(const Box& box, size_t k, const BoxDim& dim) {
  Box wider = box;
  wider.dims.insert(wider.dims.begin() + static_cast<int64_t>(k),
                    {1, 0, dim.subject, dim.target});
  return wider;
}

// Rule 1.
absl::optional<Box> Lengthened(const Box& first, const Box& second) {
  const size_t rank = first.dims.size();
  const size_t other_rank = second.dims.size();
  for (size_t k = 0; k < std::max(rank, other_rank); ++k) {
    absl::optional<Box> joined;
    if (rank == other_rank) {
      joined = Lengthened(first, second, k);
    } else if (rank == other_rank + 1) {
      joined = Lengthened(first, WithDim(second, k, first.dims[k]), k);
    } else if (rank + 1 == other_rank) {
      joined = Lengthened(WithDim(first, k, second.dims[k]), second, k);
    }
    if (joined) return joined;
  }
  return absl::nullopt;
}

// Rule 2, forwards in the subject's buffer.
absl::optional<Box> Doubled(const Box& first, const Box& second) {
  if (first.dims.size() != second.dims.size()) return absl::nullopt;
  if (second.subject < first.subject) return absl::nullopt;
  for (size_t i = 0; i < first.dims.size(); ++i) {
    if (!Same(first.dims[i], second.dims[i])) return absl::nullopt;
  }
  Box joined = WithDim(
      first, 0,
      {1, 0, second.subject - first.subject, second.target - first.target});
  joined.dims[0].extent = 2;
  return joined;
}

// Whether it joined two of the boxes.
bool JoinTwo(absl::optional<Box> (*join)(const Box&, const Box&),
             std::vector<Box>& boxes) {
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (size_t j = 0; j < boxes.size(); ++j) {
      if (i == j) continue;
      const absl::optional<Box> joined = join(boxes[i], boxes[j]);
      if (!joined) continue;
      boxes[i] = Flattened(*joined);
      boxes.erase(boxes.begin() + static_cast<int64_t>(j));
      return true;
    }
  }
  return false;
}

}  // namespace

void JoinBoxes(std::vector<Box>& boxes) {
  if (boxes.size() < 2) return;
  std::vector<Box> joined;
  for (const Box& box : boxes) joined.push_back(Flattened(box));
  while (JoinTwo(Lengthened, joined) || JoinTwo(Doubled, joined)) {
  }
  // Boxes as they were show the window's own dimensions.
  if (joined.size() < boxes.size()) boxes = std::move(joined);
}

}  // namespace palimpsest
