#include "analysis/op_overlap.h"

#include <cstdint>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/common_bytes.h"
#include "analysis/footprint.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Whether the op reads element k of operand `i` no later than it writes element
// k of its destination.
bool GoesByElements(const Op& op, int i) {
  const OpInfo& info = InfoFor(op.kind);
  switch (info.family) {
    case KernelFamily::kElementwise:
      return true;
    case KernelFamily::kMove:
      return op.kind != OpKind::kCat && op.kind != OpKind::kFlip;
    case KernelFamily::kIndex:
      return (i == 0 && info.HasInPlaceForm()) ||
             op.kind == OpKind::kMaskedFill;
    default:
      return op.kind == OpKind::kCommit;
  }
}

// The window of a row-major buffer, as one of what the buffer lies in; nullopt
// where its bytes are no row, or do not start at an element.
absl::optional<Type> Compose(const Function& function, const Type& buffer,
                             const BufferWindow& at) {
  const Layout layout = function.layouts.Get(at.layout);
  if (ElementCount(layout.sizes) == 0) return Type{at.layout, buffer.storage};
  const Layout row = function.LayoutOf(buffer);
  const int64_t width = WidthOf(layout.dtype);
  const int64_t first = buffer.offset * WidthOf(row.dtype);
  if (!IsRowMajor(row) || first % width != 0) return absl::nullopt;
  return Type{at.layout, buffer.storage, first / width + at.offset};
}

// The strides with which a window of `layout` is read over `sizes`, which it
// broadcasts to.
Dims BroadcastStrides(const Layout& layout, absl::Span<const int64_t> sizes) {
  Dims strides(sizes.size(), 0);
  const size_t more = sizes.size() - layout.sizes.size();
  for (size_t d = 0; d < layout.sizes.size(); ++d) {
    if (layout.sizes[d] != 1) strides[more + d] = layout.strides[d];
  }
  return strides;
}

// Element by element, whatever these are taken for.
bool IsSameMap(const PlacedLayout& source, const PlacedLayout& destination) {
  const absl::Span<const int64_t> sizes = destination.layout.sizes;
  const DType dtype = destination.layout.dtype;
  if (source.layout.sizes.size() > sizes.size() ||
      WidthOf(source.layout.dtype) != WidthOf(dtype)) {
    return false;
  }
  const Dims strides = BroadcastStrides(source.layout, sizes);
  return SameMap({dtype, sizes, strides}, source.offset, destination.layout,
                 destination.offset);
}

}  // namespace

OpOverlap::OpOverlap(const Function& function) : function_(function) {
  if (!function.is_pure()) return;
  places_.resize(function.values.size());
  for (ValueId parameter : function.parameters) {
    places_[parameter.value] = {function.Get(parameter).type};
  }
}

// Nullopt where that is new memory, or none.
absl::optional<Type> OpOverlap::DestinationOf(const Op& op) const {
  if (op.in_place()) {
    return function_.Get(function_.OperandsOf(op)[0].value()).type;
  }
  if (op.target < 0 || op.kind == OpKind::kBind) return absl::nullopt;
  return function_.targets[op.target];
}

OpOverlap::Place OpOverlap::PlaceOf(const Operand& operand) const {
  if (!operand.is_value()) return {};
  if (function_.is_pure()) return places_[operand.ref];
  return {function_.Get(operand.value()).type};
}

OpOverlap::Place OpOverlap::PlaceReadBy(const Op& op,
                                        const Operand& operand) const {
  const Place place = PlaceOf(operand);
  const bool has_part = op.kind == OpKind::kExtract && place.is_whole &&
                        place.window.storage.valid();
  if (!has_part) return place;
  const absl::optional<Type> part =
      Compose(function_, place.window, function_.windows[operand.window]);
  if (part) return {*part};
  return {place.window, /*is_whole=*/false};
}

void OpOverlap::NotePlaceOfResult(const Op& op) {
  if (op.kind != OpKind::kExtract && op.kind != OpKind::kContents) return;
  const Operand& operand = function_.OperandsOf(op)[0];
  const ValueId result = function_.Result(op);
  places_[result.value] =
      op.kind == OpKind::kExtract
          ? PlaceReadBy(op, operand)
          : Place{{function_.Get(result).type.layout, operand.storage()}};
}

void OpOverlap::AddSource(const Op& op, int i, const Type& destination,
                          Windows& sources) const {
  const Operand& operand = function_.OperandsOf(op)[i];
  const Place source = PlaceReadBy(op, operand);
  if (source.window.storage != destination.storage) return;
  absl::optional<Type> place = destination;
  if (op.kind == OpKind::kAssemble && operand.window >= 0) {
    place = Compose(function_, destination, function_.windows[operand.window]);
  }
  const PlacedLayout window = {function_.LayoutOf(source.window),
                               source.window.offset};
  if (place && source.is_whole && GoesByElements(op, i) &&
      IsSameMap(window, {function_.LayoutOf(*place), place->offset})) {
    return;
  }
  sources.push_back(window);
}

int64_t OpOverlap::BytesOf(const Op& op) {
  if (function_.is_pure()) NotePlaceOfResult(op);
  const absl::optional<Type> destination = DestinationOf(op);
  if (!destination) return 0;
  Windows sources;
  for (int i = op.in_place() ? 1 : 0; i < op.operands.count; ++i) {
    AddSource(op, i, *destination, sources);
  }
  if (sources.empty()) return 0;
  return CommonBytes({function_.LayoutOf(*destination), destination->offset},
                     sources);
}

}  // namespace palimpsest
