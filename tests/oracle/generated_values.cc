// Statements that make new values: creation, computations, reads by index,
// calls.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/builder.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/type.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_draft.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

OpDraft ValueOp(OpKind kind) {
  OpDraft statement;
  statement.kind = kind;
  return statement;
}

absl::optional<ValueId> PickFor(const ProgramDraft& draft, Choices& choices,
                                OpKind kind, int least_rank) {
  return draft.Pick(choices, [&](ValueId value) {
    const Layout layout = draft.LayoutOf(value);
    return InfoFor(kind).Allows(layout.dtype) && layout.rank() >= least_rank;
  });
}

void Declare(DType dtype, const Dims& sizes, OpDraft& statement) {
  if (statement.types.empty() && !statement.target) {
    statement.types.push_back({dtype, sizes, {}, 0, {}});
  }
}

void AddLikeOperand(ProgramDraft& draft, Choices& choices) {
  constexpr OpKind kKinds[] = {OpKind::kClone, OpKind::kClone, OpKind::kCast,
                               OpKind::kCumsum, OpKind::kFlip};
  OpDraft statement = ValueOp(choices.Of(kKinds));
  const auto x = PickFor(draft, choices, statement.kind, 0);
  if (!x) return;
  const Layout layout = draft.LayoutOf(*x);
  const Dims sizes(layout.sizes.begin(), layout.sizes.end());
  const int rank = layout.rank();
  DType dtype = layout.dtype;
  statement.AddValue(*x);
  if (statement.kind == OpKind::kCast) {
    dtype = RandomDType(choices);
  } else if (statement.kind == OpKind::kCumsum) {
    statement.attributes.push_back(
        AttributeDraft::Dim(rank == 0 ? 0 : choices.Below(rank)));
  } else if (statement.kind == OpKind::kFlip) {
    Dims dims;
    for (int i = 0; i < rank; ++i) {
      if (choices.OneIn(2)) dims.push_back(i);
    }
    statement.attributes.push_back(AttributeDraft::DimList(dims));
  }
  PlaceResult(draft, choices, dtype, sizes, statement);
  if (statement.kind == OpKind::kCast) Declare(dtype, sizes, statement);
  draft.Append(std::move(statement));
}

void AddReduction(ProgramDraft& draft, Choices& choices) {
  constexpr OpKind kKinds[] = {OpKind::kSum,  OpKind::kSum,  OpKind::kAmax,
                               OpKind::kAmin, OpKind::kMean, OpKind::kProd};
  OpDraft statement = ValueOp(choices.Of(kKinds));
  const auto x = PickFor(draft, choices, statement.kind, 0);
  if (!x) return;
  Dims dims;
  for (int i = 0; i < draft.LayoutOf(*x).rank(); ++i) {
    if (choices.OneIn(2)) dims.push_back(i);
  }
  statement.AddValue(*x);
  statement.attributes.push_back(AttributeDraft::DimList(dims));
  if (choices.OneIn(3)) {
    statement.attributes.push_back(AttributeDraft::KeepDim());
  }
  draft.Append(std::move(statement));
}

void AddMatmul(ProgramDraft& draft, Choices& choices) {
  const auto x = draft.Pick(choices, [&](ValueId value) {
    const Layout layout = draft.LayoutOf(value);
    return InfoFor(OpKind::kMatmul).Allows(layout.dtype) &&
           (layout.rank() == 2 || layout.rank() == 3);
  });
  if (!x) return;
  const Layout layout = draft.LayoutOf(*x);
  const DType dtype = layout.dtype;
  Dims sizes(layout.sizes.begin(), layout.sizes.end());
  sizes[sizes.size() - 2] = sizes.back();
  sizes.back() = choices.Between(1, 3);
  const auto y =
      draft.FreshView(choices, dtype, sizes, [](ValueId) { return true; });
  if (!y) return;
  OpDraft statement = ValueOp(OpKind::kMatmul);
  statement.AddValue(*x);
  statement.AddValue(*y);
  draft.Append(std::move(statement));
}

void AddCat(ProgramDraft& draft, Choices& choices) {
  const auto x = PickFor(draft, choices, OpKind::kCat, 1);
  if (!x || 3 * draft.CountOf(*x) > kMostElements) return;
  const int64_t dim = choices.Below(draft.LayoutOf(*x).rank());
  // Without elements it could grow with each cat.
  if (3 * draft.LayoutOf(*x).sizes[dim] > kMostElements) return;
  OpDraft statement = ValueOp(OpKind::kCat);
  statement.AddValue(*x);
  const int64_t more = choices.Between(0, 2);
  for (int64_t i = 0; i < more; ++i) {
    const Layout layout = draft.LayoutOf(*x);
    const DType dtype = layout.dtype;
    const Dims sizes(layout.sizes.begin(), layout.sizes.end());
    const auto y =
        draft.FreshView(choices, dtype, sizes, [](ValueId) { return true; });
    if (y) statement.AddValue(*y);
  }
  statement.attributes.push_back(AttributeDraft::Dim(dim));
  draft.Append(std::move(statement));
}

void AddIndexRead(ProgramDraft& draft, Choices& choices) {
  constexpr OpKind kKinds[] = {OpKind::kIndexSelect, OpKind::kGather,
                               OpKind::kIndex};
  OpDraft statement = ValueOp(choices.Of(kKinds));
  const auto x = PickFor(draft, choices, statement.kind, 1);
  if (!x) return;
  const Layout layout = draft.LayoutOf(*x);
  const int64_t dim = choices.Below(layout.rank());
  const int64_t range = layout.sizes[dim];
  Dims sizes = {range == 0 ? 0 : choices.Between(0, 3)};
  if (statement.kind == OpKind::kGather) {
    sizes.assign(layout.sizes.begin(), layout.sizes.end());
    for (int64_t& size : sizes) size = choices.Between(0, size);
  }
  statement.AddValue(*x);
  if (statement.kind == OpKind::kIndex) {
    for (int64_t i = 0; i < dim; ++i) statement.AddNone();
  } else {
    statement.attributes.push_back(AttributeDraft::Dim(dim));
  }
  const auto index =
      draft.IndexFor(choices, sizes, range,
                     statement.kind == OpKind::kIndex ? IndexOrigin::kEitherEnd
                                                      : IndexOrigin::kStart);
  if (!index) return;
  statement.AddValue(*index);
  draft.Append(std::move(statement));
}

// A type for a call's result: a new storage, with gaps now and then, or a
// window of an operand's storage.
TypeDraft CallResult(ProgramDraft& draft, Choices& choices,
                     const std::vector<ValueId>& operands) {
  const DType dtype = RandomDType(choices);
  const Dims sizes = RandomSizes(choices);
  TypeDraft type{dtype, sizes, {}, 0, {}};
  if (!operands.empty() && choices.OneIn(3)) {
    const ValueId operand = choices.Of(operands);
    const Storage& storage = draft.function().Get(draft.StorageOf(operand));
    const bool puns =
        draft.profile().dtype_puns == Use::kSometimes && choices.OneIn(3);
    const auto window = RandomWindow(
        choices,
        puns ? RandomPun(choices, draft.MadeIn(operand))
             : draft.LayoutOf(operand).dtype,
        sizes, storage.bytes, Overlapping::kMaybe, draft.profile());
    if (!window) return type;
    type = DraftOf(*window);
    type.storage = storage.name;
  } else if (draft.profile().undefined_memory == Use::kSometimes &&
             choices.OneIn(4)) {
    const auto window = RandomWindow(choices, dtype, sizes, 4096,
                                     Overlapping::kNever, draft.profile());
    type = DraftOf(*window);
    type.offset = choices.Between(0, 2) - ExtentOf(window->layout())->first;
    type.storage = draft.FreshStorageName();
  }
  return type;
}

// Whether a call may write through the value beside the operands that it has.
bool MayBeMut(const ProgramDraft& draft, ValueId value,
              const std::vector<ValueId>& others) {
  if (!draft.IsWritable(value)) return false;
  if (draft.profile().overlapping_calls == Use::kSometimes) return true;
  const Type& type = draft.function().Get(value).type;
  for (ValueId other : others) {
    const Type& other_type = draft.function().Get(other).type;
    if (type != other_type && ShareBytes(draft.function(), type, other_type)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void PlaceResult(ProgramDraft& draft, Choices& choices, DType dtype,
                 absl::Span<const int64_t> sizes, OpDraft& statement) {
  if (!choices.OneIn(5)) return;
  if (choices.OneIn(2)) {
    if (draft.profile().undefined_memory == Use::kNever) return;
    const auto window = RandomWindow(choices, dtype, sizes, 4096,
                                     Overlapping::kNever, draft.profile());
    TypeDraft type = DraftOf(*window);
    type.offset = choices.Between(0, 2) - ExtentOf(window->layout())->first;
    type.storage = draft.FreshStorageName();
    statement.types = {type};
    return;
  }
  const auto may_see = draft.MaySeeAs(choices, dtype, /*pun_in=*/1);
  const auto of = draft.Pick(choices, [&](ValueId value) {
    return !draft.IsFrozen(value) && may_see(value);
  });
  if (!of) return;
  const Storage& storage = draft.function().Get(draft.StorageOf(*of));
  const auto window = RandomWindow(choices, dtype, sizes, storage.bytes,
                                   Overlapping::kNever, draft.profile());
  if (!window) return;
  statement.types = {{dtype, window->sizes, {}, 0, {}}};
  statement.target = DraftOf(*window);
  statement.target->storage = storage.name;
}

void AddNewValue(ProgramDraft& draft, Choices& choices) {
  constexpr OpKind kKinds[] = {OpKind::kFull, OpKind::kEmpty, OpKind::kEmpty,
                               OpKind::kIota, OpKind::kConstant};
  OpDraft statement = ValueOp(choices.Of(kKinds));
  const DType dtype = RandomDType(choices);
  const Dims sizes = RandomSizes(choices);
  if (!InfoFor(statement.kind).Allows(dtype)) return;
  switch (statement.kind) {
    case OpKind::kEmpty:
      if (draft.profile().undefined_memory == Use::kNever) return;
      break;
    case OpKind::kFull:
      statement.AddLiteral(RandomLiteral(choices, dtype));
      break;
    case OpKind::kConstant:
      for (int64_t i = 0; i < ElementCount(sizes); ++i) {
        statement.AddLiteral(RandomLiteral(choices, dtype));
      }
      break;
    default:
      statement.attributes.push_back(
          AttributeDraft::Start(RandomLiteral(choices, dtype)));
  }
  PlaceResult(draft, choices, dtype, sizes, statement);
  Declare(dtype, sizes, statement);
  draft.Append(std::move(statement));
}

void AddComputation(ProgramDraft& draft, Choices& choices) {
  switch (choices.Below(8)) {
    case 0:
    case 1:
    case 2:
      return AddLikeOperand(draft, choices);
    case 3:
    case 4:
      return AddReduction(draft, choices);
    case 5:
      return AddMatmul(draft, choices);
    case 6:
      return AddCat(draft, choices);
    default:
      return AddIndexRead(draft, choices);
  }
}

void AddCall(ProgramDraft& draft, Choices& choices) {
  if (draft.profile().calls == Use::kNever) return;
  OpDraft statement = ValueOp(OpKind::kCall);
  std::vector<ValueId> operands;
  const int64_t wanted = choices.Between(0, 3);
  for (int64_t i = 0; i < wanted; ++i) {
    // Whatever is marked later must fit those before it, too.
    const ValueId operand = draft.PickAny(choices);
    bool fits = true;
    for (const Operand& before : statement.operands) {
      fits &= before.access != Access::kMut ||
              MayBeMut(draft, before.value(), {operand});
    }
    if (!fits) continue;
    const bool is_mut = choices.OneIn(2) && MayBeMut(draft, operand, operands);
    statement.AddValue(operand, is_mut ? Access::kMut : Access::kRead);
    operands.push_back(operand);
  }
  const int64_t results = choices.Between(0, 2);
  for (int64_t i = 0; i < results; ++i) {
    statement.types.push_back(CallResult(draft, choices, operands));
  }
  Call call;
  call.name = draft.builder().Intern(choices.OneIn(2) ? "outer.mix" : "f");
  call.pure = choices.OneIn(4);
  if (choices.OneIn(3)) {
    call.attributes.push_back({draft.builder().Intern("mode"), "x\"y"});
  }
  statement.call = std::move(call);
  draft.Append(std::move(statement));
}

}  // namespace palimpsest
