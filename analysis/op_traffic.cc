#include "analysis/op_traffic.h"

#include <algorithm>
#include <cstdint>

#include "absl/types/span.h"
#include "analysis/saturating.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

int64_t BytesOf(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

class OpBytes {
 public:
  OpBytes(const Function& function, const Op& op)
      : function_(function), op_(op), operands_(function.OperandsOf(op)) {}

  int64_t Read() const;
  int64_t Written() const;

 private:
  Layout LayoutAt(int i) const {
    return function_.LayoutOf(operands_[i].value());
  }
  int64_t CountAt(int i) const { return ElementCount(LayoutAt(i).sizes); }
  int64_t BytesOfResult() const {
    return BytesOf(function_.LayoutOf(function_.Result(op_)));
  }

  int64_t ReadFrom(int i) const;
  int64_t ElementsUpdated() const;
  int64_t AtPlacesAlong(int64_t dim) const;
  int64_t AtIndices() const;
  int64_t Updated() const {
    return SaturatingProduct(ElementsUpdated(), WidthOf(LayoutAt(0).dtype));
  }
  int64_t WrittenByCall() const;
  bool IsView(const Type& result) const;

  const Function& function_;
  const Op& op_;
  const absl::Span<const Operand> operands_;
};

// The places that the index names along `dim`, and all along the others.
int64_t OpBytes::AtPlacesAlong(int64_t dim) const {
  const Layout destination = LayoutAt(0);
  int64_t elements = CountAt(1);
  for (int64_t d = 0; d < destination.rank(); ++d) {
    if (d != dim) elements = SaturatingProduct(elements, destination.sizes[d]);
  }
  return elements;
}

// The places that index tensors broadcast to, times the dimensions without one.
int64_t OpBytes::AtIndices() const {
  const Layout destination = LayoutAt(0);
  const absl::Span<const Operand> indices =
      operands_.subspan(1, operands_.size() - 2);
  Dims places;  // From the last dimension.
  int64_t elements = 1;
  for (int d = 0; d < destination.rank(); ++d) {
    const bool indexed =
        d < static_cast<int>(indices.size()) && indices[d].is_value();
    if (!indexed) {
      elements = SaturatingProduct(elements, destination.sizes[d]);
      continue;
    }
    const Layout index = function_.LayoutOf(indices[d].value());
    for (int i = 0; i < index.rank(); ++i) {
      const int64_t size = index.sizes[index.rank() - 1 - i];
      if (i == static_cast<int>(places.size())) places.push_back(size);
      if (places[i] == 1) places[i] = size;
    }
  }
  for (const int64_t size : places)
    elements = SaturatingProduct(elements, size);
  return elements;
}

int64_t OpBytes::ElementsUpdated() const {
  switch (op_.kind) {
    case OpKind::kIndexCopy:
    case OpKind::kIndexAdd:
    case OpKind::kIndexFill:
      return AtPlacesAlong(function_.IntegerOf(op_, AttributeKey::kDim));
    case OpKind::kScatter:
    case OpKind::kScatterAdd:
      return CountAt(1);
    case OpKind::kIndexPut:
      return AtIndices();
    default:
      return CountAt(0);
  }
}

// Precondition: operand `i` is a value.
int64_t OpBytes::ReadFrom(int i) const {
  if (op_.in_place() && i == 0) {
    return ReadsDestination(function_, op_) ? Updated() : 0;
  }
  const int64_t width = WidthOf(LayoutAt(i).dtype);
  switch (op_.kind) {
    case OpKind::kIndexSelect:
    case OpKind::kGather:
    case OpKind::kIndex:
      return i == 0 ? BytesOfResult() : BytesOf(LayoutAt(i));
    case OpKind::kScatter:
    case OpKind::kScatterAdd:
      return SaturatingProduct(CountAt(i == 2 ? 1 : i), width);
    case OpKind::kMaskedScatter:
      return (i == 2 ? std::min(CountAt(2), CountAt(0)) : CountAt(i)) * width;
    default:
      return BytesOf(LayoutAt(i));
  }
}

int64_t OpBytes::Read() const {
  switch (op_.kind) {
    case OpKind::kView:
    case OpKind::kContents:
    case OpKind::kBind:
      return 0;
    case OpKind::kExtract:
      return function_.is_pure() ? 0 : BytesOfResult();
    default:
      break;
  }
  int64_t bytes = 0;
  for (int i = 0; i < op_.operands.count; ++i) {
    if (operands_[i].is_value()) bytes = SaturatingSum(bytes, ReadFrom(i));
  }
  return bytes;
}

// A result in the storage of an operand is a view.
bool OpBytes::IsView(const Type& result) const {
  return result.storage.valid() &&
         std::any_of(operands_.begin(), operands_.end(),
                     [&](const Operand& operand) {
                       return function_.Get(operand.value()).type.storage ==
                              result.storage;
                     });
}

int64_t OpBytes::WrittenByCall() const {
  int64_t bytes = 0;
  for (const Operand& operand : operands_) {
    if (operand.access == Access::kRead) continue;
    bytes = SaturatingSum(bytes, BytesOf(function_.LayoutOf(operand.value())));
  }
  for (int i = 0; i < function_.calls[op_.call].declared_results; ++i) {
    const Type& type = function_.Get(function_.Result(op_, i)).type;
    if (IsView(type)) continue;
    bytes = SaturatingSum(bytes, BytesOf(function_.LayoutOf(type)));
  }
  return bytes;
}

int64_t OpBytes::Written() const {
  switch (op_.kind) {
    case OpKind::kView:
    case OpKind::kContents:
    case OpKind::kEmpty:
    case OpKind::kBind:
      return 0;
    case OpKind::kExtract:
      return function_.is_pure() ? 0 : BytesOfResult();
    case OpKind::kCommit:
      return BytesOf(function_.LayoutOf(function_.targets[op_.target]));
    case OpKind::kCall:
      return WrittenByCall();
    default:
      return op_.in_place() ? Updated() : BytesOfResult();
  }
}

}  // namespace

bool ReadsDestination(const Function& function, const Op& op) {
  switch (op.kind) {
    case OpKind::kCopy:
    case OpKind::kFill:
    case OpKind::kIndexCopy:
    case OpKind::kIndexFill:
    case OpKind::kScatter:
    case OpKind::kMaskedFill:
    case OpKind::kMaskedScatter:
      return false;
    case OpKind::kIndexPut:
      return function.IntegerOf(op, AttributeKey::kAccumulate) != 0;
    default:
      return true;
  }
}

OpTraffic TrafficOf(const Function& function, const Op& op) {
  const OpBytes bytes(function, op);
  return {bytes.Read(), bytes.Written()};
}

}  // namespace palimpsest
