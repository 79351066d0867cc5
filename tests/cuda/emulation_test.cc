// What a device would compute, emulated, to the bit as the host does: for every
// op, dtype and layout, for every recorded program and its pure form, and in
// several orders of threads. And what the emulation is there to catch.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cuda/backend.h"
#include "cuda/host_backend.h"
#include "cuda/interpreter.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/cuda/every_op.h"
#include "tests/cuda/same_bits.h"
#include "tests/known_programs.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

using testing::AssertionResult;

AssertionResult EmulationAgrees(const Function& function, Contents contents,
                                uint64_t seed) {
  const absl::StatusOr<RunInputs> inputs = InputsOf(function, contents, seed);
  if (!inputs.ok()) return testing::AssertionFailure() << inputs.status();
  const auto backend = kernels::MakeEmulatedBackend(seed);
  RunOptions options;
  options.backend = backend.get();
  return SameBits(Run(function, *inputs), Run(function, *inputs, options));
}

class EveryOpTest : public testing::TestWithParam<int> {};

TEST_P(EveryOpTest, GivesTheHostsBits) {
  const OpKind op = OpKind(GetParam());
  int programs = 0;
  for (DType dtype : AllDTypes()) {
    for (const std::string& text : ProgramsOf(op, dtype)) {
      ++programs;
      const absl::StatusOr<Program> program = ParseProgram(text, "test");
      ASSERT_TRUE(program.ok()) << program.status() << text;
      const Function& function = program->functions[0];
      EXPECT_TRUE(EmulationAgrees(function, Contents::kTame, 2)) << text;
      EXPECT_TRUE(EmulationAgrees(function, Contents::kAnyBytes, 1)) << text;
    }
  }
  // These are in other programs: they run no kernel of their own.
  EXPECT_EQ(programs == 0, InfoFor(op).forms == OpForms::kStructure);
}

INSTANTIATE_TEST_SUITE_P(Ops, EveryOpTest,
                         testing::Range<int>(0, AllOps().size()),
                         [](const auto& info) {
                           return std::string(AllOps()[info.param].text);
                         });

class RecordedTest : public testing::TestWithParam<const char*> {};

TEST_P(RecordedTest, GivesTheHostsBits) {
  for (const NamedText& recorded : RecordedPrograms(GetParam())) {
    const absl::StatusOr<Program> program =
        ParseProgram(recorded.text, recorded.name);
    ASSERT_TRUE(program.ok()) << program.status();
    const Function& function = program->functions[0];
    const absl::StatusOr<Resolution> pure = ResolveInPlace(function, {});
    for (uint64_t seed = 0; seed < 3; ++seed) {
      EXPECT_TRUE(EmulationAgrees(function, Contents::kTame, seed))
          << recorded.name << " seed " << seed;
      if (!pure.ok()) continue;
      EXPECT_TRUE(EmulationAgrees(pure->function, Contents::kTame, seed))
          << recorded.name << " resolved, seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, RecordedTest,
                         testing::ValuesIn(kRecordedFiles),
                         [](const auto& info) { return info.param; });

class EmulatedMemoryTest : public testing::Test {
 protected:
  uint8_t* Allocate(int64_t bytes) {
    void* memory = nullptr;
    EXPECT_EQ(backend_->Allocate(bytes, &memory), nullptr);
    return static_cast<uint8_t*>(memory);
  }

  std::unique_ptr<kernels::Backend> backend_ = kernels::MakeEmulatedBackend(0);
};

using EmulatedMemoryDeathTest = EmulatedMemoryTest;

TEST_F(EmulatedMemoryDeathTest, TheHostCannotTouchIt) {
  uint8_t* memory = Allocate(16);
  EXPECT_DEATH(*const_cast<volatile uint8_t*>(memory) = 1, "");
  EXPECT_DEATH((void)*const_cast<volatile uint8_t*>(memory), "");
  backend_->Free(memory);
}

TEST_F(EmulatedMemoryTest, AWriteOutsideIsFound) {
  for (int64_t place : {-1, 16}) {
    uint8_t* memory = Allocate(16);
    EXPECT_EQ(backend_->Finish(), nullptr);
    EXPECT_EQ(backend_->Fill(memory + place, 0, 1), nullptr);
    EXPECT_STREQ(backend_->Finish(), "a kernel wrote outside of its memory");
    backend_->Free(memory);
    backend_ = kernels::MakeEmulatedBackend(0);
  }
}

TEST_F(EmulatedMemoryTest, ItBeginsAsRubbish) {
  uint8_t* memory = Allocate(2);
  uint8_t bytes[2];
  EXPECT_EQ(backend_->CopyOut(bytes, memory, 2), nullptr);
  EXPECT_EQ(bytes[0], 0xCD);
  EXPECT_EQ(bytes[1], 0xCD);
  backend_->Free(memory);
}

}  // namespace
}  // namespace palimpsest
