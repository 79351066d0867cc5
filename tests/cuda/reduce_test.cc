// Reductions, cumsum and matmul against sums in logical order, bit for bit.

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

// The dtype that sums are kept in.
DType SumDType(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 ? DType::kF32 : dtype;
}

Number Combine(OpKind op, DType dtype, Number a, Number b) {
  const bool is_bool = dtype == DType::kBool;
  Number result;
  const auto is_nan = [](Number n) { return std::isnan(n.real.real()); };
  switch (op) {
    case OpKind::kProd:
      result = {is_bool ? (a.integer & b.integer)
                        : WrappedProduct(a.integer, b.integer),
                a.real * b.real};
      break;
    case OpKind::kAmax:
      result = {a.integer > b.integer ? a.integer : b.integer,
                is_nan(a) || (!is_nan(b) && a.real.real() > b.real.real())
                    ? a.real
                    : b.real};
      break;
    case OpKind::kAmin:
      result = {a.integer < b.integer ? a.integer : b.integer,
                is_nan(a) || (!is_nan(b) && a.real.real() < b.real.real())
                    ? a.real
                    : b.real};
      break;
    default:
      result = {is_bool ? (a.integer | b.integer) : a.integer + b.integer,
                a.real + b.real};
  }
  return Rounded(dtype, result);
}

Tensor RandomTensor(DType dtype, const Dims& sizes, int seed) {
  std::mt19937 random(seed);
  Tensor tensor{dtype, sizes, {}};
  for (int64_t i = 0; i < ElementCount(sizes); ++i) {
    const int a = static_cast<int>(random() % 2001) - 1000;
    const int b = static_cast<int>(random() % 2001) - 1000;
    const Number number = IsIntegral(dtype)
                              ? Number::Integer(a)
                              : Number::Real({a / 97.0, b / 89.0});
    tensor.elements.push_back(Rounded(dtype, number));
  }
  return tensor;
}

// Element [i,j,k] of [2,3,40], and the output's place without dimension `dim`.
struct Place {
  int64_t index[3];
  int64_t Without(int dim) const {
    const int64_t sizes[3] = {2, 3, 40};
    int64_t place = 0;
    for (int d = 0; d < 3; ++d) {
      if (d != dim) place = place * sizes[d] + index[d];
    }
    return place;
  }
};

std::vector<Number> Reduced(OpKind op, const Tensor& x, int dim) {
  const int64_t sizes[3] = {2, 3, 40};
  const DType sum_dtype = SumDType(x.dtype);
  std::vector<Number> sums(240 / sizes[dim]);
  std::vector<bool> started(sums.size(), false);
  for (int64_t i = 0; i < 240; ++i) {
    const Place place = {{i / 120, i / 40 % 3, i % 40}};
    const int64_t to = place.Without(dim);
    sums[to] = started[to] ? Combine(op, sum_dtype, sums[to], x.elements[i])
                           : x.elements[i];
    started[to] = true;
  }
  for (Number& sum : sums) {
    if (op == OpKind::kMean) {
      sum = Rounded(sum_dtype,
                    Number::Real(sum.real / static_cast<double>(sizes[dim])));
    }
    sum = Rounded(x.dtype, sum);
  }
  return sums;
}

constexpr absl::string_view kLayouts[] = {"", " strides [1,2,6]",
                                          " offset 239 strides [-120,-40,-1]",
                                          " offset 1 strides [3,1000,7]"};

class ReduceTest : public testing::TestWithParam<std::tuple<OpKind, DType>> {};

TEST_P(ReduceTest, CombinesInLogicalOrder) {
  const auto [op, dtype] = GetParam();
  const Tensor x = RandomTensor(dtype, {2, 3, 40}, 7);
  const absl::string_view name = InfoFor(dtype).text;
  for (int dim = 0; dim < 3; ++dim) {
    const std::vector<Number> expected = Reduced(op, x, dim);
    for (absl::string_view layout : kLayouts) {
      const std::string text =
          absl::StrCat("func @f(%x: ", name, "[2,3,40] in @s", layout,
                       ") {\n  %r = ", InfoFor(op).text, " %x, dims=[", dim,
                       "], keepdim=false\n  return %r\n}\n");
      const Tensor actual = ResultOf(text, {x});
      ASSERT_EQ(actual.elements.size(), expected.size()) << text;
      for (size_t i = 0; i < expected.size(); ++i) {
        // Complex products are rounded part by part in between.
        const bool is_complex_product =
            op == OpKind::kProd && !IsIntegral(dtype);
        EXPECT_TRUE(IsClose(dtype, actual.elements[i], expected[i],
                            is_complex_product ? 64 : 0))
            << text << "element " << i << ": "
            << ToString(dtype, actual.elements[i]) << ", not "
            << ToString(dtype, expected[i]);
      }
    }
  }
}

std::vector<std::tuple<OpKind, DType>> AllReductions() {
  std::vector<std::tuple<OpKind, DType>> cases;
  for (const OpInfo& info : AllOps()) {
    if (info.rule != InferenceRule::kReduce) continue;
    for (DType dtype : AllDTypes()) {
      if (info.Allows(dtype)) cases.push_back({info.kind, dtype});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(
    AllOps, ReduceTest, testing::ValuesIn(AllReductions()),
    [](const testing::TestParamInfo<std::tuple<OpKind, DType>>& info) {
      return absl::StrCat(InfoFor(std::get<0>(info.param)).text, "_",
                          InfoFor(std::get<1>(info.param)).text);
    });

TEST(ReduceTest, OverSeveralDimsOrAll) {
  const Tensor x =
      TensorOf(DType::kF32, {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[2,3,2]) {\n"
                             "  %r = sum %x, dims=[0,2], keepdim=true\n"
                             "  return %r\n}\n",
                             {x})),
            (std::vector<double>{18, 26, 34}));
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[2,3,2]) {\n"
                             "  %r = amax %x, dims=[0,1,2]\n  return %r\n}\n",
                             {x})),
            (std::vector<double>{12}));
}

TEST(ReduceTest, OfNothing) {
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[0,2]) {\n"
                             "  %r = prod %x, dims=[0]\n  return %r\n}\n",
                             {})),
            (std::vector<double>{1, 1}));
  EXPECT_TRUE(std::isnan(
      RealsOf(ResultOf("func @f(%x: f32[0]) {\n  %r = mean %x, dims=[0]\n"
                       "  return %r\n}\n",
                       {}))[0]));
}

TEST(CumsumTest, AddsUpInOrderInEveryDType) {
  for (DType dtype : AllDTypes()) {
    if (!InfoFor(OpKind::kCumsum).Allows(dtype)) continue;
    const Tensor x = RandomTensor(dtype, {2, 3, 40}, 9);
    for (int dim = 0; dim < 3; ++dim) {
      const int64_t step = dim == 0 ? 120 : dim == 1 ? 40 : 1;
      const int64_t size = dim == 0 ? 2 : dim == 1 ? 3 : 40;
      std::vector<Number> sums(240);
      for (int64_t i = 0; i < 240; ++i) {
        sums[i] = i / step % size == 0 ? x.elements[i]
                                       : Combine(OpKind::kSum, SumDType(dtype),
                                                 sums[i - step], x.elements[i]);
      }
      const Tensor actual = ResultOf(
          absl::StrCat("func @f(%x: ", InfoFor(dtype).text,
                       "[2,3,40] in @s strides [1,2,6]) {\n  %r = cumsum %x, "
                       "dim=",
                       dim, "\n  return %r\n}\n"),
          {x});
      for (int64_t i = 0; i < 240; ++i) {
        EXPECT_TRUE(
            IsClose(dtype, actual.elements[i], Rounded(dtype, sums[i]), 0))
            << InfoFor(dtype).text << " dim " << dim << " element " << i;
      }
    }
  }
}

// The product by definition: k ascending from zero, each step rounded.
std::vector<Number> Product(const Tensor& x, const Tensor& y, int64_t m,
                            int64_t k, int64_t n) {
  const DType dtype = SumDType(x.dtype);
  std::vector<Number> product;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      Number sum;
      for (int64_t t = 0; t < k; ++t) {
        const Number& a = x.elements[i * k + t];
        const Number& b = y.elements[t * n + j];
        const Number term = Rounded(
            dtype, {WrappedProduct(a.integer, b.integer), a.real * b.real});
        sum =
            Rounded(dtype, {sum.integer + term.integer, sum.real + term.real});
      }
      product.push_back(Rounded(x.dtype, sum));
    }
  }
  return product;
}

TEST(MatmulTest, IsTheProductBitForBitInEveryLayout) {
  const struct {
    int64_t m, k, n;
  } shapes[] = {{1, 1, 1}, {5, 3, 7}, {4, 300, 17}, {37, 5, 130}, {260, 2, 9}};
  for (DType dtype : AllDTypes()) {
    if (!InfoFor(OpKind::kMatmul).Allows(dtype)) continue;
    const bool is_complex = InfoFor(dtype).dtype_class == DTypeClass::kComplex;
    for (const auto [m, k, n] : shapes) {
      Tensor x = RandomTensor(dtype, {m, k}, 3);
      Tensor y = RandomTensor(dtype, {k, n}, 4);
      const std::vector<Number> expected = Product(x, y, m, k, n);
      const absl::string_view name = InfoFor(dtype).text;
      for (bool transposed : {false, true}) {
        const std::string of_x = transposed ? absl::StrCat("[1,", m, "]")
                                            : absl::StrCat("[", k + 2, ",1]");
        const std::string of_y = transposed ? absl::StrCat("[1,", k, "]")
                                            : absl::StrCat("[", n, ",1]");
        const Tensor actual = ResultOf(
            absl::StrCat("func @f(%x: ", name, "[", m, ",", k,
                         "] in @x strides ", of_x, ", %y: ", name, "[", k, ",",
                         n, "] in @y strides ", of_y,
                         ") {\n  %r = matmul %x, %y\n  return %r\n}\n"),
            {x, y});
        for (size_t i = 0; i < expected.size(); ++i) {
          ASSERT_TRUE(IsClose(dtype, actual.elements[i], expected[i],
                              is_complex ? 4096 : 0))
              << name << " " << m << "x" << k << "x" << n << " element " << i
              << ": " << ToString(dtype, actual.elements[i]) << ", not "
              << ToString(dtype, expected[i]);
        }
      }
    }
  }
}

TEST(MatmulTest, BatchesAndNothing) {
  const Tensor x = TensorOf(DType::kF32, {2, 1, 2}, {1, 2, 3, 4});
  const Tensor y = TensorOf(DType::kF32, {2, 2, 1}, {5, 6, 7, 8});
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[2,1,2], %y: f32[2,2,1]) {\n"
                             "  %r = matmul %x, %y\n  return %r\n}\n",
                             {x, y})),
            (std::vector<double>{17, 53}));
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[2,0], %y: f32[0,1]) {\n"
                             "  %r = matmul %x, %y\n  return %r\n}\n",
                             {})),
            (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace palimpsest
