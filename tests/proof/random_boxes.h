// Random windows and contents, small enough to be looked at byte by byte.

#ifndef PALIMPSEST_TESTS_PROOF_RANDOM_BOXES_H_
#define PALIMPSEST_TESTS_PROOF_RANDOM_BOXES_H_

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/proof_box.h"
#include "analysis/proof_contents.h"
#include "gtest/gtest.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {

// A layout that owns its numbers.
struct OwnedLayout {
  DType dtype = DType::kU8;
  Dims sizes;
  Dims strides;
  int64_t offset = 0;

  Layout layout() const { return {dtype, sizes, strides}; }
};

inline int64_t Draw(std::mt19937& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % (high - low + 1));
}

// A window inside a buffer of that many bytes.
inline OwnedLayout DrawWindow(std::mt19937& random, int64_t bytes) {
  constexpr DType kDTypes[] = {DType::kU8, DType::kI16, DType::kF32};
  for (;;) {
    OwnedLayout window;
    window.dtype = kDTypes[Draw(random, 0, 2)];
    const int64_t rank = Draw(random, 0, 3);
    for (int64_t i = 0; i < rank; ++i) {
      window.sizes.push_back(Draw(random, 0, 9) == 0 ? 0 : Draw(random, 1, 5));
      window.strides.push_back(Draw(random, -3, 12));
    }
    window.offset = Draw(random, 0, bytes / WidthOf(window.dtype));
    const absl::optional<int64_t> needed =
        BytesToHold(window.layout(), window.offset);
    if (needed && *needed <= bytes) return window;
  }
}

// The points of a box, each with all of its lanes.
inline std::vector<std::vector<int64_t>> PointsOf(const Box& box) {
  std::vector<std::vector<int64_t>> points(1);
  for (int lane = 0; lane < box.lanes(); ++lane) {
    points[0].push_back(box.base(lane));
  }
  for (int row = 0; row < box.rank(); ++row) {
    std::vector<std::vector<int64_t>> next;
    for (const std::vector<int64_t>& point : points) {
      for (int64_t k = 0; k < box.size(row); ++k) {
        next.push_back(point);
        for (int lane = 0; lane < box.lanes(); ++lane) {
          next.back()[lane] += k * box.step(row, lane);
        }
      }
    }
    points = std::move(next);
  }
  return points;
}

// By address: the term and the coordinates.
using Bytes = std::map<int64_t, std::pair<int32_t, std::vector<int64_t>>>;

inline Bytes BytesOf(const Contents& contents) {
  Bytes bytes;
  for (const Box& box : contents.boxes()) {
    for (const std::vector<int64_t>& point : PointsOf(box)) {
      const bool is_new =
          bytes
              .insert(
                  {point[0], {box.term(), {point.begin() + 1, point.end()}}})
              .second;
      if (is_new) continue;
      ADD_FAILURE() << "two boxes have address " << point[0];
      return {};
    }
  }
  return bytes;
}

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_PROOF_RANDOM_BOXES_H_
