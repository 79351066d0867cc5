#include "tests/oracle/program_draft.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/builder.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

constexpr size_t kRecent = 6;
constexpr size_t kMostCandidates = 48;

bool IsInteger(DType dtype) {
  return InfoFor(dtype).dtype_class == DTypeClass::kInteger;
}

OpDraft Declared(OpKind kind, DType dtype, absl::Span<const int64_t> sizes) {
  OpDraft draft;
  draft.kind = kind;
  draft.types.push_back({dtype, Dims(sizes.begin(), sizes.end()), {}, 0, {}});
  return draft;
}

}  // namespace

void ProgramDraft::Begin(const Gene& gene) {
  gene_ = Scramble(gene.seed ^ 0x5bd1e995);
  statement_ = 0;
}

void ProgramDraft::Know(ValueId value) {
  known_.push_back({value, gene_});
  gene_ = Scramble(gene_);
}

// Of the candidates the one whose identity, mixed with the choice, is least:
// the others may come and go.
absl::optional<ValueId> ProgramDraft::Pick(Choices& choices,
                                           const Fits& fits) const {
  const uint64_t salt = choices.Next();
  const size_t most = choices.OneIn(2) ? kRecent : kMostCandidates;
  absl::optional<ValueId> best;
  uint64_t least = 0;
  size_t seen = 0;
  for (auto known = known_.rbegin(); known != known_.rend(); ++known) {
    if (!fits(known->value)) continue;
    const uint64_t rank = Scramble(known->identity ^ salt);
    if (!best || rank < least) {
      best = known->value;
      least = rank;
    }
    if (++seen == most) break;
  }
  return best;
}

ValueId ProgramDraft::PickAny(Choices& choices) const {
  return *Pick(choices, [](ValueId) { return true; });
}

absl::optional<OpId> ProgramDraft::Append(OpDraft draft) {
  Choices choices({gene_ + statement_++, 0});
  if (choices.OneIn(3)) draft.tag = choices.Below(1000);
  const absl::StatusOr<OpId> id = builder_.Append(draft);
  if (!id.ok()) return absl::nullopt;
  const Op& op = function().Get(*id);
  TrackUndefined(op);
  for (int i = 0; i < op.results.count; ++i) Know(function().Result(op, i));
  return *id;
}

absl::optional<ValueId> ProgramDraft::AppendOne(OpDraft draft) {
  const absl::optional<OpId> id = Append(std::move(draft));
  if (!id) return absl::nullopt;
  return function().Result(function().Get(*id));
}

void ProgramDraft::TrackUndefined(const Op& op) {
  bool reads_undefined = op.kind == OpKind::kEmpty;
  for (const Operand& operand : function().OperandsOf(op)) {
    reads_undefined |= operand.is_value() && MayBeUndefined(operand.value());
  }
  if (op.kind == OpKind::kView) return;
  for (const Operand& operand : function().OperandsOf(op)) {
    if (reads_undefined && operand.access == Access::kMut) {
      MarkUndefined(StorageOf(operand.value()));
    }
  }
  for (int i = 0; i < op.results.count; ++i) {
    const ValueId result = function().Result(op, i);
    const int64_t bytes = CountOf(result) * WidthOf(LayoutOf(result).dtype);
    const bool has_gaps = function().Get(StorageOf(result)).bytes != bytes;
    const bool is_new = op.kind != OpKind::kCall && op.target < 0;
    if (reads_undefined || (is_new && has_gaps) ||
        (op.kind == OpKind::kCall && has_gaps)) {
      MarkUndefined(StorageOf(result));
    }
  }
}

bool ProgramDraft::IsWritable(ValueId value) const {
  return !IsFrozen(value) &&
         (profile_.self_overlapping_writes == Use::kSometimes ||
          !OverlapsItself(LayoutOf(value)));
}

DType ProgramDraft::MadeIn(ValueId value) const {
  const StorageId storage = StorageOf(value);
  for (const Value& other : function().values) {
    if (other.type.storage == storage) {
      return function().LayoutOf(other.type).dtype;
    }
  }
  return LayoutOf(value).dtype;
}

ProgramDraft::Fits ProgramDraft::MaySeeAs(Choices& choices, DType dtype,
                                          int64_t pun_in) const {
  const bool puns =
      profile_.dtype_puns == Use::kSometimes && choices.OneIn(pun_in);
  const bool wild = puns && choices.OneIn(kWildPunIn);
  return [this, dtype, puns, wild](ValueId value) {
    return wild || LayoutOf(value).dtype == dtype ||
           (puns && StaysFinite(dtype, MadeIn(value)));
  };
}

Name ProgramDraft::FreshStorageName() {
  return builder_.Intern(absl::StrCat("t", storage_names_++));
}

absl::optional<ValueId> ProgramDraft::FreshView(Choices& choices, DType dtype,
                                                absl::Span<const int64_t> sizes,
                                                const Fits& fits) {
  const Fits may_see = MaySeeAs(choices, dtype, /*pun_in=*/6);
  const absl::optional<ValueId> of = Pick(
      choices, [&](ValueId value) { return fits(value) && may_see(value); });
  if (!of) return absl::nullopt;
  const auto window =
      RandomWindow(choices, dtype, sizes, function().Get(StorageOf(*of)).bytes,
                   Overlapping::kMaybe, profile_);
  if (!window) return absl::nullopt;
  OpDraft draft;
  draft.kind = OpKind::kView;
  draft.AddValue(*of);
  draft.types.push_back(DraftOf(*window));
  return AppendOne(std::move(draft));
}

absl::optional<ValueId> ProgramDraft::OperandFor(
    Choices& choices, DType dtype, absl::Span<const int64_t> sizes) {
  const int64_t way = choices.Below(8);
  absl::optional<ValueId> found;
  if (way < 4) {
    found = Pick(choices, [&](ValueId value) {
      const Layout layout = LayoutOf(value);
      return layout.dtype == dtype && BroadcastsTo(layout.sizes, sizes);
    });
  } else if (way < 7) {
    found = FreshView(choices, dtype, RandomBroadcast(choices, sizes),
                      [](ValueId) { return true; });
  }
  if (found) return found;
  const Dims made = RandomBroadcast(choices, sizes);
  if (InfoFor(dtype).dtype_class == DTypeClass::kFloat8) {
    OpDraft full = Declared(OpKind::kFull, DType::kF32, made);
    full.AddLiteral(RandomLiteral(choices, DType::kF32));
    const absl::optional<ValueId> value = AppendOne(std::move(full));
    OpDraft cast = Declared(OpKind::kCast, dtype, made);
    cast.AddValue(*value);
    return AppendOne(std::move(cast));
  }
  OpDraft full = Declared(OpKind::kFull, dtype, made);
  full.AddLiteral(RandomLiteral(choices, dtype));
  return AppendOne(std::move(full));
}

absl::optional<ValueId> ProgramDraft::MaskFor(Choices& choices,
                                              absl::Span<const int64_t> sizes) {
  const int64_t way = choices.Below(4);
  absl::optional<ValueId> found;
  if (way == 0) {
    found = Pick(choices, [&](ValueId value) {
      const Layout layout = LayoutOf(value);
      return layout.dtype == DType::kBool && !MayBeUndefined(value) &&
             BroadcastsTo(layout.sizes, sizes);
    });
  } else if (way == 1) {
    found = FreshView(choices, DType::kBool, RandomBroadcast(choices, sizes),
                      [&](ValueId value) { return !MayBeUndefined(value); });
  }
  return found ? found : MakeMask(choices, sizes);
}

// A comparison of something defined, or a constant.
absl::optional<ValueId> ProgramDraft::MakeMask(
    Choices& choices, absl::Span<const int64_t> sizes) {
  const absl::optional<ValueId> of = Pick(choices, [&](ValueId value) {
    const Layout layout = LayoutOf(value);
    return InfoFor(OpKind::kGt).Allows(layout.dtype) &&
           !MayBeUndefined(value) && BroadcastsTo(layout.sizes, sizes);
  });
  if (of && choices.OneIn(2)) {
    OpDraft draft;
    draft.kind = OpKind::kGt;
    draft.AddValue(*of);
    draft.AddLiteral(RandomLiteral(choices, LayoutOf(*of).dtype));
    return AppendOne(std::move(draft));
  }
  const Dims made = RandomBroadcast(choices, sizes);
  OpDraft draft = Declared(OpKind::kConstant, DType::kBool, made);
  for (int64_t i = 0; i < ElementCount(made); ++i) {
    draft.AddLiteral(RandomLiteral(choices, DType::kBool));
  }
  return AppendOne(std::move(draft));
}

absl::optional<ValueId> ProgramDraft::IndexFor(Choices& choices,
                                               absl::Span<const int64_t> sizes,
                                               int64_t range,
                                               IndexOrigin origin) {
  const int64_t count = ElementCount(sizes);
  const DType dtype = choices.OneIn(3) ? DType::kI32 : DType::kI64;
  const int64_t way = choices.Below(4);
  if (way == 0) {
    const auto found =
        FreshView(choices, DType::kI64, sizes,
                  [&](ValueId value) { return IsFrozen(value); });
    if (found) return found;
  } else if (way == 1 && range > 0) {
    const auto of = Pick(choices, [&](ValueId value) {
      const Layout layout = LayoutOf(value);
      return IsInteger(layout.dtype) && WidthOf(layout.dtype) >= 4 &&
             layout.sizes == sizes && !MayBeUndefined(value);
    });
    if (of) {
      OpDraft draft;
      draft.kind = OpKind::kRemainder;
      draft.AddValue(*of);
      draft.AddLiteral(Literal::Integer(range));
      return AppendOne(std::move(draft));
    }
  } else if (way == 2 && count <= range) {
    OpDraft draft = Declared(OpKind::kIota, dtype, sizes);
    draft.attributes.push_back(AttributeDraft::Start(
        Literal::Integer(choices.Between(0, range - count))));
    return AppendOne(std::move(draft));
  }
  OpDraft draft = Declared(OpKind::kConstant, dtype, sizes);
  for (int64_t i = 0; i < count; ++i) {
    const bool from_end = origin == IndexOrigin::kEitherEnd && choices.OneIn(3);
    draft.AddLiteral(
        Literal::Integer(choices.Below(range) - (from_end ? range : 0)));
  }
  return AppendOne(std::move(draft));
}

void AddOperand(ProgramDraft& draft, Choices& choices, DType dtype,
                absl::Span<const int64_t> sizes, OpDraft& statement) {
  if (choices.OneIn(4)) {
    statement.AddLiteral(RandomLiteral(choices, dtype));
    return;
  }
  const auto operand = draft.OperandFor(choices, dtype, sizes);
  if (operand) statement.AddValue(*operand);
}

absl::optional<ValueId> PickFirst(ProgramDraft& draft, Choices& choices,
                                  OpForm form, const OpInfo& info) {
  return draft.Pick(choices, [&](ValueId value) {
    if (form == OpForm::kInPlace && !draft.IsWritable(value)) return false;
    return info.Allows(draft.LayoutOf(value).dtype);
  });
}

}  // namespace palimpsest
