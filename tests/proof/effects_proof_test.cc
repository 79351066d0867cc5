// Calls, poison, and what can fail or is refused.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "analysis/proof.h"
#include "gtest/gtest.h"
#include "ir/program.h"
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

// Where only poison among an op's operands became something else, so did only
// poison of its result. (The tags of what an op makes are made of those of all
// of its operands, so they cannot tell.)
TEST(EffectsProofTest, WhatIsMadeOfPoisonMayBeMadeOfAnything) {
  const std::string begin =
      "func @f(%x: f32[4] in @x, %i: i64[2], %v: f32[2]) {\n";
  const std::string end =
      "  index_copy_ %1, %i, %v, dim=0\n"
      "  %2 = sum %1, dims=[0]\n"
      "  return %2\n}";
  const std::string original = begin + "  %1 = empty : f32[4]\n" + end;
  const std::string refined = begin + "  %1 = clone %x\n" + end;
  ExpectProved(original, refined);
  ExpectDifferent(refined, original);
}

TEST(EffectsProofTest, ACallIsGivenThePoisonThatItWasGiven) {
  const std::string begin = "func @f(%x: f32[4] in @x) {\n";
  const std::string end = "  return %2\n}";
  for (const std::string pure : {"pure ", ""}) {
    const std::string call = "  %2 = call " + pure + "\"g\"(%1) : f32[4]\n";
    const Function original =
        Parse(begin + "  %1 = empty : f32[4]\n" + call + end);
    const Function refined = Parse(begin + "  %1 = clone %x\n" + call + end);
    EXPECT_EQ(Prove(original, refined).verdict,
              ProofResult::Verdict::kNotProved);
  }
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
  ExpectDifferent(R"(
func @f(%x: f32[2], %i: i64[1]) {
  return
})",
                  R"(
pure func @f(%x: f32[2], %i: i64[1]) {
  %1 = index_select %x, %i, dim=0 : f32[1]
  return
})",
                  "only the second has this index_select, which can fail");
}

std::string ReasonNotProved(absl::string_view a, absl::string_view b,
                            const ProofLimits& limits = {}) {
  const ProofResult result = Prove(Parse(a), Parse(b), {limits, {}});
  EXPECT_EQ(result.verdict, ProofResult::Verdict::kNotProved);
  return result.reason;
}

// What amax makes of poison has a term, but it is no condition, mask or index.
TEST(EffectsProofTest, AnOpMayFailByPoisonThatIsComputed) {
  for (const absl::string_view op :
       {"where %c, %x, %x", "masked_fill %x, %c, 1.0",
        "masked_scatter %x, %c, %x"}) {
    ExpectDifferent("func @f(%x: f32[2]) {\n  return %x\n}",
                    absl::StrCat("func @f(%x: f32[2]) {\n"
                                 "  %p = empty : bool[2,2]\n"
                                 "  %c = amax %p, dims=[1], keepdim=false\n"
                                 "  %w = ",
                                 op, "\n  return %x\n}"),
                    "only the second has this");
  }
}

// What the proof takes for an op that cannot fail the interpreter runs,
// whatever its operands are.
TEST(EffectsProofTest, WhatIsAddedAndProvedDoesNotFail) {
  constexpr char kHead[] =
      "func @f(%x: f32[2,2], %i: i64[2]) {\n  %p = empty : f32[2,2]\n"
      "  %q = empty : bool[2,2]\n  %e = empty : f32[2,0]\n";
  const Function source = Parse(absl::StrCat(kHead, "  return %x\n}"));
  int proved = 0;
  for (const char* op :
       {"add %x, %p", "where %q, %x, %x", "eq %p, %x", "logical_not %q",
        "sum %p, dims=[0], keepdim=false : f32[2]",
        "amax %p, dims=[0], keepdim=false : f32[2]",
        "amin %e, dims=[0], keepdim=false : f32[0]",
        "prod %e, dims=[1], keepdim=false : f32[2]",
        "mean %e, dims=[1], keepdim=false : f32[2]",
        "cumsum %p, dim=0 : f32[2,2]", "matmul %p, %x : f32[2,2]",
        "cat [%p, %x], dim=0 : f32[4,2]", "flip %p, dims=[0] : f32[2,2]",
        "index_select %x, %i, dim=0 : f32[2,2]", "masked_fill %x, %q, 1.0"}) {
    const Function target =
        Parse(absl::StrCat(kHead, "  %r = ", op, "\n  return %x\n}"));
    if (Prove(source, target).verdict != ProofResult::Verdict::kProved) {
      continue;
    }
    ++proved;
    ExpectRunAlike(source, target);
  }
  EXPECT_EQ(proved, 12);
}

TEST(EffectsProofTest, WhatIsTooLargeForTheArithmeticIsRefused) {
  constexpr char kReason[] = "a value or storage of more than 2^56 bytes";
  for (const char* text :
       {"func @f(%x: u8[72057594037927937]) {\n  return %x\n}",
        "func @f(%x: f32[1] in @s) {\n  %v = view %x : "
        "f32[4294967296,16777216] in @s strides [0,0]\n  return\n}"}) {
    EXPECT_EQ(ReasonNotProved(text, text), kReason);
  }
  const Function largest =
      Parse("func @f(%x: u8[72057594037927936]) {\n  return %x\n}");
  EXPECT_EQ(Prove(largest, largest).ToString(), "proved: 1 term, 2 boxes");
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

// Of two operands that overlap, the second one's bytes stay.
TEST(EffectsProofTest, ACallByValueReadsAllThenWritesFromLeftToRight) {
  ProofOptions by_value;
  by_value.overlapping_calls = OverlappingCalls::kByValue;
  const Function source = Parse(R"(
func @f(%x: f32[6] in @s) {
  %1 = slice %x, dim=0, start=0, end=4
  %2 = slice %x, dim=0, start=2, end=6
  call "g"(mut %1, mut %2)
  return
})");
  const auto target = [](absl::string_view body) {
    return Parse(
        absl::StrCat("pure func @f(%x: f32[6] in @s) {\n"
                     "  %1 = extract %x at : f32[4]\n",
                     body, "  return\n}"));
  };
  const Function right = target(R"(
  %2 = extract %x at offset 2 : f32[4]
  %3, %4 = call "g"(upd %1, upd %2)
  commit %3 to f32[4] in @s
  commit %4 to f32[4] in @s offset 2
)");
  EXPECT_EQ(Prove(source, right, by_value).verdict,
            ProofResult::Verdict::kProved);
  EXPECT_EQ(Prove(source, right).verdict, ProofResult::Verdict::kNotProved);
  ExpectRunAlike(source, right);
  for (const absl::string_view wrong : {R"(
  %2 = extract %x at offset 2 : f32[4]
  %3, %4 = call "g"(upd %1, upd %2)
  commit %4 to f32[4] in @s offset 2
  commit %3 to f32[4] in @s
)",
                                        R"(
  %2 = extract %x at offset 1 : f32[4]
  %3, %4 = call "g"(upd %1, upd %2)
  commit %3 to f32[4] in @s
  commit %4 to f32[4] in @s offset 2
)",
                                        R"(
  %2 = extract %x at offset 2 : f32[4]
  %3, %4 = call "g"(upd %2, upd %1)
  commit %3 to f32[4] in @s
  commit %4 to f32[4] in @s offset 2
)",
                                        R"(
  %2 = extract %x at offset 2 : f32[4]
  %3, %4 = call "g"(upd %1, upd %2)
  commit %3 to f32[4] in @s
)"}) {
    const Function function = target(wrong);
    EXPECT_EQ(Prove(source, function, by_value).verdict,
              ProofResult::Verdict::kNotProved)
        << wrong;
    EXPECT_FALSE(CheckByRunning(source, function, CheckOptions())->equal())
        << wrong;
  }
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
  const ProofResult result = Prove(function, function, {limits, {}});
  EXPECT_EQ(result.verdict, ProofResult::Verdict::kNotProved);
  EXPECT_EQ(result.reason, "it takes more than 1 steps");
}

// Each of the windows is more boxes than memory holds.
TEST(EffectsProofTest, OverItsBoxesNothingIsProved) {
  ProofLimits limits;
  limits.boxes = 1000;
  for (const char* write : {"fill_ %v, 1.0", "add_ %v, 1.0", "neg_ %v",
                            "%1 = neg %v", "copy_ %v, %y"}) {
    const std::string text = absl::StrCat(
        "func @f(%x: f32[600,600,600] in @s, %y: f32[600,600,600]) {\n"
        "  %v = view %x : f32[600,600,600] in @s strides [7,5,3]\n  ",
        write, "\n  return\n}");
    EXPECT_EQ(ReasonNotProved(text, text, limits),
              "it takes more than 1000 boxes")
        << write;
  }
}

TEST(EffectsProofTest, OverItsTermsNothingIsProved) {
  constexpr char kSource[] = R"(
func @f(%x: f32[64] in @s) {
  %1 = neg %x
  %2 = exp %1
  return %2
})";
  ProofLimits limits;
  limits.terms = 2;
  EXPECT_EQ(ReasonNotProved(kSource, kSource, limits),
            "it takes more than 2 terms");
}

}  // namespace
}  // namespace palimpsest
