// Views: every op of the sugar, and windows spelt out.

#include <cstdint>
#include <numeric>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/type.h"
#include "ir/view_sugar.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_draft.h"

namespace palimpsest {
namespace {

using MaybeWindow = absl::StatusOr<StridedWindow>;

int64_t RankOf(const StridedWindow& x) {
  return static_cast<int64_t>(x.sizes.size());
}

MaybeWindow Slice(Choices& choices, const StridedWindow& x, int64_t dim) {
  const int64_t size = x.sizes[dim];
  const int64_t start = size == 0 ? 0 : choices.Below(size);
  const int64_t end = choices.OneIn(16) ? start : choices.Between(start, size);
  return SliceOf(x, dim, start, end == start ? size : end,
                 choices.OneIn(3) ? choices.Between(2, 3) : 1);
}

MaybeWindow Reshape(Choices& choices, const StridedWindow& x) {
  const int64_t count = ElementCount(x.sizes);
  Dims sizes;
  int64_t left = count;
  for (int i = 0; i < 2 && left > 1; ++i) {
    int64_t size = choices.Between(1, 4);
    while (left % size != 0) --size;
    sizes.push_back(size);
    left /= size;
  }
  sizes.push_back(left);
  return ReshapeOf(x, sizes);
}

MaybeWindow Expand(Choices& choices, const StridedWindow& x) {
  Dims sizes = x.sizes;
  for (int64_t& size : sizes) {
    if (size == 1 && choices.OneIn(2)) size = choices.Between(2, 3);
  }
  if (choices.OneIn(2)) sizes.insert(sizes.begin(), choices.Between(1, 3));
  return ExpandOf(x, sizes);
}

MaybeWindow Permute(Choices& choices, const StridedWindow& x) {
  Dims dims(x.sizes.size());
  std::iota(dims.begin(), dims.end(), 0);
  for (size_t i = 1; i < dims.size(); ++i) {
    std::swap(dims[i], dims[choices.Below(static_cast<int64_t>(i) + 1)]);
  }
  return PermuteOf(x, dims);
}

MaybeWindow Unfold(Choices& choices, const StridedWindow& x, int64_t dim) {
  if (x.sizes[dim] == 0) return x;
  return UnfoldOf(x, dim, choices.Between(1, x.sizes[dim]),
                  choices.Between(1, 3));
}

// Of any view but those that need a dimension.
MaybeWindow SugarOfAny(Choices& choices, const StridedWindow& x) {
  switch (choices.Below(6)) {
    case 0:
      return Reshape(choices, x);
    case 1:
      return Expand(choices, x);
    case 2:
      return SqueezeOf(x, absl::nullopt);
    case 3:
      return UnsqueezeOf(x, choices.Between(0, RankOf(x)));
    case 4:
      return RealOf(x);
    default:
      return ImagOf(x);
  }
}

MaybeWindow Sugar(Choices& choices, const StridedWindow& x, DType made,
                  const GeneratorProfile& profile) {
  if (x.sizes.empty() || choices.OneIn(3)) return SugarOfAny(choices, x);
  const int64_t dim = choices.Below(RankOf(x));
  switch (choices.Below(11)) {
    case 0:
    case 1:
    case 2:
      return Slice(choices, x, dim);
    case 3:
    case 4:
      if (x.sizes[dim] == 0) return x;
      return SelectOf(x, dim, choices.Below(x.sizes[dim]));
    case 5:
      return TransposeOf(x, dim, choices.Below(RankOf(x)));
    case 6:
      return Permute(choices, x);
    case 7:
      return DiagonalOf(x, choices.Between(-1, 1), dim,
                        choices.Below(RankOf(x)));
    case 8:
      return Unfold(choices, x, dim);
    case 9:
      if (profile.negative_strides == Use::kNever) return x;
      return FlipViewOf(x, {dim});
    default:
      if (profile.dtype_puns == Use::kNever) return x;
      return BitcastOf(x, RandomPun(choices, made));
  }
}

void AppendView(ProgramDraft& draft, ValueId of, const StridedWindow& window) {
  const bool too_large =
      CheckSizes(window.dtype, window.sizes) != absl::OkStatus() ||
      ElementCount(window.sizes) > kMostElements ||
      window.sizes.size() > kMostDims;
  if (too_large) return;
  OpDraft view;
  view.kind = OpKind::kView;
  view.AddValue(of);
  view.types.push_back(DraftOf(window));
  draft.Append(std::move(view));
}

}  // namespace

void AddView(ProgramDraft& draft, Choices& choices) {
  const ValueId of = draft.PickAny(choices);
  if (choices.OneIn(3)) {
    const bool puns =
        draft.profile().dtype_puns == Use::kSometimes && choices.OneIn(4);
    const DType dtype =
        puns ? RandomPun(choices, draft.MadeIn(of)) : draft.LayoutOf(of).dtype;
    const auto window =
        RandomWindow(choices, dtype, RandomSizes(choices),
                     draft.function().Get(draft.StorageOf(of)).bytes,
                     Overlapping::kMaybe, draft.profile());
    if (window) AppendView(draft, of, *window);
    return;
  }
  const MaybeWindow window = Sugar(choices, draft.builder().WindowOf(of),
                                   draft.MadeIn(of), draft.profile());
  if (window.ok()) AppendView(draft, of, *window);
}

}  // namespace palimpsest
