// Random programs, put back in place: the same effect for all inputs
// (symbolic_run.h), by proof and on random contents. See property_main.cc for
// the flags.

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/cost.h"
#include "analysis/proof.h"
#include "cuda/check.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "rapidcheck.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_generator.h"
#include "tests/oracle/symbolic_run.h"
#include "tests/transforms/random_program.h"
#include "transforms/place_values.h"
#include "transforms/reinplace.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

struct Reinplaced {
  Function original;
  Function in_place;
};

Reinplaced MakeAndReinplace(const Tape& tape,
                            const GeneratorProfile& profile = {},
                            const ResolveOptions& options = {}) {
  Reinplaced made;
  made.original = GenerateProgram(tape, profile);
  RC_LOG() << PrintToString(made.original) << "\n";
  const absl::StatusOr<Resolution> resolution =
      ResolveInPlace(made.original, options);
  if (!resolution.ok()) RC_FAIL(std::string(resolution.status().message()));
  RC_LOG() << PrintToString(resolution->function) << "\n";
  absl::StatusOr<Reinplacement> reinplacement =
      Reinplace(made.original, options);
  if (!reinplacement.ok()) {
    RC_FAIL(std::string(reinplacement.status().message()));
  }
  made.in_place = std::move(reinplacement->function);
  RC_LOG() << PrintToString(made.in_place) << "\n";
  const absl::Status verified = Verify(made.in_place);
  if (!verified.ok()) RC_FAIL(std::string(verified.message()));
  RC_ASSERT(!made.in_place.is_pure());
  return made;
}

void CheckMeaning(const Reinplaced& made) {
  const std::string difference = DifferenceBetween(
      RunSymbolically(made.original), RunSymbolically(made.in_place));
  if (!difference.empty()) RC_FAIL(difference);
}

void CheckProof(const Reinplaced& made, const ResolveOptions& options) {
  ProofOptions proof_options;
  proof_options.overlapping_calls = options.overlapping_calls;
  const ProofResult proof = Prove(made.original, made.in_place, proof_options);
  if (proof.verdict != ProofResult::Verdict::kProved) RC_FAIL(proof.reason);
}

// Terms of ops that read by index say which element of which bytes they read,
// also where nothing defined those, so memory that is undefined is left to the
// tests by proof and by running.
GeneratorProfile AllDefined() {
  GeneratorProfile profile;
  profile.undefined_memory = Use::kNever;
  return profile;
}

TEST(ReinplacePropertyTest, ReinplacedProgramsDoTheSameForAllInputs) {
  const bool holds = rc::check([](const Tape& tape) {
    CheckMeaning(MakeAndReinplace(tape, AllDefined()));
  });
  EXPECT_TRUE(holds);
}

TEST(ReinplacePropertyTest, SoDoProgramsThatOverwriteThemselvesInSequence) {
  GeneratorProfile profile = AllDefined();
  profile.self_overlapping_writes = Use::kSometimes;
  ResolveOptions options;
  options.overlapping_writes = OverlappingWrites::kSequential;
  const bool holds = rc::check([&](const Tape& tape) {
    CheckMeaning(MakeAndReinplace(tape, profile, options));
  });
  EXPECT_TRUE(holds);
}

TEST(ReinplacePropertyTest,
     SoDoProgramsWhoseCallsTakeOverlappingOperandsByValue) {
  GeneratorProfile profile = AllDefined();
  profile.overlapping_calls = Use::kSometimes;
  ResolveOptions options;
  options.overlapping_calls = OverlappingCalls::kByValue;
  const bool holds = rc::check([&](const Tape& tape) {
    const Reinplaced made = MakeAndReinplace(tape, profile, options);
    CheckMeaning(made);
    CheckProof(made, options);
  });
  EXPECT_TRUE(holds);
}

TEST(ReinplacePropertyTest, ReinplacedProgramsAreProvedAlike) {
  const bool holds = rc::check(
      [](const Tape& tape) { CheckProof(MakeAndReinplace(tape), {}); });
  EXPECT_TRUE(holds);
}

TEST(ReinplacePropertyTest, ReinplacedProgramsDoTheSameOnRandomContents) {
  CheckReport total;
  const bool holds = rc::check([&](const Tape& tape) {
    const Reinplaced made = MakeAndReinplace(tape);
    CheckOptions options;
    options.seed = tape.empty() ? 0 : tape[0].seed;
    const absl::StatusOr<CheckReport> report =
        CheckByRunning(made.original, made.in_place, options);
    if (!report.ok()) RC_FAIL(std::string(report.status().message()));
    if (!report->equal()) RC_FAIL(report->difference->text);
    total.elements += report->elements;
    total.not_finite += report->not_finite;
  });
  EXPECT_TRUE(holds);
  EXPECT_GT(total.elements, 0);
  EXPECT_LE(total.NotFiniteShare(), 0.01);
}

TEST(ReinplacePropertyTest, TheirTextReadsBackAlike) {
  const bool holds = rc::check([](const Tape& tape) {
    const Reinplaced made = MakeAndReinplace(tape);
    const std::string text = PrintToString(made.in_place);
    const absl::StatusOr<Program> program = ParseProgram(text, "text");
    if (!program.ok()) RC_FAIL(std::string(program.status().message()));
    RC_ASSERT(SameText(program->functions[0], made.in_place));
  });
  EXPECT_TRUE(holds);
}

TEST(ReinplacePropertyTest, ReinplacingIsDeterministic) {
  const bool holds = rc::check([](const Tape& tape) {
    RC_ASSERT(PrintToString(MakeAndReinplace(tape).in_place) ==
              PrintToString(MakeAndReinplace(tape).in_place));
  });
  EXPECT_TRUE(holds);
}

TEST(ReinplacePropertyTest, ReinplacedProgramsCostNoMoreThanTheirSource) {
  int64_t programs = 0;
  int64_t same_cost = 0;
  int64_t same_text = 0;
  const bool holds = rc::check([&](const Tape& tape) {
    const Reinplaced made = MakeAndReinplace(tape);
    const Cost before = CostOf(made.original);
    const Cost after = CostOf(made.in_place);
    RC_LOG() << before.written << " bytes written and " << before.temporary
             << " temporary; " << after.written << " and " << after.temporary
             << " reinplaced\n";
    RC_ASSERT(after.written <= before.written);
    RC_ASSERT(after.temporary <= before.temporary);
    ++programs;
    same_cost +=
        after.written == before.written && after.temporary == before.temporary;
    same_text += PrintToString(made.original) == PrintToString(made.in_place);
  });
  EXPECT_TRUE(holds);
  std::cout << "of " << programs << " programs " << same_cost
            << " cost the same and " << same_text << " are the same\n";
  // Most are changed for the better.
  EXPECT_LT(same_cost, programs / 2);
}

TEST(ReinplacePropertyTest, EachWayToDecideConflictsDoesTheSame) {
  const bool holds = rc::check([](const Tape& tape) {
    const Function original = GenerateProgram(tape, AllDefined());
    RC_LOG() << PrintToString(original) << "\n";
    const auto resolution = ResolveInPlace(original);
    RC_ASSERT(resolution.ok());
    RC_LOG() << PrintToString(resolution->function) << "\n";
    for (const OnConflict on_conflict :
         {OnConflict::kCheapest, OnConflict::kSave, OnConflict::kMove}) {
      const Placed placed =
          PlaceValues(resolution->function, &original, on_conflict);
      RC_LOG() << PrintToString(placed.function) << "\n";
      RC_ASSERT(Verify(placed.function).ok());
      const std::string difference = DifferenceBetween(
          RunSymbolically(original), RunSymbolically(placed.function));
      if (!difference.empty()) RC_FAIL(difference);
    }
  });
  EXPECT_TRUE(holds);
}

// There is no source then whose places could be taken.
TEST(ReinplacePropertyTest, PureProgramsAreReinplacedAsWell) {
  const bool holds = rc::check([](const Tape& tape) {
    const Function original = GenerateProgram(tape, AllDefined());
    RC_LOG() << PrintToString(original) << "\n";
    const auto resolution = ResolveInPlace(original);
    RC_ASSERT(resolution.ok());
    RC_LOG() << PrintToString(resolution->function) << "\n";
    const auto reinplacement = Reinplace(resolution->function);
    RC_ASSERT(reinplacement.ok());
    RC_LOG() << PrintToString(reinplacement->function) << "\n";
    RC_ASSERT(Verify(reinplacement->function).ok());
    const std::string difference = DifferenceBetween(
        RunSymbolically(original), RunSymbolically(reinplacement->function));
    if (!difference.empty()) RC_FAIL(difference);
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace palimpsest
