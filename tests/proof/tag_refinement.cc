// How what two functions do to tags compares.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tests/proof/tag_oracle.h"
#include "tests/proof/tags.h"

namespace palimpsest {
namespace {

class Refinement {
 public:
  Refinement(const TagOutcome& a, const TagOutcome& b) : a_(a), b_(b) {}

  bool OfAll(const std::vector<Tags>& a, const std::vector<Tags>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Of(a[i], b[i])) return false;
    }
    return true;
  }

 private:
  bool Of(const Tags& a, const Tags& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Of(a[i], b[i])) return false;
    }
    return true;
  }

  bool Of(uint64_t a, uint64_t b) {
    if (a == 0 || a == b) return true;
    const auto of_a = a_.made_of.find(a);
    const auto of_b = b_.made_of.find(b);
    if (of_a == a_.made_of.end() || of_b == b_.made_of.end() ||
        of_a->second.label != of_b->second.label) {
      return false;
    }
    const auto [known, is_new] = known_.try_emplace({a, b}, false);
    if (!is_new) return known->second;
    return known->second = Of(*of_a->second.operands, *of_b->second.operands);
  }

  const TagOutcome& a_;
  const TagOutcome& b_;
  std::map<std::pair<uint64_t, uint64_t>, bool> known_;
};

}  // namespace

bool Refines(const TagOutcome& a, const TagOutcome& b) {
  Refinement refinement(a, b);
  return a.shapes == b.shapes && a.effects == b.effects &&
         refinement.OfAll(a.results, b.results) &&
         refinement.OfAll(a.storages, b.storages) &&
         std::includes(a.failures.begin(), a.failures.end(), b.failures.begin(),
                       b.failures.end());
}

}  // namespace palimpsest
