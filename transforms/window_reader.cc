// The read rule. For a window V at some point of the walk:
//
//   1. The newest definition that holds all of V as one window of its value is
//      V's *base*; the writes newer than it that overlap V are its *layers*.
//   2. No layers: V is the base's value, or one extract of it.
//   3. Else one assemble: the layers in time order, each clipped to V, over the
//      base. No base where the layers fill V; `empty` where nothing was
//      written. A merge stands in for two or more layers that it covers and
//      that are no newer than it.
//   4. Where V overlaps itself, or a clip would not do in a few boxes, a
//      contiguous hull is assembled in this way and V extracted from that.
//
// What was assembled is a merge, a base for later reads. Reads of many windows
// that each see a part of many writes (columns of rows) would still see each
// write again and again; so more than a few layers are first merged among
// themselves, the newest first, as long as no older one is larger than all
// newer ones together. A write then takes part in O(log n) such merges.

#include "transforms/window_reader.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/optional.h"
#include "analysis/element_box.h"
#include "analysis/fill.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/type.h"
#include "transforms/pure_emitter.h"

namespace palimpsest {
namespace {

constexpr int kFewLayers = 8;
constexpr int kHullFactor = 4;
constexpr int64_t kHullAlignment = 16;

// How many boxes a clip may take: two ends in each dimension, with some room
// for windows of another shape.
int MaxBoxes(const Box& box) { return 4 * static_cast<int>(box.dims.size()); }

}  // namespace

ValueId WindowReader::Read(StorageState& state, WindowId id) {
  const Window& window = Get(id);
  const Layout layout = emitter_.windows().LayoutOf(id);
  if (window.empty()) return emitter_.Empty(layout.dtype, layout.sizes);
  if (auto known = state.log.Recall(id)) {
    ++forwarded_reads_;
    return *known;
  }
  Coverage coverage = Find(state, id);
  Compact(state, id, coverage);
  absl::optional<ValueId> value;
  if (coverage.layers.empty() && coverage.base) {
    value = ReadBase(state, coverage, id);
  } else if (coverage.layers.empty()) {
    value = emitter_.Empty(layout.dtype, layout.sizes);
  } else if (window.self_overlap == Overlap::kNo && window.digits) {
    value = Lay(state, id, coverage);
  } else if (HasBroadcast(layout)) {
    value = ReadOnceAndExpand(state, id);
  }
  if (!value) value = ReadThroughHull(state, id);
  state.log.Remember(id, *value, time_);
  return *value;
}

void WindowReader::Write(StorageState& state, WindowId window, ValueId value,
                         OpId source) {
  state.log.Add({DefinitionKind::kWrite, window, value, ++time_, source});
}

WindowReader::Coverage WindowReader::Find(const StorageState& state,
                                          WindowId id) const {
  const Window& window = Get(id);
  Coverage coverage;
  std::vector<Layer> merges;
  state.log.VisitNewestFirst(
      window, -1, [&](DefinitionId found, const Definition& definition) {
        const Window& other = Get(definition.window);
        absl::optional<Box> place;
        if (definition.window == id) {
          place = window.box;
          for (BoxDim& dim : place->dims) dim.target = dim.subject;
        } else if (other.digits && other.begin() <= window.begin() &&
                   window.end() <= other.end()) {
          place = PlaceIn(window.box, *other.digits);
        }
        if (place) {
          coverage.base = Layer{found, definition};
          coverage.place = *std::move(place);
          return false;
        }
        if (definition.kind == DefinitionKind::kMerge) {
          merges.push_back({found, definition});
        } else if (definition.kind == DefinitionKind::kWrite &&
                   MayOverlap(other, window)) {
          coverage.layers.push_back({found, definition});
        }
        return true;
      });
  ReplaceByMerges(coverage.layers, merges);
  return coverage;
}

// Both come newest first; leaves the layers oldest first.
void WindowReader::ReplaceByMerges(std::vector<Layer>& layers,
                                   const std::vector<Layer>& merges) const {
  for (const Layer& merge : merges) {
    auto is_replaced = [&](const Layer& layer) {
      return layer.definition.kind == DefinitionKind::kWrite &&
             layer.definition.time <= merge.definition.time &&
             SurelyCovers(WindowOf(merge), WindowOf(layer));
    };
    if (absl::c_count_if(layers, is_replaced) < 2) continue;
    layers.erase(std::remove_if(layers.begin(), layers.end(), is_replaced),
                 layers.end());
    layers.push_back(merge);
  }
  absl::c_sort(layers, [](const Layer& a, const Layer& b) {
    return a.definition.time < b.definition.time;
  });
}

void WindowReader::Compact(StorageState& state, WindowId id,
                           Coverage& coverage) {
  const Window& window = Get(id);
  auto lies_inside = [&](const Layer& layer) {
    return window.begin() <= WindowOf(layer).begin() &&
           WindowOf(layer).end() <= window.end() &&
           SurelyCovers(window, WindowOf(layer));
  };
  while (coverage.layers.size() > kFewLayers) {
    const std::vector<Layer>& layers = coverage.layers;
    // One assemble of the window itself merges layers that lie inside of it.
    if (absl::c_all_of(layers, lies_inside)) return;
    int64_t bytes = 0;
    int64_t begin = INT64_MAX;
    int64_t end = 0;
    int count = 0;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
      const Window& other = WindowOf(*layer);
      if (count > 0 && other.bytes > bytes) break;
      bytes += other.bytes;
      begin = std::min(begin, other.begin());
      end = std::max(end, other.end());
      ++count;
    }
    if (count < 2 || (end - begin) / kHullFactor > bytes) return;
    LayHull(state, begin, end, emitter_.windows().DTypeOf(id));
    Coverage next = Find(state, id);
    const bool is_fewer = next.layers.size() < layers.size();
    coverage = std::move(next);
    if (!is_fewer) return;
  }
}

ValueId WindowReader::ValueOf(StorageState& state, const Layer& layer) {
  const ValueId known = state.log.Get(layer.id).value;
  if (known.valid()) return known;
  const Layout layout = emitter_.windows().LayoutOf(layer.definition.window);
  const ValueId contents =
      emitter_.Contents(state.contents, layout.dtype, layout.sizes[0]);
  state.log.SetValue(layer.id, contents);
  return contents;
}

ValueId WindowReader::ReadBase(StorageState& state, const Coverage& coverage,
                               WindowId id) {
  const ValueId value = ValueOf(state, *coverage.base);
  const Layout layout = emitter_.windows().LayoutOf(id);
  const int64_t width = WidthOf(layout.dtype);
  if (auto strides = TargetStrides(coverage.place, width)) {
    const Dims sizes(layout.sizes.begin(), layout.sizes.end());
    return emitter_.Extract(value, {layout.dtype, sizes, *strides},
                            coverage.place.target / width);
  }
  // The value's buffer is not aligned with the window's elements: smaller units
  // first, which then read as the dtype.
  const ElementBox box = InElements(coverage.place, layout.dtype);
  const DType dtype = layout.dtype;
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
  const ValueId units = emitter_.Extract(
      value, {box.dtype, box.sizes, box.target_strides}, box.target);
  return emitter_.Extract(units, {dtype, sizes, RowMajorStrides(sizes)}, 0);
}

Piece WindowReader::PieceOf(ValueId value, WindowId window, const Box& box,
                            bool whole) {
  const DType dtype = emitter_.windows().DTypeOf(window);
  if (whole) {
    if (auto strides = TargetStrides(box, WidthOf(dtype))) {
      return {value, box.target / WidthOf(dtype), *std::move(strides)};
    }
  }
  const ElementBox part = InElements(box, dtype);
  const ValueId clipped = emitter_.Extract(
      value, {part.dtype, part.sizes, part.subject_strides}, part.subject);
  return {clipped, part.target, part.target_strides};
}

absl::optional<ValueId> WindowReader::Lay(StorageState& state, WindowId region,
                                          const Coverage& coverage) {
  const Window& window = Get(region);
  PALIMPSEST_CHECK(window.digits.has_value());
  std::vector<Box> boxes;
  std::vector<std::pair<int, bool>>
      origins;  // A box's layer; whether it is whole.
  for (int i = 0; i < static_cast<int>(coverage.layers.size()); ++i) {
    const Box& subject = WindowOf(coverage.layers[i]).box;
    if (auto whole = PlaceIn(subject, *window.digits)) {
      boxes.push_back(*std::move(whole));
      origins.push_back({i, true});
      continue;
    }
    auto parts = PartitionBy(subject, *window.digits, MaxBoxes(subject));
    if (!parts) return absl::nullopt;
    for (Box& part : parts->inside) {
      boxes.push_back(std::move(part));
      origins.push_back({i, false});
    }
  }
  const Layout layout = emitter_.windows().LayoutOf(region);
  const LayoutId result = emitter_.RowMajor(layout.dtype, layout.sizes);
  absl::optional<ValueId> base;
  if (!SurelyFill(window.bytes, boxes)) {
    base = coverage.base
               ? ReadBase(state, coverage, region)
               : emitter_.Empty(emitter_.function().layouts.Get(result).dtype,
                                emitter_.function().layouts.Get(result).sizes);
  }
  std::vector<Piece> pieces;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Layer& layer = coverage.layers[origins[i].first];
    pieces.push_back(PieceOf(ValueOf(state, layer), layer.definition.window,
                             boxes[i], origins[i].second));
  }
  const ValueId value = emitter_.Assemble(result, base, pieces);
  state.log.Add({DefinitionKind::kMerge, region, value, ++time_, source_});
  return value;
}

ValueId WindowReader::LayHull(StorageState& state, int64_t begin, int64_t end,
                              DType dtype) {
  while (true) {
    begin -= begin % kHullAlignment;
    end = std::min((end + kHullAlignment - 1) / kHullAlignment * kHullAlignment,
                   state.bytes);
    const bool fits = (end - begin) % WidthOf(dtype) == 0;
    const DType unit = fits ? dtype : DType::kU8;
    const int64_t width = WidthOf(unit);
    const WindowId region = emitter_.windows().InternRow(unit, begin / width,
                                                         (end - begin) / width);
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
  LayoutTable& layouts = emitter_.windows().layouts();
  const Layout layout = emitter_.windows().LayoutOf(id);
  const DType dtype = layout.dtype;
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
  const Dims strides(layout.strides.begin(), layout.strides.end());
  Dims once = sizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] == 0) once[i] = 1;
  }
  const ValueId value =
      Read(state, emitter_.windows().Intern(
                      layouts.Intern(dtype, once, strides), Get(id).offset));
  Dims expanded = RowMajorStrides(once);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (once[i] != sizes[i]) expanded[i] = 0;
  }
  return emitter_.Extract(value, {dtype, sizes, expanded}, 0);
}

ValueId WindowReader::ReadThroughHull(StorageState& state, WindowId id) {
  const Window& window = Get(id);
  const DType dtype = emitter_.windows().DTypeOf(id);
  LayHull(state, window.begin(), window.end(), dtype);
  const Coverage coverage = Find(state, id);
  PALIMPSEST_CHECK(coverage.base.has_value() && coverage.layers.empty());
  return ReadBase(state, coverage, id);
}

}  // namespace palimpsest
