// The proof's meaning, with no cleverness to be wrong about: runs a function on
// tags, one per byte, in loops over elements. Each byte of an input has a tag
// of its own; moves move tags; any other op hashes them. 0 is poison.

#ifndef PALIMPSEST_TESTS_PROOF_TAG_ORACLE_H_
#define PALIMPSEST_TESTS_PROOF_TAG_ORACLE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"
#include "tests/proof/tags.h"

namespace palimpsest {

// What an op on values made a byte of: the same op, its types and the byte have
// one label. Not of calls, whose callees may do anything with poison.
struct MadeOf {
  uint64_t label;
  std::shared_ptr<const Tags> operands;
};

struct TagOutcome {
  std::vector<std::string> shapes;  // Of each result: type, and where it lies.
  std::vector<Tags> results;        // Of those in new storages.
  std::vector<Tags> storages;       // Of the caller, at the end.
  Tags effects;                     // Of the calls that are not pure.
  std::set<uint64_t> failures;  // Of the ops that may fail, what decides it.
  std::map<uint64_t, MadeOf> made_of;  // By tag.
};

TagOutcome RunOnTags(const Function& function);

// Whether b does what a does, where a leaves no poison, and fails only where a
// does. Where an op's operands were poison in a, what it made may be anything,
// too.
bool Refines(const TagOutcome& a, const TagOutcome& b);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_PROOF_TAG_ORACLE_H_
