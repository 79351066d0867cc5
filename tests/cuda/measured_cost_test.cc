// The cost model against what the interpreter measures, op by op: random
// programs, every op, recorded programs, and what they resolve to.
//
// They agree but in two places, where the model may say more: what a mask picks
// only a run knows, and of a window of a value with gaps in it the model takes
// all of the value for overwritten.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "analysis/cost.h"
#include "cuda/interpreter.h"
#include "cuda/random_inputs.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/type.h"
#include "rapidcheck.h"
#include "tests/cuda/every_op.h"
#include "tests/ir/parsed.h"
#include "tests/known_programs.h"
#include "tests/oracle/program_generator.h"
#include "tests/transforms/random_program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

bool HasMask(const Op& op) {
  return op.kind == OpKind::kMaskedFill || op.kind == OpKind::kMaskedScatter;
}

// Whether the value's elements lie in a row in what it is a view of.
bool LiesInARow(const Function& function, ValueId id) {
  const Value& value = function.Get(id);
  if (!IsRowMajor(function.LayoutOf(id))) return false;
  if (!function.is_pure() || !value.definition.valid()) return true;
  const Op& op = function.Get(value.definition);
  if (op.kind != OpKind::kExtract) return true;
  const Operand& operand = function.OperandsOf(op)[0];
  const LayoutId at = function.windows[operand.window].layout;
  return IsRowMajor(function.layouts.Get(at)) &&
         LiesInARow(function, operand.value());
}

// Whether the op reads, or commits, a window of a value with gaps.
bool IsOfWindowWithGaps(const Function& function, const Op& op) {
  const ValueId id = op.kind == OpKind::kExtract || op.kind == OpKind::kCommit
                         ? function.OperandsOf(op)[0].value()
                         : ValueId();
  if (!id.valid()) return false;
  if (op.kind == OpKind::kExtract) return !LiesInARow(function, id);
  const OpId definition = function.Get(id).definition;
  return definition.valid() &&
         function.Get(definition).kind == OpKind::kExtract &&
         IsOfWindowWithGaps(function, function.Get(definition));
}

// Empty where they agree.
std::string DifferenceIn(const Function& function, size_t i,
                         const OpCost& model, const RunCost& measured) {
  const Op& op = function.ops[i];
  const auto text = [&](absl::string_view what, int64_t said, int64_t found) {
    return absl::StrCat("op ", i, ", ", function.TextOf(op), ": ", what,
                        " is to be ", said, ", but is ", found, "\n");
  };
  std::string difference;
  const auto compare = [&](absl::string_view what, int64_t said, int64_t found,
                           bool may_be_less) {
    if (found == said || (may_be_less && found < said)) return;
    difference += text(what, said, found);
  };
  compare("read", model.read, measured.read, HasMask(op));
  compare("written", model.written, measured.written, HasMask(op));
  compare("temporary", model.temporary, measured.temporary,
          IsOfWindowWithGaps(function, op));
  return difference;
}

// Empty where the two agree.
std::string DifferenceOf(const Function& function, const RunInputs& inputs) {
  RunOptions options;
  options.measure = Measure::kCost;
  const absl::StatusOr<RunOutputs> outputs = Run(function, inputs, options);
  if (!outputs.ok()) return std::string(outputs.status().message());
  const std::vector<OpCost> model = CostByOp(function);
  if (outputs->costs.size() != model.size()) return "not all was measured";
  std::string difference;
  for (size_t i = 0; i < model.size(); ++i) {
    difference += DifferenceIn(function, i, model[i], outputs->costs[i]);
  }
  return difference;
}

std::string DifferenceOnRandomInputs(const Function& function) {
  const absl::StatusOr<RunInputs> inputs = RandomInputs(function, 1);
  if (!inputs.ok()) return std::string(inputs.status().message());
  return DifferenceOf(function, *inputs);
}

// Also of what it resolves to, unless that is refused.
std::string DifferenceOfBoth(const Function& function) {
  const absl::StatusOr<RunInputs> inputs = RandomInputs(function, 1);
  if (!inputs.ok()) return std::string(inputs.status().message());
  const std::string in_place = DifferenceOf(function, *inputs);
  ResolveOptions options;
  options.overlapping_calls = OverlappingCalls::kByValue;
  const absl::StatusOr<Resolution> resolution =
      ResolveInPlace(function, options);
  if (!in_place.empty() || !resolution.ok()) return in_place;
  const std::string pure = DifferenceOf(resolution->function, *inputs);
  if (pure.empty()) return "";
  return absl::StrCat(pure, PrintToString(resolution->function));
}

TEST(MeasuredCostTest, RandomProgramsAndWhatTheyResolveTo) {
  GeneratorProfile profile;
  profile.overlapping_calls = Use::kSometimes;
  const bool holds = rc::check([&](const Tape& tape) {
    const Function function = GenerateProgram(tape, profile);
    RC_LOG() << PrintToString(function) << "\n";
    const std::string difference = DifferenceOfBoth(function);
    if (!difference.empty()) RC_FAIL(difference);
  });
  EXPECT_TRUE(holds);
}

TEST(MeasuredCostTest, EveryOpOfTheTable) {
  for (const OpInfo& info : AllOps()) {
    for (const DType dtype : {DType::kF32, DType::kI64, DType::kBool}) {
      for (const std::string& text : ProgramsOf(info.kind, dtype)) {
        const Function function = ParsedFunction(text);
        const absl::StatusOr<RunInputs> inputs =
            InputsOf(function, Contents::kTame, 1);
        ASSERT_TRUE(inputs.ok()) << inputs.status();
        EXPECT_EQ(DifferenceOf(function, *inputs), "") << text;
      }
    }
  }
}

// What no program above has.
TEST(MeasuredCostTest, OpsOfStructure) {
  for (const absl::string_view body : {
           "%y = extract %x at offset 4 : f32[3,4]",
           "%y = extract %x at : f32[3,4] into f32[3,4] in @x offset 4",
           "%y = extract %x at : f32[3,4] into f32[3,4] in @x",
           "%y = extract %t at offset 1 : f32[6] into f32[6] in @x",
           "%y = assemble %x, %r at offset 4 : f32[4,4]",
           "%y = assemble %x, %r at offset 4 : f32[4,4] into f32[4,4] in @x",
           "%y = assemble %x, %r at offset 8 : f32[4,4] into f32[4,4] in @x",
           "%y = assemble %t, %r at offset 8 : f32[4,4] into f32[4,4] in @b",
           "%y = cat [%r, %x], dim=0 : f32[5,4] into f32[5,4] in @b",
           "%y = flip %x, dims=[0] : f32[4,4] into f32[4,4] in @x",
           "%y = cast %x : i32[4,4] into i32[4,4] in @x",
           "%y = sum %x, dims=[0] : f32[4] into f32[4] in @x offset 2",
           "%y = add %r, %s : f32[1,4] into f32[1,4] in @x offset 6",
           "%y = add %r, %x : f32[4,4] into f32[4,4] in @x strides [1,4]",
           "%y = clone %t : f32[4,4] into f32[4,4] in @x",
           "%y = index_select %x, %i, dim=0 : f32[2,4] into f32[2,4] in @x",
           "%y = index_copy %x, %i, %u, dim=0 : f32[4,4] into f32[4,4] in @x",
           "%y = full %x0 : f32[2] into f32[2] in @x",
           "%y = empty : f32[2] into f32[2] in @x",
           "copy_ %s, %r",
           "copy_ %t, %x",
           "fill_ %x, %x0",
           "index_add_ %x, %i, %u, dim=0",
           "masked_scatter_ %x, %m, %t",
           "%y, %z = call \"f\"(mut %x, %r, mut %s) : f32[3], f32[4] in @x",
       }) {
    const std::string text = absl::StrCat(
        "func @f(%x: f32[4,4], %i: i64[2], %m: bool[4,4]) {\n"
        "  buffer @b : 100 bytes\n"
        "  %r = view %x : f32[1,4] in @x offset 4\n"
        "  %s = view %x : f32[1,4] in @x offset 5\n"
        "  %t = transpose %x, dim0=0, dim1=1\n"
        "  %u = slice %x, dim=0, start=1, end=3, step=1\n"
        "  %x0 = view %x : f32[] in @x offset 1\n"
        "  ",
        body, "\n  return %x\n}\n");
    const Function function = ParsedFunction(text);
    EXPECT_EQ(DifferenceOnRandomInputs(function), "") << text;
  }
}

int64_t StorageBytes(const Function& function) {
  int64_t bytes = 0;
  for (const Storage& storage : function.storages) bytes += storage.bytes;
  return bytes;
}

void CheckProgram(const NamedText& named) {
  const Function function = ParsedFunction(named.text);
  if (StorageBytes(function) > 1 << 20) return;
  EXPECT_EQ(DifferenceOfBoth(function), "") << named.name;
}

TEST(MeasuredCostTest, RecordedPrograms) {
  for (const char* file : kRecordedFiles) {
    for (const NamedText& named : RecordedPrograms(file)) CheckProgram(named);
  }
}

TEST(MeasuredCostTest, Examples) {
  for (const NamedText& named : ExamplePrograms()) CheckProgram(named);
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  setenv("RC_PARAMS", "max_success=2000 seed=1", /*overwrite=*/0);
  return RUN_ALL_TESTS();
}
