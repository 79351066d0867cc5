#include "tools/byte_origin.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/compare.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// A byte of a value's row-major elements.
struct ByteOfValue {
  ValueId value;
  int64_t byte = 0;
};

// Finds the element of a window that touches a byte: the largest stride first,
// and of each dimension only the indices that leave a rest within reach of the
// smaller ones.
class ElementSearch {
 public:
  explicit ElementSearch(const Layout& layout)
      : layout_(layout), order_(layout.rank()), reach_(layout.rank() + 1) {
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](int a, int b) {
      return std::abs(layout.strides[a]) > std::abs(layout.strides[b]);
    });
    for (int i = layout.rank(); i-- > 0;) {
      const int dim = order_[i];
      const int64_t span = layout.strides[dim] * (layout.sizes[dim] - 1);
      reach_[i].first = reach_[i + 1].first + std::min<int64_t>(span, 0);
      reach_[i].last = reach_[i + 1].last + std::max<int64_t>(span, 0);
    }
  }

  // The row-major number of an element `address` elements from element 0.
  absl::optional<int64_t> Find(int64_t address) const {
    if (ElementCount(layout_.sizes) == 0) return absl::nullopt;
    return Find(address, 0, 0);
  }

 private:
  struct Reach {
    int64_t first = 0;
    int64_t last = 0;
  };

  absl::optional<int64_t> Find(int64_t rest, int depth, int64_t number) const {
    if (rest < reach_[depth].first || rest > reach_[depth].last) {
      return absl::nullopt;
    }
    if (depth == layout_.rank()) return number;
    const int dim = order_[depth];
    const int64_t stride = layout_.strides[dim];
    int64_t low = 0;
    int64_t high = stride == 0 ? 0 : layout_.sizes[dim] - 1;
    if (stride != 0) {
      const int64_t least = rest - reach_[depth + 1].last;
      const int64_t most = rest - reach_[depth + 1].first;
      low = std::max(low, (stride > 0 ? least : most) / stride - 1);
      high = std::min(high, (stride > 0 ? most : least) / stride + 1);
    }
    int64_t place = 1;
    for (int d = dim + 1; d < layout_.rank(); ++d) place *= layout_.sizes[d];
    for (int64_t i = low; i <= high; ++i) {
      const auto found = Find(rest - i * stride, depth + 1, number + i * place);
      if (found) return found;
    }
    return absl::nullopt;
  }

  const Layout layout_;
  std::vector<int> order_;    // Of the dimensions, the largest stride first.
  std::vector<Reach> reach_;  // Of those from there on.
};

// Which byte of a window's row-major elements lies at `byte` of its buffer.
absl::optional<int64_t> ByteIn(const Layout& layout, int64_t offset,
                               int64_t byte) {
  const int64_t width = WidthOf(layout.dtype);
  const auto element =
      ElementSearch(layout).Find(byte / width - offset);  // Both are aligned.
  if (!element) return absl::nullopt;
  return *element * width + byte % width;
}

// Where a byte of a window's row-major elements lies in its buffer.
int64_t AddressOf(const Layout& layout, int64_t offset, int64_t byte) {
  const int64_t width = WidthOf(layout.dtype);
  const int64_t element =
      offset + ElementPlace(layout.sizes, layout.strides, byte / width);
  return element * width + byte % width;
}

class Origin {
 public:
  explicit Origin(const Function& function) : function_(function) {}

  absl::optional<OpId> Of(const BytePlace& place) const {
    if (place.of == BytePlace::Of::kStorage) {
      const ValueId parameter = function_.parameters[place.index];
      return InStorage(function_.Get(parameter).type.storage, place.byte);
    }
    const Return& item = function_.returns[place.index];
    if (item.value.valid() && function_.is_pure()) {
      return InValue({item.value, place.byte});
    }
    const Type& type =
        item.value.valid() ? function_.Get(item.value).type : item.window;
    return InStorage(type.storage, AddressOf(function_.LayoutOf(type),
                                             type.offset, place.byte));
  }

 private:
  bool Touches(const Type& type, StorageId storage, int64_t byte) const {
    return type.storage == storage &&
           ByteIn(function_.LayoutOf(type), type.offset, byte).has_value();
  }

  absl::optional<OpId> InStorage(StorageId storage, int64_t byte) const {
    for (int32_t i = static_cast<int32_t>(function_.ops.size()); i-- > 0;) {
      const Op& op = function_.ops[i];
      if (op.kind == OpKind::kCommit || op.kind == OpKind::kBind) {
        const Type& target = function_.targets[op.target];
        if (target.storage != storage) continue;
        const auto position =
            ByteIn(function_.LayoutOf(target), target.offset, byte);
        if (!position) continue;
        return InValue({function_.OperandsOf(op)[0].value(), *position});
      }
      if (Writes(op, storage, byte)) return OpId{i};
    }
    return absl::nullopt;
  }

  bool Writes(const Op& op, StorageId storage, int64_t byte) const {
    if (op.kind == OpKind::kView) return false;
    const absl::Span<const Operand> operands = function_.OperandsOf(op);
    bool reads_storage = false;  // A call may give views of what it takes.
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].is_value()) continue;
      const Type& type = function_.Get(operands[i].value()).type;
      reads_storage |= type.storage == storage;
      const bool written =
          operands[i].access == Access::kMut || (op.in_place() && i == 0);
      if (written && Touches(type, storage, byte)) return true;
    }
    for (int i = 0; i < op.results.count; ++i) {
      const Type& type = function_.Get(function_.Result(op, i)).type;
      if (!reads_storage && Touches(type, storage, byte)) return true;
    }
    return false;
  }

  absl::optional<OpId> InValue(ByteOfValue at) const {
    for (;;) {
      const OpId id = function_.Get(at.value).definition;
      if (!id.valid()) return absl::nullopt;
      const Op& op = function_.Get(id);
      if (op.kind == OpKind::kContents) return absl::nullopt;
      const absl::optional<ByteOfValue> from = BehindMove(op, at.byte);
      if (!from) return id;
      at = *from;
    }
  }

  // What the op moved there. Nullopt where it is no move.
  absl::optional<ByteOfValue> BehindMove(const Op& op, int64_t byte) const {
    const absl::Span<const Operand> operands = function_.OperandsOf(op);
    if (op.kind == OpKind::kExtract) {
      const BufferWindow& window = function_.windows[operands[0].window];
      return ByteOfValue{
          operands[0].value(),
          AddressOf(function_.layouts.Get(window.layout), window.offset, byte)};
    }
    if (op.kind != OpKind::kAssemble) return absl::nullopt;
    for (size_t i = operands.size(); i-- > 0;) {
      if (!operands[i].is_value()) continue;
      if (operands[i].window < 0) return ByteOfValue{operands[i].value(), byte};
      const BufferWindow& window = function_.windows[operands[i].window];
      const auto position =
          ByteIn(function_.layouts.Get(window.layout), window.offset, byte);
      if (position) return ByteOfValue{operands[i].value(), *position};
    }
    return absl::nullopt;
  }

  const Function& function_;
};

}  // namespace

absl::optional<OpId> OriginOf(const Function& function,
                              const BytePlace& place) {
  return Origin(function).Of(place);
}

}  // namespace palimpsest
