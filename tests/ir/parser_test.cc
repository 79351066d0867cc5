// What the parser accepts, beyond what the printer writes, and where it puts
// its errors. tests/golden/parse has one file per kind of error.

#include "ir/parser.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "tests/ir/parsed.h"

namespace palimpsest {
namespace {

TEST(ParserTest, LayoutOfTheTextIsFree) {
  const Function f = ParsedFunction(
      "// a comment\r\n\r\nversion 1\r\n"
      "func @f(\n  %x: f32[ 2 ,3 ] in @s,   // the data\n  %i : i64[2]\n) {\r\n"
      "\tstorage @s : 100 bytes\n\n"
      "  buffer @b:8 bytes\n"
      "  index_fill_ %x,%i , dim = 0,1.0\n\n"
      "  return %x } // no newline follows");
  EXPECT_EQ(PrintToString(f),
            "func @f(%x: f32[2,3] in @s, %i: i64[2]) {\n"
            "  storage @s : 100 bytes\n"
            "  buffer @b : 8 bytes\n"
            "  index_fill_ %x, %i, 1.0, dim=0\n"
            "  return %x\n"
            "}\n");
}

TEST(ParserTest, NamesMayBeNumbersOrHaveDots) {
  const Function f = ParsedFunction(
      "func @0(%0: f32[2], %007: f32[2], %h.0.w: f32[2], %999999999: f32[2], "
      "%99999999999: f32[2]) {\n"
      "  %7 = add %0, %007\n  %8 = mul %h.0.w, %999999999\n"
      "  add_ %7, %99999999999\n  return %7, %8\n}\n");
  EXPECT_EQ(f.TextOf(ValueId{1}), "%007");
  EXPECT_EQ(f.TextOf(ValueId{3}), "%999999999");
  EXPECT_EQ(f.ops.size(), 3);
}

TEST(ParserTest, OpsKnowTheirPlaces) {
  const Function f = ParsedFunction(
      "\nfunc @f(%x: f32[2]) {\n  neg_ %x\n\n    %y = neg %x tag -7\n"
      "  return\n}\n");
  EXPECT_EQ(f.location.line, 2);
  EXPECT_EQ(f.ops[0].location.line, 3);
  EXPECT_EQ(f.ops[0].location.column, 3);
  EXPECT_EQ(f.ops[1].location.line, 5);
  EXPECT_EQ(f.ops[1].location.column, 5);
  EXPECT_TRUE(f.ops[1].has_tag);
  EXPECT_EQ(f.ops[1].tag, -7);
}

TEST(ParserTest, LiteralsKeepTheirKind) {
  const Function f = ParsedFunction(
      "func @f() {\n  %a = constant [1, 1.0, -1e-3, inf, -inf, nan, "
      "18446744073709551615]"
      " : f64[7]\n  %b = constant [true, false] : bool[2]\n"
      "  %c = full (1,-inf) : c64[]\n  return\n}\n");
  EXPECT_EQ(f.literals[0], Literal::Integer(1));
  EXPECT_EQ(f.literals[1], Literal::Float(1));
  EXPECT_EQ(f.literals[2], Literal::Float(-1e-3));
  EXPECT_EQ(f.literals[6], Literal::Unsigned(UINT64_MAX));
  EXPECT_EQ(f.literals[7], Literal::Boolean(true));
  EXPECT_EQ(f.literals[9].kind, Literal::Kind::kComplex);
}

TEST(ParserTest, SugarBecomesAView) {
  const Function f = ParsedFunction(
      "func @f(%x: f32[4,6]) {\n"
      "  %a = slice %x, dim=-1, start=1, step=2\n"
      "  %b = select %a, dim=0, index=-1 : f32[3]\n"
      "  %c = transpose %x, dim0=0, dim1=1\n"
      "  %d = bitcast %x : i32[4,6]\n"
      "  %e = bitcast %x, dtype=u8\n"
      "  %g = flip_view %b, dims=[0] : f32[3] in @x offset 23 strides [-2]\n"
      "  return %a\n}\n");
  EXPECT_EQ(PrintOp(f, f.ops[0]),
            "%a = view %x : f32[4,3] in @x offset 1 strides [6,2]");
  EXPECT_EQ(PrintOp(f, f.ops[1]),
            "%b = view %a : f32[3] in @x offset 19 strides [2]");
  EXPECT_EQ(PrintOp(f, f.ops[2]),
            "%c = view %x : f32[6,4] in @x strides [1,6]");
  EXPECT_EQ(PrintOp(f, f.ops[4]), "%e = view %x : u8[4,24] in @x");
  EXPECT_EQ(PrintOp(f, f.ops[5]),
            "%g = view %b : f32[3] in @x offset 23 strides [-2]");
}

TEST(ParserTest, ANewStorageIsTheSmallestThatHoldsItsResult) {
  const Function f = ParsedFunction(
      "func @f(%x: f32[2,3] in @s, %y: f32[2] in @s offset 5) {\n"
      "  %a = neg %x : f32[2,3] offset 2 strides [1,4]\n"
      "  %b = neg %x : f32[2,3] in @t offset 5 strides [3,-1]\n"
      "  return %a\n}\n");
  EXPECT_EQ(f.storages[0].bytes, 28);
  EXPECT_EQ(f.TextOf(StorageId{1}), "@a");
  EXPECT_EQ(f.storages[1].bytes, 4 * (2 + 1 + 8 + 1));
  EXPECT_EQ(f.TextOf(StorageId{2}), "@t");
  EXPECT_EQ(f.storages[2].bytes, 4 * (5 + 3 + 1));
}

TEST(ParserTest, CallsMakeViewsInStoragesOfTheirOperands) {
  const Function f = ParsedFunction(
      "func @f(%x: f32[2,3] in @s) {\n"
      "  %a, %b = call \"g\"(mut %x, mut %x) {k=\"v\"} : f32[3] in @s offset "
      "3, "
      "f32[2]\n  call pure \"h\"()\n  return %a\n}\n");
  EXPECT_EQ(f.Get(f.Result(f.ops[0], 0)).type.storage.value, 0);
  EXPECT_EQ(f.storages.size(), 2);
  EXPECT_TRUE(f.calls[1].pure);
  EXPECT_EQ(f.OperandsOf(f.ops[0])[1].access, Access::kMut);
}

TEST(ParserTest, PureCallsGiveUpdatedOperandsAfterTheirResults) {
  const Function f = ParsedFunction(
      "pure func @f(%x: f32[2,3], %y: i64[2]) {\n"
      "  %a, %b, %c = call \"g\"(upd %x, %x, upd %y) : f32[7]\n"
      "  return %a, %b, %c\n}\n");
  const auto type = [&](int i) {
    const Layout layout = f.LayoutOf(f.Result(f.ops[0], i));
    return TextOf(layout.dtype, layout.sizes);
  };
  EXPECT_EQ(type(0), "f32[7]");
  EXPECT_EQ(type(1), "f32[2,3]");
  EXPECT_EQ(type(2), "i64[2]");
}

TEST(ParserTest, TheExampleOfAPureFunctionParses) {
  const Function f = ParsedFunction(
      "pure func @decode(%cache: bf16[16,8,1024,64] in @kv, %pos: i64[2,16], "
      "%k: bf16[2,8,16,64]) {\n"
      "  %1 = extract %pos at : i64[16]\n"
      "  %2 = extract %k at : bf16[8,16,64]\n"
      "  %3 = extract %cache at : bf16[8,1024,64]\n"
      "  %4 = index_copy %3, %1, %2, dim=1 : bf16[8,1024,64]\n"
      "  %5 = assemble %cache, %4 at offset 0 strides [65536,64,1] : "
      "bf16[16,8,1024,64]\n"
      "  %6 = sum %5, dims=[3], keepdim=false : bf16[16,8,1024]\n"
      "  commit %4 to bf16[8,1024,64] in @kv\n"
      "  return bf16[8,1024,64] in @kv, %6\n}\n");
  EXPECT_EQ(f.ops.back().kind, OpKind::kCommit);
  EXPECT_FALSE(f.returns[0].value.valid());
  EXPECT_EQ(PrintOp(f, f.ops[4]),
            "%5 = assemble %cache, %4 at : bf16[16,8,1024,64]");
}

// Statements, each refused; where its caret stands is marked by ^ below it.
void ExpectCaret(absl::string_view line, int column,
                 absl::string_view message) {
  const std::string error = ErrorOf(absl::StrCat(
      "func @f(%x: f32[2,3], %i: i64[2]) {\n", line, "\n  return\n}\n"));
  EXPECT_TRUE(absl::StartsWith(
      error, absl::StrCat("test.pal:2:", column, ": error: ", message)))
      << error;
  EXPECT_TRUE(absl::EndsWith(
      error, absl::StrCat("\n", line, "\n", std::string(column - 1, ' '), "^")))
      << error;
}

TEST(ParserTest, CaretsStandUnderWhatIsWrong) {
  ExpectCaret("%y = add %x, %i", 14, "%i, i64[2], must have dtype f32");
  ExpectCaret("index_copy_ %x, %i, %x, dim=7", 29,
              "dimension 7 is out of range");
  ExpectCaret("%y = neg %x : f32[2]", 15, "the op gives f32[2,3]");
  ExpectCaret("%y = neg %x : f32[2,3] in @x", 27, "storage @x exists already");
  ExpectCaret("%x = neg %x", 1, "%x is defined already");
  ExpectCaret("neg_ %x into f32[2,3] in @q", 26, "`into` is for an op");
  ExpectCaret("%a, %b = call \"f\"(%x) : f32[1]", 5, "the op gives 1 result");
}

TEST(ParserTest, BytesThatAreNoTextAreRefused) {
  const std::string nul("func @f() {\n return \0\n}\n", 24);
  EXPECT_TRUE(absl::StartsWith(ErrorOf(nul), "test.pal:2:9: error: a NUL byte"))
      << ErrorOf(nul);
  EXPECT_TRUE(absl::StartsWith(ErrorOf("// \xC0\x80\n"),
                               "test.pal:1:4: error: this byte is no UTF-8"));
  EXPECT_TRUE(absl::StrContains(ErrorOf("// \xED\xA0\x80"), "no UTF-8"));
  EXPECT_TRUE(absl::StrContains(ErrorOf("\xF0\x9F\x98"), "no UTF-8"));
  EXPECT_EQ(ErrorOf("// \xF0\x9F\x98\x80 \xC3\xBC\nfunc @f() {\n  return\n}"),
            "");
}

TEST(ParserTest, AbsurdTextIsRefusedAndNothingWorse) {
  const std::string many(100000, '[');
  EXPECT_NE(ErrorOf(many), "");
  EXPECT_NE(ErrorOf(absl::StrCat("func @f(%x: f32", many)), "");
  EXPECT_NE(ErrorOf(std::string(100000, '(')), "");
  EXPECT_NE(
      ErrorOf(absl::StrCat("func @f(%x: f32[", std::string(100000, '1'), "])")),
      "");
  EXPECT_NE(ErrorOf("func"), "");
  EXPECT_NE(ErrorOf("func @"), "");
  EXPECT_NE(ErrorOf("func @f(%x: f32[2"), "");
  EXPECT_NE(ErrorOf("pure"), "");
  EXPECT_NE(ErrorOf("version"), "");
  EXPECT_NE(ErrorOf("\""), "");
  EXPECT_NE(ErrorOf("\r"), "");
  EXPECT_NE(ErrorOf({}), "");
}

TEST(ParserTest, LongLinesAreShownInPart) {
  const std::string line = absl::StrCat("  ", std::string(500, ' '), "oops_ %x",
                                        std::string(500, ' '));
  const std::string error =
      ErrorOf(absl::StrCat("func @f(%x: f32[2]) {\n", line, "\n  return\n}\n"));
  EXPECT_TRUE(absl::StartsWith(error, "test.pal:2:503: error: no op is named"));
  EXPECT_LT(error.size(), 500);
  const size_t shown = error.find("\n..");
  const size_t caret = error.rfind('\n');
  ASSERT_NE(shown, error.npos);
  EXPECT_EQ(error.substr(shown + (error.size() - 1 - caret), 5), "oops_");
}

}  // namespace
}  // namespace palimpsest
