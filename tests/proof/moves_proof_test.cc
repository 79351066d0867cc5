// Each rule for moves, with a pair that it proves and one that it must not.

#include "gtest/gtest.h"
#include "tests/proof/proof_pair.h"

namespace palimpsest {
namespace {

TEST(MovesProofTest, ACommitIsACopyInPlace) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4] in @s, %y: f32[2]) {
  %v = slice %x, dim=0, start=1, end=3
  copy_ %v, %y
  return
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2]) {
  commit %y to f32[2] in @s offset 1
  return
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2]) {
  commit %y to f32[2] in @s offset 2
  return
})",
                  "storage @s, byte 4: byte 0 of @y and byte 4 of @s");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2]) {
  return
})",
                  "storage @s, byte 4");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2]) {
  commit %y to f32[2] in @s offset 1 strides [2]
  return
})",
                  "storage @s");
}

TEST(MovesProofTest, TheLaterOfOverlappingWritesWins) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4] in @s, %y: f32[2], %z: f32[2]) {
  %v = slice %x, dim=0, start=0, end=2
  %w = slice %x, dim=0, start=1, end=3
  copy_ %v, %y
  copy_ %w, %z
  return %x
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2], %z: f32[2]) {
  commit %y to f32[2] in @s
  commit %z to f32[2] in @s offset 1
  return f32[4] in @s
})");
  ExpectProved(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2], %z: f32[2]) {
  %1 = extract %y at : f32[1]
  commit %z to f32[2] in @s offset 1
  commit %1 to f32[1] in @s
  return f32[4] in @s
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2], %z: f32[2]) {
  commit %z to f32[2] in @s offset 1
  commit %y to f32[2] in @s
  return f32[4] in @s
})",
                  "storage @s, byte 4");
}

TEST(MovesProofTest, AnAssembleLaysPiecesInOrder) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4], %y: f32[2], %z: f32[2]) {
  %c = clone %x
  %v = slice %c, dim=0, start=0, end=2
  copy_ %v, %y
  %w = slice %c, dim=0, start=1, end=3
  copy_ %w, %z
  return %c
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[4], %y: f32[2], %z: f32[2]) {
  %1 = assemble %x, %y at, %z at offset 1 : f32[4]
  return %1
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4], %y: f32[2], %z: f32[2]) {
  %1 = assemble %x, %z at offset 1, %y at : f32[4]
  return %1
})",
                  "result 0, byte 4");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4], %y: f32[2], %z: f32[2]) {
  %1 = assemble %x, %z at offset 1 : f32[4]
  return %1
})",
                  "result 0, byte 0");
}

TEST(MovesProofTest, FlipCatAndCloneAreExtractsAndAssembles) {
  ExpectProved(R"(
func @f(%x: i16[2,3], %y: i16[2,1]) {
  %1 = flip %x, dims=[0,1]
  %2 = cat [%1, %y], dim=1
  return %2
})",
               R"(
pure func @f(%x: i16[2,3], %y: i16[2,1]) {
  %1 = extract %x at offset 5 strides [-3,-1] : i16[2,3]
  %2 = assemble %1 at strides [4,1], %y at offset 3 strides [4,1] : i16[2,4]
  return %2
})");
  ExpectDifferent(R"(
func @f(%x: i16[2,3]) {
  %1 = flip %x, dims=[1]
  return %1
})",
                  R"(
pure func @f(%x: i16[2,3]) {
  %1 = flip %x, dims=[0]
  return %1
})");
}

TEST(MovesProofTest, ABroadcastWriteIsAnExtractWithStrideZero) {
  ExpectProved(R"(
func @f(%x: f32[3,4] in @s, %y: f32[4]) {
  copy_ %x, %y
  return
})",
               R"(
pure func @f(%x: f32[3,4] in @s, %y: f32[4]) {
  %1 = extract %y at strides [0,1] : f32[3,4]
  commit %1 to f32[3,4] in @s
  return
})");
}

TEST(MovesProofTest, ASelfOverlappingWriteKeepsItsLastElements) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4] in @s, %y: f32[3,2]) {
  %v = view %x : f32[3,2] in @s strides [1,1]
  copy_ %v, %y
  return
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[3,2]) {
  %1 = extract %y at strides [2] : f32[3]
  %2 = extract %y at offset 5 : f32[1]
  commit %1 to f32[3] in @s
  commit %2 to f32[1] in @s offset 3
  return
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[3,2]) {
  %1 = extract %y at offset 1 strides [2] : f32[3]
  %2 = extract %y at : f32[1]
  commit %2 to f32[1] in @s
  commit %1 to f32[3] in @s offset 1
  return
})");
}

TEST(MovesProofTest, AFullIsAPatternOfBytes) {
  ExpectProved(R"(
func @f() {
  %1 = full 0.0 : f32[4]
  %2 = bitcast %1, dtype=i32
  %3 = sum %2, dims=[0], keepdim=false : i32[]
  return %3
})",
               R"(
pure func @f() {
  %1 = full 0 : i32[4]
  %2 = sum %1, dims=[0], keepdim=false : i32[]
  return %2
})");
  ExpectProved(R"(
func @f() {
  %1 = full 0 : i64[2]
  %2 = clone %1
  return %2
})",
               R"(
pure func @f() {
  %1 = constant [0, 0] : i64[2]
  return %1
})");
  ExpectDifferent(R"(
func @f() {
  %1 = full 1.0 : f32[4]
  return %1
})",
                  R"(
pure func @f() {
  %1 = full 2.0 : f32[4]
  return %1
})",
                  "of literal 0000803f and byte 0 of literal 00000040");
}

TEST(MovesProofTest, ContentsAreWhatNoParameterReaches) {
  constexpr char kSource[] = R"(
func @f(%x: f32[2] in @s offset 2) {
  %v = view %x : f32[4] in @s
  %1 = sum %v, dims=[0], keepdim=false : f32[]
  return %1
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[2] in @s offset 2) {
  %1 = contents @s : f32[4]
  %2 = sum %1, dims=[0], keepdim=false : f32[]
  return %2
})");
}

TEST(MovesProofTest, AllValuesAreReadBeforeTheEpilogueWrites) {
  ExpectProved(R"(
func @f(%x: f32[2] in @s, %y: f32[2] in @t) {
  %1 = clone %x
  copy_ %x, %y
  copy_ %y, %1
  return
})",
               R"(
pure func @f(%x: f32[2] in @s, %y: f32[2] in @t) {
  commit %y to f32[2] in @s
  commit %x to f32[2] in @t
  return
})");
}

TEST(MovesProofTest, OpsWriteIntoWindows) {
  ExpectProved(R"(
func @f(%x: f32[4] in @s, %y: f32[2]) {
  buffer @b : 8 bytes
  %1 = neg %y : f32[2] into f32[2] in @b
  %2 = exp %1 : f32[2] into f32[2] in @s offset 2
  return %2
})",
               R"(
pure func @f(%x: f32[4] in @s, %y: f32[2]) {
  %1 = neg %y : f32[2]
  %2 = exp %1 : f32[2]
  commit %2 to f32[2] in @s offset 2
  return f32[2] in @s offset 2
})");
}

TEST(MovesProofTest, ResultsAreWhereTheyWere) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4] in @s, %y: f32[4] in @t) {
  %1 = neg %x
  %2 = slice %1, dim=0, start=1, end=3
  return %x, %1, %2
})";
  constexpr char kTarget[] = R"(
pure func @f(%x: f32[4] in @s, %y: f32[4] in @t) {
  %1 = neg %x : f32[4]
  bind %1 to f32[4] in @n
  return f32[4] in @s, f32[4] in @n, f32[2] in @n offset 1
})";
  ExpectProved(kSource, kTarget);
  ExpectDifferent(
      kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[4] in @t) {
  %1 = neg %x : f32[4]
  bind %1 to f32[4] in @n
  return f32[4] in @t, f32[4] in @n, f32[2] in @n offset 1
})",
      "result 0 is in the caller's storage 0 and in the caller's storage 1");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[4] in @t) {
  %1 = neg %x : f32[4]
  bind %1 to f32[4] in @n
  return f32[4] in @s, f32[4] in @n, f32[2] in @n offset 2
})",
                  "result 2 lies at byte 4 and 8");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[4] in @t) {
  %1 = neg %x : f32[4]
  %2 = extract %1 at offset 1 : f32[2]
  return f32[4] in @s, %1, %2
})",
                  "result 2 is in new storage 0 and in new storage 1");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[4] in @t) {
  %1 = neg %x : f32[4]
  bind %1 to f32[4] in @n
  return f32[4] in @s, f32[4] in @n, f32[2] in @n offset 1 strides [2]
})",
                  "result 2 is f32[2] strides [1] and f32[2] strides [2]");
}

TEST(MovesProofTest, WhereNothingLiesDoesNotMatter) {
  constexpr char kSource[] = R"(
func @f(%x: c128[4] in @s) {
  %1 = neg %x
  %2 = slice %1, dim=0, start=1, end=1
  %3 = slice %1, dim=0, start=2, end=4
  %4 = slice %x, dim=0, start=3, end=3
  return %2, %3, %1, %4
})";
  ExpectProved(kSource, R"(
pure func @f(%x: c128[4] in @s) {
  %1 = neg %x : c128[4]
  bind %1 to c128[4] in @n
  return c128[0] in @n, c128[2] in @n offset 2, c128[4] in @n, c128[0] in @s
})");
  ExpectProved(kSource, R"(
pure func @f(%x: c128[4] in @s) {
  %1 = neg %x : c128[4]
  bind %1 to c128[4] in @n
  return c128[0] in @n offset 1152921504606846976, c128[2] in @n offset 2, c128[4] in @n, c128[0] in @s offset 1152921504606846976
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: c128[4] in @s) {
  %1 = neg %x : c128[4]
  bind %1 to c128[4] in @n
  return c128[0] in @n, c128[2] in @n offset 1, c128[4] in @n, c128[0] in @s
})");
}

TEST(MovesProofTest, SignaturesMustAgree) {
  constexpr char kSource[] =
      "func @f(%x: f32[4] in @s, %y: f32[4] in @s) {\n"
      "  return\n}";
  EXPECT_EQ(Prove(Parse(kSource),
                  Parse("pure func @f(%x: f32[4] in @s) {\n  return\n}"))
                .reason,
            "the functions have 2 and 1 parameters");
  EXPECT_EQ(Prove(Parse(kSource), Parse("pure func @f(%x: f32[4] in @s, %y: "
                                        "f32[4] in @t) {\n  return\n}"))
                .verdict,
            ProofResult::Verdict::kNotProved);
  // Names do not matter.
  EXPECT_EQ(Prove(Parse(kSource), Parse("pure func @g(%a: f32[4] in @b, %c: "
                                        "f32[4] in @b) {\n  return\n}"))
                .verdict,
            ProofResult::Verdict::kProved);
}

}  // namespace
}  // namespace palimpsest
