// Updates by index and mask, in both forms.

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/op.h"
#include "ir/type.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_draft.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

// Whether the op's row may write through the value.
bool IsUpdatable(const ProgramDraft& draft, ValueId value) {
  return !draft.IsFrozen(value) && !OverlapsItself(draft.LayoutOf(value));
}

struct Indexed {
  ValueId x;
  DType dtype;
  Dims sizes;
  int64_t dim;

  // Of `dim`; rank 0 counts as one dimension of one element.
  int64_t extent() const { return sizes.empty() ? 1 : sizes[dim]; }
};

// The source's sizes, and the index, where `count` places along `dim` are
// updated.
void AddAlongDim(ProgramDraft& draft, Choices& choices, const Indexed& target,
                 OpDraft& statement) {
  const int64_t extent = target.extent();
  const int64_t count =
      target.sizes.empty() ? 1 : (extent == 0 ? 0 : choices.Between(0, 3));
  const bool scalar = count == 1 && choices.OneIn(4);
  const auto index =
      draft.IndexFor(choices, scalar ? Dims{} : Dims{count}, extent);
  if (!index) return;
  statement.AddValue(*index);
  statement.attributes.push_back(AttributeDraft::Dim(target.dim));
  if (statement.kind == OpKind::kIndexFill) {
    statement.AddLiteral(RandomLiteral(choices, target.dtype));
    return;
  }
  Dims sizes = target.sizes;
  if (!sizes.empty()) sizes[target.dim] = count;
  auto source = draft.Pick(choices, [&](ValueId value) {
    const Layout layout = draft.LayoutOf(value);
    return layout.dtype == target.dtype && layout.sizes == sizes;
  });
  if (!source || choices.OneIn(2)) {
    source = draft.FreshView(choices, target.dtype, sizes,
                             [](ValueId) { return true; });
  }
  if (source) statement.AddValue(*source);
}

void AddScatter(ProgramDraft& draft, Choices& choices, const Indexed& target,
                OpDraft& statement) {
  Dims sizes = target.sizes;
  for (int64_t& size : sizes) size = choices.Between(0, size);
  if (!sizes.empty() && target.extent() > 0) {
    sizes[target.dim] = choices.Between(0, 3);
  }
  const auto index = draft.IndexFor(choices, sizes, target.extent());
  if (!index) return;
  statement.AddValue(*index);
  statement.attributes.push_back(AttributeDraft::Dim(target.dim));
  if (statement.kind == OpKind::kScatter && choices.OneIn(3)) {
    statement.AddLiteral(RandomLiteral(choices, target.dtype));
    return;
  }
  for (int64_t& size : sizes) size += choices.OneIn(4);
  const auto source = draft.FreshView(choices, target.dtype, sizes,
                                      [](ValueId) { return true; });
  if (source) statement.AddValue(*source);
}

// What the indexed elements are shaped like: see AdvancedIndexSizes in ir/.
Dims IndexedSizes(const Indexed& target, const std::vector<bool>& is_indexed,
                  const Dims& places) {
  Dims sizes;
  int front = -1;
  int last = -1;
  bool parted = false;
  for (int dim = 0; dim < static_cast<int>(target.sizes.size()); ++dim) {
    if (dim >= static_cast<int>(is_indexed.size()) || !is_indexed[dim]) {
      sizes.push_back(target.sizes[dim]);
      continue;
    }
    if (front < 0) front = static_cast<int>(sizes.size());
    parted |= last >= 0 && last != dim - 1;
    last = dim;
  }
  if (parted) front = 0;
  sizes.insert(sizes.begin() + front, places.begin(), places.end());
  return sizes;
}

void AddIndexPut(ProgramDraft& draft, Choices& choices, const Indexed& target,
                 OpDraft& statement) {
  if (target.sizes.empty()) return;
  const int64_t listed =
      choices.Between(1, static_cast<int64_t>(target.sizes.size()));
  Dims places = {choices.Between(0, 3)};
  if (choices.OneIn(4)) places.push_back(2);
  if (choices.OneIn(6)) places.clear();
  std::vector<bool> is_indexed(listed);
  for (int64_t dim = 0; dim < listed; ++dim) {
    is_indexed[dim] = dim + 1 == listed || choices.OneIn(2);
    if (!is_indexed[dim]) {
      statement.AddNone();
      continue;
    }
    if (target.sizes[dim] == 0 && ElementCount(places) > 0) return;
    const auto index = draft.IndexFor(choices, places, target.sizes[dim],
                                      IndexOrigin::kEitherEnd);
    if (!index) return;
    statement.AddValue(*index);
  }
  if (choices.OneIn(2)) {
    statement.attributes.push_back(AttributeDraft::Accumulate());
  }
  AddOperand(draft, choices, target.dtype,
             IndexedSizes(target, is_indexed, places), statement);
}

void AddMasked(ProgramDraft& draft, Choices& choices, const Indexed& target,
               OpDraft& statement) {
  const auto mask = draft.MaskFor(choices, target.sizes);
  if (!mask) return;
  statement.AddValue(*mask);
  if (statement.kind == OpKind::kMaskedFill) {
    statement.AddLiteral(RandomLiteral(choices, target.dtype));
    return;
  }
  const auto source = draft.FreshView(choices, target.dtype, target.sizes,
                                      [](ValueId) { return true; });
  if (source) statement.AddValue(*source);
}

}  // namespace

void AddUpdate(ProgramDraft& draft, Choices& choices, OpForm form) {
  constexpr OpKind kUpdates[] = {OpKind::kIndexCopy,  OpKind::kIndexAdd,
                                 OpKind::kIndexFill,  OpKind::kIndexPut,
                                 OpKind::kScatter,    OpKind::kScatterAdd,
                                 OpKind::kMaskedFill, OpKind::kMaskedScatter};
  OpDraft statement;
  statement.kind = choices.Of(kUpdates);
  statement.form = form;
  const auto x = PickFirst(draft, choices, form, InfoFor(statement.kind));
  if (!x || (form == OpForm::kInPlace && !IsUpdatable(draft, *x))) return;
  const Layout layout = draft.LayoutOf(*x);
  const Indexed target{*x, layout.dtype,
                       Dims(layout.sizes.begin(), layout.sizes.end()),
                       layout.rank() == 0 ? 0 : choices.Below(layout.rank())};
  statement.AddValue(*x);
  switch (InfoFor(statement.kind).rule) {
    case InferenceRule::kIndexPut:
      AddIndexPut(draft, choices, target, statement);
      break;
    case InferenceRule::kScatter:
      AddScatter(draft, choices, target, statement);
      break;
    case InferenceRule::kMaskedFill:
    case InferenceRule::kMaskedScatter:
      AddMasked(draft, choices, target, statement);
      break;
    default:
      AddAlongDim(draft, choices, target, statement);
  }
  if (form == OpForm::kValue) {
    PlaceResult(draft, choices, target.dtype, target.sizes, statement);
  }
  draft.Append(std::move(statement));
}

}  // namespace palimpsest
