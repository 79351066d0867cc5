#include "cuda/overwritten_bytes.h"

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// A window as the bytes of its storage, element by element in row-major order.
struct Bytes {
  StorageId storage;
  std::vector<int64_t> places;
};

std::vector<int64_t> PlacesOf(const Layout& layout, int64_t offset) {
  const int64_t width = WidthOf(layout.dtype);
  const int64_t count = ElementCount(layout.sizes);
  std::vector<int64_t> places;
  places.reserve(count * width);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t element =
        offset + ElementPlace(layout.sizes, layout.strides, k);
    for (int64_t i = 0; i < width; ++i) places.push_back(element * width + i);
  }
  return places;
}

Bytes BytesOf(const Function& function, const Type& type) {
  return {type.storage, PlacesOf(function.LayoutOf(type), type.offset)};
}

// A window of the bytes, read as a row-major buffer.
Bytes WindowOf(const Function& function, const Bytes& buffer,
               const Operand& operand) {
  const BufferWindow& at = function.windows[operand.window];
  Bytes window = {buffer.storage, {}};
  for (int64_t i : PlacesOf(function.layouts.Get(at.layout), at.offset)) {
    window.places.push_back(buffer.places[i]);
  }
  return window;
}

// Nullopt where the value lies in no storage: it, or what it is a view of, was
// made by the function.
absl::optional<Bytes> BytesOf(const Function& function, ValueId id) {
  std::vector<Operand> extracts;  // Of each other, the last first.
  Type type = function.Get(id).type;
  while (!type.storage.valid()) {
    const Op& op = function.Get(function.Get(id).definition);
    if (op.kind == OpKind::kContents) {
      type.storage = function.OperandsOf(op)[0].storage();
    } else if (op.kind == OpKind::kExtract) {
      extracts.push_back(function.OperandsOf(op)[0]);
      id = extracts.back().value();
      type = function.Get(id).type;
    } else {
      return absl::nullopt;
    }
  }
  Bytes bytes = BytesOf(function, type);
  for (size_t i = extracts.size(); i-- > 0;) {
    bytes = WindowOf(function, bytes, extracts[i]);
  }
  return bytes;
}

absl::optional<Type> DestinationOf(const Function& function, const Op& op) {
  if (op.kind == OpKind::kBind || op.kind == OpKind::kCall) {
    return absl::nullopt;
  }
  if (op.in_place()) {
    return function.Get(function.OperandsOf(op)[0].value()).type;
  }
  if (op.target < 0) return absl::nullopt;
  return function.targets[op.target];
}

// Operand `i` as it is read for each element of the destination, one after the
// other, where the op goes like that.
absl::optional<Bytes> ReadByElements(const Function& function, const Op& op,
                                     int i, const Layout& destination) {
  const Operand& operand = function.OperandsOf(op)[i];
  const bool is_update = InfoFor(op.kind).family == KernelFamily::kIndex &&
                         InfoFor(op.kind).HasInPlaceForm();
  if ((is_update && i == 0) || op.kind == OpKind::kCommit ||
      op.kind == OpKind::kAssemble || op.kind == OpKind::kClone) {
    return BytesOf(function, operand.value());
  }
  const bool broadcasts =
      InfoFor(op.kind).family == KernelFamily::kElementwise ||
      op.kind == OpKind::kCopy || op.kind == OpKind::kMaskedFill;
  if (!broadcasts) return absl::nullopt;
  const Type& type = function.Get(operand.value()).type;
  const View view = Broadcast(
      palimpsest::WindowOf(Buffer(), function.LayoutOf(type), type.offset),
      destination.sizes);
  return Bytes{type.storage, PlacesOf(view.layout(), view.offset)};
}

}  // namespace

int64_t OverwrittenBytes(const Function& function, const Op& op) {
  const absl::optional<Type> destination = DestinationOf(function, op);
  if (!destination) return 0;
  absl::optional<Bytes> written;
  absl::flat_hash_set<int64_t> read;
  for (int i = op.in_place() ? 1 : 0; i < op.operands.count; ++i) {
    const Operand& operand = function.OperandsOf(op)[i];
    if (!operand.is_value()) continue;
    const StorageId storage = function.Get(operand.value()).type.storage;
    if (storage.valid() && storage != destination->storage) continue;
    absl::optional<Bytes> bytes = BytesOf(function, operand.value());
    if (!bytes || bytes->storage != destination->storage) continue;
    if (!written) written = BytesOf(function, *destination);
    Bytes place = *written;
    absl::optional<Bytes> in_order =
        ReadByElements(function, op, i, function.LayoutOf(*destination));
    if (op.kind == OpKind::kAssemble && operand.window >= 0) {
      place = WindowOf(function, *written, operand);
    }
    if (op.kind == OpKind::kExtract) {
      bytes = in_order = WindowOf(function, *bytes, operand);
    }
    if (in_order && in_order->places == place.places) continue;
    read.insert(bytes->places.begin(), bytes->places.end());
  }
  if (read.empty()) return 0;
  const absl::flat_hash_set<int64_t> overwritten(written->places.begin(),
                                                 written->places.end());
  int64_t common = 0;
  for (int64_t byte : overwritten) common += read.count(byte);
  return common;
}

}  // namespace palimpsest
