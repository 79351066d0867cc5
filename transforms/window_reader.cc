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
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/ids.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// In a storage of no more definitions than this it is worth a second look
// whether a read does better without merges.
constexpr int kFewDefinitions = 32;

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

// Takes the definition for the base where it is one; whether none serves
// better. All that is there at entry says the same, so of that a value of the
// window itself is best.
bool WindowReader::TakeBase(const Layer& layer, WindowId id,
                            Coverage& coverage) const {
  const Definition& definition = layer.definition;
  const bool is_own = definition.window == id;
  if (coverage.base && !(is_own && definition.value.valid())) return false;
  auto place = PlaceInWindow(id, definition.window);
  if (!place) return false;
  coverage.base = layer;
  coverage.place = *std::move(place);
  return is_own || definition.kind != DefinitionKind::kInitial;
}

bool WindowReader::IsBeyond(const Scope& scope, const Coverage& coverage) {
  if (coverage.reaching_out > scope.max_clips) return true;
  return coverage.layers.size() > scope.max_layers &&
         (coverage.reaching_out > 0 || scope.merges == Merges::kIgnored);
}

// Newest first, so that what newer writes hide need not be looked at.
WindowReader::Coverage WindowReader::Find(const StorageState& state,
                                          WindowId id,
                                          const Scope& scope) const {
  const Window& window = Get(id);
  Coverage coverage;
  open_.Open(window);
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
    if (TakeBase(layer, id, coverage)) break;
    if (is_initial) continue;
    const Window& other = Get(definition.window);
    if (open_.Take(other)) {
      coverage.layers.push_back(layer);
      if (!windows().SurelyCovers(window, other)) ++coverage.reaching_out;
      coverage.is_filled = open_.is_empty();
      if (coverage.is_filled) break;
      coverage.is_cut = IsBeyond(scope, coverage);
      if (coverage.is_cut) break;
      if (!open_.boxes().empty()) search.Narrow(open_.boxes());
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
    } else if (coverage.is_cut) {
      max_layers = kNoLimit;
    } else {
      break;
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

}  // namespace palimpsest
