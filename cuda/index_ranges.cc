#include "cuda/index_ranges.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

IndexRange Shifted(IndexRange range, int64_t by) {
  return {range.least + by, range.end + by};
}

IndexRange Intersection(IndexRange a, IndexRange b) {
  return {std::max(a.least, b.least), std::min(a.end, b.end)};
}

bool IsInteger(DType dtype) {
  return InfoFor(dtype).dtype_class == DTypeClass::kInteger;
}

class BackwardWalk {
 public:
  explicit BackwardWalk(const Function& function)
      : function_(function),
        ranges_(function.is_pure() ? function.values.size()
                                   : function.storages.size()) {}

  std::vector<IndexWindow> Run() {
    for (auto op = function_.ops.rbegin(); op != function_.ops.rend(); ++op) {
      RequireIndices(*op);
      Propagate(*op);
    }
    if (function_.is_pure()) TakeParameters();
    return std::move(windows_);
  }

 private:
  void TakeParameters() {
    for (ValueId parameter : function_.parameters) {
      const absl::optional<IndexRange>& range = ranges_[parameter.value];
      if (range) AddWindow(function_.Get(parameter).type, *range);
    }
  }

  void AddWindow(const Type& type, IndexRange range) {
    const Layout layout = function_.LayoutOf(type);
    if (!IsInteger(layout.dtype)) return;
    windows_.push_back({type.storage, layout.dtype,
                        Dims(layout.sizes.begin(), layout.sizes.end()),
                        Dims(layout.strides.begin(), layout.strides.end()),
                        type.offset, range});
  }

  bool IsParameterStorage(StorageId id) const {
    return function_.Get(id).kind == StorageKind::kParameter;
  }

  // What is known of a value: in a func, of its whole storage.
  absl::optional<IndexRange>& RangeOf(ValueId id) {
    return ranges_[function_.is_pure() ? id.value
                                       : function_.Get(id).type.storage.value];
  }

  void Require(ValueId id, IndexRange range) {
    if (!function_.is_pure()) {
      const Type& type = function_.Get(id).type;
      if (IsParameterStorage(type.storage)) return AddWindow(type, range);
    }
    absl::optional<IndexRange>& known = RangeOf(id);
    known = known ? Intersection(*known, range) : range;
  }

  void RequireIndices(const Op& op) {
    const absl::Span<const Operand> operands = function_.OperandsOf(op);
    if (InfoFor(op.kind).family != KernelFamily::kIndex) return;
    const auto sizes = function_.LayoutOf(operands[0].value()).sizes;
    if (op.kind == OpKind::kIndex || op.kind == OpKind::kIndexPut) {
      const size_t end =
          operands.size() - (op.kind == OpKind::kIndexPut ? 1 : 0);
      for (size_t i = 1; i < end; ++i) {
        if (operands[i].is_value()) {
          Require(operands[i].value(), {0, sizes[i - 1]});
        }
      }
    } else if (InfoFor(op.kind).operands[1].role == OperandRole::kIndex) {
      const int64_t dim = function_.IntegerOf(op, AttributeKey::kDim);
      Require(operands[1].value(), {0, sizes.empty() ? 1 : sizes[dim]});
    }
  }

  // The literal that an addition adds to its value, if that is what `op` is.
  absl::optional<int64_t> AddendOf(const Op& op) const {
    if (op.kind != OpKind::kAdd && op.kind != OpKind::kSub) {
      return absl::nullopt;
    }
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (operand.kind != OperandKind::kLiteral) continue;
      const int64_t value = function_.literals[operand.ref].integer;
      if (op.kind == OpKind::kAdd) return value;
      const bool is_right = function_.OperandsOf(op)[0].is_value();
      return is_right ? absl::optional<int64_t>(-value) : absl::nullopt;
    }
    return absl::nullopt;
  }

  // Hands what is required of what `op` writes on to what it moves there.
  void Propagate(const Op& op) {
    const absl::optional<int64_t> addend = AddendOf(op);
    absl::optional<ValueId> target;
    if (op.in_place()) {
      target = function_.OperandsOf(op)[0].value();
    } else if (op.results.count == 1 && op.kind != OpKind::kView) {
      target = function_.Result(op);
    }
    if (!target) return;
    if (op.in_place() && addend) return ShiftInPlace(*target, *addend);
    const absl::optional<IndexRange> range = RangeOf(*target);
    if (!range) return;
    PropagateTo(op, addend ? Shifted(*range, -*addend) : *range,
                addend.has_value());
  }

  // `add_ %x, literal`: what is required afterwards was less before.
  void ShiftInPlace(ValueId target, int64_t addend) {
    absl::optional<IndexRange>& range = RangeOf(target);
    if (range) range = Shifted(*range, -addend);
    if (function_.is_pure()) return;
    for (IndexWindow& window : windows_) {
      if (window.storage == function_.Get(target).type.storage) {
        window.range = Shifted(window.range, -addend);
      }
    }
  }

  void PropagateTo(const Op& op, IndexRange range, bool is_addition) {
    switch (op.kind) {
      case OpKind::kClone:
      case OpKind::kCast:
      case OpKind::kCopy:
      case OpKind::kFlip:
      case OpKind::kCat:
      case OpKind::kWhere:
      case OpKind::kIndexSelect:
      case OpKind::kGather:
      case OpKind::kIndex:
      case OpKind::kIndexCopy:
      case OpKind::kAssemble:
        break;
      case OpKind::kExtract:
        return PropagateToExtract(op, range);
      default:
        if (!is_addition) return;
    }
    for (const Operand& operand : MovedOperandsOf(op)) {
      if (operand.is_value() &&
          IsInteger(function_.LayoutOf(operand.value()).dtype)) {
        Require(operand.value(), range);
      }
    }
  }

  // The operands whose elements `op` moves, index operands left out.
  absl::Span<const Operand> MovedOperandsOf(const Op& op) const {
    const absl::Span<const Operand> operands = function_.OperandsOf(op);
    switch (op.kind) {
      case OpKind::kCopy:
      case OpKind::kWhere:
        return operands.subspan(1);
      case OpKind::kIndexSelect:
      case OpKind::kGather:
      case OpKind::kIndex:
        return operands.subspan(0, 1);
      case OpKind::kIndexCopy:
        return operands.subspan(2);
      default:
        return operands;
    }
  }

  // Only the window that is extracted, where the parameter is row-major.
  void PropagateToExtract(const Op& op, IndexRange range) {
    const Operand& operand = function_.OperandsOf(op)[0];
    const Value& value = function_.Get(operand.value());
    const Layout whole = function_.LayoutOf(value.type);
    const BufferWindow& at = function_.windows[operand.window];
    const Layout part = function_.layouts.Get(at.layout);
    const int64_t first = value.type.offset * WidthOf(whole.dtype);
    if (value.definition.valid() || !value.type.storage.valid() ||
        !IsRowMajor(whole) || first % WidthOf(part.dtype) != 0) {
      if (whole.dtype == part.dtype) Require(operand.value(), range);
      return;
    }
    Type window = value.type;
    window.layout = at.layout;
    window.offset = first / WidthOf(part.dtype) + at.offset;
    AddWindow(window, range);
  }

  const Function& function_;
  std::vector<absl::optional<IndexRange>> ranges_;  // By value, or by storage.
  std::vector<IndexWindow> windows_;
};

}  // namespace

std::vector<IndexWindow> FindIndexWindows(const Function& function) {
  return BackwardWalk(function).Run();
}

}  // namespace palimpsest
