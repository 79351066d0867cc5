#include "ir/view_sugar_text.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/view_sugar.h"

namespace palimpsest {
namespace {

// In the order of SugarKey.
constexpr absl::string_view kKeys[] = {
    "dim",  "dim0",   "dim1", "dim2", "index", "start", "end",
    "step", "offset", "size", "dims", "sizes", "dtype"};

const std::vector<SugarInfo>& Table() {
  using K = SugarKey;
  static const auto& table = *new std::vector<SugarInfo>{
      {SugarKind::kSlice, "slice", {K::kDim, K::kStart, K::kEnd, K::kStep}},
      {SugarKind::kSelect, "select", {K::kDim, K::kIndex}},
      {SugarKind::kPermute, "permute", {K::kDims}},
      {SugarKind::kTranspose, "transpose", {K::kDim0, K::kDim1}},
      {SugarKind::kReshape, "reshape", {K::kSizes}},
      {SugarKind::kExpand, "expand", {K::kSizes}},
      {SugarKind::kDiagonal, "diagonal", {K::kOffset, K::kDim1, K::kDim2}},
      {SugarKind::kUnfold, "unfold", {K::kDim, K::kSize, K::kStep}},
      {SugarKind::kSqueeze, "squeeze", {K::kDim, K::kDims}},
      {SugarKind::kUnsqueeze, "unsqueeze", {K::kDim}},
      {SugarKind::kFlipView, "flip_view", {K::kDims}},
      {SugarKind::kBitcast, "bitcast", {K::kDType}},
      {SugarKind::kReal, "real", {}},
      {SugarKind::kImag, "imag", {}},
  };
  return table;
}

// The arguments, each asked for once; notes the first that is missing.
class Reader {
 public:
  explicit Reader(const SugarArguments& arguments) : arguments_(arguments) {}

  int64_t Number(SugarKey key, absl::optional<int64_t> left_out = {}) {
    const auto& number = arguments_.numbers[static_cast<int>(key)];
    if (!number && !left_out) Miss(key);
    return number ? *number : left_out.value_or(0);
  }
  Dims List(SugarKey key) {
    const auto& list = arguments_.lists[static_cast<int>(key)];
    if (!list) Miss(key);
    return list.value_or(Dims{});
  }
  absl::StatusOr<StridedWindow> Checked(
      const absl::StatusOr<StridedWindow>& window) const {
    if (missing_.empty()) return window;
    return absl::InvalidArgumentError(
        absl::StrCat("`", missing_, "=` is missing"));
  }

 private:
  void Miss(SugarKey key) {
    if (missing_.empty()) missing_ = TextOf(key);
  }

  const SugarArguments& arguments_;
  absl::string_view missing_;
};

absl::StatusOr<StridedWindow> ApplySqueeze(const StridedWindow& x,
                                           const SugarArguments& arguments) {
  const auto& dim = arguments.numbers[static_cast<int>(SugarKey::kDim)];
  const auto& dims = arguments.lists[static_cast<int>(SugarKey::kDims)];
  if (dim && dims) {
    return absl::InvalidArgumentError("one of `dim=` and `dims=` is enough");
  }
  if (dim) return SqueezeOf(x, absl::MakeConstSpan(&*dim, 1));
  if (dims) return SqueezeOf(x, absl::MakeConstSpan(*dims));
  return SqueezeOf(x, absl::nullopt);
}

}  // namespace

absl::string_view TextOf(SugarKey key) { return kKeys[static_cast<int>(key)]; }

absl::Span<const SugarInfo> AllSugar() { return Table(); }

const SugarInfo* SugarFromText(absl::string_view text) {
  static const auto& by_text = *[] {
    auto* map = new absl::flat_hash_map<absl::string_view, const SugarInfo*>;
    for (const SugarInfo& info : Table()) map->emplace(info.text, &info);
    return map;
  }();
  const auto found = by_text.find(text);
  return found == by_text.end() ? nullptr : found->second;
}

absl::StatusOr<StridedWindow> ApplySugar(SugarKind kind, const StridedWindow& x,
                                         const SugarArguments& arguments) {
  using K = SugarKey;
  Reader r(arguments);
  switch (kind) {
    case SugarKind::kSlice: {
      const int64_t dim = r.Number(K::kDim);
      const int64_t start = r.Number(K::kStart, 0);
      const int64_t end =
          r.Number(K::kEnd, std::numeric_limits<int64_t>::max());
      return r.Checked(SliceOf(x, dim, start, end, r.Number(K::kStep, 1)));
    }
    case SugarKind::kSelect: {
      const int64_t dim = r.Number(K::kDim);
      return r.Checked(SelectOf(x, dim, r.Number(K::kIndex)));
    }
    case SugarKind::kPermute:
      return r.Checked(PermuteOf(x, r.List(K::kDims)));
    case SugarKind::kTranspose: {
      const int64_t dim0 = r.Number(K::kDim0);
      return r.Checked(TransposeOf(x, dim0, r.Number(K::kDim1)));
    }
    case SugarKind::kReshape:
      return r.Checked(ReshapeOf(x, r.List(K::kSizes)));
    case SugarKind::kExpand:
      return r.Checked(ExpandOf(x, r.List(K::kSizes)));
    case SugarKind::kDiagonal: {
      const int64_t offset = r.Number(K::kOffset, 0);
      const int64_t dim1 = r.Number(K::kDim1, 0);
      return r.Checked(DiagonalOf(x, offset, dim1, r.Number(K::kDim2, 1)));
    }
    case SugarKind::kUnfold: {
      const int64_t dim = r.Number(K::kDim);
      const int64_t size = r.Number(K::kSize);
      return r.Checked(UnfoldOf(x, dim, size, r.Number(K::kStep)));
    }
    case SugarKind::kSqueeze:
      return ApplySqueeze(x, arguments);
    case SugarKind::kUnsqueeze:
      return r.Checked(UnsqueezeOf(x, r.Number(K::kDim)));
    case SugarKind::kFlipView:
      return r.Checked(FlipViewOf(x, r.List(K::kDims)));
    case SugarKind::kBitcast:
      if (arguments.dtype) return BitcastOf(x, *arguments.dtype);
      return absl::InvalidArgumentError(
          "the dtype is missing; write `dtype=i32` or declare the type");
    case SugarKind::kReal:
      return RealOf(x);
    case SugarKind::kImag:
      return ImagOf(x);
  }
  return absl::InvalidArgumentError("no such view");
}

}  // namespace palimpsest
