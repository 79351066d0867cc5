#include "analysis/proof_route.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/proof_box.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

// The window as one box of addresses and positions, rows in the order of its
// dimensions, those with stride 0 apart. The box is not yet sorted.
struct RawRoute {
  Box box{2};
  std::vector<Repeat> repeats;
};

RawRoute RawRouteOf(const Layout& layout, int64_t offset) {
  const int64_t width = WidthOf(layout.dtype);
  const Dims positions = RowMajorStrides(layout.sizes);
  RawRoute raw;
  raw.box.base(0) = offset * width;
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.sizes[i] == 1) continue;
    if (layout.strides[i] == 0) {
      raw.repeats.push_back({layout.sizes[i], positions[i] * width});
    } else {
      raw.box.AddRow(layout.sizes[i],
                     {layout.strides[i] * width, positions[i] * width});
    }
  }
  raw.box.AddRow(width, {1, 1});
  return raw;
}

bool HasElements(const Layout& layout) {
  return ElementCount(layout.sizes) > 0;
}

// Appends the box as boxes whose addresses are nested; any order will do.
void Unroll(Box box, Budget& budget, std::vector<Box>& boxes) {
  box.Sort();
  int row = box.rank() - 1;
  while (row >= 0 && box.step(row, 0) >= box.Span(row + 1)) --row;
  if (row < 0) {
    budget.Make(1);
    boxes.push_back(std::move(box));
    return;
  }
  if (box.size(row + 1) < box.size(row)) ++row;
  const int64_t size = box.size(row);
  for (int64_t i = 0; i < size; ++i) {
    if (!budget.Spend(1)) return;
    Box part = box;
    part.Advance(row, i);
    part.EraseRow(row);
    Unroll(std::move(part), budget, boxes);
  }
}

// The same in row-major order. Lanes of `box`: position, address; sorted.
void UnrollInOrder(const Box& box, Budget& budget, std::vector<Box>& boxes) {
  Box addresses = box.Select({1});
  addresses.Sort();
  if (addresses.IsNested()) {
    budget.Make(1);
    boxes.push_back(box);
    return;
  }
  for (int64_t i = 0; i < box.size(0); ++i) {
    if (!budget.Spend(1)) return;
    Box part = box;
    part.Advance(0, i);
    part.EraseRow(0);
    UnrollInOrder(part, budget, boxes);
  }
}

// Whether two of the boxes meet. Lane 1 holds the addresses.
bool AnyMeet(const std::vector<Box>& boxes, Budget& budget) {
  std::vector<Box> addresses;
  budget.Make(static_cast<int64_t>(boxes.size()));
  for (const Box& box : boxes) {
    addresses.push_back(box.Select({1}));
    addresses.back().Sort();
  }
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const int64_t others = budget.boxes();
      Parts parts;
      Split(addresses[i], addresses[j], budget, parts);
      budget.SetBoxes(others);
      if (!parts.inside.empty() || budget.exhausted()) return true;
    }
  }
  return false;
}

}  // namespace

ReadRoute RouteOfRead(const Layout& layout, int64_t offset, Budget& budget) {
  if (!HasElements(layout)) return {};
  RawRoute raw = RawRouteOf(layout, offset);
  ReadRoute route;
  route.repeats = std::move(raw.repeats);
  Unroll(std::move(raw.box), budget, route.boxes);
  return route;
}

WriteRoute RouteOfWrite(const Layout& layout, int64_t offset, Budget& budget) {
  if (!HasElements(layout)) return {};
  const RawRoute raw = RawRouteOf(layout, offset);
  Box box = raw.box.Select({1, 0});
  // Of the elements of a repeat the last one wins.
  for (const Repeat& repeat : raw.repeats) {
    box.base(0) += (repeat.size - 1) * repeat.step;
  }
  box.Sort();
  WriteRoute route;
  UnrollInOrder(box, budget, route.boxes);
  const int64_t made = budget.boxes();
  route.may_overlap = !raw.repeats.empty() || AnyMeet(route.boxes, budget);
  budget.SetBoxes(made);
  return route;
}

WriteRoute RouteOfFill(const Layout& layout, int64_t offset, Budget& budget) {
  const ReadRoute read = RouteOfRead(layout, offset, budget);
  WriteRoute route;
  budget.Make(static_cast<int64_t>(read.boxes.size()));
  for (const Box& box : read.boxes) {
    route.boxes.push_back(box.Select({1, 0}));
    route.boxes.back().Sort();
  }
  route.may_overlap = !read.repeats.empty() || route.boxes.size() > 1;
  return route;
}

}  // namespace proof
}  // namespace palimpsest
