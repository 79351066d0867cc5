// FunctionBuilder as an embedder uses it.

#include "ir/builder.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "ir/fault.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

TypeDraft InStorage(TypeDraft type, Name storage, int64_t offset = 0) {
  type.storage = storage;
  type.offset = offset;
  return type;
}

std::string Finished(FunctionBuilder builder) {
  const absl::StatusOr<Function> function = std::move(builder).Finish();
  EXPECT_TRUE(function.ok()) << function.status().message();
  return function.ok() ? PrintToString(*function) : "";
}

TEST(BuilderTest, MakesTheDecodeStep) {
  FunctionBuilder b("decode", FunctionKind::kInPlace);
  const ValueId cache = *b.AddParameter(
      "cache", InStorage({DType::kBF16, {16, 8, 1024, 64}}, b.Intern("kv")));
  const ValueId pos = *b.AddParameter("pos", {DType::kI64, {2, 16}});
  const ValueId k = *b.AddParameter("k", {DType::kBF16, {2, 8, 16, 64}});
  const ValueId row = *b.Select(cache, 0, 1);
  const ValueId p = *b.Select(pos, 0, 0);
  const ValueId s = *b.Select(k, 0, 0);
  ASSERT_TRUE(
      b.InPlace(OpKind::kIndexCopy, {row, p, s}, {AttributeDraft::Dim(-2)})
          .ok());
  const ValueId sum =
      *b.Make(OpKind::kSum, {cache}, {AttributeDraft::DimList({3})});
  ASSERT_TRUE(b.Return(row).ok());
  ASSERT_TRUE(b.Return(sum).ok());
  EXPECT_EQ(Finished(std::move(b)),
            "func @decode(%cache: bf16[16,8,1024,64] in @kv, %pos: i64[2,16], "
            "%k: bf16[2,8,16,64]) {\n"
            "  %0 = view %cache : bf16[8,1024,64] in @kv offset 524288\n"
            "  %1 = view %pos : i64[16] in @pos\n"
            "  %2 = view %k : bf16[8,16,64] in @k\n"
            "  index_copy_ %0, %1, %2, dim=1\n"
            "  %3 = sum %cache, dims=[3], keepdim=false : bf16[16,8,1024]\n"
            "  return %0, %3\n}\n");
}

TEST(BuilderTest, ShorthandsOfViewsAreTorchs) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  const ValueId x = *b.AddParameter("x", {DType::kC64, {4, 6}});
  EXPECT_TRUE(b.Slice(x, 0, 1, -1).ok());
  EXPECT_TRUE(b.Permute(x, {1, 0}).ok());
  EXPECT_TRUE(b.Transpose(x, 0, 1).ok());
  EXPECT_TRUE(b.Reshape(x, {-1}).ok());
  EXPECT_TRUE(b.Expand(x, {2, -1, -1}).ok());
  EXPECT_TRUE(b.Diagonal(x, 0, 0, 1).ok());
  EXPECT_TRUE(b.Unfold(x, 1, 2, 2).ok());
  EXPECT_TRUE(b.Unsqueeze(x, 0).ok());
  EXPECT_TRUE(b.Squeeze(x).ok());
  EXPECT_TRUE(b.Squeeze(x, {0}).ok());
  EXPECT_TRUE(b.FlipView(x, {0}).ok());
  EXPECT_TRUE(b.Bitcast(x, DType::kI16).ok());
  EXPECT_TRUE(b.Real(x).ok());
  EXPECT_TRUE(b.Imag(x).ok());
  EXPECT_FALSE(b.Reshape(x, {5}).ok());
  EXPECT_EQ(b.function().ops.size(), 14);
  EXPECT_NE(Finished(std::move(b)), "");
}

TEST(BuilderTest, MakesAPureFunction) {
  FunctionBuilder b("f", FunctionKind::kPure);
  const ValueId x = *b.AddParameter("x", {DType::kF32, {2, 3}});
  const ValueId row = *b.Extract(x, {3, {}}, {DType::kF32, {3}});
  const ValueId sum = *b.Make(OpKind::kAdd, {row, Literal::Float(1)});
  const OpId call = *b.CallOp("g", {{x, Access::kUpd}, {sum, Access::kRead}},
                              {}, {{"k", "v"}});
  ASSERT_TRUE(
      b.Commit(sum, InStorage({DType::kF32, {3}}, b.Intern("x"), 3)).ok());
  ASSERT_TRUE(
      b.Bind(row, InStorage({DType::kF32, {3}}, b.Intern("t"), 2)).ok());
  ASSERT_TRUE(
      b.ReturnWindow(InStorage({DType::kF32, {1}}, b.Intern("t"))).ok());
  ASSERT_TRUE(b.Return(b.function().Result(b.function().Get(call))).ok());
  EXPECT_EQ(Finished(std::move(b)),
            "pure func @f(%x: f32[2,3]) {\n"
            "  %0 = extract %x at offset 3 : f32[3]\n"
            "  %1 = add %0, 1.0 : f32[3]\n"
            "  %2 = call \"g\"(upd %x, %1) {k=\"v\"}\n"
            "  commit %1 to f32[3] in @x offset 3\n"
            "  bind %0 to f32[3] in @t offset 2\n"
            "  return f32[1] in @t, %2\n}\n");
}

TEST(BuilderTest, WritesIntoABuffer) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  const ValueId x = *b.AddParameter("x", {DType::kF32, {2}});
  ASSERT_TRUE(b.AddBuffer(b.Intern("b"), 64).ok());
  OpDraft draft;
  draft.kind = OpKind::kNeg;
  draft.AddValue(x);
  draft.target = InStorage({DType::kF32, {2}}, b.Intern("b"), 14);
  draft.tag = 5;
  ASSERT_TRUE(b.Append(draft).ok());
  draft.target->offset = 15;
  const absl::Status outside = b.Append(draft).status();
  EXPECT_EQ(PlaceOf(outside).part, Place::Part::kTarget);
  EXPECT_TRUE(absl::StrContains(outside.message(), "outside @b"));
  EXPECT_EQ(Finished(std::move(b)),
            "func @f(%x: f32[2]) {\n  buffer @b : 64 bytes\n"
            "  %0 = neg %x : f32[2] into f32[2] in @b offset 14 tag 5\n"
            "  return\n}\n");
}

TEST(BuilderTest, FreshNamesAvoidThoseInUse) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  const ValueId x = *b.AddParameter("0", {DType::kF32, {2}});
  ASSERT_TRUE(
      b.AddParameter("a", InStorage({DType::kF32, {2}}, b.Intern("1"))).ok());
  const ValueId y = *b.Make(OpKind::kNeg, {x});
  EXPECT_EQ(b.function().TextOf(y), "%2");
}

TEST(BuilderTest, AStatementThatFailsLeavesNoTrace) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  const ValueId x = *b.AddParameter("x", {DType::kF32, {2}});
  const ValueId i = *b.AddParameter("i", {DType::kI64, {2}});
  const std::string before = PrintToString(b.function());
  OpDraft draft;
  draft.kind = OpKind::kCall;
  draft.AddValue(x, Access::kMut);
  draft.call.emplace();
  draft.call->name = b.Intern("g");
  draft.names = {b.Intern("r"), b.Intern("x")};  // The second exists.
  draft.types = {TypeDraft{DType::kF32, {2}}, TypeDraft{DType::kF32, {2}}};
  const absl::Status clash = b.Append(draft).status();
  EXPECT_EQ(PlaceOf(clash).part, Place::Part::kResult);
  EXPECT_EQ(PlaceOf(clash).index, 1);
  EXPECT_FALSE(b.FindValue(b.Intern("r")).valid());
  EXPECT_FALSE(b.FindStorage(b.Intern("r")).valid());
  EXPECT_FALSE(b.Make(OpKind::kAdd, {x, i}).ok());
  EXPECT_FALSE(b.InPlace(OpKind::kIndexCopy, {x, i, x}).ok());
  EXPECT_FALSE(b.Return(ValueId{7}).ok());
  EXPECT_FALSE(b.Make(OpKind::kNeg, {ValueId{7}}).ok());
  EXPECT_EQ(PrintToString(b.function()), before);
  EXPECT_EQ(b.function().operands.size(), 0);
  EXPECT_NE(Finished(std::move(b)), "");
}

TEST(BuilderTest, FaultsSayWhichPartIsWrong) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  const ValueId x = *b.AddParameter("x", {DType::kF32, {2, 3}});
  const ValueId d = *b.AddParameter("d", {DType::kF64, {2, 3}});
  const auto place = [](const absl::Status& status) { return PlaceOf(status); };
  EXPECT_EQ(place(b.Make(OpKind::kAdd, {x, d}).status()).index, 1);
  EXPECT_EQ(
      place(b.Make(OpKind::kCumsum, {x}, {AttributeDraft::Dim(2)}).status())
          .part,
      Place::Part::kAttribute);
  EXPECT_EQ(
      place(b.Make(OpKind::kNeg, {x}, {}, TypeDraft{DType::kF32, {2}}).status())
          .part,
      Place::Part::kType);
  EXPECT_EQ(
      place(b.Make(OpKind::kNeg, {x}, {AttributeDraft::Dim(0)}).status()).part,
      Place::Part::kAttribute);
}

TEST(BuilderTest, AViewOfNoValueIsAFault) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  ASSERT_TRUE(b.AddParameter("x", {DType::kF32, {2, 3}}).ok());
  for (int32_t id : {-1, 1, 1000000}) {
    EXPECT_FALSE(b.Unsqueeze(ValueId{id}, 0).ok());
    EXPECT_FALSE(b.Slice(ValueId{id}, 0, 0, 1).ok());
    EXPECT_FALSE(b.Reshape(ValueId{id}, {6}).ok());
    EXPECT_FALSE(b.View(b.WindowOf(ValueId{id}), ValueId{id}).ok());
  }
}

TEST(BuilderTest, CallsOfAnyBytesReadBack) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  const ValueId x = *b.AddParameter("x", {DType::kF32, {2, 3}});
  ASSERT_TRUE(
      b.CallOp("\xff\xc3\xa9", {{x, Access::kRead}}, {}, {{"k", "\x80"}}).ok());
  ASSERT_TRUE(b.Return(x).ok());
  const Function function = *std::move(b).Finish();
  const absl::StatusOr<Program> again =
      ParseProgram(PrintToString(function), "test");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(SameText(function, again->functions[0]));
}

TEST(BuilderTest, ParametersComeFirstAndStoragesHoldThem) {
  FunctionBuilder b("f", FunctionKind::kInPlace);
  const Name s = b.Intern("s");
  ASSERT_TRUE(b.AddParameter("x", InStorage({DType::kF32, {2}}, s)).ok());
  ASSERT_TRUE(b.AddParameter("y", InStorage({DType::kF64, {2}}, s, 1)).ok());
  EXPECT_EQ(b.function().storages[0].bytes, 24);
  EXPECT_FALSE(b.DeclareStorage(s, 23).ok());
  EXPECT_FALSE(b.DeclareStorage(b.Intern("t"), 23).ok());
  EXPECT_TRUE(b.DeclareStorage(s, 32).ok());
  EXPECT_FALSE(b.DeclareStorage(s, 32).ok());
  EXPECT_FALSE(b.AddParameter("z", InStorage({DType::kF64, {4}}, s, 1)).ok());
  ASSERT_TRUE(b.InPlace(OpKind::kNeg, {ValueId{0}}).ok());
  EXPECT_FALSE(b.AddParameter("w", {DType::kF32, {}}).ok());
}

}  // namespace
}  // namespace palimpsest
