// Random programs for RapidCheck: a tape shrinks by losing genes and by making
// what is left smaller.

#ifndef PALIMPSEST_TESTS_TRANSFORMS_RANDOM_PROGRAM_H_
#define PALIMPSEST_TESTS_TRANSFORMS_RANDOM_PROGRAM_H_

#include <cstdint>
#include <ostream>

#include "rapidcheck.h"
#include "tests/oracle/gene.h"

namespace palimpsest {

inline std::ostream& operator<<(std::ostream& out, const Gene& gene) {
  return out << gene.seed << "/" << gene.size;
}

}  // namespace palimpsest

namespace rc {

template <>
struct Arbitrary<palimpsest::Gene> {
  static Gen<palimpsest::Gene> arbitrary() {
    return gen::build<palimpsest::Gene>(
        gen::set(&palimpsest::Gene::seed,
                 gen::noShrink(
                     gen::resize(kNominalSize, gen::arbitrary<uint64_t>()))),
        gen::set(&palimpsest::Gene::size, gen::inRange(0, 4)));
  }
};

}  // namespace rc

#endif  // PALIMPSEST_TESTS_TRANSFORMS_RANDOM_PROGRAM_H_
