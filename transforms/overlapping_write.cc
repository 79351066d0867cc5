// A window that overlaps itself cannot be a definition, since its value would
// have two elements for one byte. Its bytes are those of one window (an unfold
// of a row is a row) or, where strides interleave, of one for each index of the
// outer dimensions.

#include "transforms/overlapping_write.h"

#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"
#include "analysis/window_table.h"
#include "ir/ids.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {
namespace {

constexpr int64_t kMaxWindows = 1024;

// How many of the outer dimensions must be fixed for the others to be digits:
// each stride beyond the span of the smaller ones.
int InterleavedDims(absl::Span<const ByteDim> dims) {
  int interleaved = 0;
  int64_t span = 0;
  for (int i = static_cast<int>(dims.size()) - 1; i >= 0; --i) {
    if (interleaved == 0 && dims[i].stride <= span) interleaved = i + 1;
    span += dims[i].stride * (dims[i].extent - 1);
  }
  return interleaved;
}

}  // namespace

absl::StatusOr<std::vector<WindowId>> WindowsWithoutOverlap(
    WindowId id, WindowTable& windows) {
  const Window& window = windows.Get(id);
  if (window.is_simple()) return std::vector<WindowId>{id};
  const DType dtype = windows.DTypeOf(id);
  const int64_t width = WidthOf(dtype);
  const absl::Span<const ByteDim> dims = window.shape->footprint.merged();
  const int outer = InterleavedDims(dims);

  std::vector<int64_t> starts = {window.begin()};
  for (const ByteDim& dim : dims.subspan(0, outer)) {
    std::vector<int64_t> next;
    for (int64_t start : starts) {
      for (int64_t k = 0; k < dim.extent; ++k) {
        next.push_back(start + k * dim.stride);
      }
      if (static_cast<int64_t>(next.size()) > kMaxWindows) {
        return absl::FailedPreconditionError(
            "the destination's strides interleave in too many places");
      }
    }
    starts = std::move(next);
  }
  // Elements are whole in the set, so strides but the run's count elements.
  Dims sizes;
  Dims strides;
  for (const ByteDim& dim : dims.subspan(outer)) {
    const bool is_run = dim.stride == 1;
    if (is_run && dim.extent == width) continue;
    sizes.push_back(is_run ? dim.extent / width : dim.extent);
    strides.push_back(is_run ? 1 : dim.stride / width);
  }
  const LayoutId layout = windows.layouts().Intern(dtype, sizes, strides);
  std::vector<WindowId> result;
  for (int64_t start : starts) {
    result.push_back(windows.Intern(layout, start / width));
  }
  return result;
}

absl::Status WriteInOrder(StorageState& state, WindowId id, ValueId value,
                          OpId source, WindowReader& reader,
                          PureEmitter& emitter) {
  WindowTable& windows = emitter.windows();
  ASSIGN_OR_RETURN(const std::vector<WindowId> parts,
                   WindowsWithoutOverlap(id, windows));
  const Window& window = windows.Get(id);
  const Layout layout = windows.LayoutOf(id);
  const DType dtype = layout.dtype;
  const int64_t width = WidthOf(dtype);
  const int64_t first = window.begin() / width;
  const int64_t count = window.end() / width - first;
  if (window.self_overlap() != Overlap::kNo &&
      emitter.negative_strides() == NegativeStrides::kFlip &&
      absl::c_any_of(layout.strides, [](int64_t s) { return s < 0; })) {
    return absl::FailedPreconditionError(
        "the destination overlaps itself and steps backwards, and turning it "
        "round would change which write wins; allow negative strides");
  }
  const Piece piece{value, window.layout, window.offset - first};
  const ValueId before =
      reader.Read(state, windows.InternRow(dtype, first, count));
  const ValueId after =
      emitter.Assemble(emitter.RowMajor(dtype, {count}), before, {piece});
  for (WindowId part : parts) {
    const int64_t offset = windows.Get(part).offset - first;
    reader.Write(state, part,
                 emitter.Extract(after, windows.LayoutOf(part), offset),
                 source);
  }
  return absl::OkStatus();
}

}  // namespace palimpsest
