// Which values of a function share bytes, and how.
//
// Values of one storage are compared by their footprints; values of different
// storages never share a byte, nor do those of a pure function other than its
// parameters. Sharing bytes is symmetric and not transitive: two halves of a
// tensor both share bytes with it, and none with each other.

#ifndef PALIMPSEST_ANALYSIS_ALIAS_ANALYSIS_H_
#define PALIMPSEST_ANALYSIS_ALIAS_ANALYSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "analysis/footprint.h"
#include "ir/ids.h"
#include "ir/program.h"

namespace palimpsest {

// Two values that may share bytes; `a` comes first in the function.
struct AliasPair {
  ValueId a;
  ValueId b;
  RelateResult result;  // How a relates to b; never kDisjoint.
};

class AliasAnalysis {
 public:
  // O(values). Precondition: a function that the verifier accepts. It must
  // outlive the analysis and stay as it is.
  static AliasAnalysis Run(const Function& function,
                           const FootprintLimits& limits = {});

  RelateResult Query(ValueId a, ValueId b) const;

  struct Listing {
    std::vector<AliasPair> pairs;  // By storage, then by a and b.
    int64_t possible_pairs = 0;    // Pairs of values of one storage.
    LayerCounts counts;            // Of all possible pairs.
  };
  // Compares those whose byte bounds meet: O(n log n) for n values, and one
  // comparison for each such pair.
  Listing ListPairs() const;

  // ListPairs() as text: a line for each pair, "%a %b contains (layer 1: normal
  // form)", and a summary.
  std::string ToString() const;

 private:
  AliasAnalysis(const Function& function, const FootprintLimits& limits)
      : function_(&function), limits_(limits) {}

  bool HasStorage(ValueId id) const;
  FootprintRef FootprintOf(ValueId id) const;
  RelateResult RelateOf(ValueId a, ValueId b) const;
  // Adds the pairs among values of one storage.
  void AddPairs(absl::Span<const ValueId> values, Listing& listing) const;

  const Function* function_;
  FootprintLimits limits_;
  std::vector<FootprintShape> shapes_;  // By LayoutId.
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_ALIAS_ANALYSIS_H_
