#include "tests/cuda/reference.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cuda/buffer.h"
#include "cuda/host_backend.h"
#include "cuda/interpreter.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "tests/cuda/same_bits.h"

namespace palimpsest {
namespace {

// A narrow float: 1 bit of sign, then exponent, then mantissa.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  bool has_infinity;
};

bool IsNarrow(DType dtype) { return WidthOf(dtype) <= 2 && !IsIntegral(dtype); }

Format FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return {5, 10, true};
    case DType::kBF16:
      return {8, 7, true};
    case DType::kF8E5M2:
      return {5, 2, true};
    default:
      return {4, 3, false};
  }
}

double ValueOf(Format format, int pattern) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int ones = (1 << format.exponent_bits) - 1;
  const int mantissa_ones = (1 << format.mantissa_bits) - 1;
  const int mantissa = pattern & mantissa_ones;
  const int exponent = pattern >> format.mantissa_bits & ones;
  const bool negative =
      pattern >> (format.mantissa_bits + format.exponent_bits) != 0;
  const double sign = negative ? -1.0 : 1.0;
  if (exponent == ones && format.has_infinity) {
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == ones && mantissa == mantissa_ones) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double fraction = std::ldexp(mantissa, -format.mantissa_bits);
  return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias)
                       : sign * std::ldexp(1.0 + fraction, exponent - bias);
}

// The least pattern above the finite ones: infinity, or where there is none
// NaN.
int OverflowPattern(Format format) {
  const int ones = (1 << format.exponent_bits) - 1;
  return format.has_infinity
             ? ones << format.mantissa_bits
             : (1 << (format.exponent_bits + format.mantissa_bits)) - 1;
}

// Nearest even among the finite patterns and the one after them, which stands
// where the next finite number would.
int PatternOf(Format format, double value) {
  const int sign = std::signbit(value)
                       ? 1 << (format.exponent_bits + format.mantissa_bits)
                       : 0;
  const int overflow = OverflowPattern(format);
  if (std::isnan(value))
    return sign | (overflow + (format.has_infinity ? 1 : 0));
  const double magnitude = std::fabs(value);
  const double last = ValueOf(format, overflow - 1);
  const double next = 2 * last - ValueOf(format, overflow - 2);
  int below = 0;
  for (int step = 1 << 14; step > 0; step /= 2) {
    if (below + step < overflow && ValueOf(format, below + step) <= magnitude) {
      below += step;
    }
  }
  const double low = ValueOf(format, below);
  const double high = below + 1 == overflow ? next : ValueOf(format, below + 1);
  const double to_low = magnitude - low;
  const double to_high = high - magnitude;
  const bool up = to_high < to_low || (to_high == to_low && below % 2 != 0);
  return sign | (up ? below + 1 : below);
}

}  // namespace

bool IsIntegral(DType dtype) {
  const DTypeClass dtype_class = InfoFor(dtype).dtype_class;
  return dtype_class == DTypeClass::kInteger ||
         dtype_class == DTypeClass::kBool;
}

Number NumberOf(DType dtype, double value) {
  return IsIntegral(dtype) ? Number::Integer(static_cast<__int128>(value))
                           : Number::Real(value);
}

Number Decode(DType dtype, const uint8_t* element) {
  const int width = static_cast<int>(WidthOf(dtype));
  if (dtype == DType::kBool) return Number::Integer(*element != 0);
  if (IsIntegral(dtype)) {
    uint64_t bits = 0;
    std::memcpy(&bits, element, width);
    const bool is_signed = InfoFor(dtype).text[0] == 'i';
    const bool negative = is_signed && (bits >> (8 * width - 1)) != 0;
    return Number::Integer(static_cast<__int128>(bits) -
                           (negative ? __int128{1} << 8 * width : 0));
  }
  if (IsNarrow(dtype)) {
    uint16_t pattern = 0;
    std::memcpy(&pattern, element, width);
    return Number::Real(ValueOf(FormatOf(dtype), pattern));
  }
  const auto floats = [&](auto zero) {
    decltype(zero) parts[2] = {0, 0};
    std::memcpy(parts, element, width);
    return Number::Real({parts[0], parts[1]});
  };
  return dtype == DType::kF32 || dtype == DType::kC64 ? floats(0.0f)
                                                      : floats(0.0);
}

std::vector<uint8_t> Encode(DType dtype, Number number) {
  const int width = static_cast<int>(WidthOf(dtype));
  std::vector<uint8_t> element(width);
  if (dtype == DType::kBool) {
    element[0] = number.integer != 0;
  } else if (IsIntegral(dtype)) {
    const uint64_t bits = static_cast<uint64_t>(number.integer);
    std::memcpy(element.data(), &bits, width);
  } else if (IsNarrow(dtype)) {
    const uint16_t pattern =
        static_cast<uint16_t>(PatternOf(FormatOf(dtype), number.real.real()));
    std::memcpy(element.data(), &pattern, width);
  } else if (dtype == DType::kF32 || dtype == DType::kC64) {
    const float parts[2] = {static_cast<float>(number.real.real()),
                            static_cast<float>(number.real.imag())};
    std::memcpy(element.data(), parts, width);
  } else {
    const double parts[2] = {number.real.real(), number.real.imag()};
    std::memcpy(element.data(), parts, width);
  }
  return element;
}

Number Rounded(DType dtype, Number number) {
  return Decode(dtype, Encode(dtype, number).data());
}

std::string ToString(DType dtype, Number number) {
  if (IsIntegral(dtype)) {
    return absl::StrCat(static_cast<int64_t>(number.integer));
  }
  return absl::StrCat("(", number.real.real(), ",", number.real.imag(), ")");
}

namespace {

bool IsCloseReal(DType dtype, double actual, double expected, int ulps) {
  if (std::isnan(actual) || std::isnan(expected)) {
    return std::isnan(actual) && std::isnan(expected);
  }
  if (actual == expected) return true;
  if (ulps == 0) return false;
  int bits = 52;
  if (IsNarrow(dtype)) bits = FormatOf(dtype).mantissa_bits;
  if (dtype == DType::kF32 || dtype == DType::kC64) bits = 23;
  const double scale = std::max(std::fabs(expected), 1e-6);
  return std::fabs(actual - expected) <= ulps * std::ldexp(scale, -bits);
}

}  // namespace

bool IsClose(DType dtype, Number actual, Number expected, int ulps) {
  if (IsIntegral(dtype)) return actual.integer == expected.integer;
  const double distance = std::abs(actual.real - expected.real);
  if (InfoFor(dtype).dtype_class == DTypeClass::kComplex && ulps > 0) {
    const int bits = dtype == DType::kC64 ? 23 : 52;
    return distance <= ulps * std::ldexp(std::abs(expected.real), -bits);
  }
  return IsCloseReal(dtype, actual.real.real(), expected.real.real(), ulps) &&
         IsCloseReal(dtype, actual.real.imag(), expected.real.imag(), ulps);
}

namespace {

// The place of each element of a window, row-major, in bytes.
std::vector<int64_t> PlacesOf(const Layout& layout, int64_t offset) {
  std::vector<int64_t> places;
  const int64_t count = ElementCount(layout.sizes);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = offset;
    int64_t rest = i;
    for (int d = layout.rank() - 1; d >= 0; --d) {
      place += rest % layout.sizes[d] * layout.strides[d];
      rest /= layout.sizes[d];
    }
    places.push_back(place * WidthOf(layout.dtype));
  }
  return places;
}

absl::StatusOr<RunOutputs> RunOnEveryHost(const Function& function,
                                          const RunInputs& inputs,
                                          RunOptions options) {
  absl::StatusOr<RunOutputs> outputs = Run(function, inputs, options);
  for (uint64_t order = 0; order < 2; ++order) {
    const auto backend = kernels::MakeEmulatedBackend(order);
    options.backend = backend.get();
    EXPECT_TRUE(SameBits(outputs, Run(function, inputs, options)))
        << PrintToString(function);
  }
  return outputs;
}

}  // namespace

absl::StatusOr<RunOutputs> RunText(absl::string_view text,
                                   absl::Span<const Tensor> parameters,
                                   const RunOptions& options) {
  ASSIGN_OR_RETURN(const Program program, ParseProgram(text, "test"));
  const Function& function = program.functions[0];
  std::vector<Buffer> storages(function.storages.size());
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Type& type = function.Get(function.parameters[i]).type;
    Buffer& buffer = storages[type.storage.value];
    if (!buffer.exists()) {
      ASSIGN_OR_RETURN(buffer,
                       Buffer::Allocate(function.Get(type.storage).bytes));
      std::memset(buffer.mutable_data(), 0x5A, buffer.size());
    }
    if (i >= parameters.size()) continue;
    const std::vector<int64_t> places =
        PlacesOf(function.LayoutOf(type), type.offset);
    for (size_t k = 0; k < places.size(); ++k) {
      const std::vector<uint8_t> element =
          Encode(parameters[i].dtype, parameters[i].elements[k]);
      std::memcpy(buffer.mutable_data() + places[k], element.data(),
                  element.size());
    }
  }
  RunInputs inputs;
  for (size_t i = 0; i < storages.size(); ++i) {
    if (!storages[i].exists()) continue;
    inputs.storages[function.names.Text(function.storages[i].name)] =
        storages[i];
  }
  return RunOnEveryHost(function, inputs, options);
}

Tensor TensorOf(const RunResult& result) {
  Tensor tensor{result.dtype, result.sizes, {}};
  const Layout layout = {result.dtype, result.sizes, result.strides};
  for (int64_t place : PlacesOf(layout, result.offset)) {
    tensor.elements.push_back(
        Decode(result.dtype, result.bytes.data() + place));
  }
  return tensor;
}

std::vector<bool> PoisonOf(const RunResult& result) {
  std::vector<bool> poison;
  const Layout layout = {result.dtype, result.sizes, result.strides};
  for (int64_t place : PlacesOf(layout, result.offset)) {
    bool any = false;
    for (int64_t i = 0; i < WidthOf(result.dtype); ++i) {
      any |= result.bytes.poison() != nullptr &&
             result.bytes.poison()[place + i] != 0;
    }
    poison.push_back(any);
  }
  return poison;
}

Tensor ResultOf(absl::string_view text, absl::Span<const Tensor> parameters,
                int number) {
  const absl::StatusOr<RunOutputs> outputs = RunText(text, parameters);
  if (!outputs.ok()) {
    ADD_FAILURE() << outputs.status() << "\n" << text;
    return Tensor{DType::kF32, {}, {}};
  }
  return TensorOf(outputs->results[number]);
}

Tensor TensorOf(DType dtype, const Dims& sizes,
                const std::vector<double>& elements) {
  Tensor tensor{dtype, sizes, {}};
  for (double element : elements) {
    tensor.elements.push_back(NumberOf(dtype, element));
  }
  return tensor;
}

std::vector<double> RealsOf(const Tensor& tensor) {
  std::vector<double> reals;
  for (const Number& number : tensor.elements) {
    reals.push_back(IsIntegral(tensor.dtype)
                        ? static_cast<double>(number.integer)
                        : number.real.real());
  }
  return reals;
}

}  // namespace palimpsest
