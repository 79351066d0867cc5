// Ops: what the proof sees through and what it must not.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/proof/proof_pair.h"

namespace palimpsest {
namespace {

TEST(OpsProofTest, AnOpInPlaceIsTheOpThenAWrite) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4] in @s, %y: f32[2]) {
  %v = slice %x, dim=0, start=0, end=4, step=2
  mul_ %v, %y
  return %x
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2]) {
  %1 = extract %x at strides [2] : f32[2]
  %2 = mul %1, %y : f32[2]
  commit %2 to f32[2] in @s strides [2]
  return f32[4] in @s
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4] in @s, %y: f32[2]) {
  %1 = extract %x at strides [2] : f32[2]
  %2 = mul %y, %1 : f32[2]
  commit %2 to f32[2] in @s strides [2]
  return f32[4] in @s
})",
                  "mul f32 f32 -> f32");
}

TEST(OpsProofTest, LiteralsAreRoundedOnce) {
  ExpectProved(R"(
func @f(%x: f32[4]) {
  %1 = add %x, 1 : f32[4]
  return %1
})",
               R"(
pure func @f(%x: f32[4]) {
  %1 = full 1.0 : f32[]
  %2 = add %x, %1 : f32[4]
  return %2
})");
  ExpectDifferent(R"(
func @f(%x: f32[4]) {
  %1 = add %x, 1.5 : f32[4]
  return %1
})",
                  R"(
pure func @f(%x: f32[4]) {
  %1 = add %x, 1.25 : f32[4]
  return %1
})",
                  "literal");
}

TEST(OpsProofTest, SumsAreNotReordered) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4], %y: f32[4]) {
  %1 = add %x, %y
  return %1
})";
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4], %y: f32[4]) {
  %1 = add %y, %x : f32[4]
  return %1
})",
                  "add f32 f32 -> f32(byte 0 of @x, byte 0 of @y)");
}

TEST(OpsProofTest, AViewOfAProductIsTheProductOfAView) {
  ExpectProved(R"(
func @f(%x: f32[8,8], %w: f32[8]) {
  %1 = mul %x, %w
  %2 = transpose %1, dim0=0, dim1=1
  %3 = slice %2, dim=0, start=2, end=5
  %4 = clone %3
  return %4
})",
               R"(
pure func @f(%x: f32[8,8], %w: f32[8]) {
  %1 = extract %x at offset 2 strides [1,8] : f32[3,8]
  %2 = extract %w at offset 2 strides [1,0] : f32[3,8]
  %3 = mul %1, %2 : f32[3,8]
  return %3
})");
}

TEST(OpsProofTest, RowsOneByOneAreTheWhole) {
  // Also where an op on whole operands reads what was computed in parts.
  constexpr char kSource[] = R"(
func @f(%x: f32[3,4] in @s, %w: f32[3,1]) {
  %1 = mul %x, %w
  %2 = exp %1
  %3 = sum %2, dims=[0], keepdim=false : f32[4]
  return %3
})";
  constexpr char kParts[] = R"(
func @f(%x: f32[3,4] in @s, %w: f32[3,1]) {
  %e = empty : f32[3,4]
  %x0 = select %x, dim=0, index=0
  %w0 = select %w, dim=0, index=0
  %p0 = mul %x0, %w0
  %e0 = select %e, dim=0, index=0
  copy_ %e0, %p0
  %x1 = slice %x, dim=0, start=1, end=3
  %w1 = slice %w, dim=0, start=1, end=3
  %p1 = mul %x1, %w1
  %e1 = slice %e, dim=0, start=1, end=3
  copy_ %e1, %p1
  exp_ %e
  %3 = sum %e, dims=[0], keepdim=false : f32[4]
  return %3
})";
  ExpectProved(kSource, kParts);
  const std::string other_row = absl::StrReplaceAll(
      kParts,
      {{"%w0 = select %w, dim=0, index=0", "%w0 = select %w, dim=0, index=1"}});
  ASSERT_NE(other_row, kParts);
  ExpectDifferent(kSource, other_row, "sum");
}

TEST(OpsProofTest, SingleElementsOfAnOuterSumAreItsElements) {
  ExpectProved(R"(
func @f(%x: f32[3,1], %y: f32[1,4]) {
  %1 = add %x, %y
  %2 = select %1, dim=0, index=2
  %3 = select %2, dim=0, index=0
  %4 = clone %3
  return %4
})",
               R"(
pure func @f(%x: f32[3,1], %y: f32[1,4]) {
  %1 = extract %x at offset 2 : f32[]
  %2 = extract %y at : f32[]
  %3 = add %1, %2 : f32[]
  return %3
})");
}

TEST(OpsProofTest, ElementsAreOfBytes) {
  // The halves of each element come from different places.
  ExpectProved(R"(
func @f(%x: i16[4], %y: i16[4]) {
  %1 = empty : i32[4]
  %2 = bitcast %1, dtype=i16
  %3 = slice %2, dim=0, start=0, end=8, step=2
  %4 = slice %2, dim=0, start=1, end=8, step=2
  copy_ %3, %x
  copy_ %4, %y
  neg_ %1
  %5 = slice %1, dim=0, start=1, end=3
  %6 = clone %5
  return %6
})",
               R"(
pure func @f(%x: i16[4], %y: i16[4]) {
  %1 = extract %x at offset 1 : i16[2]
  %2 = extract %y at offset 1 : i16[2]
  %3 = assemble %1 at strides [2], %2 at offset 1 strides [2] : i16[4]
  %4 = extract %3 at : i32[2]
  %5 = neg %4 : i32[2]
  return %5
})");
}

TEST(OpsProofTest, APredicateInPlaceIsCast) {
  ExpectProved(R"(
func @f(%x: f32[4] in @s) {
  gt_ %x, 0.0
  return
})",
               R"(
pure func @f(%x: f32[4] in @s) {
  %1 = gt %x, 0.0 : bool[4]
  %2 = cast %1 : f32[4]
  commit %2 to f32[4] in @s
  return
})");
}

TEST(OpsProofTest, AnUpdateInPlaceWritesItsWholeWindow) {
  constexpr char kSource[] = R"(
func @f(%x: f32[4,2] in @s, %i: i64[2], %y: f32[2,2]) {
  %v = transpose %x, dim0=0, dim1=1
  index_copy_ %v, %i, %y, dim=1
  return %x
})";
  ExpectProved(kSource, R"(
pure func @f(%x: f32[4,2] in @s, %i: i64[2], %y: f32[2,2]) {
  %1 = extract %x at strides [1,2] : f32[2,4]
  %2 = index_copy %1, %i, %y, dim=1 : f32[2,4]
  commit %2 to f32[2,4] in @s strides [1,2]
  return f32[4,2] in @s
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: f32[4,2] in @s, %i: i64[2], %y: f32[2,2]) {
  %1 = extract %x at strides [1,2] : f32[2,4]
  %2 = extract %y at strides [1,2] : f32[2,2]
  %3 = index_copy %1, %i, %2, dim=1 : f32[2,4]
  commit %3 to f32[2,4] in @s strides [1,2]
  return f32[4,2] in @s
})",
                  "index_copy dim=[1]");
}

// The value as a whole is written, in row-major order; no op sees what it
// wrote.
TEST(OpsProofTest, AnOpIntoAWindowThatOverlapsItselfIsTheOpThenAWrite) {
  for (const char* op :
       {"index_copy %x, %i, %y, dim=1", "index_add %x, %i, %y, dim=0",
        "index_fill %x, %i, 7.0, dim=1", "index_put %x, [%i, %i], 7.0",
        "scatter %x, %j, %y, dim=1", "scatter_add %x, %j, %y, dim=0",
        "masked_fill %x, %m, 7.0", "masked_scatter %x, %m, %y",
        "gather %x, %j, dim=1", "index_select %x, %i, dim=0", "add %x, %y",
        "where %m, %x, %y", "sub %x, 1.0", "matmul %x, %y", "cumsum %x, dim=0",
        "cat [%y], dim=0", "flip %x, dims=[1]", "clone %y"}) {
    for (const char* strides : {"[0,0]", "[0,1]", "[1,0]", "[1,1]"}) {
      for (const char* in : {"b", "s"}) {
        constexpr char kParameters[] =
            "func @f(%x: f32[2,2] in @s, %i: i64[2], %j: i64[2,2], "
            "%m: bool[2,2], %y: f32[2,2], %z: f32[4] in @b) {\n";
        const std::string window =
            absl::StrCat("f32[2,2] in @", in, " strides ", strides);
        ExpectProved(absl::StrCat(kParameters, "  %r = ", op,
                                  " : f32[2,2] into ", window, "\n  return\n}"),
                     absl::StrCat("pure ", kParameters, "  %r = ", op,
                                  " : f32[2,2]\n  commit %r to ", window,
                                  "\n  return\n}"));
      }
    }
  }
}

TEST(OpsProofTest, OperandsOfAnotherShapeOrDTypeAreOthers) {
  ExpectDifferent(R"(
func @f(%x: f32[6]) {
  %1 = reshape %x, sizes=[2,3]
  %2 = sum %1, dims=[0,1], keepdim=false : f32[]
  return %2
})",
                  R"(
func @f(%x: f32[6]) {
  %1 = reshape %x, sizes=[3,2]
  %2 = sum %1, dims=[0,1], keepdim=false : f32[]
  return %2
})",
                  "sum");
  ExpectDifferent(R"(
func @f(%x: f32[6]) {
  %1 = call pure "g"(%x) : f32[]
  return %1
})",
                  R"(
func @f(%x: f32[6]) {
  %1 = bitcast %x, dtype=i32
  %2 = call pure "g"(%1) : f32[]
  return %2
})",
                  "call");
}

TEST(OpsProofTest, OperandsThatStepAlikeAreToldApartFromOthers) {
  ExpectDifferent(R"(
func @f(%c: bool[3,1], %x: bool[3], %y: bool[1,3]) {
  %1 = reshape %x, sizes=[3,1]
  %2 = where %c, %1, %y
  return %2
})",
                  R"(
func @f(%c: bool[3,1], %x: bool[3], %y: bool[1,3]) {
  %1 = reshape %x, sizes=[1,3]
  %2 = where %c, %1, %y
  return %2
})",
                  "where");
}

TEST(OpsProofTest, AByteRepeatedIsNoElement) {
  // The second element is one byte, four times.
  constexpr char kHead[] = R"(
func @f(%x: u8[4], %y: u8[4]) {
  %1 = empty : i32[2]
  %2 = bitcast %1, dtype=u8
  %3 = slice %2, dim=0, start=0, end=4
  %4 = slice %2, dim=0, start=4, end=8
  %5 = view %x : u8[4] strides [0]
  %6 = view %y : u8[4] strides [0]
  copy_ %4, %6
)";
  constexpr char kTail[] = R"(
  %7 = neg %1
  return %7
})";
  ExpectProved(std::string(kHead) + "  copy_ %3, %x" + kTail,
               std::string(kHead) + "  copy_ %3, %x" + kTail);
  ExpectDifferent(std::string(kHead) + "  copy_ %3, %x" + kTail,
                  std::string(kHead) + "  copy_ %3, %5" + kTail, "neg");
  ExpectDifferent(std::string(kHead) + "  copy_ %3, %5" + kTail,
                  std::string(kHead) + "  copy_ %3, %x" + kTail, "neg");
}

TEST(OpsProofTest, AFillReadsABoolAsByteNotZero) {
  constexpr char kSource[] = R"(
func @f(%x: bool[2] in @s, %v: bool[]) {
  fill_ %x, %v
  return
})";
  ExpectProved(kSource, R"(
pure func @f(%x: bool[2] in @s, %v: bool[]) {
  %1 = full %v : bool[2]
  commit %1 to bool[2] in @s
  return
})");
  ExpectDifferent(kSource, R"(
pure func @f(%x: bool[2] in @s, %v: bool[]) {
  %1 = extract %v at strides [0] : bool[2]
  commit %1 to bool[2] in @s
  return
})",
                  "full bool");
}

}  // namespace
}  // namespace palimpsest
