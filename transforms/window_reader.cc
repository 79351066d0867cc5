// The read rule. For a window V at some point of the walk:
//
//   1. The newest definition that holds all of V as one window of its value is
//      V's *base*; the newer definitions that overlap V are its *layers*.
//   2. No layers: V is the base's value, or one extract of it.
//   3. Else one assemble: the layers in time order, each clipped to V, over the
//      base. A layer that newer ones hide is left out, and the base where they
//      fill V; `empty` stands for what was never written. What a clip takes is
//      one extract for each of the boxes that layer and V have in common.
//   4. Where clips would take more ops, the widest window of the storage is
//      assembled instead, and V extracted from that.
//   5. Where V overlaps itself, or a clip would not do in a few boxes, a
//      contiguous hull is assembled in this way and V extracted from that.
//
// What was assembled is a merge: a base for later reads, or a layer of them,
// which then hides what it was made of. (In a storage of few definitions a read
// looks again without merges, which may take fewer ops.) Reads of many windows
// that each see a part of many writes (columns of rows) would still see each
// write again and again; so many layers that reach out of V are first merged
// among themselves, the newest first, as long as no older one is larger than
// all newer ones together. A write then takes part in O(log n) such merges.

#include "transforms/window_reader.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/element_box.h"
#include "analysis/joined_boxes.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/type.h"
#include "transforms/pure_emitter.h"

namespace palimpsest {
namespace {

// More layers than this are merged, newest first.
constexpr size_t kFewLayers = 8;
// So many boxes of a window may be open; what would leave more counts as hidden
// by nothing.
constexpr int kMaxOpenParts = 8;
// In a storage of no more definitions than this it is worth a second look
// whether a read does better without merges.
constexpr int kFewDefinitions = 32;
// What is assembled beyond what was asked for has at most so many times its
// bytes.
constexpr int kHullFactor = 4;
// Bytes. A hull begins and ends at a multiple, so that it holds whole elements.
constexpr int64_t kHullAlignment = 16;

// How many boxes a clip may take: two ends in each dimension, with some room
// for windows of another shape.
int MaxBoxes(const Box& box) { return 4 * static_cast<int>(box.dims.size()); }

// The same moves, seen from the other buffer.
Box Turned(Box box) {
  std::swap(box.subject, box.target);
  for (BoxDim& dim : box.dims) std::swap(dim.subject, dim.target);
  return box;
}

}  // namespace

ValueId WindowReader::Read(StorageState& state, WindowId id) {
  const Window& window = Get(id);
  const Layout layout = windows().LayoutOf(id);
  if (window.empty()) return emitter_.Empty(layout.dtype, layout.sizes);
  const auto known = state.log.Recall(id);
  if (known && known->time >= state.log.last_write_time()) {
    ++forwarded_reads_;
    return known->value;
  }
  const Coverage coverage = FindCompacted(state, id);
  if (known && IsStill(state, id, *known, coverage)) {
    ++forwarded_reads_;
    state.log.Remember(id, known->value, time_);
    return known->value;
  }
  absl::optional<ValueId> value;
  if (coverage.layers.empty() && coverage.base) {
    value = ReadBase(state, coverage, id);
  } else if (coverage.layers.empty()) {
    value = emitter_.Empty(layout.dtype, layout.sizes);
  } else if (auto through = ReadThroughWidest(state, id, coverage)) {
    value = through;
  } else if (window.is_simple()) {
    value = Lay(state, id, coverage);
  } else if (HasBroadcast(layout)) {
    value = ReadOnceAndExpand(state, id);
  }
  if (!value) value = ReadThroughHull(state, id);
  state.log.Remember(id, *value, time_);
  return *value;
}

// Whether the window still reads as it did. Merges and initial definitions may
// but repeat what was there then.
bool WindowReader::IsStill(const StorageState& state, WindowId id,
                           const WriteLog::Memory& known,
                           const Coverage& coverage) const {
  const auto is_write = [](const Layer& layer) {
    return layer.definition.kind == DefinitionKind::kWrite;
  };
  if (absl::c_any_of(coverage.layers, is_write)) return false;
  if (coverage.base && is_write(*coverage.base)) return false;
  const bool is_untouched = coverage.layers.empty() && coverage.base &&
                            coverage.base->definition.value == known.value;
  return is_untouched || !state.log.HasWriteSince(known.time, Get(id));
}

void WindowReader::Write(StorageState& state, WindowId window, ValueId value,
                         OpId source) {
  NoteWindow(state, window);
  state.log.Add({++time_, window, value, source, DefinitionKind::kWrite});
}

void WindowReader::NoteWindow(StorageState& state, WindowId id) {
  ++state.definitions;
  const Window& window = Get(id);
  if (window.is_simple() &&
      (!state.widest.valid() || window.bytes() > Get(state.widest).bytes())) {
    state.widest = id;
  }
}

// The window's place in another that holds all of it as one window.
absl::optional<Box> WindowReader::PlaceInWindow(WindowId id,
                                                WindowId whole) const {
  const Window& window = Get(id);
  const Window& other = Get(whole);
  if (whole == id) {
    Box place = window.box();
    for (BoxDim& dim : place.dims) dim.target = dim.subject;
    return place;
  }
  if (!other.has_digits() || window.begin() < other.begin() ||
      other.end() < window.end()) {
    return absl::nullopt;
  }
  return PlaceIn(window.box(), other.digits());
}

// Newest first, so that what newer writes hide need not be looked at: `open`
// are the parts of the window for which no definition has been found.
WindowReader::Coverage WindowReader::Find(const StorageState& state,
                                          WindowId id,
                                          const Scope& scope) const {
  const Window& window = Get(id);
  Coverage coverage;
  std::vector<Box>& open = open_;
  open.clear();
  const int max_open_parts =
      std::max(kMaxOpenParts, MaxBoxes(window.shape->box));
  const auto known = state.log.Recall(id);
  WriteLog::Search search(state.log, window,
                          known ? known->time : WriteLog::kAtEntry);
  for (DefinitionId next = search.Next(); next.valid(); next = search.Next()) {
    const Definition& definition = state.log.Get(next);
    const Layer layer{next, definition};
    if (definition.kind == DefinitionKind::kMerge &&
        scope.merges == Merges::kIgnored) {
      continue;
    }
    const bool is_initial = definition.kind == DefinitionKind::kInitial;
    if (is_initial && known) continue;  // It says no more than that.
    // All that is there at entry says the same, so a value of the window itself
    // serves best.
    if (!coverage.base ||
        (definition.window == id && definition.value.valid())) {
      if (auto place = PlaceInWindow(id, definition.window)) {
        coverage.base = layer;
        coverage.place = *std::move(place);
        if (!is_initial || definition.window == id) break;
      }
    }
    if (is_initial) continue;
    const Window& other = Get(definition.window);
    if (open.empty()) open.push_back(window.box());
    const absl::optional<bool> shows =
        windows().Subtract(other, max_open_parts, open);
    if (shows ? *shows : windows().MayOverlap(other, window)) {
      coverage.layers.push_back(layer);
      if (!windows().SurelyCovers(window, other)) ++coverage.reaching_out;
      coverage.is_filled = open.empty();
      if (open.empty()) break;
      if (coverage.reaching_out > scope.max_clips ||
          (coverage.layers.size() > scope.max_layers &&
           (coverage.reaching_out > 0 || scope.merges == Merges::kIgnored))) {
        coverage.is_cut = true;
        break;
      }
      search.Narrow(open);
    }
  }
  if (known && !coverage.base && !coverage.is_filled && !coverage.is_cut) {
    coverage.base =
        Layer{known->definition,
              {known->time, id, known->value, OpId(), DefinitionKind::kMerge}};
    coverage.place = *PlaceInWindow(id, id);
  }
  absl::c_reverse(coverage.layers);
  return coverage;
}

// What the window is made of, after the newest layers were merged where there
// are many.
WindowReader::Coverage WindowReader::FindCompacted(StorageState& state,
                                                   WindowId id) {
  const DType dtype = windows().DTypeOf(id);
  size_t max_layers = kFewLayers;
  Coverage coverage = Find(state, id, {max_layers});
  while (coverage.layers.size() > kFewLayers && max_layers != kNoLimit) {
    const int count = CountNewest(coverage.layers);
    if (coverage.is_cut && count == static_cast<int>(coverage.layers.size())) {
      max_layers *= 2;  // The run may go on.
    } else if (MergeNewest(state, coverage, count, dtype)) {
      max_layers = kFewLayers;
    } else {
      max_layers = kNoLimit;
    }
    coverage = Find(state, id, {max_layers});
  }
  return FindCheapest(state, id, std::move(coverage));
}

// A merge says again what the writes below it say: not where those, laid over
// what was there before, take no more ops.
WindowReader::Coverage WindowReader::FindCheapest(const StorageState& state,
                                                  WindowId id,
                                                  Coverage coverage) const {
  const auto is_merge = [](const Layer& layer) {
    return layer.definition.kind == DefinitionKind::kMerge;
  };
  if (state.definitions > kFewDefinitions) return coverage;
  const bool extracts_from_merge = coverage.base && is_merge(*coverage.base) &&
                                   coverage.base->definition.window != id;
  if (!extracts_from_merge && !absl::c_any_of(coverage.layers, is_merge)) {
    return coverage;
  }
  // No assemble for an extract.
  const size_t max_layers = coverage.layers.empty() ? 0 : kFewLayers;
  const int clips = ClipsOf(coverage, id);
  Coverage writes = Find(state, id, {max_layers, clips, Merges::kIgnored});
  if (writes.is_cut || ClipsOf(writes, id) > clips) return coverage;
  return writes;
}

// Ops beside the assemble that lays the layers.
int WindowReader::ClipsOf(const Coverage& coverage, WindowId id) const {
  // What an earlier read took from a definition counts as an op, too.
  const bool is_own = coverage.base && coverage.base->id.valid() &&
                      coverage.base->definition.window == id;
  const bool needs_base = !coverage.is_filled && coverage.base && !is_own;
  if (coverage.layers.empty()) return (needs_base ? 1 : 0) - 1;
  return coverage.reaching_out + (needs_base ? 1 : 0);
}

// The length of the newest run of layers none of which is larger than all newer
// ones together.
int WindowReader::CountNewest(absl::Span<const Layer> layers) const {
  int64_t bytes = 0;
  int count = 0;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    if (count > 0 && WindowOf(*layer).bytes() > bytes) break;
    bytes += WindowOf(*layer).bytes();
    ++count;
  }
  return count;
}

// Merges that run; whether that made a new definition. Not where all layers lie
// inside of the window, whose own merge does that, and not where their hull is
// mostly other bytes.
bool WindowReader::MergeNewest(StorageState& state, const Coverage& coverage,
                               int count, DType dtype) {
  int64_t bytes = 0;
  int64_t begin = INT64_MAX;
  int64_t end = 0;
  for (auto layer = coverage.layers.end() - count;
       layer != coverage.layers.end(); ++layer) {
    const Window& other = WindowOf(*layer);
    bytes += other.bytes();
    begin = std::min(begin, other.begin());
    end = std::max(end, other.end());
  }
  if (coverage.reaching_out == 0 || count < 2 ||
      (end - begin) / kHullFactor > bytes) {
    return false;
  }
  const int64_t before = time_;
  LayHull(state, begin, end, dtype);
  return time_ != before;  // Else one merge was all of it already.
}

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
  return ExtractAt(ValueOf(state, *coverage.base), coverage.place, id);
}

// The window from its place in a value.
ValueId WindowReader::ExtractAt(ValueId value, const Box& place, WindowId id) {
  const Layout layout = windows().LayoutOf(id);
  const int64_t width = WidthOf(layout.dtype);
  if (auto strides = TargetStrides(place, width)) {
    const Dims sizes(layout.sizes.begin(), layout.sizes.end());
    return emitter_.Extract(value, {layout.dtype, sizes, *strides},
                            place.target / width);
  }
  // The value's buffer is not aligned with the window's elements: smaller units
  // first, which then read as the dtype.
  const ElementBox box = InElements(place, layout.dtype);
  const DType dtype = layout.dtype;
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
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
                   state.bytes);
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
