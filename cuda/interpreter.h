// The reference interpreter: runs a function, in place or pure, on bytes.
//
// Original and resolved programs give the same bits on one back end: sums and
// products are in logical order whatever the layout (kernels/reduce.h,
// kernels/matmul.h), and an op's meaning does not depend on where its operands
// lie (executor.h). Two back ends differ in the functions of <cmath> alone.
//
// Poison: `empty` memory, a buffer's, and those bytes of a new storage that its
// op did not write. It moves bytewise; what is computed from it is poison; as
// an index, a mask or a condition it is an error. Results and storages carry
// it.

#ifndef PALIMPSEST_CUDA_INTERPRETER_H_
#define PALIMPSEST_CUDA_INTERPRETER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "cuda/buffer.h"
#include "cuda/kernel_registry.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

// The bytes of each parameter storage, by its name without "@"; of exactly the
// storage's size.
struct RunInputs {
  absl::flat_hash_map<std::string, Buffer> storages;
};

// What else a run finds out, which may take longer than the run itself.
enum class Measure : uint8_t { kNothing, kCost };

struct RunOptions {
  // Null: the host. Others are in backends.h; one run at a time.
  kernels::Backend* backend = nullptr;
  // For calls; others run as MixCall (mixing.h). May be null.
  const KernelRegistry* registry = nullptr;
  Measure measure = Measure::kNothing;
};

struct RunResult {
  // The caller's storage that it lies in; empty: a new one.
  std::string storage;
  int group = 0;  // Of new storages: equal where results share one.
  DType dtype = DType::kF32;
  Dims sizes;
  Dims strides;
  int64_t offset = 0;
  Buffer bytes;  // Of the storage.
};

// A call that is not marked `pure`: what it does besides its results nobody
// knows, but it follows from what it is and reads.
struct CallEffect {
  std::string call;
  // Of its name, attributes and operands; nullopt where it reads poison.
  absl::optional<uint64_t> digest;
};

// What an op did, in bytes; the rules are those of analysis/cost.h, but a mask
// counts as what it is. `temporary` is what was held while it ran: from where
// the op that makes it ran until the last that used it, or a view of it, was
// done. Memory that the interpreter has for its own use does not count.
struct RunCost {
  int64_t read = 0;
  int64_t written = 0;
  int64_t temporary = 0;
};

struct RunOutputs {
  std::vector<RunResult> results;
  std::vector<CallEffect> effects;  // In order.
  // The final contents; where nothing was written, the very buffer passed in.
  absl::flat_hash_map<std::string, Buffer> storages;
  std::vector<RunCost> costs;  // By op, where that was to be measured.
};

// Precondition: the verifier accepts the function. Errors name the op and are
// located at it (LocationOf): an index out of range, a poison index, memory
// that is short, ..
absl::StatusOr<RunOutputs> Run(const Function& function,
                               const RunInputs& inputs,
                               const RunOptions& options = {});

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_INTERPRETER_H_
