// Elements as JSON: numbers and booleans; "nan", "inf" and "-inf" as strings; a
// complex number as two in a row, its real and its imaginary part.

#ifndef PALIMPSEST_TOOLS_ELEMENT_JSON_H_
#define PALIMPSEST_TOOLS_ELEMENT_JSON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/type.h"
#include "nlohmann/json.hpp"

namespace palimpsest {

// Appends "[1.5,2.0]": the elements that lie in `bytes` one after the other,
// floats in the fewest digits that give the element back.
void AppendElements(std::string& out, DType dtype,
                    absl::Span<const uint8_t> bytes);

// The reverse. The error says which element is wrong, and why.
absl::StatusOr<std::vector<uint8_t>> ElementsFromJson(
    DType dtype, const nlohmann::json& values);

// A JSON string in quotes.
void AppendJsonString(std::string& out, absl::string_view text);

// FNV-1a (64 bits) of the bytes, in 16 hexadecimal digits.
std::string DigestOf(absl::Span<const uint8_t> bytes);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_ELEMENT_JSON_H_
