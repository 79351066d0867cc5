// Whether two runs show the caller the same.
//
//   calls     those with effects are the same, in the same order, and read the
//             same values
//   storages  the same bytes, but NaNs of a float parameter's dtype are alike
//   results   the same storage, offset, dtype, sizes and strides; results that
//             share a new storage share one in both, at the same distances.
//             Where such a storage starts does not matter, nor do strides of
//             dimensions of one element
//   poison    what is poison in the first may be anything in the second, but
//             not the other way round

#ifndef PALIMPSEST_CUDA_COMPARE_H_
#define PALIMPSEST_CUDA_COMPARE_H_

#include <cstdint>
#include <string>

#include "absl/types/optional.h"
#include "cuda/interpreter.h"
#include "ir/program.h"

namespace palimpsest {

// A byte that the caller can see after a run.
struct BytePlace {
  enum class Of : unsigned char {
    kResult,   // Of a result's elements, row-major.
    kStorage,  // Of the storage that a parameter lies in.
  };
  Of of = Of::kStorage;
  int index = 0;  // Of the result, or of the parameter.
  int64_t byte = 0;
};

struct Difference {
  std::string text;  // "result 0: element 5 (byte 20): 1.5 and 2.5", ..
  // The first byte that differs, where all before it is alike: the signature,
  // and where the results lie.
  absl::optional<BytePlace> place;
};

// Nullopt where they are equal. `function` is the one that gave `original`, and
// says which dtypes its storages hold.
absl::optional<Difference> FindDifference(const Function& function,
                                          const RunOutputs& original,
                                          const RunOutputs& resolved);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_COMPARE_H_
