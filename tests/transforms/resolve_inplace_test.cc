// What resolve makes of small programs, claim by claim. Each program is also
// run beside what it becomes.

#include "transforms/resolve_inplace.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/program.h"
#include "tests/transforms/resolved.h"

namespace palimpsest {
namespace {

using testing::HasSubstr;

Resolution ResolvedText(absl::string_view text,
                        const ResolveOptions& options = {}) {
  return ResolvedAndRun(Parsed(text), options);
}

std::string RefusalOf(absl::string_view text) {
  const absl::StatusOr<Resolution> resolution = ResolveInPlace(Parsed(text));
  EXPECT_FALSE(resolution.ok());
  EXPECT_EQ(resolution.status().code(), absl::StatusCode::kFailedPrecondition);
  return std::string(resolution.status().message());
}

TEST(ResolveInPlaceTest, ACloneIsTheValueThatItCopied) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[4]) {
  %c = clone %x
  add_ %x, 1.0
  %d = clone %x
  add_ %x, 1.0
  %s = sub %d, %c
  return %s
})")
                            .function;
  EXPECT_EQ(OpsIn(pure), 3);
  EXPECT_EQ(CountOf(pure, OpKind::kExtract), 0);
}

TEST(ResolveInPlaceTest, AWriteToACloneIsNoWriteToItsSource) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[4]) {
  %c = clone %x
  add_ %c, 1.0
  return %x
})")
                            .function;
  EXPECT_EQ(OpsIn(pure), 0);
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 0);
}

TEST(ResolveInPlaceTest, AWriteThatNobodySeesIsDead) {
  const Resolution resolution =
      ResolvedText(R"(func @f(%x: f32[4], %y: f32[4]) {
  copy_ %x, %y
  fill_ %x, 1.0
  return
})");
  EXPECT_EQ(resolution.stats.dead_writes, 1);
  EXPECT_EQ(OpsIn(resolution.function), 1);
  EXPECT_EQ(CountOf(resolution.function, OpKind::kCommit), 1);
}

TEST(ResolveInPlaceTest, HalvesTogetherKillTheWholeBeforeThem) {
  const Resolution resolution =
      ResolvedText(R"(func @f(%x: f32[4], %y: f32[4]) {
  copy_ %x, %y
  %even = slice %x, dim=0, start=0, end=4, step=2
  %odd = slice %x, dim=0, start=1, end=4, step=2
  fill_ %even, 1.0
  fill_ %odd, 2.0
  return
})");
  EXPECT_EQ(resolution.stats.dead_writes, 1);
  EXPECT_EQ(CountOf(resolution.function, OpKind::kCommit), 2);
}

TEST(ResolveInPlaceTest, ALocalStorageThatIsFilledNeedsNoBase) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[2], %y: f32[2]) {
  %m = empty : f32[2,2]
  %a = select %m, dim=0, index=0
  %b = select %m, dim=0, index=1
  copy_ %a, %x
  copy_ %b, %y
  %s = sum %m, dims=[0]
  return %s
})")
                            .function;
  EXPECT_EQ(CountOf(pure, OpKind::kEmpty), 0);
  EXPECT_EQ(CountOf(pure, OpKind::kAssemble), 1);
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 0);
}

TEST(ResolveInPlaceTest, ACopyOntoItselfWritesNothing) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[4]) {
  %y = view %x : f32[4]
  copy_ %x, %y
  return %x
})")
                            .function;
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 0);
}

TEST(ResolveInPlaceTest, ATransposeReadsThroughItsOwnWrite) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[3,3]) {
  %t = transpose %x, dim0=0, dim1=1
  add_ %x, %t
  %s = sum %t, dims=[0]
  return %s
})")
                            .function;
  EXPECT_EQ(OpsIn(pure), 4);  // Two extracts, add, sum.
}

// The newer write is no part of what the read before it put together.
TEST(ResolveInPlaceTest, AWriteBesideAMergeIsSeen) {
  const Function pure = ResolvedText(R"(func @f(%x: u32[4,2,4]) {
  %v = view %x : u32[4,2,4] offset 24 strides [-8,4,1]
  bitwise_xor_ %v, 3
  %b = view %x : bool[1] offset 48
  logical_not_ %b
  %r = view %x : u32[3] offset 6 strides [2]
  %n = neg %r
  bitwise_or_ %v, %v
  return %n
})")
                            .function;
  EXPECT_EQ(CountOf(pure, OpKind::kLogicalNot), 1);
}

// The innermost of the dimensions that interleave is split, or the parts would
// overlap themselves.
TEST(ResolveInPlaceTest, WhatInterleavesTwiceIsCommittedOnce) {
  const Function pure = ResolvedText(R"(func @f(%x: u16[64]) {
  %v = view %x : u16[4,4,2] strides [2,3,5]
  fill_ %v, 1
  %w = view %x : u16[8] offset 5
  neg_ %w
  return %x
})")
                            .function;
  int64_t committed = 0;
  for (const Op& op : pure.ops) {
    if (op.kind != OpKind::kCommit) continue;
    const Type& target = pure.targets[op.target];
    committed += ElementCount(pure.LayoutOf(target).sizes);
  }
  EXPECT_LE(committed, 2 * 19);
}

// A buffer of parameters, updated in chunks and read as a weight of many
// dimensions: to say what a chunk hides of it would take too many boxes.
TEST(ResolveInPlaceTest, ChunksOfARowAreReadInManyDimensions) {
  std::string text = "func @f(%x: u8[800]) {\n";
  for (int i = 0; i < 9; ++i) {
    absl::StrAppend(&text, "  %w", i, " = view %x : u8[3] offset ", 703 + 3 * i,
                    "\n  fill_ %w", i, ", ", i, "\n");
  }
  absl::StrAppend(&text, "  %v = view %x : u8[3,3,3,3,3,3]\n",
                  "  %y = bitwise_not %v\n  return %y\n}");
  const Function pure = ResolvedText(text).function;
  EXPECT_LE(CountOf(pure, OpKind::kAssemble), 2);
}

TEST(ResolveInPlaceTest, AReadByIndexMayBeLaidWhereItOverlapsItself) {
  ResolveOptions options;
  options.overlapping_writes = OverlappingWrites::kSequential;
  ResolvedText(R"(func @f(%x: f32[4], %i: i64[3]) {
  buffer @b : 4 bytes
  %r = index_select %x, %i, dim=0 into f32[3] in @b strides [0]
  return %r
})",
               options);
}

TEST(ResolveInPlaceTest, AnOpThatNobodySeesIsNotReadFor) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[4,4]) {
  %a = slice %x, dim=1, start=0, end=2
  add_ %a, 1.0
  %b = clone %x
  mul_ %b, 2.0
  return
})")
                            .function;
  EXPECT_EQ(OpsIn(pure), 2);  // An extract, an add.
}

TEST(ResolveInPlaceTest, ABoolIsFilledWithZeroOrOneWhateverItsByte) {
  const Function pure = ResolvedText(R"(func @f(%x: i32[4], %y: bool[3]) {
  %b = view %x : bool[] offset 4
  fill_ %y, %b
  return
})")
                            .function;
  EXPECT_EQ(CountOf(pure, OpKind::kFull), 1);
}

TEST(ResolveInPlaceTest, ResultsOfOneNewStorageStayTogether) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[2,3]) {
  %y = neg %x
  %t = transpose %y, dim0=0, dim1=1
  return %y, %t, %x
})")
                            .function;
  EXPECT_EQ(CountOf(pure, OpKind::kBind), 1);
  ASSERT_EQ(pure.returns.size(), 3);
  EXPECT_EQ(pure.returns[0].window.storage, pure.returns[1].window.storage);
  EXPECT_EQ(pure.Get(pure.returns[2].window.storage).kind,
            StorageKind::kParameter);
}

TEST(ResolveInPlaceTest, OneRowWrittenIsOneRowCommitted) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[64,16], %y: f32[16]) {
  %r = select %x, dim=0, index=7
  copy_ %r, %y
  %s = sum %x, dims=[0]
  return %s
})")
                            .function;
  ASSERT_EQ(CountOf(pure, OpKind::kCommit), 1);
  const Op& commit = pure.ops.back();
  const Type& target = pure.targets[commit.target];
  EXPECT_EQ(TextOf(pure.LayoutOf(target).sizes), "[16]");
  EXPECT_EQ(target.offset, 7 * 16);
}

TEST(ResolveInPlaceTest, ADestinationThatOverlapsItselfIsRefused) {
  const char* const text = R"(func @f(%x: f32[4], %y: f32[3,2]) {
  %u = unfold %x, dim=0, size=2, step=1
  copy_ %u, %y
  return
})";
  EXPECT_THAT(RefusalOf(text), HasSubstr("--overlapping-writes=sequential"));
  ResolveOptions options;
  options.overlapping_writes = OverlappingWrites::kSequential;
  ResolvedText(text, options);
}

TEST(ResolveInPlaceTest, FillingADestinationThatOverlapsItselfIsNot) {
  ResolvedText(R"(func @f(%x: f32[4]) {
  %u = unfold %x, dim=0, size=2, step=1
  fill_ %u, 1.0
  return
})");
}

TEST(ResolveInPlaceTest, CallsWhoseOperandsOverlapAreRefused) {
  const char* const text = R"(func @f(%x: f32[4]) {
  %a = slice %x, dim=0, start=0, end=3, step=1
  call "f"(mut %a, %x)
  return
})";
  EXPECT_THAT(RefusalOf(text), HasSubstr("--overlapping-calls=by-value"));
  ResolveOptions options;
  options.overlapping_calls = OverlappingCalls::kByValue;
  ResolvedText(text, options);
}

TEST(ResolveInPlaceTest, CallsMayTakeOneWindowTwice) {
  ResolvedText(R"(func @f(%x: f32[4]) {
  %y = view %x : f32[4]
  call "f"(mut %x, %y, mut %y)
  return %x
})");
}

TEST(ResolveInPlaceTest, ResultsInAnOperandsStorageAreSeenAfterTheWrites) {
  const Function pure = ResolvedText(R"(func @f(%x: f32[4]) {
  %y, %z = call "f"(mut %x) : f32[2] in @x offset 1, f32[3]
  %s = sum %y
  return %s, %z, %y
})")
                            .function;
  EXPECT_EQ(CountOf(pure, OpKind::kExtract), 1);
}

}  // namespace
}  // namespace palimpsest
