#include "cuda/element_text.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cuda/kernels/number.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Calls visit with the element, in the type that its dtype computes in.
template <typename Visitor>
void VisitElement(DType dtype, const uint8_t* element, Visitor visit) {
  kernels::VisitType(static_cast<kernels::Type>(dtype),
                     [&](auto tag) -> const char* {
                       typename decltype(tag)::type stored;
                       std::memcpy(&stored, element, sizeof stored);
                       visit(kernels::Load(stored));
                       return nullptr;
                     });
}

std::string RealText(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return absl::StrFormat("%.*g", digits, value);
}

template <typename V>
std::string TextOf(V value) {
  if constexpr (kernels::kIsComplex<V>) {
    return absl::StrCat("(", TextOf(value.re), ",", TextOf(value.im), ")");
  } else if constexpr (std::is_same_v<V, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<V, float>) {
    return RealText(value, 9);
  } else if constexpr (std::is_same_v<V, double>) {
    return RealText(value, 17);
  } else {
    return absl::StrCat(+value);
  }
}

template <typename V>
bool IsNan(V value) {
  if constexpr (kernels::kIsComplex<V>) {
    return std::isnan(value.re) || std::isnan(value.im);
  } else if constexpr (std::is_floating_point_v<V>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

template <typename V>
bool IsFinite(V value) {
  if constexpr (kernels::kIsComplex<V>) {
    return std::isfinite(value.re) && std::isfinite(value.im);
  } else if constexpr (std::is_floating_point_v<V>) {
    return std::isfinite(value);
  } else {
    return true;
  }
}

}  // namespace

std::string ElementText(DType dtype, const uint8_t* element) {
  std::string text;
  VisitElement(dtype, element, [&](auto value) { text = TextOf(value); });
  return text;
}

bool IsNanElement(DType dtype, const uint8_t* element) {
  bool is_nan = false;
  VisitElement(dtype, element, [&](auto value) { is_nan = IsNan(value); });
  return is_nan;
}

bool IsFiniteElement(DType dtype, const uint8_t* element) {
  bool is_finite = true;
  VisitElement(dtype, element,
               [&](auto value) { is_finite = IsFinite(value); });
  return is_finite;
}

}  // namespace palimpsest
