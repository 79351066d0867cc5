// A strided window of bytes, as the executor sees it, and walks over several
// windows at once.

#ifndef PALIMPSEST_CUDA_VIEW_H_
#define PALIMPSEST_CUDA_VIEW_H_

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/buffer.h"
#include "cuda/kernel.h"
#include "ir/type.h"

namespace palimpsest {

struct View {
  Buffer owner;             // Keeps `base` alive. Of a shadow's view, none.
  uint8_t* base = nullptr;  // The first byte of the storage.
  DType dtype = DType::kU8;
  Dims sizes;
  Dims strides;        // In elements.
  int64_t offset = 0;  // In elements.

  int64_t width() const { return WidthOf(dtype); }
  int rank() const { return static_cast<int>(sizes.size()); }
  int64_t count() const { return ElementCount(sizes); }
  void* data() const { return base + offset * width(); }
  Layout layout() const { return {dtype, sizes, strides}; }
  bool has_poison() const { return owner.poison() != nullptr; }
};

// All of a buffer, row-major. Precondition: it holds that much.
View WholeOf(Buffer buffer, DType dtype, absl::Span<const int64_t> sizes);
View WindowOf(Buffer buffer, const Layout& layout, int64_t offset);

// numpy's rule. Precondition: it broadcasts.
View Broadcast(const View& view, absl::Span<const int64_t> sizes);

enum class ViewOverlap {
  kNone,     // Proved: no byte in common.
  kSameMap,  // Proved: element k of one is element k of the other.
  kSome,     // Neither proved.
};
ViewOverlap OverlapOf(const View& a, const View& b);

// False: proved that no two elements share a byte.
bool MayOverlapItself(const View& view);

// The window of a value, read as a row-major buffer, that `layout` at `offset`
// is: again a window of the value's bytes, or nullopt where it is not one.
absl::optional<View> Compose(const View& value, const Layout& layout,
                             int64_t offset);

enum class WalkOrder {
  kRowMajor,
  kAny,  // By the first window's strides. It does not overlap itself.
};

namespace internal {
struct Walk {
  Dims sizes;
  absl::InlinedVector<Dims, 4> strides;  // One per window.
};
// Drops dimensions of one element, sorts where the order allows, merges
// neighbours. At least one dimension is left.
Walk SimplifyWalk(Walk walk, WalkOrder order);
absl::Status TooManyDimensions(int rank);
}  // namespace internal

// A walk over windows of sizes `sizes`, none of them 0, of which only the
// strides matter.
template <int kTensors>
absl::StatusOr<kernels::Runs<kTensors>> MakeRuns(
    absl::Span<const int64_t> sizes,
    const std::array<absl::Span<const int64_t>, kTensors>& strides,
    WalkOrder order) {
  internal::Walk walk;
  walk.sizes.assign(sizes.begin(), sizes.end());
  for (const auto& of : strides)
    walk.strides.emplace_back(of.begin(), of.end());
  walk = internal::SimplifyWalk(std::move(walk), order);
  const int rank = static_cast<int>(walk.sizes.size()) - 1;
  if (rank > kernels::kMaxRank) return internal::TooManyDimensions(rank + 1);
  kernels::Runs<kTensors> runs;
  runs.rank = rank;
  runs.length = walk.sizes[rank];
  for (int t = 0; t < kTensors; ++t) runs.steps[t] = walk.strides[t][rank];
  for (int d = 0; d < rank; ++d) {
    runs.count *= runs.sizes[d] = walk.sizes[d];
    for (int t = 0; t < kTensors; ++t) runs.strides[t][d] = walk.strides[t][d];
  }
  return runs;
}

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_VIEW_H_
