// Random dtypes, sizes, literals and windows.

#include <algorithm>
#include <cstdint>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/type.h"
#include "ir/view_sugar.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_draft.h"

namespace palimpsest {
namespace {

// Strides that lay the dimensions behind each other, in a random order and with
// gaps now and then.
Dims NestedStrides(Choices& choices, absl::Span<const int64_t> sizes) {
  const int rank = static_cast<int>(sizes.size());
  Dims order(rank);
  for (int i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  if (choices.OneIn(3)) {
    for (int i = 1; i < rank; ++i) {
      std::swap(order[i], order[choices.Below(i + 1)]);
    }
  }
  Dims strides(rank);
  int64_t stride = choices.OneIn(3) ? choices.Between(1, 3) : 1;
  for (int64_t dim : order) {
    strides[dim] = stride;
    stride = stride * std::max<int64_t>(sizes[dim], 1) +
             (choices.OneIn(4) ? choices.Between(0, 2) : 0);
  }
  return strides;
}

// Two columns of one stride: the dimensions interleave without meeting, or
// meet.
Dims AnyStrides(Choices& choices, absl::Span<const int64_t> sizes) {
  Dims strides(sizes.size());
  for (int64_t& stride : strides) stride = choices.Between(0, 5);
  return strides;
}

bool IsFloat(DType dtype) {
  const DTypeClass dtype_class = InfoFor(dtype).dtype_class;
  return dtype_class != DTypeClass::kInteger &&
         dtype_class != DTypeClass::kBool;
}

bool CountsBelowZero(DType dtype) { return InfoFor(dtype).text[0] == 'i'; }

}  // namespace

DType RandomDType(Choices& choices) {
  constexpr DType kUsual[] = {DType::kF32, DType::kF32, DType::kF32,
                              DType::kI32, DType::kI64, DType::kF64,
                              DType::kBF16};
  if (!choices.OneIn(4)) return choices.Of(kUsual);
  return choices.Of(AllDTypes());
}

bool StaysFinite(DType a, DType b) {
  return !(IsFloat(a) && CountsBelowZero(b)) &&
         !(IsFloat(b) && CountsBelowZero(a));
}

DType RandomPun(Choices& choices, DType made) {
  constexpr DType kOfIntegers[] = {DType::kI64, DType::kI32, DType::kI16,
                                   DType::kI8,  DType::kU8,  DType::kU32,
                                   DType::kBool};
  constexpr DType kOfFloats[] = {DType::kU64, DType::kU32, DType::kU16,
                                 DType::kU8,  DType::kF32, DType::kBool};
  if (choices.OneIn(kWildPunIn)) return choices.Of(AllDTypes());
  return IsFloat(made) ? choices.Of(kOfFloats) : choices.Of(kOfIntegers);
}

Literal RandomLiteral(Choices& choices, DType dtype) {
  const bool is_unsigned = InfoFor(dtype).text[0] == 'u';
  const int64_t integer = choices.Between(is_unsigned ? 0 : -4, 4);
  switch (InfoFor(dtype).dtype_class) {
    case DTypeClass::kBool:
      return Literal::Boolean(integer > 0);
    case DTypeClass::kInteger:
      return Literal::Integer(integer);
    case DTypeClass::kComplex:
      if (choices.OneIn(2)) {
        return Literal::Complex(static_cast<double>(integer), 0.5);
      }
      break;
    default:
      break;
  }
  if (choices.OneIn(3)) return Literal::Integer(integer);
  return Literal::Float(static_cast<double>(integer) / 2);
}

Dims RandomSizes(Choices& choices) {
  const int64_t rank = choices.Below(3 + (choices.size() > 0));
  Dims sizes(rank);
  int64_t count = 1;
  for (int64_t& size : sizes) {
    size = choices.OneIn(40) ? 0 : choices.Between(1, 2 + choices.size());
    if (count * size > kMostElements) size = 1;
    count *= std::max<int64_t>(size, 1);
  }
  return sizes;
}

absl::optional<StridedWindow> RandomWindow(Choices& choices, DType dtype,
                                           absl::Span<const int64_t> sizes,
                                           int64_t bytes,
                                           Overlapping overlapping,
                                           const GeneratorProfile& profile) {
  const bool any = overlapping == Overlapping::kMaybe && choices.OneIn(4);
  StridedWindow window{
      dtype, Dims(sizes.begin(), sizes.end()),
      any ? AnyStrides(choices, sizes) : NestedStrides(choices, sizes), 0};
  if (profile.negative_strides == Use::kSometimes && choices.OneIn(4)) {
    for (int64_t& stride : window.strides) {
      if (choices.OneIn(2)) stride = -stride;
    }
  }
  absl::optional<Extent> extent = ExtentOf(window.layout());
  const int64_t room = bytes / WidthOf(dtype);
  if (extent->count > room) {
    window.strides = RowMajorStrides(sizes);
    extent = ExtentOf(window.layout());
  }
  if (extent->count > room) return absl::nullopt;
  window.offset = choices.Between(0, room - extent->count) - extent->first;
  return window;
}

Dims RandomBroadcast(Choices& choices, absl::Span<const int64_t> sizes) {
  const int64_t dropped =
      choices.OneIn(3) ? choices.Below(static_cast<int64_t>(sizes.size()) + 1)
                       : 0;
  Dims result(sizes.begin() + dropped, sizes.end());
  if (!choices.OneIn(3)) return result;
  for (int64_t& size : result) {
    if (choices.OneIn(2)) size = 1;
  }
  return result;
}

bool BroadcastsTo(absl::Span<const int64_t> from,
                  absl::Span<const int64_t> to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t size = from[from.size() - 1 - i];
    if (size != 1 && size != to[to.size() - 1 - i]) return false;
  }
  return true;
}

TypeDraft DraftOf(const StridedWindow& window) {
  return {window.dtype, window.sizes, Name{}, window.offset, window.strides};
}

}  // namespace palimpsest
