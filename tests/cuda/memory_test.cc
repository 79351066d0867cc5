// Writes that overlap what they read or themselves, moves, structure, storages
// that are shared or freed, and poison.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cuda/interpreter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

using testing::ElementsAre;
using Reals = std::vector<double>;

Tensor F32(const Dims& sizes, const Reals& elements) {
  return TensorOf(DType::kF32, sizes, elements);
}

Reals RealsFrom(const std::string& text, const std::vector<Tensor>& inputs,
                int number = 0) {
  return RealsOf(ResultOf(text, inputs, number));
}

TEST(OverlapTest, AnOpReadsAllOfItsOperandsBeforeItWrites) {
  const Tensor x = F32({6}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(RealsFrom("func @f(%x: f32[6] in @s) {\n"
                        "  %a = view %x : f32[5] in @s\n"
                        "  %b = view %x : f32[5] in @s offset 1\n"
                        "  add_ %b, %a\n  return %x\n}\n",
                        {x}),
              ElementsAre(1, 3, 5, 7, 9, 11));
  EXPECT_THAT(RealsFrom("func @f(%x: f32[6] in @s) {\n"
                        "  %a = view %x : f32[5] in @s\n"
                        "  %b = view %x : f32[5] in @s offset 1\n"
                        "  copy_ %b, %a\n  return %x\n}\n",
                        {x}),
              ElementsAre(1, 1, 2, 3, 4, 5));
  EXPECT_THAT(RealsFrom("func @f(%x: f32[6] in @s) {\n"
                        "  %r = view %x : f32[6] in @s offset 5 strides [-1]\n"
                        "  copy_ %x, %r\n  return %x\n}\n",
                        {x}),
              ElementsAre(6, 5, 4, 3, 2, 1));
}

TEST(OverlapTest, InASelfOverlappingDestinationTheLastWriteWins) {
  // Three elements at one place; reads see the value before.
  EXPECT_THAT(RealsFrom("func @f(%x: f32[1] in @s, %y: f32[3]) {\n"
                        "  %a = view %x : f32[3] in @s strides [0]\n"
                        "  add_ %a, %y\n  return %x\n}\n",
                        {F32({1}, {10}), F32({3}, {1, 2, 3})}),
              ElementsAre(13));
  // Overlapping rows, the second written after the first.
  EXPECT_THAT(
      RealsFrom("func @f(%x: f32[4] in @s, %y: f32[2,3]) {\n"
                "  %a = view %x : f32[2,3] in @s strides [1,1]\n"
                "  copy_ %a, %y\n  return %x\n}\n",
                {F32({4}, {0, 0, 0, 0}), F32({2, 3}, {1, 2, 3, 4, 5, 6})}),
      ElementsAre(1, 4, 5, 6));
}

TEST(OverlapTest, AnUpdateWritesOnlyWhatItUpdates) {
  // The rows share an element; only the first row is updated.
  EXPECT_THAT(
      RealsFrom("func @f(%x: f32[5] in @s, %i: i64[1], %y: f32[1,3]) {\n"
                "  %a = view %x : f32[2,3] in @s strides [2,1]\n"
                "  index_copy_ %a, %i, %y, dim=0\n  return %x\n}\n",
                {F32({5}, {1, 2, 3, 4, 5}), TensorOf(DType::kI64, {1}, {0}),
                 F32({1, 3}, {7, 8, 9})}),
      ElementsAre(7, 8, 9, 4, 5));
}

TEST(OverlapTest, AnIndexMayLieInWhatIsWritten) {
  EXPECT_THAT(RealsFrom("func @f(%x: i64[4] in @s) {\n"
                        "  %i = view %x : i64[2] in @s\n"
                        "  index_fill_ %x, %i, 9, dim=0\n  return %x\n}\n",
                        {TensorOf(DType::kI64, {4}, {1, 2, 5, 6})}),
              ElementsAre(1, 9, 9, 6));
}

TEST(MoveTest, BytesMoveAsTheyAre) {
  const Tensor x = TensorOf(DType::kU8, {4}, {0, 7, 200, 255});
  EXPECT_THAT(RealsFrom("func @f(%x: u8[4] in @s) {\n"
                        "  %b = view %x : bool[4] in @s\n"
                        "  %c = clone %b : bool[4] in @c\n"
                        "  %f = flip %c, dims=[0] : bool[4] in @f\n"
                        "  %r = view %f : u8[4] in @f\n  return %r\n}\n",
                        {x}),
              ElementsAre(255, 200, 7, 0));
}

TEST(MoveTest, TransposesGoByTiles) {
  Tensor x{DType::kI16, {70, 130}, {}};
  for (int i = 0; i < 70 * 130; ++i) {
    x.elements.push_back(Number::Integer(i));
  }
  const Reals actual = RealsFrom(
      "func @f(%x: i16[70,130] in @s) {\n"
      "  %t = view %x : i16[130,70] in @s strides [1,130]\n"
      "  %r = clone %t : i16[130,70]\n  return %r\n}\n",
      {x});
  for (int c = 0; c < 130; ++c) {
    for (int r = 0; r < 70; ++r) {
      ASSERT_EQ(actual[c * 70 + r], r * 130 + c);
    }
  }
}

// 2^rank elements, with strides so that no two dimensions are one.
absl::Status CloneOfRank(int rank) {
  std::string sizes, strides;
  for (int d = 0; d < rank; ++d) {
    absl::StrAppend(&sizes, d == 0 ? "" : ",", 2);
    absl::StrAppend(&strides, d == 0 ? "" : ",", 1 << d);
  }
  return RunText(absl::StrCat("func @f(%x: i8[", sizes, "] in @s strides [",
                              strides, "]) {\n  %r = clone %x : i8[", sizes,
                              "]\n  return %r\n}\n"),
                 {})
      .status();
}

TEST(MoveTest, MoreDimensionsThanAKernelTakesAreRefused) {
  EXPECT_TRUE(CloneOfRank(17).ok()) << CloneOfRank(17);
  EXPECT_TRUE(
      absl::StrContains(CloneOfRank(18).message(), "at most 17 can be run"))
      << CloneOfRank(18);
}

TEST(MoveTest, CatOfSeveral) {
  EXPECT_THAT(RealsFrom("func @f(%x: f32[2,1], %y: f32[2,2], %z: f32[2,0]) {\n"
                        "  %r = cat [%y, %z, %x, %y], dim=1\n  return %r\n}\n",
                        {F32({2, 1}, {1, 2}), F32({2, 2}, {3, 4, 5, 6})}),
              ElementsAre(3, 4, 1, 3, 4, 5, 6, 2, 5, 6));
}

TEST(CreateTest, FullIotaConstant) {
  const std::string text =
      "func @f() {\n  %a = full 2.5 : f16[2]\n"
      "  %b = iota start=5, step=-2 : i8[2,2]\n"
      "  %c = iota start=0.5, step=0.25 : f32[3]\n"
      "  %d = constant [true, false, true] : bool[3]\n"
      "  %e = full 7 : i64[2] strides [0]\n"
      "  return %a, %b, %c, %d, %e\n}\n";
  EXPECT_THAT(RealsFrom(text, {}, 0), ElementsAre(2.5, 2.5));
  EXPECT_THAT(RealsFrom(text, {}, 1), ElementsAre(5, 3, 1, -1));
  EXPECT_THAT(RealsFrom(text, {}, 2), ElementsAre(0.5, 0.75, 1));
  EXPECT_THAT(RealsFrom(text, {}, 3), ElementsAre(1, 0, 1));
  EXPECT_THAT(RealsFrom(text, {}, 4), ElementsAre(7, 7));
}

TEST(IntoTest, ResultsGoStraightIntoAWindow) {
  EXPECT_THAT(
      RealsFrom("func @f(%x: f32[4] in @s) {\n"
                "  %a = view %x : f32[2] in @s\n"
                "  %b = view %x : f32[2] in @s offset 1\n"
                "  %r = add %a, %b : f32[2] into f32[2] in @s offset 2\n"
                "  %q = cat [%r, %a], dim=0 : f32[4] into f32[4] in @s\n"
                "  return %x\n}\n",
                {F32({4}, {1, 2, 3, 4})}),
      ElementsAre(3, 5, 1, 2));
}

TEST(PureTest, ExtractAndAssemble) {
  const std::string text =
      "pure func @f(%x: f32[4,6] in @s strides [1,4], %y: f32[2]) {\n"
      "  %a = extract %x at offset 7 strides [6,2] : f32[2,2]\n"
      "  %b = extract %a at offset 1 strides [2] : f32[2]\n"
      "  %c = assemble %a, %y at offset 0 strides [2], %b at offset 2 : "
      "f32[2,2]\n"
      "  %d = extract %x at offset 5 strides [0] : i32[2]\n"
      "  %e = assemble %y at strides [2], %b at offset 1 strides [2] : "
      "f32[2,2]\n"
      "  return %a, %b, %c, %d, %e\n}\n";
  Tensor x{DType::kF32, {4, 6}, {}};
  for (int i = 0; i < 24; ++i) x.elements.push_back(Number::Real(i));
  const std::vector<Tensor> inputs = {x, F32({2}, {-1, -2})};
  EXPECT_THAT(RealsFrom(text, inputs, 0), ElementsAre(7, 9, 13, 15));
  EXPECT_THAT(RealsFrom(text, inputs, 1), ElementsAre(9, 15));
  EXPECT_THAT(RealsFrom(text, inputs, 2), ElementsAre(-1, 9, 9, 15));
  EXPECT_THAT(RealsFrom(text, inputs, 3),
              ElementsAre(0x40A00000, 0x40A00000));  // 5.0f
  EXPECT_THAT(RealsFrom(text, inputs, 4), ElementsAre(-1, 9, -2, 15));
}

TEST(PureTest, TheEpilogueWritesAfterEveryRead) {
  const std::string text =
      "pure func @f(%x: f32[2] in @s, %y: f32[2] in @s offset 1) {\n"
      "  %o = contents @s : f32[3]\n"
      "  commit %y to f32[2] in @s\n"
      "  commit %x to f32[2] in @s offset 1\n"
      "  bind %x to f32[2] in @t strides [2]\n"
      "  return f32[3] in @s, %x, %x, f32[2] in @t strides [2], %o\n}\n";
  const std::vector<Tensor> inputs = {F32({2}, {1, 2}), F32({2}, {2, 3})};
  EXPECT_THAT(RealsFrom(text, inputs, 0), ElementsAre(2, 1, 2));
  const absl::StatusOr<RunOutputs> outputs = RunText(text, inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  const std::vector<RunResult>& results = outputs->results;
  EXPECT_EQ(results[0].storage, "s");
  EXPECT_EQ(results[1].storage, "");
  EXPECT_NE(results[1].group, results[2].group);
  EXPECT_NE(results[1].group, results[3].group);
  EXPECT_THAT(RealsOf(TensorOf(results[1])), ElementsAre(1, 2));
  EXPECT_THAT(RealsOf(TensorOf(results[3])), ElementsAre(1, 2));
  EXPECT_THAT(RealsOf(TensorOf(results[4])), ElementsAre(1, 2, 3));
}

TEST(PureTest, AnUpdateTakesOverMemoryOnlyOfAValueThatDies) {
  const std::string text =
      "pure func @f(%x: f32[2], %i: i64[1], %y: f32[1]) {\n"
      "  %a = add %x, 1\n"
      "  %b = index_copy %a, %i, %y, dim=0\n"
      "  %c = extract %b at strides [1] : f32[2]\n"
      "  %d = index_add %b, %i, %y, dim=0\n"
      "  return %c, %d\n}\n";
  const std::vector<Tensor> inputs = {
      F32({2}, {1, 2}), TensorOf(DType::kI64, {1}, {1}), F32({1}, {9})};
  EXPECT_THAT(RealsFrom(text, inputs, 0), ElementsAre(2, 9));
  EXPECT_THAT(RealsFrom(text, inputs, 1), ElementsAre(2, 18));
}

TEST(StorageTest, WhatIsNotWrittenIsSharedWithTheCaller) {
  const absl::StatusOr<Program> program = ParseProgram(
      "func @f(%x: f32[2], %y: f32[2]) {\n  add_ %x, %y\n  return %y\n}\n",
      "test");
  ASSERT_TRUE(program.ok());
  RunInputs inputs;
  inputs.storages["x"] = *Buffer::Allocate(8);
  inputs.storages["y"] = *Buffer::Allocate(8);
  const absl::StatusOr<RunOutputs> outputs =
      palimpsest::Run(program->functions[0], inputs);
  ASSERT_TRUE(outputs.ok());
  EXPECT_TRUE(outputs->storages.at("y").same_memory(inputs.storages["y"]));
  EXPECT_FALSE(outputs->storages.at("x").same_memory(inputs.storages["x"]));
}

TEST(StorageTest, ContentsMustBeGivenInFull) {
  const absl::StatusOr<Program> program =
      ParseProgram("func @f(%x: f32[2]) {\n  return %x\n}\n", "test");
  ASSERT_TRUE(program.ok());
  RunInputs inputs;
  EXPECT_EQ(palimpsest::Run(program->functions[0], inputs).status().message(),
            "no contents given for storage @x");
  inputs.storages["x"] = *Buffer::Allocate(7);
  EXPECT_EQ(palimpsest::Run(program->functions[0], inputs).status().message(),
            "storage @x has 8 bytes; contents of 7 given");
}

}  // namespace
}  // namespace palimpsest
