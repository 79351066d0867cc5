#include "analysis/window_table.h"

#include <cstdint>
#include <utility>

#include "analysis/footprint.h"
#include "analysis/partition.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// The layout that stands for all layouts of the same map.
LayoutId Canonical(LayoutTable& layouts, LayoutId id) {
  const Layout layout = layouts.Get(id);
  const Dims row_major = RowMajorStrides(layout.sizes);
  const bool is_empty = ElementCount(layout.sizes) == 0;
  Dims strides(layout.strides.begin(), layout.strides.end());
  for (int i = 0; i < layout.rank(); ++i) {
    if (is_empty || layout.sizes[i] == 1) strides[i] = row_major[i];
  }
  if (absl::MakeConstSpan(strides) == layout.strides) return id;
  return layouts.Intern(layout.dtype, layout.sizes, strides);
}

// The log asks often and can do without an answer, so no long sweeps.
FootprintLimits ShortLimits() {
  FootprintLimits limits;
  limits.bitset_bytes = 1 << 22;
  return limits;
}

}  // namespace

WindowId WindowTable::Intern(LayoutId layout_id, int64_t offset) {
  const WindowId next{static_cast<int32_t>(windows_.size())};
  auto [known, is_new] = ids_.try_emplace({layout_id, offset}, next);
  if (!is_new) return known->second;

  const LayoutId canonical = Canonical(layouts_, layout_id);
  const Layout layout = layouts_.Get(canonical);
  const int64_t elements = ElementCount(layout.sizes);
  if (elements == 0) offset = 0;
  if (auto [same, is_first] = ids_.try_emplace({canonical, offset}, next);
      !is_first && same->second != next) {
    const WindowId id = same->second;
    ids_[{layout_id, offset}] = id;
    return id;
  }

  Window& window = windows_.emplace_back();
  window.layout = canonical;
  window.offset = offset;
  window.elements = elements;
  window.bytes = elements * WidthOf(layout.dtype);
  window.start = offset * WidthOf(layout.dtype);
  window.shape = FootprintShape::Of(layout);
  if (elements == 0) return next;
  window.box = Box::Of(layout, offset);
  window.digits = DigitSystem::Of(layout, offset);
  if (!window.digits || HasBroadcast(layout)) {
    window.self_overlap = SelfOverlap(layout).overlap;
  }
  return next;
}

WindowId WindowTable::InternRow(DType dtype, int64_t offset, int64_t count) {
  return Intern(layouts_.InternRowMajor(dtype, {count}), offset);
}

bool SurelyCovers(const Window& outer, const Window& inner) {
  return Covers(outer.footprint(), inner.footprint(), ShortLimits()).cover ==
         Cover::kYes;
}

bool MayOverlap(const Window& a, const Window& b) {
  return Overlaps(a.footprint(), b.footprint(), ShortLimits()).overlap !=
         Overlap::kNo;
}

}  // namespace palimpsest
