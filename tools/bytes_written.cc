#include "tools/bytes_written.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "ir/infer.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

int64_t BytesOf(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

// Elements of `destination` that `count` places along one dimension make up.
absl::int128 AlongDimension(const Layout& destination, int64_t dim,
                            int64_t count) {
  absl::int128 elements = count;
  for (int64_t d = 0; d < destination.rank(); ++d) {
    if (d != dim) elements *= destination.sizes[d];
  }
  return elements;
}

// The places that index tensors broadcast to, times the dimensions without one.
absl::int128 AtIndices(const Function& function, const Layout& destination,
                       absl::Span<const Operand> indices) {
  Dims places;  // From the last dimension.
  absl::int128 elements = 1;
  for (int d = 0; d < destination.rank(); ++d) {
    const bool indexed =
        d < static_cast<int>(indices.size()) && indices[d].is_value();
    if (!indexed) {
      elements *= destination.sizes[d];
      continue;
    }
    const Layout index = function.LayoutOf(indices[d].value());
    for (int i = 0; i < index.rank(); ++i) {
      const int64_t size = index.sizes[index.rank() - 1 - i];
      if (i == static_cast<int>(places.size())) places.push_back(size);
      if (places[i] == 1) places[i] = size;
    }
  }
  for (const int64_t size : places) elements *= size;
  return elements;
}

absl::int128 ElementsUpdated(const Function& function, const Op& op,
                             const Layout& destination) {
  const absl::Span<const Operand> operands = function.OperandsOf(op);
  const auto count = [&](int i) {
    return ElementCount(function.LayoutOf(operands[i].value()).sizes);
  };
  switch (op.kind) {
    case OpKind::kIndexCopy:
    case OpKind::kIndexAdd:
    case OpKind::kIndexFill:
      return AlongDimension(
          destination, function.IntegerOf(op, AttributeKey::kDim), count(1));
    case OpKind::kScatter:
    case OpKind::kScatterAdd:
      return count(1);
    case OpKind::kIndexPut:
      return AtIndices(function, destination,
                       operands.subspan(1, operands.size() - 2));
    default:
      return ElementCount(destination.sizes);
  }
}

absl::int128 WrittenInPlace(const Function& function, const Op& op) {
  const Layout destination =
      function.LayoutOf(function.OperandsOf(op)[0].value());
  return ElementsUpdated(function, op, destination) *
         WidthOf(destination.dtype);
}

absl::int128 WrittenByCall(const Function& function, const Op& op) {
  absl::int128 bytes = 0;
  for (const Operand& operand : function.OperandsOf(op)) {
    if (operand.access != Access::kRead) {
      bytes += BytesOf(function.LayoutOf(operand.value()));
    }
  }
  for (int i = 0; i < function.calls[op.call].declared_results; ++i) {
    const Value& value = function.Get(function.Result(op, i));
    const StorageId storage = value.type.storage;
    // A result in the storage of an operand is a view.
    const bool view =
        storage.valid() &&
        std::any_of(function.OperandsOf(op).begin(),
                    function.OperandsOf(op).end(), [&](const Operand& operand) {
                      return function.Get(operand.value()).type.storage ==
                             storage;
                    });
    if (!view) bytes += BytesOf(function.LayoutOf(value.type));
  }
  return bytes;
}

absl::int128 WrittenBy(const Function& function, const Op& op) {
  switch (op.kind) {
    case OpKind::kView:
    case OpKind::kExtract:
    case OpKind::kContents:
    case OpKind::kEmpty:
    case OpKind::kBind:
      return 0;
    case OpKind::kCommit:
      return BytesOf(function.LayoutOf(function.targets[op.target]));
    case OpKind::kCall:
      return WrittenByCall(function, op);
    default:
      break;
  }
  if (op.in_place()) return WrittenInPlace(function, op);
  return BytesOf(function.LayoutOf(function.Result(op)));
}

}  // namespace

int64_t BytesWritten(const Function& function) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  absl::int128 bytes = 0;
  for (const Op& op : function.ops) bytes += WrittenBy(function, op);
  return bytes > kMax ? kMax : static_cast<int64_t>(bytes);
}

}  // namespace palimpsest
