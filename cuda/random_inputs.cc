#include "cuda/random_inputs.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cuda/buffer.h"
#include "cuda/executor.h"
#include "cuda/host_backend.h"
#include "cuda/index_ranges.h"
#include "cuda/interpreter.h"
#include "cuda/mixing.h"
#include "cuda/view.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

class Filler {
 public:
  Filler(const Function& function, uint64_t seed)
      : function_(function),
        executor_(kernels::HostBackend()),
        seed_(seed),
        random_(seed),
        storages_(function.storages.size()) {}

  absl::StatusOr<RunInputs> Run() {
    for (ValueId parameter : function_.parameters) {
      RETURN_IF_ERROR(FillParameter(function_.Get(parameter).type));
    }
    std::vector<IndexWindow> windows = FindIndexWindows(function_);
    // Where windows overlap, the narrower range is filled in last.
    std::stable_sort(windows.begin(), windows.end(),
                     [](const IndexWindow& a, const IndexWindow& b) {
                       return a.range.end - a.range.least >
                              b.range.end - b.range.least;
                     });
    for (const IndexWindow& window : windows) {
      RETURN_IF_ERROR(FillIndices(window));
    }
    RunInputs inputs;
    for (size_t i = 0; i < storages_.size(); ++i) {
      const Storage& storage = function_.storages[i];
      if (storage.kind != StorageKind::kParameter) continue;
      inputs.storages[function_.names.Text(storage.name)] = storages_[i];
    }
    return inputs;
  }

 private:
  // The first parameter of a storage says of which dtype all of it is; a later
  // one of another dtype, its own window.
  absl::Status FillParameter(const Type& type) {
    const Layout layout = function_.LayoutOf(type);
    Buffer& buffer = storages_[type.storage.value];
    if (buffer.exists()) {
      if (first_dtypes_[type.storage.value] == layout.dtype) {
        return absl::OkStatus();
      }
      ASSIGN_OR_RETURN(const View values,
                       executor_.Temporary(layout.dtype, layout.sizes));
      FillTame(layout.dtype, random_(), values.count(), values.data());
      return executor_.Move(WindowOf(buffer, layout, type.offset), values);
    }
    const int64_t bytes = function_.Get(type.storage).bytes;
    ASSIGN_OR_RETURN(buffer, Buffer::Allocate(bytes));
    first_dtypes_[type.storage.value] = layout.dtype;
    const int64_t count = bytes / WidthOf(layout.dtype);
    const int64_t rest = count * WidthOf(layout.dtype);
    FillTame(layout.dtype, random_(), count, buffer.mutable_data());
    FillTame(DType::kU8, random_(), bytes - rest, buffer.mutable_data() + rest);
    return absl::OkStatus();
  }

  absl::Status FillIndices(const IndexWindow& window) {
    // Each place is drawn once, also where the window shows it again.
    Dims sizes = window.sizes;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (window.strides[d] == 0 && sizes[d] > 1) sizes[d] = 1;
    }
    ASSIGN_OR_RETURN(const View values,
                     executor_.Temporary(DType::kI64, sizes));
    int64_t* indices = static_cast<int64_t*>(values.data());
    const IndexRange range = Representable(window.range, window.dtype);
    if (range.end <= range.least) {
      std::fill_n(indices, values.count(), std::max<int64_t>(range.least, 0));
    } else {
      DrawIndices(range, values.count(), indices);
    }
    const Layout layout = {window.dtype, sizes, window.strides};
    return executor_.Cast(
        WindowOf(storages_[window.storage.value], layout, window.offset),
        values);
  }

  // The part of a range that a dtype holds.
  static IndexRange Representable(IndexRange range, DType dtype) {
    const bool is_unsigned = InfoFor(dtype).text[0] == 'u';
    const int64_t bits = 8 * WidthOf(dtype) - (is_unsigned ? 0 : 1);
    if (bits < 63) range.end = std::min(range.end, int64_t{1} << bits);
    if (is_unsigned) range.least = std::max<int64_t>(range.least, 0);
    if (!is_unsigned && bits < 63) {
      range.least = std::max(range.least, -(int64_t{1} << bits));
    }
    return range;
  }

  // An arithmetic progression modulo the range's size repeats nothing before it
  // has been through the range.
  void DrawIndices(IndexRange range, int64_t count, int64_t* indices) {
    const uint64_t size = range.end - range.least;
    const bool with_duplicates = seed_ % 3 == 2;
    uint64_t step = random_() % size;
    while (std::gcd(step, size) != 1) step = (step + 1) % size;
    uint64_t index = random_() % size;
    for (int64_t i = 0; i < count; ++i) {
      index = with_duplicates ? random_() % size : (index + step) % size;
      indices[i] = range.least + static_cast<int64_t>(index);
    }
    if (with_duplicates && count > 1) {
      indices[random_() % (count - 1) + 1] = indices[0];
    }
  }

  const Function& function_;
  const Executor executor_;
  const uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<Buffer> storages_;
  absl::flat_hash_map<int32_t, DType> first_dtypes_;
};

}  // namespace

absl::StatusOr<RunInputs> RandomInputs(const Function& function,
                                       uint64_t seed) {
  return Filler(function, seed).Run();
}

}  // namespace palimpsest
