// Bounded linear equations: the numbers behind an overlap.
//
// For footprint*.cc only. `Int` is int64_t where every sum of reaches stays
// below 2^62, else absl::int128.

#ifndef PALIMPSEST_ANALYSIS_FOOTPRINT_SEARCH_H_
#define PALIMPSEST_ANALYSIS_FOOTPRINT_SEARCH_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"

namespace palimpsest {
namespace footprint_internal {

// stride * k with low <= k <= high. Strides are positive; low <= 0 <= high.
template <typename Int>
struct Variable {
  Int stride;
  Int low;
  Int high;
};
template <typename Int>
using Variables = absl::InlinedVector<Variable<Int>, 18>;

// Whether int64_t is wide enough for queries on these two.
inline bool FitInt64(const FootprintShape& a, const FootprintShape& b) {
  constexpr int64_t kLimit = int64_t{1} << 61;
  return a.last() < kLimit && b.last() < kLimit;
}

// A search that takes longer than comparing the bytes is no use.
inline int64_t SearchNodes(int64_t last, const FootprintLimits& limits) {
  if (last >= limits.bitset_bytes) return limits.search_nodes;
  return std::min(limits.search_nodes, last / 1024 + 16);
}

// Most numbers are small, and a 32-bit division is several times faster.
inline int64_t Divide(int64_t a, int64_t b) {
  if (((a | b) >> 32) == 0) {
    return static_cast<uint32_t>(a) / static_cast<uint32_t>(b);
  }
  return a / b;
}
inline absl::int128 Divide(absl::int128 a, absl::int128 b) { return a / b; }

// Precondition for these: divisor > 0.
template <typename Int>
Int FloorDiv(Int a, Int divisor) {
  return a >= 0 ? Divide(a, divisor) : -Divide(-a + divisor - 1, divisor);
}
template <typename Int>
Int CeilDiv(Int a, Int divisor) {
  return -FloorDiv<Int>(-a, divisor);
}
template <typename Int>
Int FloorMod(Int a, Int divisor) {
  return a - FloorDiv(a, divisor) * divisor;
}

// a * b mod m, for 0 <= a, b < m.
inline int64_t MultiplyMod(int64_t a, int64_t b, int64_t m) {
  if (m <= (int64_t{1} << 31)) return a * b % m;
  return static_cast<int64_t>(absl::int128(a) * b % m);
}
inline absl::int128 MultiplyMod(absl::int128 a, absl::int128 b,
                                absl::int128 m) {
  // Moduli are strides, below 2^63.
  return a * b % m;
}

// a != 0 or b != 0.
template <typename Int>
Int Gcd(Int a, Int b) {
  if (a == 0 || b == 1) return b;
  while (b != 0) {
    const Int rest = a - Divide(a, b) * b;
    a = b;
    b = rest;
  }
  return a;
}

// The inverse of a modulo m, for coprime a and m.
template <typename Int>
Int InverseMod(Int a, Int m) {
  Int r0 = m, r1 = FloorMod(a, m), t0 = 0, t1 = 1;
  while (r1 != 0) {
    const Int q = Divide(r0, r1);
    const Int r2 = r0 - q * r1;
    const Int t2 = t0 - q * t1;
    r0 = r1, r1 = r2;
    t0 = t1, t1 = t2;
  }
  return FloorMod(t0, m);
}

// The k for which stride*k + (a multiple of `modulus`) = target, as a residue
// (first) modulo `step`; step 0 where there is none.
template <typename Int>
struct Residue {
  Int first;
  Int step;
};

// Congruences that differ in their targets alone. Strides and moduli are
// positive.
template <typename Int>
class Congruences {
 public:
  Congruences() = default;
  Congruences(Int stride, Int modulus)
      : Congruences(stride, modulus, Gcd(stride, modulus)) {}
  // `common` is their gcd.
  Congruences(Int stride, Int modulus, Int common)
      : common_(common), step_(Divide(modulus, common)) {
    if (step_ > 1) inverse_ = InverseMod<Int>(Divide(stride, common_), step_);
  }

  Residue<Int> Solve(Int target) const {
    const Int quotient = FloorDiv(target, common_);
    if (quotient * common_ != target) return {0, 0};
    if (step_ == 1) return {0, 1};
    return {MultiplyMod(FloorMod(quotient, step_), inverse_, step_), step_};
  }

 private:
  Int common_ = 1;
  Int step_ = 1;
  Int inverse_ = 0;
};

template <typename Int>
bool SolveOne(const Variable<Int>& x, Int target) {
  const Int k = FloorDiv(target, x.stride);
  return k * x.stride == target && x.low <= k && k <= x.high;
}

// Whether x + y = target. O(log stride).
template <typename Int>
bool SolveTwo(const Variable<Int>& x, const Variable<Int>& y, Int target) {
  const Int low =
      std::max(x.low, CeilDiv<Int>(target - y.stride * y.high, x.stride));
  const Int high =
      std::min(x.high, FloorDiv<Int>(target - y.stride * y.low, x.stride));
  if (low > high) return false;
  const Int common = Gcd(x.stride, y.stride);
  if (FloorMod(target, common) != 0) return false;
  const Residue<Int> residue =
      Congruences<Int>(x.stride, y.stride, common).Solve(target);
  if (high - low + 1 >= residue.step) return true;
  return low + FloorMod<Int>(residue.first - low, residue.step) <= high;
}

// Depth-first search, by falling stride. For each variable only those k are
// tried that leave the rest a target within its reach and divisible by the gcd
// of its strides; a rest of one variable needs no more than that. From the
// middle, where the rest has most room: with long ranges the first one does.
template <typename Int>
class Search {
 public:
  Search(absl::Span<const Variable<Int>> variables, int64_t* nodes)
      : variables_(variables), nodes_(nodes), rests_(variables.size()) {
    Int low = 0;
    Int high = 0;
    Int common = 0;
    for (size_t i = variables.size(); i-- > 0;) {
      const Variable<Int>& variable = variables[i];
      rests_[i].low = low;
      rests_[i].high = high;
      if (common != 0) rests_[i].congruences = {variable.stride, common};
      low += variable.stride * variable.low;
      high += variable.stride * variable.high;
      common = Gcd<Int>(common, variable.stride);
    }
  }

  // kUnknown where the nodes are used up. Recursion as deep as the variables.
  Overlap Solve(Int target) {
    if (variables_.empty()) return target == 0 ? Overlap::kYes : Overlap::kNo;
    return SolveFrom(0, target);
  }

 private:
  // Of the variables after one: the least and the largest sum, and what these
  // leave to it.
  struct Rest {
    Int low;
    Int high;
    Congruences<Int> congruences;
  };

  Overlap SolveFrom(size_t i, Int target) {
    const Variable<Int>& x = variables_[i];
    const size_t left = variables_.size() - i;
    if (left == 1) return SolveOne(x, target) ? Overlap::kYes : Overlap::kNo;
    const Rest& rest = rests_[i];
    const Int low = std::max(x.low, CeilDiv<Int>(target - rest.high, x.stride));
    const Int high =
        std::min(x.high, FloorDiv<Int>(target - rest.low, x.stride));
    if (low > high) return Overlap::kNo;
    const Residue<Int> residue = rest.congruences.Solve(target);
    if (residue.step == 0) return Overlap::kNo;
    const Int first = low + FloorMod<Int>(residue.first - low, residue.step);
    if (first > high) return Overlap::kNo;
    if (left == 2) return Overlap::kYes;
    const Int count = Divide(high - first, residue.step) + 1;
    for (Int n = 0; n < count; ++n) {
      if (--*nodes_ < 0) return Overlap::kUnknown;
      // The middle, one below, one above, two below, ..
      const Int steps = count / 2 + (n % 2 == 0 ? n / 2 : -(n / 2) - 1);
      const Overlap found =
          SolveFrom(i + 1, target - x.stride * (first + steps * residue.step));
      if (found != Overlap::kNo) return found;
    }
    return Overlap::kNo;
  }

  absl::Span<const Variable<Int>> variables_;
  int64_t* nodes_;
  absl::InlinedVector<Rest, 18> rests_;
};

}  // namespace footprint_internal
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_FOOTPRINT_SEARCH_H_
