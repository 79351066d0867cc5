// What each op's result is, and what each op refuses.

#include "ir/infer.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/ir/parsed.h"

namespace palimpsest {
namespace {

constexpr char kSignature[] =
    "func @f(%s: f32[], %v: f32[3], %m: f32[2,3], %t: f32[4,2,3], %u: "
    "f32[4,3,5],"
    " %e: f32[0,3], %row: f32[1,3], %d: f64[2,3], %h: f16[2,3], %q: "
    "f8e4m3[2,3],"
    " %i: i64[2], %i0: i64[], %i1: i32[1], %im: i64[2,2], %ie: i64[0],"
    " %j: i8[2,3], %js: i8[], %w: u64[2], %b: bool[2,3], %bs: bool[], %bv: "
    "bool[3],"
    " %c: c64[2,3], %v2: f32[2], %m2: f32[2,2])";

struct Case {
  absl::string_view statement;  // What follows `%r = `, or an op in place.
  absl::string_view expected;   // The type, or a part of the error.
};

bool IsInPlace(absl::string_view statement) {
  const absl::string_view op = statement.substr(0, statement.find(' '));
  return absl::EndsWith(op, "_");
}

std::string TextOfCase(const Case& c) {
  const bool in_place = IsInPlace(c.statement);
  return absl::StrCat(kSignature, " {\n  ",
                      in_place ? "" : "%r = ", c.statement, "\n  return\n}\n");
}

OpKind KindOf(const Case& c) {
  absl::string_view op = c.statement.substr(0, c.statement.find(' '));
  absl::ConsumeSuffix(&op, "_");
  return OpKindFromText(op).value_or(OpKind::kView);
}

const std::vector<Case>& GoodCases() {
  static const auto& cases = *new std::vector<Case>{
      // Making values.
      {"full 1 : f32[2,0]", "f32[2,0]"},
      {"full %s : f32[7]", "f32[7]"},
      {"full (1.0,2) : c128[]", "c128[]"},
      {"full -128 : i8[1]", "i8[1]"},
      {"full 18446744073709551615 : u64[1]", "u64[1]"},
      {"full 3.0 : i16[1]", "i16[1]"},
      {"full true : bool[1]", "bool[1]"},
      {"empty : f8e5m2[2]", "f8e5m2[2]"},
      {"iota : i64[2,3]", "i64[2,3]"},
      {"iota start=0.5, step=-1 : f32[3]", "f32[3]"},
      {"constant [1, -inf, nan] : f32[3]", "f32[3]"},
      {"constant [] : i64[0,5]", "i64[0,5]"},
      {"constant [true] : bool[]", "bool[]"},
      {"clone %q", "f8e4m3[2,3]"},
      {"cast %m : i8[2,3]", "i8[2,3]"},
      {"cast %q : f32[2,3]", "f32[2,3]"},
      {"copy_ %m, %v", ""},
      {"copy_ %q, %q", ""},
      {"copy_ %e, %row", ""},
      {"fill_ %m, %s", ""},
      {"fill_ %b, false", ""},
      // Elementwise.
      {"add %m, %v", "f32[2,3]"},
      {"add %v, %m", "f32[2,3]"},
      {"add 1, %m", "f32[2,3]"},
      {"add %e, %row", "f32[0,3]"},
      {"add %b, %b", "bool[2,3]"},
      {"add_ %m, %s", ""},
      {"sub %t, %m", "f32[4,2,3]"},
      {"mul %c, (0.0, 1.0)", "c64[2,3]"},
      {"div %h, 2", "f16[2,3]"},
      {"maximum %j, 0", "i8[2,3]"},
      {"minimum %j, %js", "i8[2,3]"},
      {"pow 2.0, %m", "f32[2,3]"},
      {"remainder_ %j, 3", ""},
      {"fmod %d, 0.5", "f64[2,3]"},
      {"atan2 %m, %m", "f32[2,3]"},
      {"eq %c, %c", "bool[2,3]"},
      {"ne %m, 0.5", "bool[2,3]"},
      {"lt %j, 5", "bool[2,3]"},
      {"le %m, %v", "bool[2,3]"},
      {"gt_ %m, %v", ""},
      {"ge %v, %m", "bool[2,3]"},
      {"logical_and %b, %bv", "bool[2,3]"},
      {"logical_or %m, %m", "bool[2,3]"},
      {"logical_xor_ %j, %j", ""},
      {"bitwise_and %j, 7", "i8[2,3]"},
      {"bitwise_or %b, true", "bool[2,3]"},
      {"bitwise_xor_ %b, %bv", ""},
      {"neg %c", "c64[2,3]"},
      {"abs %j", "i8[2,3]"},
      {"exp %m", "f32[2,3]"},
      {"exp2 %m", "f32[2,3]"},
      {"expm1 %m", "f32[2,3]"},
      {"log %c", "c64[2,3]"},
      {"log2 %m", "f32[2,3]"},
      {"log1p %m", "f32[2,3]"},
      {"sqrt %m", "f32[2,3]"},
      {"rsqrt %h", "f16[2,3]"},
      {"sin %m", "f32[2,3]"},
      {"cos %m", "f32[2,3]"},
      {"tan %m", "f32[2,3]"},
      {"tanh_ %m", ""},
      {"sigmoid %m", "f32[2,3]"},
      {"relu_ %m", ""},
      {"sign %b", "bool[2,3]"},
      {"floor %j", "i8[2,3]"},
      {"ceil %m", "f32[2,3]"},
      {"round %m", "f32[2,3]"},
      {"trunc %m", "f32[2,3]"},
      {"reciprocal %m", "f32[2,3]"},
      {"square %j", "i8[2,3]"},
      {"erf %m", "f32[2,3]"},
      {"logical_not %m", "bool[2,3]"},
      {"logical_not_ %m", ""},
      {"bitwise_not %j", "i8[2,3]"},
      {"where %bv, %t, 0.0", "f32[4,2,3]"},
      {"where %b, 1, 0 : f64[2,3]", "f64[2,3]"},
      {"where_ %b, %bs, true", ""},
      // Reductions, products, moves.
      {"sum %t, dims=[0,-1]", "f32[2]"},
      {"sum %t", "f32[]"},
      {"sum %t, dims=[], keepdim=true", "f32[1,1,1]"},
      {"sum %s, dims=[-1]", "f32[]"},
      {"sum %e, dims=[0]", "f32[3]"},
      {"sum %b, dims=[1]", "bool[2]"},
      {"prod %e, dims=[0], keepdim=true", "f32[1,3]"},
      {"amax %e, dims=[1]", "f32[0]"},
      {"amin %m, dims=[1,0]", "f32[]"},
      {"mean %h, dims=[1]", "f16[2]"},
      {"cumsum %t, dim=-2", "f32[4,2,3]"},
      {"cumsum %s, dim=0", "f32[]"},
      {"matmul %m2, %m", "f32[2,3]"},
      {"matmul %t, %u", "f32[4,2,5]"},
      {"cat [%m, %m, %row], dim=0", "f32[5,3]"},
      {"cat [%e], dim=-1", "f32[0,3]"},
      {"flip %t, dims=[-1,0]", "f32[4,2,3]"},
      {"flip %s, dims=[]", "f32[]"},
      // Reads by index.
      {"index_select %t, %i, dim=-1", "f32[4,2,2]"},
      {"index_select %t, %i0, dim=0", "f32[1,2,3]"},
      {"index_select %s, %i1, dim=0", "f32[]"},
      {"index_select %q, %ie, dim=1", "f8e4m3[2,0]"},
      {"gather %m, %im, dim=1", "f32[2,2]"},
      {"gather %s, %i0, dim=0", "f32[]"},
      {"gather %v, %i0, dim=0", "f32[]"},
      {"gather %s, %i1, dim=0", "f32[1]"},
      {"index %t, [%i]", "f32[2,2,3]"},
      {"index %t, [none, %im]", "f32[4,2,2,3]"},
      {"index %t, [%i, %i]", "f32[2,3]"},
      {"index %t, [%i, none, %im]", "f32[2,2,2]"},
      {"index %t, [none, none, %i0]", "f32[4,2]"},
      {"index %t, [%i0, none, %i0]", "f32[2]"},
      {"index %t, [%i1, %i]", "f32[2,3]"},
      // Updates by index.
      {"index_copy %m, %i, %m, dim=0", "f32[2,3]"},
      {"index_copy_ %v, %i0, %s, dim=0", ""},
      {"index_copy %s, %i1, %s, dim=0", "f32[]"},
      {"index_add_ %m, %i, %m2, dim=1", ""},
      {"index_fill %m, %ie, 0, dim=1", "f32[2,3]"},
      {"index_fill_ %m, %i0, %s, dim=-1", ""},
      {"index_put_ %m, [%i], %v, accumulate=true", ""},
      {"index_put %m, [none, %i], 1.0", "f32[2,3]"},
      {"index_put_ %t, [%i, none, %i], %m2", ""},
      {"scatter %m, %im, %m, dim=1", "f32[2,3]"},
      {"scatter_ %m, %im, 2.0, dim=0", ""},
      {"scatter_add_ %v, %ie, %v, dim=0", ""},
      {"masked_fill_ %t, %bv, -inf", ""},
      {"masked_fill %m, %bs, %s", "f32[2,3]"},
      {"masked_scatter %m, %b, %t", "f32[2,3]"},
      {"masked_scatter_ %q, %b, %q", ""},
      // Structure.
      {"view %t : f32[3,2] offset 1 strides [1,6]", "f32[3,2]"},
      {"view %e : f32[0] offset 99", "f32[0]"},
      {"view %c : f32[4] strides [3]", "f32[4]"},
      {"extract %t at offset 2 strides [6,-1] : f32[4,2]", "f32[4,2]"},
      {"extract %m at : u8[24]", "u8[24]"},
      {"assemble %m at : f32[3,2]", "f32[3,2]"},
      {"assemble %t, %m at offset 3, %row at : f32[4,2,3]", "f32[4,2,3]"},
      {"assemble %j at, %j at offset 6 : f16[6]", "f16[6]"},
      {"call \"f\"(%s) : f32[2]", "f32[2]"},
  };
  return cases;
}

const std::vector<Case>& BadCases() {
  static const auto& cases = *new std::vector<Case>{
      {"full 1", "needs a declared type"},
      {"full %m : f32[2]", "must be a literal or have rank 0"},
      {"full %js : f32[2]", "must have dtype"},
      {"full 1 : f8e4m3[2]", "not for f8e4m3"},
      {"full 128 : i8[2]", "its range is -2^7 to 2^7 - 1"},
      {"full -1 : u8[2]", "its range is 0 to 2^8 - 1"},
      {"full 9223372036854775808 : i64[1]", "its range is"},
      {"full 1e10 : i32[1]", "its range is"},
      {"full inf : i32[1]", "its range is"},
      {"full nan : i32[1]", "an integral number is wanted"},
      {"empty", "needs a declared type"},
      {"iota : bool[2]", "not for bool"},
      {"iota step=0.5 : i64[2]", "an integral number"},
      {"constant [1,2] : f32[3]", "has 3 elements, but 2"},
      {"constant [1,true] : f32[2]", "a number is wanted"},
      {"clone 1.0", "expected a value"},
      {"cast %m", "needs a declared type"},
      {"cast %m : f64[3,2]", "the op gives f64[2,3], not f64[3,2]"},
      {"copy_ %v, %m", "does not broadcast to [3]"},
      {"copy_ %m, %d", "must have dtype f32"},
      {"fill_ %q, 1.0", "not for f8e4m3"},
      {"fill_ %m, %v", "have rank 0"},
      {"add %m, %d", "must have dtype f32"},
      {"add %m, %v2", "does not broadcast"},
      {"add %q, %q", "not for f8e4m3"},
      {"add_ %v, %m", "does not broadcast to [3]"},
      {"sub %b, %b", "not for bool"},
      {"mul %b, 2.0", "`true` or `false`"},
      {"div %j, 2", "not for i8"},
      {"maximum %c, %c", "not for c64"},
      {"minimum %c, 1", "not for c64"},
      {"pow %b, %b", "not for bool"},
      {"remainder %c, %c", "not for c64"},
      {"fmod %b, %b", "not for bool"},
      {"atan2 %j, %j", "not for i8"},
      {"eq %m, %d", "must have dtype"},
      {"eq %m, %m : f32[2,3]", "the op gives bool[2,3]"},
      {"ne %m, true", "a number is wanted"},
      {"lt %c, %c", "not for c64"},
      {"le %c, 1.0", "not for c64"},
      {"gt_ %m, %b", "must have dtype f32"},
      {"ge %m, (1,2)", "a real number is wanted"},
      {"logical_and %m, %b", "must have dtype"},
      {"logical_or %q, %q", "not for f8e4m3"},
      {"logical_xor %m, %v2", "does not broadcast"},
      {"bitwise_and %m, 1", "not for f32"},
      {"bitwise_or %j, 0.5", "an integral number"},
      {"bitwise_xor %c, %c", "not for c64"},
      {"neg %b", "not for bool"},
      {"neg 1.0", "has literals alone"},
      {"abs %c", "not for c64"},
      {"exp %j", "not for i8"},
      {"exp2 %c", "not for c64"},
      {"expm1 %j", "not for i8"},
      {"log %j", "not for i8"},
      {"log2 %j", "not for i8"},
      {"log1p %j", "not for i8"},
      {"sqrt %j", "not for i8"},
      {"rsqrt %j", "not for i8"},
      {"sin %j", "not for i8"},
      {"cos %j", "not for i8"},
      {"tan %j", "not for i8"},
      {"tanh %j", "not for i8"},
      {"sigmoid %j", "not for i8"},
      {"relu %c", "not for c64"},
      {"sign %c", "not for c64"},
      {"floor %b", "not for bool"},
      {"ceil %b", "not for bool"},
      {"round %b", "not for bool"},
      {"trunc %b", "not for bool"},
      {"reciprocal %j", "not for i8"},
      {"square %b", "not for bool"},
      {"erf %j", "not for i8"},
      {"logical_not %q", "not for f8e4m3"},
      {"bitwise_not %m", "not for f32"},
      {"where %m, %m, %m", "must be a mask"},
      {"where %b, 1.0, 0.0", "needs a declared type"},
      {"where %b, %m, %d", "must have dtype"},
      {"where_ %b, %m, %m", "must have dtype bool"},
      {"sum %m, dims=[2]", "dimension 2 is out of range"},
      {"sum %m, dims=[1,-1]", "dimension 1 stands there twice"},
      {"prod %q", "not for f8e4m3"},
      {"amax %e", "amax of none has no value"},
      {"amin %e, dims=[0]", "amin of none has no value"},
      {"mean %j", "not for i8"},
      {"cumsum %m", "needs `dim=`"},
      {"cumsum %s, dim=1", "out of range"},
      {"matmul %row, %v", "does not fit"},
      {"matmul %v, %v", "must have rank 2"},
      {"matmul %t, %t", "it takes [4,3,n]"},
      {"matmul %t, %m", "does not fit"},
      {"cat [%m, %v], dim=0", "differs from"},
      {"cat [%s, %s], dim=0", "no dimension to join"},
      {"cat [%m, %d], dim=0", "must have dtype"},
      {"cat [], dim=0", "it takes 1 operand: a list of xs"},
      {"flip %m, dims=[3]", "out of range"},
      {"flip %m", "needs `dims=`"},
      {"index_select %m, %im, dim=0", "must have rank 1, or 0"},
      {"index_select %s, %i, dim=0", "must have one element"},
      {"index_select %m, %m, dim=0", "must be an index"},
      {"gather %m, %i, dim=0", "must have the rank of"},
      {"gather %row, %im, dim=1", "is larger than"},
      {"index %m, [%i, %i, %i]", "too many"},
      {"index %m, [none, none]", "at least one index tensor"},
      {"index %m, [%b]", "must be an index of an integer dtype"},
      {"index_copy %m, %i, %v, dim=0", "must have the sizes of"},
      {"index_copy %m, %i1, %m, dim=0", "must have size 1 in dimension 0"},
      {"index_copy %m, %im, %m, dim=0", "must have rank 1"},
      {"index_add %q, %i, %q, dim=0", "not for f8e4m3"},
      {"index_fill %m, %i, 1.0, dim=3", "out of range"},
      {"index_put_ %m, [%i], %v2", "does not broadcast to [2,3]"},
      {"scatter %m, %i, %m, dim=0", "must have the rank of"},
      {"scatter %m, %im, %row, dim=0", "is larger than"},
      {"scatter %row, %im, 1.0, dim=1", "is larger than"},
      {"scatter_add %m, %im, %v, dim=0", "must have the rank of"},
      {"masked_fill %row, %b, 1.0", "does not broadcast to [1,3]"},
      {"masked_scatter %m, %v, %m", "must be a mask"},
      {"view %m", "needs a declared type"},
      {"view %m : f32[7]", "the window lies outside"},
      {"extract %m at : f32[7]", "lies outside the 24 bytes"},
      {"extract %m : f32[6]", "a window must follow"},
      {"assemble %m, %t at : f32[2,3]", "lies outside the 24 bytes"},
      {"assemble %v, %v at : f32[2,3]", "is the base"},
      {"assemble %v at : f32[2,3]", "do not cover"},
      {"assemble %m at, %m : f32[2,3]", "a window must follow"},
      {"contents @s : f32[1]", "`contents` is for a pure func"},
      {"call \"f\"(upd %s) : f32[2]", "mark the operand `mut`"},
      {"commit_ %m", "`commit` is for a pure func"},
      {"bind %m", "is for a pure func"},
  };
  return cases;
}

TEST(InferTest, ResultsHaveTheTypesOfTorch) {
  for (const Case& c : GoodCases()) {
    const Function f = ParsedFunction(TextOfCase(c));
    if (f.ops.empty() || c.expected.empty()) continue;
    const Layout layout = f.LayoutOf(f.Result(f.ops[0]));
    EXPECT_EQ(TextOf(layout.dtype, layout.sizes), c.expected) << c.statement;
  }
}

TEST(InferTest, WhatDoesNotFitIsRefused) {
  for (const Case& c : BadCases()) {
    const std::string error = ErrorOf(TextOfCase(c));
    EXPECT_TRUE(absl::StrContains(error, c.expected))
        << c.statement << "\n"
        << (error.empty() ? "parses" : error);
  }
}

TEST(InferTest, EveryOpIsSeenToPassAndToFail) {
  std::set<OpKind> good;
  std::set<OpKind> bad;
  for (const Case& c : GoodCases()) good.insert(KindOf(c));
  for (const Case& c : BadCases()) bad.insert(KindOf(c));
  // In a pure function alone; see the verifier's and the parser's tests.
  good.insert({OpKind::kContents, OpKind::kCommit, OpKind::kBind});
  bad.insert(OpKind::kCommit);
  for (const OpInfo& info : AllOps()) {
    EXPECT_TRUE(good.count(info.kind)) << info.text;
    EXPECT_TRUE(bad.count(info.kind)) << info.text;
  }
}

TEST(InferTest, DimensionsAreCountedFromTheFrontAndSorted) {
  const Function f = ParsedFunction(
      "func @f(%t: f32[4,2,3]) {\n  %r = sum %t, dims=[-1,0]\n"
      "  %s = amax %t\n  return\n}\n");
  EXPECT_EQ(TextOf(f.ListOf(f.ops[0], AttributeKey::kDims)), "[0,2]");
  EXPECT_EQ(TextOf(f.ListOf(f.ops[1], AttributeKey::kDims)), "[0,1,2]");
  EXPECT_EQ(f.IntegerOf(f.ops[0], AttributeKey::kKeepDim), 0);
}

}  // namespace
}  // namespace palimpsest
