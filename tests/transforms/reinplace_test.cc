// Programs that others get wrong or copy for, back in place: the same effect,
// and no byte written or kept that need not be.

#include "transforms/reinplace.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "analysis/cost.h"
#include "analysis/proof.h"
#include "gtest/gtest.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "tests/transforms/resolved.h"

namespace palimpsest {
namespace {

// Re-inplaced, proved to do the same.
Reinplacement Proved(const Function& source) {
  absl::StatusOr<Reinplacement> made = Reinplace(source);
  EXPECT_TRUE(made.ok()) << made.status();
  if (!made.ok()) return {};
  EXPECT_TRUE(Verify(made->function).ok()) << PrintToString(made->function);
  EXPECT_EQ(Prove(source, made->function).verdict,
            ProofResult::Verdict::kProved)
      << Prove(source, made->function).reason << "\n"
      << PrintToString(made->function);
  return *std::move(made);
}

struct Case {
  const char* name;
  const char* text;
  int64_t written;
  int64_t temporary;
};

std::ostream& operator<<(std::ostream& out, const Case& item) {
  return out << item.name;
}

class ReinplaceTest : public testing::TestWithParam<Case> {};

TEST_P(ReinplaceTest, WritesAndKeepsWhatItMust) {
  const Reinplacement made = Proved(Parsed(GetParam().text));
  EXPECT_EQ(made.cost.written, GetParam().written)
      << PrintToString(made.function);
  EXPECT_EQ(made.cost.temporary, GetParam().temporary)
      << PrintToString(made.function);
}

// What MLIR's One-Shot Bufferize copies all of the cache for.
constexpr Case kCaches[] = {
    {"EvenRowsAreWrittenAndOldOddOnesRead",
     R"(func @f(%x: f32[64,8] in @x, %v: f32[32,8]) {
  %even = slice %x, dim=0, start=0, end=64, step=2
  %odd = slice %x, dim=0, start=1, end=64, step=2
  %old = clone %odd
  copy_ %even, %v
  %y = sum %old, dims=[0,1]
  return %y
})",
     1024 + 4, 0},
    {"OneHalfIsWrittenAndTheOldOtherRead",
     R"(func @f(%x: f32[64,8] in @x, %v: f32[32,8]) {
  %low = slice %x, dim=0, start=0, end=32
  %high = slice %x, dim=0, start=32, end=64
  %old = clone %high
  copy_ %low, %v
  %y = sum %old, dims=[0,1]
  return %y
})",
     1024 + 4, 0},
    {"OldRowsOfWhichSomeAreWrittenAreReadFirst",
     R"(func @f(%x: f32[64,8] in @x, %v: f32[32,8]) {
  %low = slice %x, dim=0, start=0, end=32
  %middle = slice %x, dim=0, start=16, end=48
  %old = clone %middle
  copy_ %low, %v
  %y = sum %old, dims=[0,1]
  return %y
})",
     1024 + 4, 0},
    {"OldRowsThatACallReadsLaterAreSaved",
     R"(func @f(%x: f32[64,8] in @x, %v: f32[32,8]) {
  %low = slice %x, dim=0, start=0, end=32
  %middle = slice %x, dim=0, start=16, end=48
  %old = clone %middle
  copy_ %low, %v
  call "print"(%x)
  call "print"(%old)
  return
})",
     1024 + 1024, 1024},
    {"AWriteThatIsOverwrittenIsDropped",
     R"(func @f(%x: f32[64,8] in @x, %v: f32[32,8], %w: f32[32,8]) {
  %low = slice %x, dim=0, start=0, end=32
  copy_ %low, %v
  copy_ %low, %w
  return
})",
     1024, 0},
    {"AWriteThatALargerOneCoversIsDropped",
     R"(func @f(%x: f32[64,8] in @x, %v: f32[32,8], %w: f32[64,8]) {
  %low = slice %x, dim=0, start=0, end=32
  copy_ %low, %v
  copy_ %x, %w
  return
})",
     2048, 0},
};
INSTANTIATE_TEST_SUITE_P(Caches, ReinplaceTest, testing::ValuesIn(kCaches),
                         [](const auto& info) { return info.param.name; });

// Wrong results that were reported of others.
constexpr Case kWrong[] = {
    {"RowsShiftOntoThemselves",  // pytorch 197829
     R"(func @f(%x: f32[5,2] in @x) {
  %down = slice %x, dim=0, start=1, end=5
  %up = slice %x, dim=0, start=0, end=4
  %old = clone %up
  copy_ %down, %old
  return
})",
     32, 24},
    {"ACloneIsGivenToACallBesideWhatItWrites",  // pytorch 198031
     R"(func @f(%x: f32[4] in @x) {
  %y = clone %x
  call "op"(%y, mut %x)
  return
})",
     32, 16},
    {"AViewOfAnotherDtypeIsReadAfterAWrite",  // pytorch 198101
     R"(func @f(%x: i64[4,6] in @x) {
  %half = view %x : i32[4,12] in @x
  %part = slice %x, dim=1, start=2, end=5
  fill_ %part, 2
  %y = sum %half, dims=[0,1]
  return %y
})",
     96 + 4, 0},
    {"ATensorIsFlippedInPlace",  // pytorch 101950
     R"(func @f(%x: f32[8] in @x) {
  %flipped = flip %x, dims=[0]
  copy_ %x, %flipped
  return
})",
     32, 32},
    {"OneOfTwoViewsIsMultiplied",  // tvm 19577
     R"(func @f(%x: f32[4] in @x) {
  %a = unsqueeze %x, dim=0
  %b = unsqueeze %x, dim=1
  mul_ %a, 2.0
  %y = exp %b
  return %y
})",
     32, 0},
    {"AShiftedSliceOfItselfIsLaidOver",  // xla 49176
     R"(func @f(%x: f32[4] in @x) {
  %to = slice %x, dim=0, start=1, end=4
  %from = slice %x, dim=0, start=0, end=3
  %old = clone %from
  copy_ %to, %old
  return
})",
     12, 8},
    {"ATransposeIsAdded",  // numpy 6119
     R"(func @f(%x: f32[4,4] in @x) {
  %t = transpose %x, dim0=0, dim1=1
  %old = clone %t
  add_ %x, %old
  return
})",
     64, 64},
    {"NeighboursAreSummed",  // dace 625
     R"(func @f(%x: f32[6,6] in @x) {
  %old = clone %x
  %a = view %old : f32[4,4] in @old strides [6,1]
  %b = view %old : f32[4,4] in @old offset 14 strides [6,1]
  %inner = view %x : f32[4,4] in @x offset 7 strides [6,1]
  %sum = add %a, %b
  copy_ %inner, %sum
  return
})",
     64, 4 * (9 + 9 - 4)},
};
INSTANTIATE_TEST_SUITE_P(Wrong, ReinplaceTest, testing::ValuesIn(kWrong),
                         [](const auto& info) { return info.param.name; });

// Copies that were reported of others and that nothing needs.
constexpr Case kNeedless[] = {
    {"AnOldElementIsReadBeforeAllOfItIsUpdated",  // xla 20440
     R"(func @f(%x: f32[64] in @x) {
  %first = select %x, dim=0, index=0
  %old = clone %first
  add_ %x, 1.0
  %y = mul %old, 2.0
  return %y
})",
     256 + 4, 0},
    {"ASliceIsComputedWhereItIsInserted",  // llvm 101709
     R"(func @f(%x: f32[64,8] in @x, %v: f32[8]) {
  %row = select %x, dim=0, index=3
  %e = exp %v
  %n = neg %e
  copy_ %row, %n
  return
})",
     64, 0},
    {"ASliceIsWrittenAndThenIndexed",  // pytorch 195285
     R"(func @f(%x: f32[64,8] in @x, %v: f32[4,8], %i: i64[2], %w: f32[2,8]) {
  %rows = slice %x, dim=0, start=8, end=12
  copy_ %rows, %v
  index_copy_ %x, %i, %w, dim=0
  return
})",
     128 + 64, 0},
    {"AScratchIsWrittenByACall",  // pytorch 127660
     R"(func @f(%x: f32[64] in @x, %s: f32[64] in @s) {
  call "op"(%x, mut %s)
  %y = add %x, %s
  return %y
})",
     256 + 256, 0},
    {"AStridedViewIsUpdatedByAProduct",  // pytorch 195437
     R"(func @f(%x: f32[64] in @x, %a: f32[16], %b: f32[16]) {
  %w = view %x : f32[16] in @x offset 2 strides [3]
  %p = mul %a, %b
  add_ %w, %p
  return
})",
     64 + 64, 64},
    {"ADonatedChainIsReadInTheMiddle",  // xla 45912
     R"(func @f(%x: f32[64] in @x) {
  add_ %x, 1.0
  %s = sum %x, dims=[0]
  mul_ %x, 2.0
  neg_ %x
  return %s
})",
     3 * 256 + 4, 0},
};
INSTANTIATE_TEST_SUITE_P(Needless, ReinplaceTest, testing::ValuesIn(kNeedless),
                         [](const auto& info) { return info.param.name; });

TEST(ReinplaceRefusalTest, WhatResolveRefusesIsRefused) {
  const absl::StatusOr<Reinplacement> made =
      Reinplace(Parsed("func @f(%x: f32[4] in @x) {\n"
                       "  %w = view %x : f32[2,3] in @x strides [1,1]\n"
                       "  abs_ %w\n  return\n}"));
  EXPECT_EQ(made.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(ReinplaceDepthTest, ALongChainOfPartsIsFollowedToItsEnd) {
  constexpr int kParts = 100000;
  std::string text = "pure func @f(%x: f32[8]) {\n  %1 = exp %x : f32[8]\n";
  for (int i = 2; i <= kParts; ++i) {
    absl::StrAppend(&text, "  %", i, " = extract %", i - 1, " at : f32[",
                    i % 2 == 0 ? "2,4" : "8", "]\n");
  }
  absl::StrAppend(&text, "  return %", kParts, "\n}\n");
  EXPECT_EQ(ReinplaceResolved(Parsed(text), nullptr).cost.written, 32);
}

// The five ways to write 33 kB of a KV cache of 2.1 MB.
TEST(ReinplaceExamplesTest, CachesAreWrittenWithoutACopy) {
  for (const absl::string_view name :
       {"kv_rows", "kv_flat_index_copy", "kv_flat_index_put", "kv_permuted",
        "kv_slice_then_index"}) {
    const Function source =
        Parsed(ContentsOf(absl::StrCat("examples/programs/", name, ".pal")));
    const Reinplacement made = Proved(source);
    const Cost before = CostOf(source);
    const Resolution resolution = Resolved(source);
    // Nor without the source to fall back to.
    EXPECT_EQ(ReinplaceResolved(resolution.function, nullptr).cost.written,
              before.written)
        << name;
    EXPECT_EQ(made.cost.written, before.written) << name;
    EXPECT_LE(made.cost.written, 66000) << name;
    EXPECT_LE(made.cost.temporary, 128) << name;
  }
}

TEST(ReinplaceExamplesTest, DecodingTakesNoCopyOfACache) {
  for (const absl::string_view name : {"llama_2_layers", "llama_16_layers"}) {
    const Function source =
        Parsed(ContentsOf(absl::StrCat("examples/programs/", name, ".pal")));
    const Reinplacement made = Proved(source);
    EXPECT_EQ(made.cost.written, CostOf(source).written) << name;
    EXPECT_EQ(made.cost.temporary, CostOf(source).temporary) << name;
    const Resolution resolution = Resolved(source);
    EXPECT_EQ(ReinplaceResolved(resolution.function, nullptr).cost.written,
              CostOf(source).written)
        << name;
  }
}

}  // namespace
}  // namespace palimpsest
