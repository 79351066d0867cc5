// What resolution must do with storages, by enumeration: every definition is
// kept, and for each byte the one that wrote it last. It says which bytes a
// resolved function commits, and which reads need no op.

#ifndef PALIMPSEST_TESTS_ORACLE_REFERENCE_RESOLVER_H_
#define PALIMPSEST_TESTS_ORACLE_REFERENCE_RESOLVER_H_

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace palimpsest {

// By byte of a storage.
using ByteSet = std::vector<bool>;
int64_t CountOf(const ByteSet& bytes);

struct ReferenceResolution {
  // Of the parameters' storages, in order: the bytes that in-place ops write.
  std::vector<ByteSet> written;
  // Reads by ops of a window all of whose bytes one definition with that very
  // window wrote last: its value is what is read. (A window whose dimensions
  // interleave may be written as several.)
  int64_t forwarded_reads = 0;
};

// Ops that write to a storage of which something is seen later, and views of
// such. Reads of others need not be.
std::vector<bool> FindSeenOps(const Function& function);

// Precondition: the function writes in place.
ReferenceResolution ResolveByEnumeration(const Function& function);

struct StorageCommits {
  ByteSet bytes;
  int64_t total = 0;  // Counted as often as they are committed.
};

// Of the parameters' storages of a pure function, in order.
std::vector<StorageCommits> CommitsOf(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_REFERENCE_RESOLVER_H_
