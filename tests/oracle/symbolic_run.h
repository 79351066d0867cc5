// Runs a function, in place or pure, on symbolic bytes: every byte of a storage
// at entry is a symbol of its own, moves move symbols, and any other op makes
// the symbols of its result from its attributes, shapes and all that it reads.
// Two functions that end with equal symbols do the same whatever the inputs.
//
// This is the meaning of the ops in the fewest words, one record per byte: for
// small programs only. It shares nothing with footprints, logs or kernels.

#ifndef PALIMPSEST_TESTS_ORACLE_SYMBOLIC_RUN_H_
#define PALIMPSEST_TESTS_ORACLE_SYMBOLIC_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

using Symbol = uint64_t;
using Symbols = std::vector<Symbol>;

// A byte that nothing has written.
constexpr Symbol kUndefined = 0;

struct SymbolicResult {
  // Equal for results of one storage. Storages of parameters have their number
  // among these; others follow in the order in which results name them.
  int storage = 0;
  bool shares_storage = false;  // With a parameter or another result.
  DType dtype = DType::kF32;
  Dims sizes;
  Dims strides;
  int64_t offset = 0;
  Symbols bytes;  // Row-major.
};

struct SymbolicOutcome {
  std::vector<Symbols> storages;  // Of the parameters, at the end.
  std::vector<SymbolicResult> results;
};

SymbolicOutcome RunSymbolically(const Function& function);

// What the caller of `outcome` sees otherwise than the caller of `original`, in
// words; empty where nothing is. Where the original leaves undefined bytes
// anything may be.
std::string DifferenceBetween(const SymbolicOutcome& original,
                              const SymbolicOutcome& outcome);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_SYMBOLIC_RUN_H_
