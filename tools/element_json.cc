#include "tools/element_json.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/kernels/number.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "tools/element_number.h"

namespace palimpsest {
namespace {

using nlohmann::json;

template <typename T>
void AppendNumber(std::string& out, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    absl::StrAppend(&out, +value);
  } else if constexpr (kernels::kIsComplex<T>) {
    AppendNumber(out, value.re);
    out += ',';
    AppendNumber(out, value.im);
  } else if (std::isnan(value)) {
    out += "\"nan\"";
  } else if (std::isinf(value)) {
    out += value < 0 ? "\"-inf\"" : "\"inf\"";
  } else {
    char digits[64];
    const char* end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
    const absl::string_view text(digits, end - digits);
    absl::StrAppend(&out, text,
                    text.find_first_of(".e") == text.npos ? ".0" : "");
  }
}

absl::optional<double> DoubleOf(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return absl::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  return absl::nullopt;
}

absl::optional<bool> BoolOf(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value == 0 || value == 1) return value == 1;
  return absl::nullopt;
}

template <typename T>
absl::optional<T> IntegerOf(const json& value) {
  if (value.is_number_unsigned()) {
    const uint64_t number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<T>::max())) {
      return absl::nullopt;
    }
    return static_cast<T>(number);
  }
  if (!value.is_number_integer() || !std::is_signed_v<T>) return absl::nullopt;
  const int64_t number = value.get<int64_t>();
  if (number < static_cast<int64_t>(std::numeric_limits<T>::min())) {
    return absl::nullopt;
  }
  return static_cast<T>(number);
}

// For messages. Never nests.
std::string TextOf(const json& value) {
  if (value.is_structured()) return absl::StrCat("an ", value.type_name());
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// The element that the number rounds to.
template <typename T>
absl::optional<T> ElementOf(const json& value) {
  if constexpr (std::is_same_v<T, kernels::Bool>) {
    const absl::optional<bool> truth = BoolOf(value);
    if (!truth) return absl::nullopt;
    return kernels::Store<T>(*truth);
  } else if constexpr (kernels::kIsInteger<T>) {
    return IntegerOf<T>(value);
  } else {
    const absl::optional<double> number = DoubleOf(value);
    if (!number) return absl::nullopt;
    return kernels::Store<T>(static_cast<kernels::Compute<T>>(*number));
  }
}

template <typename T>
absl::Status AppendElementOf(const json& value, int64_t index, DType dtype,
                             std::vector<uint8_t>& bytes) {
  const absl::optional<T> element = ElementOf<T>(value);
  if (!element) {
    return absl::InvalidArgumentError(absl::StrCat(
        "value ", index, ", ", TextOf(value), ", is no ", InfoFor(dtype).text));
  }
  const size_t size = bytes.size();
  bytes.resize(size + sizeof(T));
  std::memcpy(bytes.data() + size, &*element, sizeof(T));
  return absl::OkStatus();
}

template <typename T>
absl::Status AppendElementsOf(const json& values, DType dtype,
                              std::vector<uint8_t>& bytes) {
  int64_t index = 0;
  for (const json& value : values) {
    RETURN_IF_ERROR(AppendElementOf<T>(value, index, dtype, bytes));
    ++index;
  }
  return absl::OkStatus();
}

}  // namespace

void AppendElements(std::string& out, DType dtype,
                    absl::Span<const uint8_t> bytes) {
  out += '[';
  VisitElementType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const int64_t count = static_cast<int64_t>(bytes.size() / sizeof(T));
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) out += ',';
      AppendNumber(out, kernels::Load(ElementAt<T>(bytes.data(), i)));
    }
  });
  out += ']';
}

absl::StatusOr<std::vector<uint8_t>> ElementsFromJson(DType dtype,
                                                      const json& values) {
  if (!values.is_array()) {
    return absl::InvalidArgumentError("the values are no list");
  }
  std::vector<uint8_t> bytes;
  bytes.reserve(values.size() * WidthOf(dtype));
  absl::Status status;
  VisitElementType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (kernels::kIsComplex<T>) {
      using Part = decltype(T::re);
      status = AppendElementsOf<Part>(values, dtype, bytes);
    } else {
      status = AppendElementsOf<T>(values, dtype, bytes);
    }
  });
  RETURN_IF_ERROR(status);
  if (bytes.size() % WidthOf(dtype) != 0) {
    return absl::InvalidArgumentError(
        "an odd number of values: a complex number is two of them");
  }
  return bytes;
}

void AppendJsonString(std::string& out, absl::string_view text) {
  out += json(std::string(text))
             .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string DigestOf(absl::Span<const uint8_t> bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return absl::StrFormat("%016x", hash);
}

}  // namespace palimpsest
