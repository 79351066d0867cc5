// Comparing contents exactly, whatever boxes they are kept in. Private to
// analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_COMPARE_H_
#define PALIMPSEST_ANALYSIS_PROOF_COMPARE_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "analysis/proof_box.h"
#include "analysis/proof_box_list.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_terms.h"

namespace palimpsest {
namespace proof {

// A byte's place; no term: poison.
struct Place {
  TermId term = -1;
  std::vector<int64_t> coordinates;
};

struct Difference {
  int64_t address = 0;
  Place a;
  Place b;
};

enum class Relation {
  kEqual,    // Byte for byte, poison included.
  kRefines,  // Where a is poison, b may be anything.
};

class Comparer {
 public:
  // What the operands of ops hold, by their number.
  using GetContents = std::function<Contents(int32_t)>;

  Comparer(const TermTable& terms, Budget& budget, GetContents get_contents)
      : terms_(terms),
        budget_(budget),
        get_contents_(std::move(get_contents)) {}

  // Bytes of outputs of one op refine each other where the op's operands do:
  // but for calls, what an op makes of poison is poison, or does not depend on
  // it.
  //
  // A byte that shows that b does not stand in that relation to a; nullopt is
  // the proof that it does. Precondition: they have the same number of bytes.
  absl::optional<Difference> FindDifference(const Contents& a,
                                            const Contents& b,
                                            Relation relation);

 private:
  // Places of the points of a box: per coordinate its value at the base and its
  // steps.
  struct Places {
    TermId term;
    std::vector<int64_t> numbers;  // Coordinate by coordinate.
  };
  struct Pair {
    Places a;
    Places b;
  };

  absl::optional<Difference> FindDifference(const Box& a, const BoxList& bs);
  // `joined` has the lanes of a box of a, then those of one of b.
  bool SamePlaces(const Box& joined, TermId a, TermId b);
  Box DifferentPoint(const Box& joined, TermId a, TermId b);
  bool ProveAll(std::vector<Pair> pairs);
  bool RefinesOutput(const Pair& pair);
  bool RefinesOperands(const WholeOp& a, const WholeOp& b);
  bool Expand(const Pair& pair, std::vector<Pair>& pairs) const;
  Places PlacesOf(const Places& element, const Segment& segment) const;
  static Places PlacesIn(const Box& joined, TermId term, int lane, int count);

  const TermTable& terms_;
  Budget& budget_;
  const GetContents get_contents_;
  Relation relation_ = Relation::kEqual;
  // Pairs, as numbers. By relation.
  std::array<absl::flat_hash_set<std::vector<int64_t>>, 2> proved_;
  int depth_ = 0;  // Of ops whose operands are compared.
  absl::flat_hash_map<std::pair<int32_t, int32_t>, bool> refines_;
};

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_COMPARE_H_
