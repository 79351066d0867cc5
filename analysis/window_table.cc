#include "analysis/window_table.h"

#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/optional.h"
#include "analysis/byte_runs.h"
#include "analysis/element_box.h"
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

Box BytesBoxOf(const FootprintShape& footprint) {
  Box box;
  box.address = footprint.first();
  for (const ByteDim& dim : footprint.merged()) {
    box.dims.push_back({dim.extent, dim.stride, 0});
  }
  return box;
}

// Whether the bounds of the two do not meet.
bool IsApart(const Box& box, const Window& window) {
  int64_t low = box.address;
  int64_t high = box.address;
  for (const BoxDim& dim : box.dims) {
    const int64_t far = dim.address * (dim.extent - 1);
    (far < 0 ? low : high) += far;
  }
  return high < window.begin() || low >= window.end();
}

// The log asks often and can do without an answer, so no long sweeps.
FootprintLimits ShortLimits() {
  FootprintLimits limits;
  limits.bitset_bytes = 1 << 22;
  return limits;
}

}  // namespace

WindowId WindowTable::Intern(LayoutId layout_id, int64_t offset) {
  const WindowId next{count_};
  const auto [known, is_new_key] = ids_.try_emplace({layout_id, offset}, next);
  if (!is_new_key) return known->second;

  Window window;
  window.layout = Canonical(layouts_, layout_id);
  window.shape = ShapeOf(window.layout);
  window.offset = window.empty() ? 0 : offset;
  window.start = window.offset * WidthOf(layouts_.Get(window.layout).dtype);
  if (window.layout != layout_id || window.offset != offset) {
    const auto [same, is_new] =
        ids_.try_emplace({window.layout, window.offset}, next);
    const WindowId id = same->second;
    ids_[{layout_id, offset}] = id;
    if (!is_new) return id;
  }
  if (count_ % kPageSize == 0) pages_.emplace_back().reserve(kPageSize);
  pages_.back().push_back(window);
  ++count_;
  return next;
}

const WindowShape* WindowTable::ShapeOf(LayoutId canonical) {
  if (shape_of_.size() <= static_cast<size_t>(canonical.value)) {
    shape_of_.resize(layouts_.size(), nullptr);
  }
  const WindowShape*& known = shape_of_[canonical.value];
  if (known != nullptr) return known;

  const Layout layout = layouts_.Get(canonical);
  WindowShape& shape = shapes_.emplace_back();
  shape.elements = ElementCount(layout.sizes);
  shape.bytes = shape.elements * WidthOf(layout.dtype);
  shape.footprint = FootprintShape::Of(layout);
  if (shape.elements > 0) {
    shape.box = Box::Of(layout, 0);
    shape.bytes_box = BytesBoxOf(shape.footprint);
    shape.runs = RunsOf(shape.box, &Box::address, &BoxDim::address);
    shape.digits = DigitSystem::Of(layout, 0);
    if (!shape.digits || HasBroadcast(layout)) {
      shape.self_overlap = SelfOverlap(layout).overlap;
    }
  }
  return known = &shape;
}

WindowId WindowTable::InternRow(DType dtype, int64_t offset, int64_t count) {
  return Intern(layouts_.InternRowMajor(dtype, {count}), offset);
}

absl::optional<WindowId> WindowTable::Within(WindowId outer, LayoutId inner,
                                             int64_t offset) {
  const Layout layout = layouts_.Get(inner);
  if (ElementCount(layout.sizes) == 0) return Intern(inner, 0);
  if (Get(outer).empty()) return absl::nullopt;
  const auto [known, is_new] =
      within_.try_emplace({outer, inner, offset}, absl::nullopt);
  if (is_new) known->second = FindWithin(outer, inner, offset);
  return known->second;
}

absl::optional<WindowId> WindowTable::FindWithin(WindowId outer, LayoutId inner,
                                                 int64_t offset) {
  const Layout layout = layouts_.Get(inner);
  const Layout whole = LayoutOf(outer);
  if (offset == 0 && layout.dtype == whole.dtype &&
      layout.sizes == whole.sizes && IsRowMajor(layout)) {
    return outer;
  }
  const DigitSystem buffer = DigitSystem::OfBuffer(whole, Get(outer).offset);
  const auto place = PlaceIn(Box::Of(layout, offset), buffer);
  if (!place) return absl::nullopt;
  const int64_t width = WidthOf(layout.dtype);
  const auto strides = TargetStrides(*place, width);
  if (!strides) return absl::nullopt;
  return Intern(layouts_.Intern(layout.dtype, layout.sizes, *strides),
                place->target / width);
}

bool WindowTable::MayOverlap(const Window& a, const Window& b) const {
  const OverlapResult result =
      Overlaps(a.footprint(), b.footprint(), ShortLimits());
  layer_counts_.Add(result.layer);
  return result.overlap != Overlap::kNo;
}

bool WindowTable::SurelyCovers(const Window& outer, const Window& inner) const {
  const CoverResult result =
      Covers(outer.footprint(), inner.footprint(), ShortLimits());
  layer_counts_.Add(result.layer);
  return result.cover == Cover::kYes;
}

absl::optional<Partition> WindowTable::Split(const Box& subject,
                                             const Window& by,
                                             int max_boxes) const {
  if (!by.has_digits()) return absl::nullopt;
  layer_counts_.Add(Layer::kDigits);
  return PartitionBy(subject, by.digits(), max_boxes);
}

absl::optional<bool> WindowTable::Subtract(const Window& by, int max_boxes,
                                           std::vector<Box>& boxes) const {
  if (!by.has_digits()) return absl::nullopt;
  left_.clear();
  bool is_hit = false;
  for (const Box& box : boxes) {
    if (IsApart(box, by)) {
      left_.push_back(box);
    } else {
      layer_counts_.Add(Layer::kDigits);
      if (!PartitionInto(box, by.digits(), max_boxes, parts_)) {
        return absl::nullopt;
      }
      is_hit = is_hit || !parts_.inside.empty();
      absl::c_move(parts_.outside, std::back_inserter(left_));
    }
    if (left_.size() > static_cast<size_t>(max_boxes)) return absl::nullopt;
  }
  if (is_hit) boxes.swap(left_);
  return is_hit;
}

}  // namespace palimpsest
