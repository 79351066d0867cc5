// Kernels that an embedder registers for calls, by name.

#ifndef PALIMPSEST_CUDA_KERNEL_REGISTRY_H_
#define PALIMPSEST_CUDA_KERNEL_REGISTRY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {

// A row-major tensor in the host's memory.
struct CallOperand {
  DType dtype;
  Dims sizes;
  const void* data;
};
struct CallOutput {
  DType dtype;
  Dims sizes;
  void* data;  // To be filled.
};

struct KernelCall {
  absl::string_view name;
  absl::Span<const std::pair<std::string, std::string>> attributes;
  absl::Span<const CallOperand> operands;
  // The new results, then the new contents of each operand that is `mut` or
  // `upd`, in order. (A result that is a view is no output of its own.)
  absl::Span<const CallOutput> outputs;
};

class KernelRegistry {
 public:
  using Kernel = std::function<absl::Status(const KernelCall&)>;

  void Register(absl::string_view name, Kernel kernel) {
    kernels_[std::string(name)] = std::move(kernel);
  }
  // Null where none is registered.
  const Kernel* Find(absl::string_view name) const {
    const auto it = kernels_.find(name);
    return it == kernels_.end() ? nullptr : &it->second;
  }

 private:
  absl::flat_hash_map<std::string, Kernel> kernels_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_KERNEL_REGISTRY_H_
