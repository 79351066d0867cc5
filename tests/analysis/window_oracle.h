// What footprints are, by definition: windows enumerated byte by byte, and how
// sets of bytes compare. No cleverness to be wrong about.

#ifndef PALIMPSEST_TESTS_ANALYSIS_WINDOW_ORACLE_H_
#define PALIMPSEST_TESTS_ANALYSIS_WINDOW_ORACLE_H_

#include <bitset>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "analysis/footprint.h"
#include "ir/type.h"

namespace palimpsest {

struct Window {
  DType dtype = DType::kI8;
  Dims sizes;
  Dims strides;  // In elements, as is the offset.
  int64_t offset = 0;

  Layout layout() const { return {dtype, sizes, strides}; }
  Footprint footprint() const { return Footprint::Of(layout(), offset); }
};

inline std::ostream& operator<<(std::ostream& out, const Window& window) {
  return out << absl::StrCat(std::string(InfoFor(window.dtype).text), "[",
                             absl::StrJoin(window.sizes, ","), "] offset ",
                             window.offset, " strides [",
                             absl::StrJoin(window.strides, ","), "]");
}

// The offset of each element, in row-major order.
inline std::vector<int64_t> ElementsOf(const Window& window) {
  std::vector<int64_t> elements = {window.offset};
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    std::vector<int64_t> next;
    next.reserve(elements.size() * window.sizes[i]);
    for (const int64_t element : elements) {
      for (int64_t k = 0; k < window.sizes[i]; ++k) {
        next.push_back(element + k * window.strides[i]);
      }
    }
    elements.swap(next);
  }
  return elements;
}

// Bit i stands for byte `origin` + i. All bytes must lie in there.
template <size_t kBits>
std::bitset<kBits> BytesOf(const Window& window, int64_t origin) {
  const int64_t width = WidthOf(window.dtype);
  std::bitset<kBits> bytes;
  for (const int64_t element : ElementsOf(window)) {
    for (int64_t i = 0; i < width; ++i) {
      bytes.set(element * width + i - origin);
    }
  }
  return bytes;
}

// The set that the footprint's dimensions stand for.
template <size_t kBits>
std::bitset<kBits> BytesOf(const ByteDims& dims, int64_t begin) {
  Window window;
  window.offset = begin;
  for (const ByteDim dim : dims) {
    window.sizes.push_back(dim.extent);
    window.strides.push_back(dim.stride);
  }
  return BytesOf<kBits>(window, 0);
}

template <size_t kBits>
Relation RelationOf(const std::bitset<kBits>& a, const std::bitset<kBits>& b) {
  const std::bitset<kBits> common = a & b;
  if (common.none()) return Relation::kDisjoint;
  if (a == b) return Relation::kEqual;
  if (common == b) return Relation::kContains;
  if (common == a) return Relation::kInside;
  return Relation::kPartial;
}

inline bool OverlapsItself(const Window& window) {
  const std::vector<int64_t> elements = ElementsOf(window);
  const std::set<int64_t> distinct(elements.begin(), elements.end());
  return distinct.size() < elements.size();
}

inline Relation Mirrored(Relation relation) {
  if (relation == Relation::kContains) return Relation::kInside;
  if (relation == Relation::kInside) return Relation::kContains;
  return relation;
}

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ANALYSIS_WINDOW_ORACLE_H_
