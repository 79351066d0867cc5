// Calls, poison, and what can fail or is refused.

#include "gtest/gtest.h"
#include "tests/proof/proof_pair.h"

namespace palimpsest {
namespace {

TEST(EffectsProofTest, WherePoisonWasAnythingMayBe) {
  ExpectProved(R"(
func @f(%x: f32[2]) {
  %1 = empty : f32[4]
  %2 = slice %1, dim=0, start=0, end=2
  copy_ %2, %x
  %3 = add %1, 1.0
  return %3
})",
               R"(
pure func @f(%x: f32[2]) {
  %1 = add %x, 1.0 : f32[2]
  %2 = full 7.0 : f32[4]
  %3 = assemble %2, %1 at : f32[4]
  return %3
})");
}

TEST(EffectsProofTest, PoisonMayNotBeAdded) {
  ExpectDifferent(R"(
func @f(%x: f32[2]) {
  %1 = clone %x
  return %1
})",
                  R"(
pure func @f(%x: f32[2]) {
  %1 = empty : f32[2]
  %2 = extract %x at : f32[1]
  %3 = assemble %1, %2 at : f32[2]
  return %3
})",
                  "result 0, byte 4: byte 4 of @x and poison");
}

TEST(EffectsProofTest, APoisonOperandThatWhereDoesNotChooseIsNoPoison) {
  ExpectDifferent(R"(
func @f(%c: bool[2], %x: f32[2]) {
  %1 = empty : f32[2]
  %2 = where %c, %x, %1
  return %2
})",
                  R"(
pure func @f(%c: bool[2], %x: f32[2]) {
  %1 = full 7.0 : f32[2]
  return %1
})",
                  "where");
}

TEST(EffectsProofTest, CallsAreTheSameInTheSameOrder) {
  constexpr char kSource[] = R"(
func @f(%x: f32[2] in @s, %y: f32[2] in @t) {
  %1 = call "g"(%y, mut %x) {mode="a"} : f32[3]
  call "h"(mut %x)
  return %1
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[2] in @s, %y: f32[2] in @t) {
  %1, %2 = call "g"(%y, upd %x) {mode="a"} : f32[3]
  %3 = call "h"(upd %2)
  commit %3 to f32[2] in @s
  return %1
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[2] in @s, %y: f32[2] in @t) {
  %1, %2 = call "g"(%y, upd %x) {mode="b"} : f32[3]
  %3 = call "h"(upd %2)
  commit %3 to f32[2] in @s
  return %1
})",
                  "call 1 with effects differs");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[2] in @s, %y: f32[2] in @t) {
  %1, %2 = call "g"(%y, upd %x) {mode="a"} : f32[3]
  commit %2 to f32[2] in @s
  return %1
})",
                  "call 2 with effects differs");
}

TEST(EffectsProofTest, OnlyCallsWithoutEffectsMayMergeOrGo) {
  ExpectProved(R"(
func @f(%x: f32[2]) {
  %1 = call pure "g"(%x) : f32[2]
  %2 = call pure "g"(%x) : f32[2]
  %3 = call pure "g"(%2) : f32[2]
  %4 = add %1, %2
  return %4
})",
               R"(
pure func @f(%x: f32[2]) {
  %1 = call pure "g"(%x) : f32[2]
  %2 = add %1, %1 : f32[2]
  return %2
})");
  ExpectDifferent(R"(
func @f(%x: f32[2]) {
  %1 = call "g"(%x) : f32[2]
  %2 = call "g"(%x) : f32[2]
  %3 = add %1, %2
  return %3
})",
                  R"(
pure func @f(%x: f32[2]) {
  %1 = call "g"(%x) : f32[2]
  %2 = add %1, %1 : f32[2]
  return %2
})");
}

TEST(EffectsProofTest, EachCallWithEffectsHasResultsOfItsOwn) {
  constexpr char kSource[] = R"(
func @f(%x: f32[2]) {
  %1 = call "g"(%x) : f32[2]
  %2 = call "g"(%x) : f32[2]
  return %1, %2
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[2]) {
  %1 = call "g"(%x) : f32[2]
  %2 = call "g"(%x) : f32[2]
  return %1, %2
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[2]) {
  %1 = call "g"(%x) : f32[2]
  %2 = call "g"(%x) : f32[2]
  return %2, %1
})",
                  "result 0, byte 0");
}

TEST(EffectsProofTest, AnOpThatCanFailMayNotBeAdded) {
  const ProofResult result = Prove(Parse(R"(
func @f(%x: f32[2], %i: i64[1]) {
  return
})"),
                                   Parse(R"(
pure func @f(%x: f32[2], %i: i64[1]) {
  %1 = index_select %x, %i, dim=0 : f32[1]
  return
})"));
  EXPECT_EQ(result.reason,
            "only the second has this index_select, which can fail");
}

TEST(EffectsProofTest, WhatIsNotSupportedIsRefused) {
  EXPECT_EQ(Prove(Parse(R"(
func @f(%x: f32[2] in @s, %i: i64[1], %y: f32[1,2]) {
  %1 = view %x : f32[2,2] in @s strides [0,1]
  index_copy_ %1, %i, %y, dim=0
  return
})"),
                  Parse("pure func @f(%x: f32[2] in @s, %i: i64[1], %y: "
                        "f32[1,2]) {\n  return\n}"))
                .reason,
            "index_copy_ at line 4: an update by index of a window that "
            "overlaps itself");
  EXPECT_EQ(Prove(Parse(R"(
func @f(%x: f32[4] in @s) {
  %1 = slice %x, dim=0, start=0, end=3
  %2 = slice %x, dim=0, start=1, end=4
  call "g"(mut %1, %2)
  return
})"),
                  Parse("pure func @f(%x: f32[4] in @s) {\n  return\n}"))
                .reason,
            "call \"g\" at line 5: operand %1 is mut and overlaps %2 otherwise "
            "than by the same map");
}

TEST(EffectsProofTest, OverItsBudgetNothingIsProved) {
  const Function function = Parse(R"(
func @f(%x: f32[64,64] in @s) {
  %1 = transpose %x, dim0=0, dim1=1
  add_ %1, 1.0
  return
})");
  ProofLimits limits;
  limits.steps = 1;
  const ProofResult result = Prove(function, function, limits);
  EXPECT_EQ(result.verdict, ProofResult::Verdict::kNotProved);
  EXPECT_EQ(result.reason, "it takes more than 1 steps");
}

}  // namespace
}  // namespace palimpsest
