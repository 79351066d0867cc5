// NaNs to the bit: every NaN that an op computes is the one of its dtype
// (kernels/number.h), whichever NaNs went in, in every layout and in either
// order of operands. Moves keep NaNs as they are.
//
// Operands and results are looked at through integers, so that no float
// register touches them on the way.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

using Words = std::vector<uint64_t>;

// One float, or one of the two of a complex number, as a word.
struct WordFormat {
  DType word;
  int width;  // In bits.
  int mantissa_bits;
  uint64_t nan;
};

bool IsComplex(DType dtype) {
  return InfoFor(dtype).dtype_class == DTypeClass::kComplex;
}
bool IsFloatLike(DType dtype) { return !IsIntegral(dtype); }
int PartsOf(DType dtype) { return IsComplex(dtype) ? 2 : 1; }

WordFormat FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kF64:
    case DType::kC128:
      return {DType::kU64, 64, 52, 0x7FF8000000000000u};
    case DType::kF32:
    case DType::kC64:
      return {DType::kU32, 32, 23, 0x7FC00000u};
    case DType::kF16:
      return {DType::kU16, 16, 10, 0x7E00u};
    case DType::kBF16:
      return {DType::kU16, 16, 7, 0x7FC0u};
    case DType::kF8E5M2:
      return {DType::kU8, 8, 2, 0x7Fu};
    default:
      return {DType::kU8, 8, 3, 0x7Fu};
  }
}

uint64_t MagnitudeOf(DType dtype, uint64_t word) {
  return word & ((uint64_t{1} << (FormatOf(dtype).width - 1)) - 1);
}
uint64_t InfinityOf(DType dtype) {  // f8e4m3: the largest number.
  const WordFormat format = FormatOf(dtype);
  if (dtype == DType::kF8E4M3) return 0x7E;
  return (uint64_t{1} << (format.width - 1)) -
         (uint64_t{1} << format.mantissa_bits);
}
bool IsNan(DType dtype, uint64_t word) {
  return MagnitudeOf(dtype, word) > InfinityOf(dtype);
}

// Quiet and signalling NaNs of both signs and many payloads, infinities, and
// the numbers around 1 and 0.
Words WordsFor(DType dtype, int64_t count, uint64_t seed) {
  const WordFormat format = FormatOf(dtype);
  const uint64_t sign = uint64_t{1} << (format.width - 1);
  const uint64_t infinity = InfinityOf(dtype);
  const uint64_t payloads = sign - 1 - infinity;
  Words words;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const uint64_t random = seed >> 33;
    uint64_t word = infinity;
    if (random % 8 < 5) {
      word += 1 + seed % payloads;
    } else if (random % 8 < 7) {
      word = infinity / 2 + random % 3;
    }
    words.push_back(word | (random >> 8 & 1 ? sign : 0));
  }
  return words;
}

enum class Place { kRowMajor, kTransposed, kStrided, kFlipped, kOne };
constexpr Place kPlaces[] = {Place::kRowMajor, Place::kTransposed,
                             Place::kStrided, Place::kFlipped};

// A tensor of two dimensions, as a parameter %NAME, with its words as
// parameter %wNAME.
struct Operand {
  std::string name;
  DType dtype;
  int64_t rows;
  int64_t columns;
  Place place;
  uint64_t seed;

  Tensor words() const {
    const int64_t elements = place == Place::kOne ? 1 : rows * columns;
    const int64_t count = elements * PartsOf(dtype);
    Tensor tensor{FormatOf(dtype).word, {count}, {}};
    for (uint64_t word : WordsFor(dtype, count, seed)) {
      tensor.elements.push_back(Number::Integer(word));
    }
    return tensor;
  }

  // As elements of `of`, each of which is `parts` words.
  std::string Parameter(absl::string_view prefix, DType of, int parts) const {
    std::vector<int64_t> sizes = {rows, columns};
    std::vector<int64_t> strides = {columns, 1};
    int64_t offset = 0;
    if (place == Place::kOne) sizes = {1, 1};
    if (place == Place::kTransposed) strides = {1, rows};
    if (place == Place::kStrided) {
      offset = 3;
      strides = {3 * columns, 2};
    }
    if (place == Place::kFlipped) {
      offset = rows * columns - 1;
      strides = {-columns, -1};
    }
    if (parts > 1) {
      for (int64_t& stride : strides) stride *= parts;
      offset *= parts;
      sizes.push_back(parts);
      strides.push_back(1);
    }
    return absl::StrCat("%", prefix, name, ": ", InfoFor(of).text, "[",
                        absl::StrJoin(sizes, ","), "] in @", name, " offset ",
                        offset, " strides [", absl::StrJoin(strides, ","), "]");
  }
};

// The words of %r after `body`, a tensor of `elements` elements of `dtype`.
// `index`: 8 rows of 4, each twice.
Words ResultWords(const std::vector<Operand>& operands, const std::string& body,
                  DType dtype, int64_t elements) {
  std::vector<Tensor> inputs = {
      TensorOf(DType::kI64, {8}, {0, 1, 2, 3, 3, 2, 1, 0})};
  std::vector<std::string> parameters = {"%index: i64[8]"};
  for (const Operand& operand : operands) {
    inputs.push_back(operand.words());
    parameters.push_back(operand.Parameter("w", FormatOf(operand.dtype).word,
                                           PartsOf(operand.dtype)));
  }
  for (const Operand& operand : operands) {
    parameters.push_back(operand.Parameter("", operand.dtype, 1));
  }
  const Tensor result = ResultOf(
      absl::StrCat("func @f(", absl::StrJoin(parameters, ", "), ") {\n  ", body,
                   "\n  %moved = clone %r\n  %words = view %moved : ",
                   InfoFor(FormatOf(dtype).word).text, "[",
                   elements * PartsOf(dtype), "]\n  return %words\n}\n"),
      inputs);
  Words words;
  for (const Number& number : result.elements) {
    words.push_back(static_cast<uint64_t>(number.integer));
  }
  return words;
}

// Whether there are NaNs, and they are the one.
testing::AssertionResult HasOneNan(DType dtype, const Words& words) {
  int nans = 0;
  for (uint64_t word : words) {
    if (!IsNan(dtype, word)) continue;
    ++nans;
    if (word != FormatOf(dtype).nan) {
      return testing::AssertionFailure() << std::hex << "0x" << word;
    }
  }
  if (nans == 0) return testing::AssertionFailure() << "no NaN at all";
  return testing::AssertionSuccess();
}

std::vector<OpKind> OpsOf(KernelFamily family) {
  std::vector<OpKind> kinds;
  for (const OpInfo& info : AllOps()) {
    const bool computes = info.rule != InferenceRule::kPredicate &&
                          info.kind != OpKind::kWhere &&
                          info.kind != OpKind::kCast &&
                          info.kind != OpKind::kSign;  // Of NaN it is 0.
    if (info.family == family && computes) kinds.push_back(info.kind);
  }
  return kinds;
}

class NanTest : public testing::TestWithParam<DType> {
 protected:
  static constexpr int64_t kRows = 4;
  static constexpr int64_t kColumns = 37;  // A few vectors and a rest.

  Operand Of(const std::string& name, Place place, int64_t rows = kRows,
             int64_t columns = kColumns) const {
    return {name, GetParam(), rows, columns, place, name[0] * 71u};
  }

  // Runs `body` with x in each layout, and `others` in each.
  void ExpectOneNan(const std::string& body, int64_t elements,
                    const std::vector<Operand>& others = {}) const {
    Words first;
    for (Place of_x : kPlaces) {
      for (Place of_others : kPlaces) {
        if (others.empty() && of_others != Place::kRowMajor) continue;
        std::vector<Operand> operands = {Of("x", of_x)};
        for (Operand other : others) {
          if (other.place != Place::kOne) other.place = of_others;
          operands.push_back(other);
        }
        const Words words = ResultWords(operands, body, GetParam(), elements);
        EXPECT_TRUE(HasOneNan(GetParam(), words)) << body;
        if (first.empty()) first = words;
        EXPECT_EQ(words, first) << body;
      }
    }
  }
};

TEST_P(NanTest, ElementwiseOpsComputeOne) {
  for (OpKind kind : OpsOf(KernelFamily::kElementwise)) {
    const OpInfo& info = InfoFor(kind);
    if (!info.Allows(GetParam())) continue;
    const std::string op(info.text);
    const int64_t count = kRows * kColumns;
    if (info.operands.size() == 1) {
      ExpectOneNan(absl::StrCat("%r = ", op, " %x"), count);
      ExpectOneNan(absl::StrCat(op, "_ %x\n  %r = clone %x"), count);
      continue;
    }
    for (Place of_y : {Place::kRowMajor, Place::kOne}) {
      const std::vector<Operand> y = {Of("y", of_y)};
      ExpectOneNan(absl::StrCat("%r = ", op, " %x, %y"), count, y);
      ExpectOneNan(absl::StrCat("%r = ", op, " %y, %x"), count, y);
      ExpectOneNan(absl::StrCat(op, "_ %x, %y\n  %r = clone %x"), count, y);
    }
    ExpectOneNan(absl::StrCat("%r = ", op, " %x, nan"), count);
    ExpectOneNan(absl::StrCat("%r = ", op, " nan, %x"), count);
  }
}

TEST_P(NanTest, ReductionsComputeOne) {
  for (OpKind kind : OpsOf(KernelFamily::kReduce)) {
    if (!InfoFor(kind).Allows(GetParam())) continue;
    const std::string op = absl::StrCat("%r = ", InfoFor(kind).text, " %x, ");
    if (kind == OpKind::kCumsum) {
      ExpectOneNan(op + "dim=0", kRows * kColumns);
      ExpectOneNan(op + "dim=1", kRows * kColumns);
      continue;
    }
    ExpectOneNan(op + "dims=[0], keepdim=false", kColumns);
    ExpectOneNan(op + "dims=[1], keepdim=false", kRows);
    ExpectOneNan(op + "dims=[0,1], keepdim=true", 1);
  }
}

TEST_P(NanTest, ProductsOfMatricesComputeOne) {
  if (!InfoFor(OpKind::kMatmul).Allows(GetParam())) return;
  ExpectOneNan("%r = matmul %x, %y", kRows * 9,
               {Of("y", Place::kRowMajor, kColumns, 9)});
}

TEST_P(NanTest, SumsByIndexComputeOne) {
  if (!InfoFor(OpKind::kIndexAdd).Allows(GetParam())) return;
  const std::vector<Operand> y = {Of("y", Place::kRowMajor, 8)};
  const std::string rows = absl::StrCat("%rows = view %index : i64[8,",
                                        kColumns, "] strides [1,0]\n  ");
  const int64_t count = kRows * kColumns;
  const std::pair<std::string, std::string> ops[] = {
      {"index_add", " %x, %index, %y, dim=0"},
      {"index_put", " %x, [%index], %y, accumulate=true"},
      {"scatter_add", " %x, %rows, %y, dim=0"}};
  for (const auto& [op, arguments] : ops) {
    ExpectOneNan(absl::StrCat(rows, "%r = ", op, arguments), count, y);
    ExpectOneNan(absl::StrCat(rows, op, "_", arguments, "\n  %r = clone %x"),
                 count, y);
  }
}

TEST_P(NanTest, CastsToEveryDTypeComputeOne) {
  for (DType to : AllDTypes()) {
    if (!IsFloatLike(to)) continue;
    for (Place place : kPlaces) {
      const std::string body = absl::StrCat("%r = cast %x : ", InfoFor(to).text,
                                            "[", kRows, ",", kColumns, "]");
      EXPECT_TRUE(HasOneNan(
          to, ResultWords({Of("x", place)}, body, to, kRows * kColumns)))
          << body;
    }
  }
}

TEST_P(NanTest, MovesKeepEveryBit) {
  Words words;
  for (const Number& word : Of("x", Place::kRowMajor).words().elements) {
    words.push_back(static_cast<uint64_t>(word.integer));
  }
  const std::string fill =
      absl::StrCat("%r = empty : ", InfoFor(GetParam()).text, "[", kRows, ",",
                   kColumns, "]\n  %half = view %index : i64[4]\n  ");
  for (const std::string& body :
       {std::string("%r = clone %x"), std::string("%r = cat [%x], dim=0"),
        std::string("%f = flip %x, dims=[0]\n  %r = flip %f, dims=[0]"),
        std::string("%half = view %index : i64[4]\n"
                    "  %r = index_select %x, %half, dim=0"),
        fill + "copy_ %r, %x", fill + "index_copy_ %r, %half, %x, dim=0",
        std::string("%m = eq %index, %index\n  %c = view %m : bool[4,1]\n"
                    "  %r = where %c, %x, %x")}) {
    const bool is_where = body.find("where") != std::string::npos;
    if (is_where && !InfoFor(OpKind::kWhere).Allows(GetParam())) continue;
    for (Place place : kPlaces) {
      EXPECT_EQ(
          ResultWords({Of("x", place)}, body, GetParam(), kRows * kColumns),
          words)
          << body;
    }
  }
}

std::vector<DType> FloatDTypes() {
  std::vector<DType> dtypes;
  for (DType dtype : AllDTypes()) {
    if (IsFloatLike(dtype)) dtypes.push_back(dtype);
  }
  return dtypes;
}

INSTANTIATE_TEST_SUITE_P(AllDTypes, NanTest, testing::ValuesIn(FloatDTypes()),
                         [](const testing::TestParamInfo<DType>& info) {
                           return std::string(InfoFor(info.param).text);
                         });

}  // namespace
}  // namespace palimpsest
