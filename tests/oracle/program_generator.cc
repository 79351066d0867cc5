// The tape's genes are dealt out: parameters first, then statements in their
// order, then results. A statement that fits nowhere is left out.

#include "tests/oracle/program_generator.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/builder.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_draft.h"

namespace palimpsest {
namespace {

enum class Role { kParameter, kStatement, kResult };
constexpr size_t kMostParameters = 8;
constexpr size_t kMostResults = 6;

Role RoleOf(const Gene& gene) {
  const uint64_t role = Scramble(gene.seed ^ 0x2545f491) % 16;
  if (role < 3) return Role::kParameter;
  return role < 5 ? Role::kResult : Role::kStatement;
}

bool WantsBuffer(const Gene& gene) {
  return Scramble(gene.seed ^ 0x1b873593) % 64 == 0;
}

// Indices: drawn in range of what they index, and never written.
void AddIndexParameter(ProgramDraft& draft, Choices& choices) {
  const auto& parameters = draft.function().parameters;
  const absl::StatusOr<ValueId> value = draft.builder().AddParameter(
      absl::StrCat("i", parameters.size()),
      {DType::kI64, {choices.Between(3, 6)}, {}, 0, {}});
  PALIMPSEST_CHECK(value.ok());
  draft.Know(*value);
  draft.Freeze(draft.StorageOf(*value));
}

// A storage's size that its parameters do not span.
void DeclareSizes(ProgramDraft& draft) {
  const int count = static_cast<int>(draft.function().storages.size());
  for (int i = 0; i < count; ++i) {
    const Storage storage = draft.function().storages[i];
    Choices choices({Scramble(storage.bytes * 8191 + i), 0});
    if (!choices.OneIn(4)) continue;
    PALIMPSEST_CHECK(
        draft.builder()
            .DeclareStorage(storage.name, storage.bytes + choices.Between(0, 9))
            .ok());
  }
}

void AddBuffer(ProgramDraft& draft) {
  if (draft.profile().undefined_memory == Use::kNever) return;
  const auto buffer =
      draft.builder().AddBuffer(draft.builder().Intern("scratch"), 64);
  PALIMPSEST_CHECK(buffer.ok());
  draft.MarkUndefined(*buffer);
  OpDraft full;
  full.kind = OpKind::kFull;
  full.AddLiteral(Literal::Integer(1));
  full.types.push_back({DType::kF32, {2, 2}, {}, 0, {}});
  full.target = TypeDraft{
      DType::kF32, {2, 2}, draft.builder().Intern("scratch"), 1, absl::nullopt};
  draft.Append(std::move(full));
}

void AddStatement(ProgramDraft& draft, Choices& choices) {
  const int64_t kind = choices.Below(32);
  if (kind < 10) return AddView(draft, choices);
  if (kind < 14) return AddElementwise(draft, choices, OpForm::kInPlace);
  if (kind < 17) return AddCopy(draft, choices);
  if (kind < 19) return AddFill(draft, choices);
  if (kind < 23) return AddUpdate(draft, choices, OpForm::kInPlace);
  if (kind < 24) return AddUpdate(draft, choices, OpForm::kValue);
  if (kind < 26) return AddElementwise(draft, choices, OpForm::kValue);
  if (kind < 28) return AddNewValue(draft, choices);
  if (kind < 30) return AddComputation(draft, choices);
  return AddCall(draft, choices);
}

void AddParameters(ProgramDraft& draft, const std::vector<Gene>& genes) {
  for (const Gene& gene : genes) {
    Choices choices(gene);
    draft.Begin(gene);
    AddParameter(draft, choices);
  }
  DeclareSizes(draft);
}

}  // namespace

void AddParameter(ProgramDraft& draft, Choices& choices) {
  if (choices.OneIn(5)) return AddIndexParameter(draft, choices);
  const auto other = draft.Pick(
      choices, [&](ValueId value) { return !draft.IsFrozen(value); });
  const size_t number = draft.function().parameters.size();
  const bool shares = other && choices.OneIn(2);
  const bool puns = draft.profile().dtype_puns == Use::kSometimes;
  DType dtype = RandomDType(choices);
  if (shares) {
    dtype = puns && choices.OneIn(4) ? RandomPun(choices, draft.MadeIn(*other))
                                     : draft.LayoutOf(*other).dtype;
  }
  const Dims sizes = RandomSizes(choices);
  TypeDraft type{dtype, sizes, {}, 0, {}};
  if (shares) {
    const Storage& storage = draft.function().Get(draft.StorageOf(*other));
    const auto window = RandomWindow(choices, dtype, sizes, storage.bytes + 16,
                                     Overlapping::kMaybe, draft.profile());
    if (window) {
      type = DraftOf(*window);
      type.storage = storage.name;
    }
  }
  if (!type.storage.valid()) {
    type.storage = draft.builder().Intern(absl::StrCat("s", number));
  }
  const absl::StatusOr<ValueId> value =
      draft.builder().AddParameter(absl::StrCat("p", number), type);
  PALIMPSEST_CHECK(value.ok());
  draft.Know(*value);
}

Function GenerateProgram(const Tape& tape, const GeneratorProfile& profile) {
  std::vector<Gene> parameters;
  std::vector<Gene> statements;
  std::vector<Gene> results;
  for (const Gene& gene : tape) {
    const Role role = RoleOf(gene);
    if (role == Role::kParameter && parameters.size() < kMostParameters) {
      parameters.push_back(gene);
    } else if (role == Role::kResult && results.size() < kMostResults) {
      results.push_back(gene);
    } else {
      statements.push_back(gene);
    }
  }
  if (parameters.empty()) parameters.push_back({7, 1});
  ProgramDraft draft(profile);
  AddParameters(draft, parameters);
  if (absl::c_any_of(statements, WantsBuffer)) AddBuffer(draft);
  for (const Gene& gene : statements) {
    Choices choices(gene);
    draft.Begin(gene);
    AddStatement(draft, choices);
  }
  for (const Gene& gene : results) {
    Choices choices(gene);
    PALIMPSEST_CHECK(draft.builder().Return(draft.PickAny(choices)).ok());
  }
  return std::move(draft.builder()).FinishUnverified();
}

}  // namespace palimpsest
