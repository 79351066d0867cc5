// Ops by index and by mask against loops over their definition, in every dtype
// and several layouts; duplicates, negative indices, and errors.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

constexpr int64_t kRows = 4;
constexpr int64_t kColumns = 5;

Tensor Counting(DType dtype, const Dims& sizes, int start) {
  Tensor tensor{dtype, sizes, {}};
  for (int64_t i = 0; i < ElementCount(sizes); ++i) {
    const double value = dtype == DType::kBool ? (i + start) % 2 : start + i;
    tensor.elements.push_back(Rounded(dtype, NumberOf(dtype, value)));
  }
  return tensor;
}

Number Sum(DType dtype, Number a, Number b) {
  if (dtype == DType::kBool) return Number::Integer(a.integer | b.integer);
  return Rounded(dtype, {a.integer + b.integer, a.real + b.real});
}

constexpr absl::string_view kLayouts[] = {"", " strides [1,4]",
                                          " offset 19 strides [-5,-1]",
                                          " offset 2 strides [20,3]"};

class IndexTest : public testing::TestWithParam<DType> {
 protected:
  DType dtype() const { return GetParam(); }
  absl::string_view name() const { return InfoFor(dtype()).text; }
  bool Allows(OpKind op) const { return InfoFor(op).Allows(dtype()); }

  // `op %x, arguments` in each layout of x, and in place where it can be.
  void Expect(OpKind op, const std::string& arguments,
              const std::string& parameters, std::vector<Tensor> inputs,
              const std::vector<Number>& expected) {
    for (absl::string_view layout : kLayouts) {
      const std::string head = absl::StrCat(
          "func @f(%x: ", name(), "[4,5] in @x", layout, parameters, ") {\n");
      Check(absl::StrCat(head, "  %r = ", InfoFor(op).text, " %x, ", arguments,
                         "\n  return %r\n}\n"),
            inputs, expected);
      if (!InfoFor(op).HasInPlaceForm()) continue;
      Check(absl::StrCat(head, "  ", InfoFor(op).text, "_ %x, ", arguments,
                         "\n  return %x\n}\n"),
            inputs, expected);
    }
  }

 private:
  void Check(const std::string& text, const std::vector<Tensor>& inputs,
             const std::vector<Number>& expected) {
    const Tensor actual = ResultOf(text, inputs);
    ASSERT_EQ(actual.elements.size(), expected.size()) << text;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(IsClose(dtype(), actual.elements[i], expected[i], 0))
          << text << "element " << i << ": "
          << ToString(dtype(), actual.elements[i]) << ", not "
          << ToString(dtype(), expected[i]);
    }
  }
};

TEST_P(IndexTest, IndexSelectAndGather) {
  const Tensor x = Counting(dtype(), {kRows, kColumns}, 1);
  const Tensor i = TensorOf(DType::kI32, {3}, {3, 0, 3});
  const Tensor g = TensorOf(DType::kI64, {2, 3}, {4, 0, 2, 1, 1, 3});
  std::vector<Number> selected, columns, gathered;
  for (int row : {3, 0, 3}) {
    for (int c = 0; c < kColumns; ++c) {
      selected.push_back(x.elements[row * kColumns + c]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c : {3, 0, 3}) columns.push_back(x.elements[r * kColumns + c]);
  }
  for (int k = 0; k < 6; ++k) {
    const int column = static_cast<int>(g.elements[k].integer);
    gathered.push_back(x.elements[k / 3 * kColumns + column]);
  }
  Expect(OpKind::kIndexSelect, "%i, dim=0", ", %i: i32[3]", {x, i}, selected);
  Expect(OpKind::kIndexSelect, "%i, dim=1", ", %i: i32[3]", {x, i}, columns);
  Expect(OpKind::kGather, "%g, dim=1", ", %g: i64[2,3]", {x, g}, gathered);
}

TEST_P(IndexTest, IndexCopyFillAndAdd) {
  const Tensor x = Counting(dtype(), {kRows, kColumns}, 1);
  const Tensor i = TensorOf(DType::kU8, {3}, {4, 1, 4});
  const Tensor source = Counting(dtype(), {kRows, 3}, 2);
  std::vector<Number> copied = x.elements, added = x.elements;
  std::vector<Number> filled = x.elements;
  for (int r = 0; r < kRows; ++r) {
    for (int k = 0; k < 3; ++k) {
      const int64_t at =
          r * kColumns + static_cast<int64_t>(i.elements[k].integer);
      copied[at] = source.elements[r * 3 + k];
      added[at] = Sum(dtype(), added[at], source.elements[r * 3 + k]);
      filled[at] = NumberOf(dtype(), 1);
    }
  }
  const std::string parameters =
      absl::StrCat(", %i: u8[3], %s: ", name(), "[4,3] in @t strides [3,1]");
  Expect(OpKind::kIndexCopy, "%i, %s, dim=1", parameters, {x, i, source},
         copied);
  if (!Allows(OpKind::kIndexAdd)) return;
  Expect(OpKind::kIndexAdd, "%i, %s, dim=1", parameters, {x, i, source}, added);
  Expect(OpKind::kIndexFill,
         dtype() == DType::kBool ? "%i, true, dim=1" : "%i, 1, dim=1",
         parameters, {x, i, source}, filled);
}

TEST_P(IndexTest, ScatterAndScatterAdd) {
  if (!Allows(OpKind::kScatter)) return;
  const Tensor x = Counting(dtype(), {kRows, kColumns}, 1);
  const Tensor i = TensorOf(DType::kI64, {3, 2}, {3, 0, 3, 0, 1, 2});
  const Tensor source = Counting(dtype(), {4, 4}, 3);
  std::vector<Number> scattered = x.elements, added = x.elements;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 2; ++c) {
      const int64_t row = static_cast<int64_t>(i.elements[r * 2 + c].integer);
      const Number value = source.elements[r * 4 + c];
      scattered[row * kColumns + c] = value;
      added[row * kColumns + c] =
          Sum(dtype(), added[row * kColumns + c], value);
    }
  }
  const std::string parameters =
      absl::StrCat(", %i: i64[3,2], %s: ", name(), "[4,4]");
  Expect(OpKind::kScatter, "%i, %s, dim=0", parameters, {x, i, source},
         scattered);
  Expect(OpKind::kScatterAdd, "%i, %s, dim=0", parameters, {x, i, source},
         added);
}

TEST_P(IndexTest, AdvancedIndexing) {
  const Tensor x = Counting(dtype(), {kRows, kColumns}, 1);
  const Tensor i = TensorOf(DType::kI64, {2, 1}, {-1, 0});
  const Tensor j = TensorOf(DType::kI64, {3}, {4, -5, 4});
  std::vector<Number> picked, by_column;
  for (int a : {3, 0}) {
    for (int b : {4, 0, 4}) picked.push_back(x.elements[a * kColumns + b]);
  }
  for (int r = 0; r < kRows; ++r) {
    for (int b : {4, 0, 4}) by_column.push_back(x.elements[r * kColumns + b]);
  }
  const std::string parameters = ", %i: i64[2,1], %j: i64[3]";
  Expect(OpKind::kIndex, "[%i, %j]", parameters, {x, i, j}, picked);
  Expect(OpKind::kIndex, "[none, %j]", parameters, {x, i, j}, by_column);
}

TEST_P(IndexTest, AdvancedUpdates) {
  if (!Allows(OpKind::kIndexPut)) return;
  const Tensor x = Counting(dtype(), {kRows, kColumns}, 1);
  const Tensor i = TensorOf(DType::kI64, {2, 1}, {-1, 0});
  const Tensor j = TensorOf(DType::kI64, {3}, {4, -5, 4});
  const Tensor v = Counting(dtype(), {2, 3}, 5);
  std::vector<Number> put = x.elements, added = x.elements;
  int k = 0;
  for (int a : {3, 0}) {
    for (int b : {4, 0, 4}) {
      const int64_t at = a * kColumns + b;
      put[at] = v.elements[k];
      added[at] = Sum(dtype(), added[at], v.elements[k++]);
    }
  }
  const std::string parameters =
      absl::StrCat(", %i: i64[2,1], %j: i64[3], %v: ", name(), "[2,3]");
  Expect(OpKind::kIndexPut, "[%i, %j], %v, accumulate=false", parameters,
         {x, i, j, v}, put);
  Expect(OpKind::kIndexPut, "[%i, %j], %v, accumulate=true", parameters,
         {x, i, j, v}, added);
}

TEST_P(IndexTest, Masks) {
  const Tensor x = Counting(dtype(), {kRows, kColumns}, 1);
  const Tensor m = TensorOf(DType::kBool, {5}, {1, 0, 0, 1, 0});
  const Tensor source = Counting(dtype(), {10}, 40);
  std::vector<Number> filled = x.elements, scattered = x.elements;
  int k = 0;
  for (int64_t at = 0; at < kRows * kColumns; ++at) {
    if (m.elements[at % kColumns].integer == 0) continue;
    filled[at] = NumberOf(dtype(), 0);
    scattered[at] = source.elements[k++];
  }
  const std::string parameters =
      absl::StrCat(", %m: bool[5], %s: ", name(), "[10]");
  Expect(OpKind::kMaskedScatter, "%m, %s", parameters, {x, m, source},
         scattered);
  if (!Allows(OpKind::kMaskedFill)) return;
  Expect(OpKind::kMaskedFill, dtype() == DType::kBool ? "%m, false" : "%m, 0",
         parameters, {x, m, source}, filled);
}

INSTANTIATE_TEST_SUITE_P(AllDTypes, IndexTest,
                         testing::ValuesIn(AllDTypes().begin(),
                                           AllDTypes().end()),
                         [](const testing::TestParamInfo<DType>& info) {
                           return std::string(InfoFor(info.param).text);
                         });

TEST(AdvancedIndexTest, IndicesPartedByNoneComeFirst) {
  const Tensor x = Counting(DType::kI32, {2, 3, 2}, 0);
  const Tensor i = TensorOf(DType::kI64, {2}, {1, 0});
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: i32[2,3,2], %i: i64[2]) {\n"
                             "  %r = index %x, [%i, none, %i] : i32[2,3]\n"
                             "  return %r\n}\n",
                             {x, i})),
            (std::vector<double>{7, 9, 11, 0, 2, 4}));
}

TEST(RankZeroTest, CountsAsOneDimensionOfOneElement) {
  const Tensor x = TensorOf(DType::kF32, {}, {7});
  const Tensor i = TensorOf(DType::kI64, {}, {0});
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[], %i: i64[]) {\n"
                             "  %r = index_select %x, %i, dim=0\n"
                             "  index_fill_ %x, %i, 9, dim=0\n"
                             "  %g = gather %x, %i, dim=0\n"
                             "  %s = add %r, %g\n  return %s\n}\n",
                             {x, i})),
            (std::vector<double>{16}));
}

absl::Status ErrorOf(const std::string& statement, int index) {
  const Tensor x = Counting(DType::kF32, {kRows, kColumns}, 1);
  return RunText("func @f(%x: f32[4,5], %i: i64[1], %s: f32[1,5]) {\n  " +
                     statement + "\n  return %x\n}\n",
                 {x, TensorOf(DType::kI64, {1}, {double(index)}),
                  Counting(DType::kF32, {1, 5}, 1)})
      .status();
}

TEST(OutOfRangeTest, NamesTheOpItsLineTheIndexAndTheSize) {
  const absl::Status status = ErrorOf("index_copy_ %x, %i, %s, dim=0", 9);
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(status.message(),
            "index_copy_: index 9 is out of range for dimension 0 of "
            "size 4");
}

TEST(OutOfRangeTest, NegativeIndicesCountFromTheEndInAdvancedIndexingOnly) {
  EXPECT_TRUE(ErrorOf("index_put_ %x, [%i], 0, accumulate=false", -4).ok());
  EXPECT_FALSE(ErrorOf("index_put_ %x, [%i], 0, accumulate=false", -5).ok());
  EXPECT_FALSE(ErrorOf("index_put_ %x, [%i], 0, accumulate=false", 4).ok());
  EXPECT_FALSE(ErrorOf("index_copy_ %x, %i, %s, dim=0", -1).ok());
  EXPECT_FALSE(ErrorOf("index_add_ %x, %i, %s, dim=0", -1).ok());
  EXPECT_FALSE(ErrorOf("index_fill_ %x, %i, 0, dim=0", -1).ok());
  EXPECT_FALSE(ErrorOf("%r = index_select %x, %i, dim=0", -1).ok());
  EXPECT_TRUE(ErrorOf("%r = index %x, [%i]", -1).ok());
}

TEST(OutOfRangeTest, AMaskMayNotPickMoreThanTheSourceHas) {
  const absl::Status status =
      RunText(
          "func @f(%x: f32[3], %m: bool[3], %s: f32[2]) {\n"
          "  masked_scatter_ %x, %m, %s\n  return %x\n}\n",
          {Counting(DType::kF32, {3}, 0),
           TensorOf(DType::kBool, {3}, {1, 1, 1}),
           Counting(DType::kF32, {2}, 0)})
          .status();
  EXPECT_TRUE(absl::StrContains(status.message(),
                                "picks 3 elements, but the source has 2"))
      << status;
}

}  // namespace
}  // namespace palimpsest
