// Memory that was never written: where it goes and what it spoils.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cuda/interpreter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

using testing::ElementsAre;

// %h is f32[4] of which elements 1 and 2 are poison; %o is ones.
std::string Half(const std::string& rest) {
  return "func @f(%o: f32[4] in @o, %i: i64[2], %p: i64[2], %m: bool[4]) {\n"
         "  %h = empty : f32[4] in @h\n"
         "  %a = view %h : f32[2] in @h strides [3]\n"
         "  fill_ %a, 1.0\n" +
         rest + "}\n";
}

absl::StatusOr<RunOutputs> RunHalf(const std::string& rest) {
  return RunText(Half(rest), {TensorOf(DType::kF32, {4}, {1, 1, 1, 1}),
                              TensorOf(DType::kI64, {2}, {1, 3}),
                              TensorOf(DType::kI64, {2}, {0, 0}),
                              TensorOf(DType::kBool, {4}, {0, 1, 0, 0})});
}

std::vector<bool> PoisonAfter(const std::string& rest) {
  const absl::StatusOr<RunOutputs> outputs = RunHalf(rest);
  if (!outputs.ok()) {
    ADD_FAILURE() << outputs.status();
    return {};
  }
  return PoisonOf(outputs->results[0]);
}

TEST(PoisonTest, IsWhatWasNeverWritten) {
  EXPECT_THAT(PoisonAfter("  return %h\n"),
              ElementsAre(false, true, true, false));
  EXPECT_THAT(PoisonAfter("  fill_ %h, 0\n  return %h\n"),
              ElementsAre(false, false, false, false));
}

TEST(PoisonTest, GapsOfANewStorageAndBuffersArePoison) {
  EXPECT_THAT(PoisonAfter("  %x = full 1.0 : f32[2] in @x strides [2]\n"
                          "  %y = view %x : f32[3] in @x\n  return %y\n"),
              ElementsAre(false, true, false));
  const absl::StatusOr<RunOutputs> outputs = RunText(
      "func @f(%x: f32[1]) {\n  buffer @b : 8 bytes\n"
      "  %y = add %x, 1 : f32[1] into f32[1] in @b\n"
      "  %z = view %y : f32[2] in @b\n  return %z\n}\n",
      {TensorOf(DType::kF32, {1}, {1})});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT(PoisonOf(outputs->results[0]), ElementsAre(false, true));
}

TEST(PoisonTest, MovesBytewise) {
  EXPECT_THAT(PoisonAfter("  %r = flip %h, dims=[0]\n  return %r\n"),
              ElementsAre(false, true, true, false));
  EXPECT_THAT(
      PoisonAfter("  %r = cat [%o, %h], dim=0\n  return %r\n"),
      ElementsAre(false, false, false, false, false, true, true, false));
  EXPECT_THAT(PoisonAfter("  copy_ %o, %h\n  return %o\n"),
              ElementsAre(false, true, true, false));
  EXPECT_THAT(PoisonAfter("  %v = view %h : u8[8] in @h\n"
                          "  %c = clone %v : u8[8]\n  return %c\n"),
              ElementsAre(false, false, false, false, true, true, true, true));
  EXPECT_THAT(PoisonAfter("  %r = index_select %h, %i, dim=0\n  return %r\n"),
              ElementsAre(true, false));
}

TEST(PoisonTest, SpoilsTheElementsComputedFromIt) {
  EXPECT_THAT(PoisonAfter("  %r = add %o, %h\n  return %r\n"),
              ElementsAre(false, true, true, false));
  EXPECT_THAT(PoisonAfter("  add_ %o, %h\n  return %o\n"),
              ElementsAre(false, true, true, false));
  EXPECT_THAT(PoisonAfter("  %r = gt %h, %o\n  return %r\n"),
              ElementsAre(false, true, true, false));
  EXPECT_THAT(PoisonAfter("  %r = cast %h : i8[4]\n  return %r\n"),
              ElementsAre(false, true, true, false));
  EXPECT_THAT(PoisonAfter("  %r = cumsum %h, dim=0\n  return %r\n"),
              ElementsAre(false, true, true, true));
  EXPECT_THAT(PoisonAfter("  %v = view %h : f32[2,2] in @h\n"
                          "  %r = sum %v, dims=[1]\n  return %r\n"),
              ElementsAre(true, true));
  EXPECT_THAT(PoisonAfter("  %v = view %h : f32[2,2] in @h\n"
                          "  %w = view %o : f32[2,2] in @o\n"
                          "  %e = view %v : f32[1,2] in @h strides [1,3]\n"
                          "  %r = matmul %e, %w\n  %q = matmul %w, %v\n"
                          "  %s = cat [%r, %q], dim=0\n  return %s\n"),
              ElementsAre(false, false, true, true, true, true));
  EXPECT_THAT(PoisonAfter("  %z = view %h : f32[2] in @h offset 1\n"
                          "  index_add_ %o, %i, %z, dim=0\n  return %o\n"),
              ElementsAre(false, true, false, true));
}

TEST(PoisonTest, OfWhereIsThatOfTheElementChosen) {
  EXPECT_THAT(PoisonAfter("  %r = where %m, %h, %o\n  return %r\n"),
              ElementsAre(false, true, false, false));
  EXPECT_THAT(PoisonAfter("  masked_fill_ %h, %m, 0\n  return %h\n"),
              ElementsAre(false, false, true, false));
  EXPECT_THAT(PoisonAfter("  masked_scatter_ %h, %m, %o\n  return %h\n"),
              ElementsAre(false, false, true, false));
  EXPECT_THAT(PoisonAfter("  %v = view %o : f32[2] in @o\n"
                          "  index_copy_ %h, %i, %v, dim=0\n  return %h\n"),
              ElementsAre(false, false, true, false));
}

TEST(PoisonTest, AsAnIndexAMaskOrAConditionIsAnError) {
  const auto message = [](const std::string& rest) {
    return std::string(RunHalf(rest).status().message());
  };
  EXPECT_EQ(message("  %j = empty : i64[2]\n"
                    "  %r = index_select %o, %j, dim=0\n  return %r\n"),
            "index_select: an index is poison");
  EXPECT_EQ(message("  %j = empty : bool[4]\n  %r = where %j, %o, %h\n"
                    "  return %r\n"),
            "where: the condition is poison");
  EXPECT_EQ(message("  %j = empty : bool[4]\n  masked_fill_ %o, %j, 0\n"
                    "  return %o\n"),
            "masked_fill_: the mask is poison");
}

TEST(PoisonTest, OfACallsOperandSpoilsAllOutputs) {
  EXPECT_THAT(PoisonAfter("  %r = call \"f\"(%h) : f32[2]\n  return %r\n"),
              ElementsAre(true, true));
  EXPECT_THAT(PoisonAfter("  call \"f\"(mut %h)\n  return %h\n"),
              ElementsAre(true, true, true, true));
}

TEST(PoisonTest, AMutOperandThatIsPoisonThroughoutIsOnlyWritten) {
  EXPECT_THAT(PoisonAfter("  %e = empty : f32[2]\n  call \"f\"(mut %e)\n"
                          "  return %e\n"),
              ElementsAre(false, false));
}

}  // namespace
}  // namespace palimpsest
