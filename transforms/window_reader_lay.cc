// The read rule's last part: the ops that make a window of what a read found.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "analysis/element_box.h"
#include "analysis/joined_boxes.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/type.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {
namespace {

// Bytes. A hull begins and ends at a multiple, so that it holds whole elements.
constexpr int64_t kHullAlignment = 16;

// The same moves, seen from the other buffer.
Box Turned(Box box) {
  std::swap(box.subject, box.target);
  for (BoxDim& dim : box.dims) std::swap(dim.subject, dim.target);
  return box;
}

}  // namespace

ValueId WindowReader::ValueOf(StorageState& state, const Layer& layer) {
  if (layer.definition.value.valid()) return layer.definition.value;
  const ValueId known = state.log.Get(layer.id).value;
  if (known.valid()) return known;
  const Layout layout = windows().LayoutOf(layer.definition.window);
  const ValueId contents =
      emitter_.Contents(state.contents, layout.dtype, layout.sizes[0]);
  state.log.SetValue(layer.id, contents);
  return contents;
}

ValueId WindowReader::ReadBase(StorageState& state, const Coverage& coverage,
                               WindowId id) {
  const ValueId value = ValueOf(state, *coverage.base);
  if (coverage.base->definition.window == id) return value;
  return ExtractAt(value, coverage.place, id);
}

// The window from its place in a value.
ValueId WindowReader::ExtractAt(ValueId value, const Box& place, WindowId id) {
  const Layout layout = windows().LayoutOf(id);
  const DType dtype = layout.dtype;
  const int64_t width = WidthOf(dtype);
  if (auto strides = TargetStrides(place, width)) {
    const LayoutId laid =
        *strides == layout.strides
            ? Get(id).layout
            : windows().layouts().Intern(dtype, layout.sizes, *strides);
    return emitter_.Extract(value, laid, place.target / width);
  }
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
  // The value's buffer is not aligned with the window's elements: smaller units
  // first, which then read as the dtype.
  const ElementBox box = InElements(place, dtype);
  const ValueId units = emitter_.Extract(
      value, {box.dtype, box.sizes, box.target_strides}, box.target);
  return emitter_.Extract(units, {dtype, sizes, RowMajorStrides(sizes)}, 0);
}

Piece WindowReader::PieceOf(ValueId value, WindowId window, const Clip& clip) {
  const Box& box = clip.box;
  const DType dtype = windows().DTypeOf(window);
  LayoutTable& layouts = windows().layouts();
  if (clip.extent == Clip::Extent::kWhole) {
    if (auto strides = TargetStrides(box, WidthOf(dtype))) {
      const Layout layout = windows().LayoutOf(window);
      return {value, layouts.Intern(dtype, layout.sizes, *strides),
              box.target / WidthOf(dtype)};
    }
  }
  const ElementBox part = InElements(box, dtype);
  const ValueId clipped = emitter_.Extract(
      value, {part.dtype, part.sizes, part.subject_strides}, part.subject);
  return {clipped, layouts.Intern(part.dtype, part.sizes, part.target_strides),
          part.target};
}

// What of the layer lies in the region: its subject is the layer's value.
// Either may be split by the other's digits, and one way may take fewer boxes:
// elements of a row by their number, not the row by them.
absl::optional<std::vector<Box>> WindowReader::Clipped(
    const Window& layer, const Window& region) const {
  const Box subject = layer.box();
  auto parts = windows().Split(subject, region, MaxBoxes(subject));
  if (parts) JoinBoxes(parts->inside);
  if (parts && parts->inside.size() == 1) return std::move(parts->inside);
  const Box target = region.box();
  auto turned = windows().Split(target, layer, MaxBoxes(target));
  if (turned) {
    for (Box& box : turned->inside) box = Turned(std::move(box));
    JoinBoxes(turned->inside);
    if (!parts || turned->inside.size() < parts->inside.size()) {
      return std::move(turned->inside);
    }
  }
  if (!parts) return absl::nullopt;
  return std::move(parts->inside);
}

absl::optional<ValueId> WindowReader::Lay(StorageState& state, WindowId region,
                                          const Coverage& coverage) {
  const Window& window = Get(region);
  PALIMPSEST_CHECK(window.has_digits());
  std::vector<Clip>& clips = clips_;
  clips.clear();
  for (int i = 0; i < static_cast<int>(coverage.layers.size()); ++i) {
    const Box subject = WindowOf(coverage.layers[i]).box();
    if (auto whole = PlaceIn(subject, window.digits())) {
      clips.push_back({i, Clip::Extent::kWhole, *std::move(whole)});
      continue;
    }
    auto parts = Clipped(WindowOf(coverage.layers[i]), window);
    if (!parts) return absl::nullopt;
    for (Box& part : *parts) {
      clips.push_back({i, Clip::Extent::kPart, std::move(part)});
    }
  }
  const Layout layout = windows().LayoutOf(region);
  absl::optional<ValueId> base;
  if (!coverage.is_filled) {
    base = coverage.base ? ReadBase(state, coverage, region)
                         : emitter_.Empty(layout.dtype, layout.sizes);
  }
  pieces_.clear();
  for (const Clip& clip : clips) {
    const Layer& layer = coverage.layers[clip.layer];
    pieces_.push_back(
        PieceOf(ValueOf(state, layer), layer.definition.window, clip));
  }
  const ValueId value =
      emitter_.Assemble(emitter_.RowMajorOf(window.layout), base, pieces_);
  state.log.Add({++time_, region, value, source_, DefinitionKind::kMerge});
  return value;
}

// Clips of layers take an op each, as does the window's part of the base. The
// widest window with all layers over it takes two: that, which later reads
// find, and the window's part of it. Not where it is much larger than what is
// read and laid.
absl::optional<ValueId> WindowReader::ReadThroughWidest(
    StorageState& state, WindowId id, const Coverage& coverage) {
  const int ops = 1 + ClipsOf(coverage, id);
  if (coverage.reaching_out == 0 || ops <= 2 || !state.widest.valid()) {
    return absl::nullopt;
  }
  const Window& widest = Get(state.widest);
  int64_t bytes = Get(id).bytes();
  for (const Layer& layer : coverage.layers) bytes += WindowOf(layer).bytes();
  if (widest.bytes() / kHullFactor > bytes) return absl::nullopt;
  const auto place = PlaceInWindow(id, state.widest);
  if (!place) return absl::nullopt;
  const Coverage wide = Find(state, state.widest, {kFewLayers});
  const bool needs_no_base_op =
      wide.is_filled ||
      (wide.base && wide.base->definition.window == state.widest &&
       wide.base->definition.value.valid());
  if (wide.is_cut || wide.reaching_out > 0 || !needs_no_base_op ||
      wide.layers.size() > kFewLayers) {
    return absl::nullopt;
  }
  for (const Layer& layer : wide.layers) {
    if (!PlaceIn(WindowOf(layer).box(), widest.digits())) return absl::nullopt;
  }
  const absl::optional<ValueId> value = Lay(state, state.widest, wide);
  if (!value) return absl::nullopt;
  return ExtractAt(*value, *place, id);
}

ValueId WindowReader::LayHull(StorageState& state, int64_t begin, int64_t end,
                              DType dtype) {
  while (true) {
    begin -= begin % kHullAlignment;
    end = std::min((end + kHullAlignment - 1) / kHullAlignment * kHullAlignment,
                   state.log.bytes());
    const bool fits = (end - begin) % WidthOf(dtype) == 0;
    const DType unit = fits ? dtype : DType::kU8;
    const int64_t width = WidthOf(unit);
    const WindowId region =
        windows().InternRow(unit, begin / width, (end - begin) / width);
    const Coverage coverage = Find(state, region);
    if (coverage.layers.empty() && coverage.base) {
      return ReadBase(state, coverage, region);
    }
    if (auto value = Lay(state, region, coverage)) return *value;
    for (const Layer& layer : coverage.layers) {
      begin = std::min(begin, WindowOf(layer).begin());
      end = std::max(end, WindowOf(layer).end());
    }
  }
}

// Broadcast dimensions are read as one element and expanded from there.
ValueId WindowReader::ReadOnceAndExpand(StorageState& state, WindowId id) {
  LayoutTable& layouts = windows().layouts();
  const Layout layout = windows().LayoutOf(id);
  const DType dtype = layout.dtype;
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
  const Dims strides(layout.strides.begin(), layout.strides.end());
  Dims once = sizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] == 0) once[i] = 1;
  }
  const ValueId value = Read(
      state,
      windows().Intern(layouts.Intern(dtype, once, strides), Get(id).offset));
  Dims expanded = RowMajorStrides(once);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (once[i] != sizes[i]) expanded[i] = 0;
  }
  return emitter_.Extract(value, {dtype, sizes, expanded}, 0);
}

ValueId WindowReader::ReadThroughHull(StorageState& state, WindowId id) {
  const Window& window = Get(id);
  const DType dtype = windows().DTypeOf(id);
  LayHull(state, window.begin(), window.end(), dtype);
  const Coverage coverage = Find(state, id);
  PALIMPSEST_CHECK(coverage.base.has_value() && coverage.layers.empty());
  return ReadBase(state, coverage, id);
}

}  // namespace palimpsest
