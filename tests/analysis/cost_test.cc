// The rules of CostOf() and CostByOp(), one test for each.

#include "analysis/cost.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ir/program.h"
#include "tests/ir/parsed.h"

namespace palimpsest {
namespace {

// A func on x: f32[4,8], i: i64[2], m: bool[4,8], k: f32[2,8], v: f32[2],
// w: f32[], s: i64[2,3].
Cost CostOfStatements(const std::string& statements) {
  return CostOf(ParsedFunction(absl::StrCat(
      "func @f(%x: f32[4,8], %i: i64[2], %m: bool[4,8], %k: f32[2,8], "
      "%v: f32[2], %w: f32[], %s: i64[2,3]) {\n",
      statements, "\n  return %x\n}\n")));
}
int64_t WrittenBy(const std::string& statements) {
  return CostOfStatements(statements).written;
}
int64_t ReadBy(const std::string& statements) {
  return CostOfStatements(statements).read;
}
int64_t TemporaryOf(const std::string& statements) {
  return CostOfStatements(statements).temporary;
}
// A pure func on x: f32[4,8], of 128 bytes.
Cost CostOfPure(const std::string& statements) {
  return CostOf(ParsedFunction(
      absl::StrCat("pure func @f(%x: f32[4,8]) {\n", statements, "\n}\n")));
}

TEST(CostTest, AValueWritesItsBytesWhereverTheyLie) {
  EXPECT_EQ(WrittenBy("  %y = add %x, 1.0"), 128);
  EXPECT_EQ(WrittenBy("  %y = sum %x, dims=[1]"), 16);
  EXPECT_EQ(
      WrittenBy("  %y = add %k, 1.0 : f32[2,8] into f32[2,8] in @x offset 8"),
      64);
}

TEST(CostTest, ViewsAndEmptyMemoryWriteNothing) {
  EXPECT_EQ(WrittenBy("  %y = transpose %x, dim0=0, dim1=1"), 0);
  EXPECT_EQ(WrittenBy("  %y = empty : f32[100]"), 0);
}

TEST(CostTest, InPlaceAllOfTheDestinationIsWritten) {
  EXPECT_EQ(WrittenBy("  add_ %x, 1.0"), 128);
  EXPECT_EQ(WrittenBy("  fill_ %k, 1.0"), 64);
  EXPECT_EQ(WrittenBy("  masked_fill_ %x, %m, 1.0"), 128);
}

TEST(CostTest, AnUpdateInPlaceWritesWhatItsIndexNames) {
  EXPECT_EQ(WrittenBy("  index_copy_ %x, %i, %k, dim=0"), 64);
  EXPECT_EQ(WrittenBy("  index_fill_ %x, %i, 1.0, dim=1"), 32);
  EXPECT_EQ(WrittenBy("  index_put_ %x, [%i, %i], %v"), 8);
  EXPECT_EQ(WrittenBy("  index_put_ %x, [none, %i], 0.0"), 32);
  EXPECT_EQ(WrittenBy("  %j = view %i : i64[1] in @i\n"
                      "  index_put_ %x, [%j, %i], %v"),
            8);
  EXPECT_EQ(WrittenBy("  scatter_ %x, %s, 0.0, dim=0"), 24);
}

TEST(CostTest, AsAValueAnUpdateWritesAll) {
  EXPECT_EQ(WrittenBy("  %y = index_copy %x, %i, %k, dim=0"), 128);
}

TEST(CostTest, ACallReadsAllAndWritesItsResultsAndWhatIsMarked) {
  EXPECT_EQ(WrittenBy("  %y = call \"f\"(mut %k, %x) : f32[3]"), 76);
  EXPECT_EQ(WrittenBy("  %y = call \"f\"(mut %k, %x) : f32[8] in @k"), 64);
  EXPECT_EQ(ReadBy("  %y = call \"f\"(mut %k, %x) : f32[3]"), 192);
}

TEST(CostTest, ACommitMovesItsWindowAndABindNothing) {
  const Cost cost = CostOfPure(
      "  %1 = extract %x at offset 2 : f32[2]\n"
      "  %2 = neg %1 : f32[2]\n"
      "  commit %2 to f32[2] in @x\n"
      "  bind %2 to f32[2] in @t\n"
      "  return f32[2] in @t");
  EXPECT_EQ(cost.written, 16);
  EXPECT_EQ(cost.read, 16);
}

TEST(CostTest, AnExtractIsAViewOnlyInAPureFunc) {
  const Cost in_place =
      CostOfStatements("  %y = extract %x at offset 2 : f32[3]");
  EXPECT_EQ(in_place.written, 12);
  EXPECT_EQ(in_place.read, 12);
  const Cost pure =
      CostOfPure("  %y = extract %x at offset 2 : f32[3]\n  return %y");
  EXPECT_EQ(pure.written, 0);
  EXPECT_EQ(pure.read, 0);
}

TEST(CostTest, AnAssembleReadsItsPiecesAndWritesAll) {
  const Cost cost =
      CostOfStatements("  %y = assemble %x, %v at offset 4 : f32[4,8]");
  EXPECT_EQ(cost.read, 136);
  EXPECT_EQ(cost.written, 128);
}

TEST(CostTest, OperandsAreReadOnceEachTimeTheyStandThere) {
  EXPECT_EQ(ReadBy("  %y = add %x, 1.0"), 128);
  EXPECT_EQ(ReadBy("  %y = mul %x, %x"), 256);
  EXPECT_EQ(ReadBy("  %y = add %x, %w"), 132);
  EXPECT_EQ(ReadBy("  %y = full 1.0 : f32[9]\n  %z = iota : i64[3]"), 0);
  EXPECT_EQ(ReadBy("  %y = full %w : f32[9]"), 4);
  EXPECT_EQ(ReadBy("  %e = expand %w, sizes=[5]\n  %y = neg %e"), 20);
}

TEST(CostTest, ByIndexAsMuchIsReadAsTheResultHas) {
  EXPECT_EQ(ReadBy("  %y = index_select %x, %i, dim=0"), 16 + 64);
  EXPECT_EQ(ReadBy("  %y = gather %x, %s, dim=1"), 48 + 24);
  EXPECT_EQ(ReadBy("  %y = index %x, [%i, none]"), 16 + 64);
}

TEST(CostTest, ADestinationIsReadWhereItsContentsMatter) {
  EXPECT_EQ(ReadBy("  add_ %x, 1.0"), 128);
  EXPECT_EQ(ReadBy("  fill_ %x, 1.0"), 0);
  EXPECT_EQ(ReadBy("  copy_ %k, %w"), 4);
  EXPECT_EQ(ReadBy("  index_copy_ %x, %i, %k, dim=0"), 16 + 64);
  EXPECT_EQ(ReadBy("  index_add_ %x, %i, %k, dim=0"), 64 + 16 + 64);
  EXPECT_EQ(ReadBy("  index_fill_ %x, %i, 1.0, dim=0"), 16);
  EXPECT_EQ(ReadBy("  index_put_ %x, [%i, %i], %v"), 16 + 16 + 8);
  EXPECT_EQ(ReadBy("  index_put_ %x, [%i, %i], %v, accumulate=true"),
            8 + 16 + 16 + 8);
  EXPECT_EQ(ReadBy("  masked_fill_ %x, %m, %w"), 32 + 4);
}

TEST(CostTest, OfAScatteredSourceAsMuchIsReadAsTheIndexHas) {
  EXPECT_EQ(ReadBy("  scatter_ %x, %s, %k, dim=0"), 48 + 24);
  EXPECT_EQ(ReadBy("  scatter_add_ %x, %s, %k, dim=0"), 24 + 48 + 24);
  EXPECT_EQ(ReadBy("  masked_scatter_ %x, %m, %v"), 32 + 8);
  EXPECT_EQ(ReadBy("  %q = view %m : bool[2] in @m\n"
                   "  masked_scatter_ %v, %q, %x"),
            2 + 8);
}

TEST(CostTest, AStorageLivesUntilItsLastUseThroughAnyView) {
  // %a dies before %c is made; %b, through its view, after.
  EXPECT_EQ(TemporaryOf("  %a = add %x, 1.0\n"
                        "  %b = neg %a\n"
                        "  %r = select %b, dim=0, index=0\n"
                        "  %c = neg %v\n"
                        "  add_ %r, 1.0"),
            256);
  EXPECT_EQ(TemporaryOf("  %a = add %x, 1.0\n"
                        "  %b = sum %a, dims=[0,1]\n"
                        "  %c = neg %v"),
            132);
}

TEST(CostTest, AValueThatNothingReadsLivesWhileItIsMade) {
  EXPECT_EQ(TemporaryOf("  %a = add %x, 1.0\n  %b = neg %k"), 128);
}

TEST(CostTest, ABufferLivesFromItsFirstUse) {
  const Function function = ParsedFunction(
      "func @f(%x: f32[8]) {\n"
      "  buffer @b : 64 bytes\n"
      "  buffer @unused : 1000 bytes\n"
      "  %a = neg %x\n"
      "  %b = neg %x : f32[8] into f32[8] in @b\n"
      "  return %x\n}\n");
  const std::vector<OpCost> costs = CostByOp(function);
  EXPECT_EQ(costs[0].temporary, 32);
  EXPECT_EQ(costs[1].temporary, 64);
}

TEST(CostTest, WhatIsReturnedIsTheCallers) {
  EXPECT_EQ(CostOf(ParsedFunction("func @f(%x: f32[4,8]) {\n"
                                  "  %y = neg %x\n"
                                  "  return %y, %y\n}\n"))
                .temporary,
            0);
  // Not so what its storage has beside it.
  EXPECT_EQ(CostOf(ParsedFunction("func @f(%x: f32[4,8]) {\n"
                                  "  %y = neg %x\n"
                                  "  %r = select %y, dim=0, index=1\n"
                                  "  return %r\n}\n"))
                .temporary,
            96);
  EXPECT_EQ(CostOfPure("  %y = neg %x : f32[4,8]\n"
                       "  bind %y to f32[4,8] in @t\n"
                       "  return f32[8] in @t, f32[8] in @t offset 8")
                .temporary,
            0);
}

TEST(CostTest, APureValueLivesWhileAViewOfItDoes) {
  EXPECT_EQ(CostOfPure("  %a = neg %x : f32[4,8]\n"
                       "  %r = extract %a at offset 8 : f32[8]\n"
                       "  %b = neg %x : f32[4,8]\n"
                       "  %s = neg %r : f32[8]\n"
                       "  return %b, %s")
                .temporary,
            128);
  // A view that is returned is copied.
  EXPECT_EQ(CostOfPure("  %a = neg %x : f32[4,8]\n"
                       "  %r = extract %a at offset 8 : f32[8]\n"
                       "  return %r")
                .temporary,
            128);
  EXPECT_EQ(CostOfPure("  %c = contents @x : f32[8]\n"
                       "  %r = extract %x at : f32[8]\n"
                       "  %s = add %c, %r : f32[8]\n"
                       "  return %s")
                .temporary,
            0);
}

TEST(CostTest, WhatAnOpOverwritesBeforeItReadsItIsSaved) {
  // Rows 1 to 3 from rows 0 to 2: two rows are both.
  EXPECT_EQ(TemporaryOf("  %to = slice %x, dim=0, start=1, end=4, step=1\n"
                        "  %from = slice %x, dim=0, start=0, end=3, step=1\n"
                        "  copy_ %to, %from"),
            64);
  EXPECT_EQ(TemporaryOf("  %y = flip %x, dims=[0] : f32[4,8] into f32[4,8] "
                        "in @x"),
            128);
  // Columns of one parity.
  EXPECT_EQ(TemporaryOf("  %to = slice %x, dim=1, start=0, end=8, step=2\n"
                        "  %from = slice %x, dim=1, start=1, end=8, step=2\n"
                        "  copy_ %to, %from"),
            0);
  // Both operands have the row above, and one of them the row below.
  EXPECT_EQ(TemporaryOf("  %a = view %x : f32[2,8] in @x\n"
                        "  %b = view %x : f32[2,8] in @x offset 16\n"
                        "  %y = add %a, %b : f32[2,8] into f32[2,8] in @x "
                        "offset 8"),
            64);
}

TEST(CostTest, TheSameMapIsFreeForAnOpThatGoesElementByElement) {
  EXPECT_EQ(TemporaryOf("  add_ %x, %x"), 0);
  EXPECT_EQ(TemporaryOf("  %y = exp %x : f32[4,8] into f32[4,8] in @x"), 0);
  EXPECT_EQ(TemporaryOf("  %y = index_copy %x, %i, %k, dim=0 : f32[4,8] into "
                        "f32[4,8] in @x"),
            0);
  EXPECT_EQ(TemporaryOf("  index_copy_ %s, %i, %s, dim=0"), 48);
  EXPECT_EQ(TemporaryOf("  %t = reshape %x, sizes=[1,4,8]\n"
                        "  %y = add %x, %t : f32[1,4,8] into f32[1,4,8] in @x"),
            0);
  EXPECT_EQ(TemporaryOf("  %q = slice %x, dim=1, start=0, end=4, step=1\n"
                        "  %t = transpose %q, dim0=0, dim1=1\n"
                        "  add_ %q, %t"),
            64);
}

TEST(CostTest, APieceAtItsPlaceIsFree) {
  EXPECT_EQ(TemporaryOf("  %r = select %x, dim=0, index=1\n"
                        "  %y = assemble %x, %r at offset 8 : f32[4,8] into "
                        "f32[4,8] in @x"),
            0);
  EXPECT_EQ(TemporaryOf("  %r = select %x, dim=0, index=1\n"
                        "  %y = assemble %x, %r at offset 16 : f32[4,8] into "
                        "f32[4,8] in @x"),
            32);
}

TEST(CostTest, ACommitOfTheCallersMemorySavesTheOverlap) {
  EXPECT_EQ(CostOfPure("  %r = extract %x at : f32[3,8]\n"
                       "  commit %r to f32[3,8] in @x offset 8\n"
                       "  return")
                .temporary,
            64);
  EXPECT_EQ(CostOfPure("  %r = extract %x at offset 8 : f32[3,8]\n"
                       "  %s = extract %r at offset 8 : f32[1,8]\n"
                       "  commit %s to f32[1,8] in @x offset 16\n"
                       "  return")
                .temporary,
            0);
}

TEST(CostTest, NumbersThatInt64DoesNotHoldAreItsLargest) {
  const Cost cost =
      CostOf(ParsedFunction("func @f(%x: i8[]) {\n"
                            "  %a = expand %x, sizes=[4611686018427387904]\n"
                            "  %b = sum %a, dims=[0]\n"
                            "  %c = sum %a, dims=[0]\n"
                            "  %d = sum %a, dims=[0]\n"
                            "  return %b\n}\n"));
  EXPECT_EQ(cost.read, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(cost.written, 3);
  EXPECT_EQ(cost.temporary, 1);
}

}  // namespace
}  // namespace palimpsest
