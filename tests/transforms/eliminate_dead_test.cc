#include "transforms/eliminate_dead.h"

#include <string>

#include "gtest/gtest.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "tests/transforms/resolved.h"

namespace palimpsest {
namespace {

std::string Cleaned(const char* text) {
  const Function function = EliminateDead(Parsed(text));
  const absl::Status verified = Verify(function);
  EXPECT_TRUE(verified.ok()) << verified.message();
  return PrintToString(function);
}

TEST(EliminateDeadTest, WhatNobodyReadsGoesWithWhatOnlyItRead) {
  EXPECT_EQ(Cleaned(R"(pure func @f(%x: f32[4]) {
  %a = neg %x : f32[4]
  %b = exp %a : f32[4]
  %c = abs %x : f32[4]
  return %c
}
)"),
            R"(pure func @f(%x: f32[4]) {
  %c = abs %x : f32[4]
  return %c
}
)");
}

TEST(EliminateDeadTest, WhatStandsBeforeTheFirstDeadOpStays) {
  EXPECT_EQ(Cleaned(R"(pure func @f(%x: f32[4]) {
  %a = neg %x : f32[4]
  %b = add %a, %x : f32[4]
  %c = empty : f32[4]
  %d = mul %c, %b : f32[4]
  %e = empty : f32[4]
  %f = sub %e, %b : f32[4]
  return %b, %f
}
)"),
            R"(pure func @f(%x: f32[4]) {
  %a = neg %x : f32[4]
  %b = add %a, %x : f32[4]
  %e = empty : f32[4]
  %f = sub %e, %b : f32[4]
  return %b, %f
}
)");
}

TEST(EliminateDeadTest, CommitsAndBindsKeepTheirValues) {
  const std::string text = R"(pure func @f(%x: f32[2,2]) {
  %a = neg %x : f32[2,2]
  %b = abs %x : f32[2,2]
  commit %a to f32[2,2] in @x
  bind %b to f32[2,2] in @t strides [1,2]
  return f32[2,2] in @t strides [1,2]
}
)";
  EXPECT_EQ(Cleaned(text.c_str()), text);
}

TEST(EliminateDeadTest, CallsStayUnlessTheyArePure) {
  EXPECT_EQ(Cleaned(R"(pure func @f(%x: f32[4]) {
  %a = neg %x : f32[4]
  %b = call "log"(%a) : f32[1]
  %c = call pure "norm"(%x) : f32[1]
  return
}
)"),
            R"(pure func @f(%x: f32[4]) {
  %a = neg %x : f32[4]
  %b = call "log"(%a) : f32[1]
  return
}
)");
}

TEST(EliminateDeadTest, ACallIsKeptForEitherOfItsResults) {
  const std::string text = R"(pure func @f(%x: f32[4]) {
  %a, %b = call pure "split"(upd %x) : f32[1]
  commit %b to f32[4] in @x
  return
}
)";
  EXPECT_EQ(Cleaned(text.c_str()), text);
}

TEST(EliminateDeadTest, TagsAndAttributesOfWhatStaysAreKept) {
  EXPECT_EQ(Cleaned(R"(pure func @f(%x: f32[2,3]) {
  %a = sum %x, dims=[0], keepdim=true : f32[1,3] tag 1
  %b = sum %x, dims=[1], keepdim=true : f32[2,1] tag 2
  return %b
}
)"),
            R"(pure func @f(%x: f32[2,3]) {
  %b = sum %x, dims=[1], keepdim=true : f32[2,1] tag 2
  return %b
}
)");
}

TEST(EliminateDeadTest, ValuesAreNumberedPastTheNamesOfParameters) {
  Function function = Parsed(R"(pure func @f(%2: f32[4] in @s) {
  %x = neg %2 : f32[4]
  %y = abs %x : f32[4]
  return %y
}
)");
  NumberValues(function);
  EXPECT_EQ(PrintToString(function), R"(pure func @f(%2: f32[4] in @s) {
  %1 = neg %2 : f32[4]
  %3 = abs %1 : f32[4]
  return %3
}
)");
}

}  // namespace
}  // namespace palimpsest
