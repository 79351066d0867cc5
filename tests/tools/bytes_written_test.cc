// The rules of BytesWritten(), one function for each.

#include "tools/bytes_written.h"

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

int64_t BytesOf(const std::string& text) {
  const absl::StatusOr<Program> program = ParseProgram(text, "test");
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? BytesWritten(program->functions[0]) : -1;
}

// A func on x: f32[4,8], i: i64[2], m: bool[4,8], k: f32[2,8], v: f32[2].
int64_t BytesOfStatements(const std::string& statements) {
  return BytesOf(absl::StrCat(
      "func @f(%x: f32[4,8], %i: i64[2], %m: bool[4,8], %k: f32[2,8], "
      "%v: f32[2]) {\n",
      statements, "\n  return %x\n}\n"));
}

TEST(BytesWrittenTest, AValueWritesItsBytesWhereverTheyLie) {
  EXPECT_EQ(BytesOfStatements("  %y = add %x, 1.0"), 128);
  EXPECT_EQ(BytesOfStatements("  %y = sum %x, dims=[1]"), 16);
  EXPECT_EQ(BytesOfStatements(
                "  %y = add %k, 1.0 : f32[2,8] into f32[2,8] in @x offset 8"),
            64);
}

TEST(BytesWrittenTest, ViewsAndEmptyMemoryWriteNothing) {
  EXPECT_EQ(BytesOfStatements("  %y = transpose %x, dim0=0, dim1=1"), 0);
  EXPECT_EQ(BytesOfStatements("  %y = empty : f32[100]"), 0);
}

TEST(BytesWrittenTest, InPlaceAllOfTheDestinationIsWritten) {
  EXPECT_EQ(BytesOfStatements("  add_ %x, 1.0"), 128);
  EXPECT_EQ(BytesOfStatements("  fill_ %k, 1.0"), 64);
  EXPECT_EQ(BytesOfStatements("  masked_fill_ %x, %m, 1.0"), 128);
}

TEST(BytesWrittenTest, AnUpdateInPlaceWritesWhatItsIndexNames) {
  EXPECT_EQ(BytesOfStatements("  index_copy_ %x, %i, %k, dim=0"), 64);
  EXPECT_EQ(BytesOfStatements("  index_fill_ %x, %i, 1.0, dim=1"), 32);
  EXPECT_EQ(BytesOfStatements("  index_put_ %x, [%i, %i], %v"), 8);
  EXPECT_EQ(BytesOfStatements("  index_put_ %x, [none, %i], 0.0"), 32);
}

TEST(BytesWrittenTest, AsAValueAnUpdateWritesAll) {
  EXPECT_EQ(BytesOfStatements("  %y = index_copy %x, %i, %k, dim=0"), 128);
}

TEST(BytesWrittenTest, ACallWritesItsResultsAndWhatIsMarked) {
  EXPECT_EQ(BytesOfStatements("  %y = call \"f\"(mut %k, %x) : f32[3]"), 76);
  EXPECT_EQ(BytesOfStatements("  %y = call \"f\"(mut %k, %x) : f32[8] in @k"),
            64);
}

TEST(BytesWrittenTest, ACommitWritesItsWindowAndABindNothing) {
  EXPECT_EQ(BytesOf("pure func @f(%x: f32[4]) {\n"
                    "  %1 = extract %x at offset 2 : f32[2]\n"
                    "  %2 = neg %1 : f32[2]\n"
                    "  commit %2 to f32[2] in @x\n"
                    "  bind %2 to f32[2] in @t\n"
                    "  return f32[2] in @t\n}\n"),
            16);
}

}  // namespace
}  // namespace palimpsest
