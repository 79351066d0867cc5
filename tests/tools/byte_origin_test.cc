#include "tools/byte_origin.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "cuda/compare.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

constexpr BytePlace::Of kResult = BytePlace::Of::kResult;
constexpr BytePlace::Of kStorage = BytePlace::Of::kStorage;

std::string OriginText(absl::string_view text, const BytePlace& place) {
  const absl::StatusOr<Program> program = ParseProgram(text, "test");
  if (!program.ok()) {
    ADD_FAILURE() << program.status();
    return "";
  }
  const Function& function = program->functions[0];
  const absl::optional<OpId> origin = OriginOf(function, place);
  return origin ? PrintOp(function, function.Get(*origin)) : "entry";
}

constexpr absl::string_view kInPlace = R"(func @f(%x: f32[4,4]) {
  %t = view %x : f32[4,4] strides [1,4]
  %row = view %t : f32[4] offset 4
  %back = view %x : f32[2] offset 15 strides [-8]
  add_ %row, 1.0
  %y = neg %x
  mul_ %back, 2.0
  %z = call "f"(mut %y) : f32[2] in @y offset 3
  return %t, %z
})";

TEST(ByteOriginTest, OfAStorageIsTheLastWriterOfTheByte) {
  EXPECT_EQ(OriginText(kInPlace, {kStorage, 0, 0}), "entry");
  EXPECT_EQ(OriginText(kInPlace, {kStorage, 0, 15}), "entry");
  EXPECT_EQ(OriginText(kInPlace, {kStorage, 0, 16}), "add_ %row, 1.0");
  EXPECT_EQ(OriginText(kInPlace, {kStorage, 0, 28}), "mul_ %back, 2.0");
  EXPECT_EQ(OriginText(kInPlace, {kStorage, 0, 31}), "mul_ %back, 2.0");
  EXPECT_EQ(OriginText(kInPlace, {kStorage, 0, 32}), "entry");
  EXPECT_EQ(OriginText(kInPlace, {kStorage, 0, 63}), "mul_ %back, 2.0");
}

TEST(ByteOriginTest, OfAResultIsFoundThroughItsWindow) {
  // %t[1,0] and %t[0,1]: bytes 4 and 16 of @x, elements 4 and 1 of %t.
  EXPECT_EQ(OriginText(kInPlace, {kResult, 0, 16}), "entry");
  EXPECT_EQ(OriginText(kInPlace, {kResult, 0, 4}), "add_ %row, 1.0");
  EXPECT_EQ(OriginText(kInPlace, {kResult, 1, 4}),
            "%z = call \"f\"(mut %y) : f32[2] in @y offset 3");
}

constexpr absl::string_view kPure = R"(pure func @f(%x: f32[4,4]) {
  %1 = extract %x at offset 5 strides [4,1] : f32[2,2]
  %2 = neg %1
  %3 = abs %1
  %4 = assemble %x, %2 at offset 5 strides [4,1], %3 at offset 4 strides [1,4] : f32[4,4]
  %5 = extract %4 at offset 15 strides [-5] : f32[3]
  commit %2 to f32[2,2] in @x offset 1 strides [4,1]
  bind %4 to f32[4,4] in @new offset 1
  return %5, f32[2] in @new offset 6, f32[2] in @x
})";

TEST(ByteOriginTest, InAPureFunctionIsFoundThroughMoves) {
  const std::string neg = "%2 = neg %1 : f32[2,2]";
  const std::string abs = "%3 = abs %1 : f32[2,2]";
  EXPECT_EQ(OriginText(kPure, {kResult, 0, 0}), "entry");
  EXPECT_EQ(OriginText(kPure, {kResult, 0, 4}), neg);  // Element 10.
  EXPECT_EQ(OriginText(kPure, {kResult, 0, 8}), abs);  // Element 5.
  EXPECT_EQ(OriginText(kPure, {kResult, 1, 0}), abs);  // Element 5.
  EXPECT_EQ(OriginText(kPure, {kResult, 1, 4}), neg);  // Element 6.
  EXPECT_EQ(OriginText(kPure, {kResult, 2, 0}), "entry");
  EXPECT_EQ(OriginText(kPure, {kResult, 2, 4}), neg);
  EXPECT_EQ(OriginText(kPure, {kStorage, 0, 27}), neg);
  EXPECT_EQ(OriginText(kPure, {kStorage, 0, 28}), "entry");
}

}  // namespace
}  // namespace palimpsest
