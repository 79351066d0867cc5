// Arithmetic modulo the prime 2^61 - 1, for fingerprints. Private to
// analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_FIELD_H_
#define PALIMPSEST_ANALYSIS_PROOF_FIELD_H_

#include <cstdint>

#include "absl/numeric/int128.h"

namespace palimpsest {
namespace proof {

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

// Operands and results of these are in [0, kPrime).
inline uint64_t Add(uint64_t x, uint64_t y) {
  const uint64_t sum = x + y;
  return sum >= kPrime ? sum - kPrime : sum;
}

inline uint64_t Multiply(uint64_t x, uint64_t y) {
  const absl::uint128 product = absl::uint128(x) * y;
  return Add(absl::Uint128Low64(product) & kPrime,
             static_cast<uint64_t>(product >> 61));
}

// x to the power of an exponent that may be negative. Precondition: x is not 0.
inline uint64_t Power(uint64_t x, int64_t exponent) {
  constexpr int64_t kOrder = static_cast<int64_t>(kPrime) - 1;
  uint64_t left = static_cast<uint64_t>(
      exponent < 0 ? exponent % kOrder + kOrder : exponent);
  uint64_t power = 1;
  for (; left != 0; left >>= 1) {
    if ((left & 1) != 0) power = Multiply(power, x);
    x = Multiply(x, x);
  }
  return power;
}

// 1 + x + .. + x^(count - 1), by doubling.
inline uint64_t GeometricSum(uint64_t x, int64_t count) {
  uint64_t sum = 0;
  uint64_t power = 1;  // x to as many as were summed.
  int bits = 0;
  while (count >> bits != 0) ++bits;
  for (int bit = bits - 1; bit >= 0; --bit) {
    sum = Add(sum, Multiply(sum, power));
    power = Multiply(power, power);
    if ((count >> bit & 1) != 0) {
      sum = Add(sum, power);
      power = Multiply(power, x);
    }
  }
  return sum;
}

// A number in [1, kPrime) that depends on all bits of the two.
inline uint64_t Scramble(uint64_t x, uint64_t y) {
  uint64_t z = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  z = ((z ^ (z >> 31)) + y) * 0x94d049bb133111ebu;
  z = (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
  return 1 + (z ^ (z >> 32)) % (kPrime - 1);
}

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_FIELD_H_
