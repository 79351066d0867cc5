#include "tests/oracle/reference_log.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "ir/type.h"
#include "tests/oracle/op_graph.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

// What the ops are that are made once: the first number of their keys.
enum OnceKind : int64_t { kExtractWindow, kExtractBox, kEmptyValue };

void Append(OpGraph::Key& key, const Dims& numbers) {
  key.push_back(static_cast<int64_t>(numbers.size()));
  key.insert(key.end(), numbers.begin(), numbers.end());
}

// Dtype, sizes, and where each element starts.
OpGraph::Key KeyOf(const StridedWindow& window) {
  OpGraph::Key key = {static_cast<int64_t>(window.dtype)};
  Append(key, window.sizes);
  const std::vector<int64_t> starts =
      ElementStarts(window.layout(), window.offset);
  key.insert(key.end(), starts.begin(), starts.end());
  return key;
}

std::vector<int64_t> BytesOf(const StridedWindow& window) {
  return palimpsest::BytesOf(window.layout(), window.offset);
}

// Boxes alike in all but their places, as one with another dimension. A box of
// bytes has the places that it takes, in order.
struct MovedBox {
  int64_t to;
  OpGraph::Key shape;  // Of each dimension: how many, and both steps.
  OpGraph::Key from;
};

std::vector<MovedBox> Grouped(const std::vector<MovedBox>& boxes) {
  std::vector<MovedBox> groups;
  for (size_t begin = 0; begin < boxes.size();) {
    const auto step = [&](size_t i) {
      return std::make_pair(boxes[i].from[0] - boxes[i - 1].from[0],
                            boxes[i].to - boxes[i - 1].to);
    };
    size_t end = begin + 1;
    while (end < boxes.size() && boxes[end].shape == boxes[begin].shape &&
           step(end) == step(begin + 1)) {
      ++end;
    }
    MovedBox group = boxes[begin];
    if (end > begin + 1) {
      const auto [from, to] = step(begin + 1);
      group.shape.insert(group.shape.end(),
                         {static_cast<int64_t>(end - begin), from, to});
    }
    for (size_t i = begin + 1; i < end; ++i) {
      group.from.insert(group.from.end(), boxes[i].from.begin(),
                        boxes[i].from.end());
    }
    groups.push_back(std::move(group));
    begin = end;
  }
  return groups;
}

}  // namespace

StridedWindow StridedWindow::Of(const Layout& layout, int64_t offset) {
  return {layout.dtype, Dims(layout.sizes.begin(), layout.sizes.end()),
          Dims(layout.strides.begin(), layout.strides.end()), offset};
}

StridedWindow StridedWindow::Row(DType dtype, int64_t offset, int64_t count) {
  return {dtype, {count}, {1}, offset};
}

bool IsNested(const Layout& layout) {
  std::vector<std::pair<int64_t, int64_t>> dims;  // Stride, size.
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.sizes[i] == 1) continue;
    dims.push_back({std::abs(layout.strides[i]), layout.sizes[i]});
  }
  std::sort(dims.begin(), dims.end());
  int64_t reach = 0;
  for (const auto& [stride, size] : dims) {
    if (stride <= reach) return false;
    reach += stride * (size - 1);
  }
  return true;
}

ReferenceValue ExtractOf(const ReferenceValue& value,
                         const StridedWindow& window, OpGraph& graph) {
  const ReferenceValue result = {value.node, window.dtype, window.sizes};
  const bool is_all = window.offset == 0 && IsRowMajor(window.layout());
  if (is_all && value.dtype == window.dtype && value.sizes == window.sizes) {
    return result;
  }
  OpGraph::Key key = {kExtractWindow, value.node};
  const OpGraph::Key places = KeyOf(window);
  key.insert(key.end(), places.begin(), places.end());
  return {graph.OpOnce(key, {value.node}), window.dtype, window.sizes};
}

void ReferenceLog::AddInitial(const StridedWindow& window,
                              const ReferenceValue& value) {
  definitions_.insert(definitions_.begin(), {window, value, PlacesOf(window)});
  ++initial_;
}

void ReferenceLog::Write(const StridedWindow& window,
                         const ReferenceValue& value) {
  for (int64_t byte : BytesOf(window)) {
    last_writer_[byte] = static_cast<int>(definitions_.size());
  }
  definitions_.push_back({window, value, PlacesOf(window)});
}

ReferenceValue ReferenceLog::Read(const StridedWindow& window) {
  const std::vector<int64_t> bytes = BytesOf(window);
  if (bytes.empty()) return EmptyOf(window);
  const OpGraph::Key key = KeyOf(window);
  if (const auto found = reads_.find(key); found != reads_.end()) {
    const auto& [value, definitions] = found->second;
    const auto newest = definitions;  // Lambdas capture no structured binding.
    if (std::none_of(bytes.begin(), bytes.end(), [&](int64_t byte) {
          return last_writer_[byte] >= newest;
        })) {
      return value;
    }
  }
  const ReferenceValue value = Find(window);
  reads_.insert_or_assign(key,
                          Memory(value, static_cast<int>(definitions_.size())));
  return value;
}

void ReferenceLog::NeedWrites() {
  std::vector<std::vector<Move>> visible(definitions_.size());
  int64_t written = 0;
  for (int64_t byte = 0; byte < bytes_; ++byte) {
    const int writer = last_writer_[byte];
    if (writer == kNobody) continue;
    ++written;
    visible[writer].push_back({definitions_[writer].places[byte], byte});
  }
  int64_t committed = 0;
  for (size_t i = 0; i < visible.size(); ++i) {
    if (visible[i].empty()) continue;
    committed += static_cast<int64_t>(BytesOf(definitions_[i].window).size());
  }
  for (size_t i = 0; i < visible.size(); ++i) {
    if (visible[i].empty()) continue;
    const OpGraph::Node value = definitions_[i].value.node;
    const bool is_whole =
        visible[i].size() == BytesOf(definitions_[i].window).size();
    if (is_whole || committed <= 2 * written) {
      graph_->Need(value);
      continue;
    }
    for (OpGraph::Key& box : BoxesOf(visible[i])) {
      box.insert(box.begin(), {kExtractBox, value});
      graph_->Need(graph_->OpOnce(box, {value}));
    }
  }
}

bool ReferenceLog::Walk::IsOfElements(int64_t width) const {
  const bool is_whole = width == 1 || steps.back() == 1;
  return is_whole && start % width == 0 &&
         std::all_of(steps.begin(), steps.end() - 1,
                     [&](int64_t step) { return step % width == 0; });
}

absl::optional<ReferenceLog::Walk> ReferenceLog::WalkOf(
    const StridedWindow& window, const std::vector<int64_t>& places) {
  const std::vector<int64_t> bytes = BytesOf(window);
  Dims sizes = window.sizes;
  sizes.push_back(WidthOf(window.dtype));
  Walk walk = {places[bytes[0]], {}};
  const Dims row_major = RowMajorStrides(sizes);
  for (size_t i = 0; i < sizes.size(); ++i) {
    walk.steps.push_back(
        sizes[i] == 1 ? 0 : places[bytes[row_major[i]]] - walk.start);
  }
  const std::vector<int64_t> expected =
      ElementStarts({DType::kU8, sizes, walk.steps}, walk.start);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int64_t place = places[bytes[i]];
    if (place == kNowhere || place != expected[i]) return absl::nullopt;
  }
  return walk;
}

std::vector<OpGraph::Key> ReferenceLog::BoxesOf(
    const std::vector<Move>& moves) {
  std::vector<Move> in_order = moves;
  std::sort(in_order.begin(), in_order.end(),
            [](const Move& a, const Move& b) { return a.from < b.from; });
  std::vector<MovedBox> boxes;
  for (const Move& move : in_order) boxes.push_back({move.to, {}, {move.from}});
  for (size_t before = boxes.size() + 1; boxes.size() < before;) {
    before = boxes.size();
    boxes = Grouped(boxes);
  }
  std::vector<OpGraph::Key> keys;
  for (MovedBox& box : boxes) keys.push_back(std::move(box.from));
  return keys;
}

std::vector<int64_t> ReferenceLog::PlacesOf(const StridedWindow& window) const {
  std::vector<int64_t> places(bytes_, kNowhere);
  int64_t place = 0;
  for (int64_t byte : BytesOf(window)) places[byte] = place++;
  return places;
}

// The newest definition that has the window as one of its value's; the window
// itself among those at entry.
int ReferenceLog::FindBase(const StridedWindow& window) const {
  int base = kNobody;
  for (int i = static_cast<int>(definitions_.size()); i-- > 0;) {
    if (base != kNobody && i >= initial_) continue;
    if (base >= initial_) break;
    const Definition& definition = definitions_[i];
    if (!WalkOf(window, definition.places)) continue;
    if (base == kNobody || KeyOf(definition.window) == KeyOf(window)) base = i;
  }
  return base;
}

ReferenceValue ReferenceLog::Find(const StridedWindow& window) {
  const int base = FindBase(window);
  std::set<int> pieces;
  bool is_filled = true;
  for (int64_t byte : BytesOf(window)) {
    const int writer = last_writer_[byte];
    if (writer > base) pieces.insert(writer);
    if (writer == kNobody || writer <= base) is_filled = false;
  }
  if (pieces.empty()) {
    return base == kNobody ? EmptyOf(window) : ReadBase(base, window);
  }
  if (!IsNested(window.layout())) return ReadIrregular(window);
  std::vector<OpGraph::Node> operands;
  if (!is_filled) {
    operands.push_back(base == kNobody ? EmptyOf(window).node
                                       : ReadBase(base, window).node);
  }
  for (int piece : pieces) LayPiece(definitions_[piece], window, operands);
  return {graph_->Op(operands), window.dtype, window.sizes};
}

ReferenceValue ReferenceLog::ReadBase(int base, const StridedWindow& window) {
  const Walk walk = *WalkOf(window, definitions_[base].places);
  const ReferenceValue& value = definitions_[base].value;
  const int64_t width = WidthOf(window.dtype);
  if (walk.IsOfElements(width)) {
    StridedWindow place = {window.dtype, window.sizes, walk.steps,
                           walk.start / width};
    place.strides.pop_back();
    for (int64_t& step : place.strides) step /= width;
    return ExtractOf(value, place, *graph_);
  }
  // Smaller units, which then read as the dtype.
  StridedWindow units = {DType::kU8, window.sizes, walk.steps, walk.start};
  units.sizes.push_back(width);
  return ExtractOf(
      ExtractOf(value, units, *graph_),
      {window.dtype, window.sizes, RowMajorStrides(window.sizes), 0}, *graph_);
}

ReferenceValue ReferenceLog::ReadIrregular(const StridedWindow& window) {
  StridedWindow once = window;
  bool repeats = false;
  for (size_t i = 0; i < once.sizes.size(); ++i) {
    if (once.strides[i] != 0 || once.sizes[i] == 1) continue;
    once.sizes[i] = 1;
    repeats = true;
  }
  StridedWindow place = {window.dtype, window.sizes, window.strides, 0};
  if (repeats) {
    const Dims row_major = RowMajorStrides(once.sizes);
    for (size_t i = 0; i < once.sizes.size(); ++i) {
      place.strides[i] = window.sizes[i] == once.sizes[i] ? row_major[i] : 0;
    }
    return ExtractOf(Read(once), place, *graph_);
  }
  has_spans_ = true;
  const Extent extent = *ExtentOf(window.layout());
  place.offset = -extent.first;
  return ExtractOf(
      Read(StridedWindow::Row(window.dtype, window.offset + extent.first,
                              extent.count)),
      place, *graph_);
}

ReferenceValue ReferenceLog::EmptyOf(const StridedWindow& window) {
  OpGraph::Key key = {kEmptyValue, static_cast<int64_t>(window.dtype)};
  Append(key, window.sizes);
  return {graph_->OpOnce(key, {}), window.dtype, window.sizes};
}

void ReferenceLog::LayPiece(const Definition& definition,
                            const StridedWindow& window,
                            std::vector<OpGraph::Node>& operands) {
  const OpGraph::Node value = definition.value.node;
  const std::vector<int64_t> places = PlacesOf(window);
  const auto walk = WalkOf(definition.window, places);
  if (walk && walk->IsOfElements(WidthOf(definition.window.dtype))) {
    return operands.push_back(value);
  }
  std::vector<Move> moves;
  for (int64_t byte = 0; byte < bytes_; ++byte) {
    if (places[byte] == kNowhere || definition.places[byte] == kNowhere) {
      continue;
    }
    moves.push_back({definition.places[byte], places[byte]});
  }
  for (OpGraph::Key& box : BoxesOf(moves)) {
    box.insert(box.begin(), {kExtractBox, value});
    operands.push_back(graph_->OpOnce(box, {value}));
  }
}

}  // namespace palimpsest
