// Genes: what random programs are made of.
//
// A tape is a list of genes, and each gene makes one parameter, statement or
// result, all of it from its own seed. So a tape without some of its genes is
// still the same program without those parts, which is what lets a failing
// program shrink to its core.

#ifndef PALIMPSEST_TESTS_ORACLE_GENE_H_
#define PALIMPSEST_TESTS_ORACLE_GENE_H_

#include <cstdint>
#include <iterator>
#include <vector>

#include "ir/check.h"

namespace palimpsest {

struct Gene {
  uint64_t seed = 0;
  int size = 0;  // 0 to 3: how large what it makes may be.
};
using Tape = std::vector<Gene>;

// A bijection without a pattern (the finalizer of splitmix64).
inline uint64_t Scramble(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The decisions that one gene takes, one after another.
class Choices {
 public:
  explicit Choices(const Gene& gene) : state_(gene.seed), size_(gene.size) {}

  uint64_t Next() { return Scramble(state_++); }
  // In [0, count). Precondition: count > 0.
  int64_t Below(int64_t count) {
    PALIMPSEST_CHECK(count > 0);
    return static_cast<int64_t>(Next() % static_cast<uint64_t>(count));
  }
  // In [low, high].
  int64_t Between(int64_t low, int64_t high) {
    return low + Below(high - low + 1);
  }
  bool OneIn(int64_t count) { return Below(count) == 0; }
  template <typename Container>
  auto Of(const Container& items) {
    return *(std::begin(items) + Below(static_cast<int64_t>(std::size(items))));
  }

  int size() const { return size_; }

 private:
  uint64_t state_;
  int size_;
};

// A tape of `count` genes that depends on nothing else.
inline Tape TapeFromSeed(uint64_t seed, int count) {
  Tape tape;
  for (int i = 0; i < count; ++i) {
    const uint64_t gene = Scramble(Scramble(seed) + i);
    tape.push_back({gene, static_cast<int>(gene >> 32 & 3)});
  }
  return tape;
}

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_GENE_H_
