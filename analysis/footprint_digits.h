// Two footprints as levels of digits, for what takes whole sets: covers and
// intersections. For footprint*.cc only.
//
// At valid cuts (footprint_overlap.cc) both split into levels: a is the set of
// all sums of one element of P_i for each level i, b is `delta` plus the like
// for Q_i. An address in a has exactly one such sum, as all that lies below a
// cut reaches less than the cut's modulus G: P_i is its digit at level i. So
// b's digits are compared level by level, from the smallest: at offset r =
// delta mod G, r + Q_i stays below G or wraps around it, and what wraps carries
// G into the next level. Where it does both, b is cut in two: never more than
// two carries are alive.

#ifndef PALIMPSEST_ANALYSIS_FOOTPRINT_DIGITS_H_
#define PALIMPSEST_ANALYSIS_FOOTPRINT_DIGITS_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"
#include "analysis/footprint_search.h"

namespace palimpsest {
namespace footprint_internal {

// The sums of the dimensions of one side in one level.
template <typename Int>
struct Digit {
  absl::Span<const ByteDim> dims;
  Int stride = 0;  // The gcd of the strides.
  Int reach = 0;

  bool is_progression() const { return dims.size() <= 1; }

  void Add(const ByteDim* dim) {
    dims =
        absl::MakeConstSpan(dims.empty() ? dim : dims.data(), dims.size() + 1);
    stride = Gcd<Int>(stride, dim->stride);
    reach += Int(dim->stride) * (dim->extent - 1);
  }
};

template <typename Int>
struct Level {
  Digit<Int> a;
  Digit<Int> b;
  Int gcd;      // Digits are multiples of it.
  Int modulus;  // Of the digits; 0 for the highest level, which has none.
};
template <typename Int>
using Levels = absl::InlinedVector<Level<Int>, 9>;

template <typename Int>
Levels<Int> SplitIntoLevels(absl::Span<const ByteDim> a,
                            absl::Span<const ByteDim> b) {
  Int rest_a = 0;
  Int rest_b = 0;
  for (const ByteDim dim : a) rest_a += Int(dim.stride) * (dim.extent - 1);
  for (const ByteDim dim : b) rest_b += Int(dim.stride) * (dim.extent - 1);
  Levels<Int> levels;
  Level<Int> level = {{}, {}, 0, 0};
  auto next_a = a.begin();
  auto next_b = b.begin();
  while (next_a != a.end() || next_b != b.end()) {
    const int64_t stride = std::max(next_a != a.end() ? next_a->stride : 0,
                                    next_b != b.end() ? next_b->stride : 0);
    if (next_a != a.end() && next_a->stride == stride) {
      rest_a -= Int(stride) * (next_a->extent - 1);
      level.a.Add(&*next_a++);
    }
    if (next_b != b.end() && next_b->stride == stride) {
      rest_b -= Int(stride) * (next_b->extent - 1);
      level.b.Add(&*next_b++);
    }
    level.gcd = Gcd<Int>(level.gcd, stride);
    if (rest_a >= level.gcd || rest_b >= level.gcd) continue;
    levels.push_back(level);
    level = {{}, {}, level.gcd, level.gcd};
  }
  return levels;
}

// A digit of b at its place in a level: the part of start + b below the
// modulus, and the part that wraps around it.
template <typename Int>
struct Wrapped {
  Digit<Int> low;
  Digit<Int> high;
  Int high_start;  // Below the modulus.
};

// The first steps of a progression, as many as reach so far.
template <typename Int>
Digit<Int> Shortened(Digit<Int> digit, Int reach) {
  if (reach == 0) return Digit<Int>();
  digit.reach = reach;
  return digit;
}

// Precondition: 0 <= start < modulus <= start + digit.reach, and the digit is
// one progression.
template <typename Int>
Wrapped<Int> Wrap(const Digit<Int>& digit, Int start, Int modulus) {
  const Int from = CeilDiv<Int>(modulus - start, digit.stride) * digit.stride;
  return {Shortened<Int>(digit, from - digit.stride),
          Shortened<Int>(digit, digit.reach - from), start + from - modulus};
}

}  // namespace footprint_internal
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_FOOTPRINT_DIGITS_H_
