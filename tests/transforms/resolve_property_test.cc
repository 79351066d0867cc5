// Random programs, resolved: the same effect for all inputs (symbolic_run.h)
// and on random ones (cuda/check.h), in every mode of resolve, and what else
// holds of every resolved function.
//
//   resolve_property_test --programs=100000 --seed=random
//
// checks so many programs with each property; by default they are the same each
// time. A failure prints its program, shrunk, what it became, and the seed.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "cuda/check.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "rapidcheck.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_generator.h"
#include "tests/oracle/reference_cost.h"
#include "tests/oracle/reference_resolver.h"
#include "tests/oracle/symbolic_run.h"
#include "tests/transforms/random_program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

struct Resolved {
  Function original;
  Function pure;
  ResolveStats stats;
};

Resolved MakeAndResolve(const Tape& tape, const GeneratorProfile& profile = {},
                        const ResolveOptions& options = {}) {
  Resolved resolved;
  resolved.original = GenerateProgram(tape, profile);
  RC_LOG() << PrintToString(resolved.original) << "\n";
  const absl::Status verified = Verify(resolved.original);
  if (!verified.ok()) RC_FAIL(std::string(verified.message()));
  absl::StatusOr<Resolution> resolution =
      ResolveInPlace(resolved.original, options);
  if (!resolution.ok()) RC_FAIL(std::string(resolution.status().message()));
  resolved.pure = std::move(resolution->function);
  resolved.stats = resolution->stats;
  RC_LOG() << PrintToString(resolved.pure) << "\n";
  RC_ASSERT(resolved.pure.is_pure());
  return resolved;
}

// Verified, and the same effect for all inputs.
void CheckMeaning(const Resolved& resolved) {
  const absl::Status verified = Verify(resolved.pure);
  if (!verified.ok()) RC_FAIL(std::string(verified.message()));
  const std::string difference = DifferenceBetween(
      RunSymbolically(resolved.original), RunSymbolically(resolved.pure));
  if (!difference.empty()) RC_FAIL(difference);
}

TEST(ResolvePropertyTest, ResolvedProgramsDoTheSameForAllInputs) {
  const bool holds =
      rc::check([](const Tape& tape) { CheckMeaning(MakeAndResolve(tape)); });
  EXPECT_TRUE(holds);
}

TEST(ResolvePropertyTest, SoDoProgramsThatOverwriteThemselvesInSequence) {
  GeneratorProfile profile;
  profile.self_overlapping_writes = Use::kSometimes;
  ResolveOptions options;
  options.overlapping_writes = OverlappingWrites::kSequential;
  const bool holds = rc::check([&](const Tape& tape) {
    CheckMeaning(MakeAndResolve(tape, profile, options));
  });
  EXPECT_TRUE(holds);
}

TEST(ResolvePropertyTest,
     SoDoProgramsWhoseCallsTakeOverlappingOperandsByValue) {
  GeneratorProfile profile;
  profile.overlapping_calls = Use::kSometimes;
  ResolveOptions options;
  options.overlapping_calls = OverlappingCalls::kByValue;
  const bool holds = rc::check([&](const Tape& tape) {
    CheckMeaning(MakeAndResolve(tape, profile, options));
  });
  EXPECT_TRUE(holds);
}

bool StepsBackwards(const Layout& layout) {
  for (int64_t stride : layout.strides) {
    if (stride < 0) return true;
  }
  return false;
}

TEST(ResolvePropertyTest, NegativeStridesAreAvoidedOnRequest) {
  // Overlapping writes that step backwards are refused then.
  const GeneratorProfile profile;
  ResolveOptions options;
  options.negative_strides = NegativeStrides::kFlip;
  const bool holds = rc::check([&](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape, profile, options);
    CheckMeaning(resolved);
    const Function& pure = resolved.pure;
    for (const Op& op : pure.ops) {
      for (const Operand& operand : pure.OperandsOf(op)) {
        if (operand.window < 0) continue;
        RC_ASSERT(!StepsBackwards(
            pure.layouts.Get(pure.windows[operand.window].layout)));
      }
      if (op.kind == OpKind::kCommit) {
        RC_ASSERT(!StepsBackwards(pure.LayoutOf(pure.targets[op.target])));
      }
    }
  });
  EXPECT_TRUE(holds);
}

TEST(ResolvePropertyTest, ResolvedProgramsDoTheSameOnRandomContents) {
  CheckReport total;
  const bool holds = rc::check([&](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape);
    CheckOptions options;
    options.seed = tape.empty() ? 0 : tape[0].seed;
    const absl::StatusOr<CheckReport> report =
        CheckByRunning(resolved.original, resolved.pure, options);
    if (!report.ok()) RC_FAIL(std::string(report.status().message()));
    if (!report->equal()) RC_FAIL(report->difference->text);
    total.elements += report->elements;
    total.not_finite += report->not_finite;
  });
  EXPECT_TRUE(holds);
  EXPECT_LE(total.NotFiniteShare(), 0.01);
}

TEST(ResolvePropertyTest, TextOfBothReadsBackAlike) {
  const bool holds = rc::check([](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape);
    for (const Function* function : {&resolved.original, &resolved.pure}) {
      const std::string text = PrintToString(*function);
      const absl::StatusOr<Program> program = ParseProgram(text, "text");
      if (!program.ok()) RC_FAIL(std::string(program.status().message()));
      RC_ASSERT(SameText(program->functions[0], *function));
      RC_ASSERT(PrintToString(program->functions[0]) == text);
    }
  });
  EXPECT_TRUE(holds);
}

TEST(ResolvePropertyTest, ResolvingIsDeterministic) {
  const bool holds = rc::check([](const Tape& tape) {
    RC_ASSERT(PrintToString(MakeAndResolve(tape).pure) ==
              PrintToString(MakeAndResolve(tape).pure));
  });
  EXPECT_TRUE(holds);
}

TEST(ResolvePropertyTest, WhatIsPureComesBackAsItIs) {
  const bool holds = rc::check([](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape);
    const absl::StatusOr<Resolution> again = ResolveInPlace(resolved.pure);
    RC_ASSERT(again.ok());
    RC_ASSERT(PrintToString(again->function) == PrintToString(resolved.pure));
  });
  EXPECT_TRUE(holds);
}

// Moves that a read is made of, and the epilogue.
bool IsPlumbing(OpKind kind) {
  return kind == OpKind::kExtract || kind == OpKind::kAssemble ||
         kind == OpKind::kContents || kind == OpKind::kEmpty ||
         kind == OpKind::kFlip || kind == OpKind::kCommit ||
         kind == OpKind::kBind;
}

TEST(ResolvePropertyTest, OpsThatSurviveKeepTheirTagAndKnowTheirSource) {
  const bool holds = rc::check([](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape);
    for (const Op& op : resolved.pure.ops) {
      const auto sources = resolved.pure.SourcesOf(op);
      if (op.kind == OpKind::kCommit) RC_ASSERT(!sources.empty());
      if (IsPlumbing(op.kind)) continue;
      RC_ASSERT(!sources.empty());
      const Op& source = resolved.original.Get(sources[0]);
      if (op.kind != source.kind) continue;
      RC_ASSERT(op.has_tag == source.has_tag);
      RC_ASSERT(op.tag == source.tag);
    }
  });
  EXPECT_TRUE(holds);
}

TEST(ResolvePropertyTest,
     CommitsAreTheBytesThatWereWrittenAndAtMostTwiceThose) {
  const bool holds = rc::check([](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape);
    const ReferenceResolution reference =
        ResolveByEnumeration(resolved.original);
    const std::vector<StorageCommits> commits = CommitsOf(resolved.pure);
    RC_ASSERT(commits.size() == reference.written.size());
    for (size_t i = 0; i < commits.size(); ++i) {
      RC_ASSERT(commits[i].bytes == reference.written[i]);
      RC_ASSERT(commits[i].total <= 2 * CountOf(reference.written[i]));
    }
  });
  EXPECT_TRUE(holds);
}

TEST(ResolvePropertyTest, ReadsThatADefinitionAnswersTakeNoOp) {
  const bool holds = rc::check([](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape);
    const ReferenceResolution reference =
        ResolveByEnumeration(resolved.original);
    RC_ASSERT(resolved.stats.forwarded_reads >= reference.forwarded_reads);
  });
  EXPECT_TRUE(holds);
}

int64_t OpsIn(const Function& function) {
  return std::count_if(
      function.ops.begin(), function.ops.end(), [](const Op& op) {
        return op.kind != OpKind::kCommit && op.kind != OpKind::kBind;
      });
}

// Whether a piece of an assemble is an extract: a part of a definition.
bool LaysParts(const Function& function) {
  for (const Op& op : function.ops) {
    if (op.kind != OpKind::kAssemble) continue;
    for (const Operand& piece : function.OperandsOf(op)) {
      const OpId maker = function.Get(piece.value()).definition;
      if (piece.window < 0 || !maker.valid()) continue;
      if (function.Get(maker).kind == OpKind::kExtract) return true;
    }
  }
  return false;
}

// The reference keeps every definition and looks at every byte. These may take
// more ops, by design:
//
//   1. Programs in which the reference drops an op that nothing needs.
//      Resolving finds out at the end, and may have assembled a value for it
//      that later reads build on, or assembled all of a storage where that was
//      the cheapest way to one window of it: what this takes is kept. It is
//      never more than what the reference makes before it drops anything.
//   2. Programs in which parts of definitions are laid. Boxes are joined pair
//      by pair, so there may be more than the fewest; and parts that lie alike
//      may be extracted from a definition here, from what an earlier read
//      assembled of it there, which is no op shared.
//   3. Programs that read the row which spans a window. It begins and ends at
//      multiples of 16 bytes, so it may hold parts of other definitions, and is
//      not the row that another read asks for.
//
// Not compared are programs with definitions that overlap themselves or
// interleave.
TEST(ResolvePropertyTest, OpsAreNoMoreThanThoseOfKeepingEveryDefinition) {
  int64_t compared = 0;
  int64_t irregular = 0;
  int64_t more = 0;
  int64_t beyond_kept = 0;
  int64_t saved = 0;
  const bool holds = rc::check([&](const Tape& tape) {
    const Resolved resolved = MakeAndResolve(tape);
    const ReferenceCost cost = CostByEnumeration(resolved.original);
    if (cost.has_irregular_definitions) {
      ++irregular;
      return;
    }
    ++compared;
    const int64_t ops = OpsIn(resolved.pure);
    saved += cost.ops - ops;
    if (ops <= cost.ops) return;
    ++more;
    if (ops > cost.ops_kept && (cost.has_spans || LaysParts(resolved.pure))) {
      ++beyond_kept;
      return;
    }
    RC_LOG() << ops << " ops; the reference: " << cost.ops << ", and "
             << cost.ops_kept << " before it drops any\n";
    RC_ASSERT(ops <= cost.ops_kept);
  });
  EXPECT_TRUE(holds);
  EXPECT_LE(irregular, compared / 10);
  EXPECT_LE(more, compared / 100);
  EXPECT_LE(beyond_kept, compared / 1000);
  EXPECT_GT(saved, compared / 20);
}

}  // namespace
}  // namespace palimpsest
