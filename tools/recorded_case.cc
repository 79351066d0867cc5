#include "tools/recorded_case.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/kernels/number.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "nlohmann/json.hpp"
#include "tools/element_json.h"
#include "tools/element_number.h"

namespace palimpsest {
namespace {

using nlohmann::json;

absl::Status Wrong(absl::string_view what) {
  return absl::InvalidArgumentError(what);
}

// The same error, about a part.
absl::Status In(absl::string_view part, const absl::Status& status) {
  return Wrong(absl::StrCat(part, ": ", status.message()));
}

absl::StatusOr<const json*> Field(const json& object, absl::string_view key,
                                  json::value_t type) {
  if (!object.is_object()) return Wrong("no JSON object");
  const auto found = object.find(std::string(key));
  if (found == object.end()) {
    return Wrong(absl::StrCat("\"", key, "\" is missing"));
  }
  if (found->type() != type) {
    return Wrong(absl::StrCat("\"", key, "\" is no ", json(type).type_name()));
  }
  return &*found;
}

absl::StatusOr<std::string> StringField(const json& object,
                                        absl::string_view key) {
  ASSIGN_OR_RETURN(const json* field,
                   Field(object, key, json::value_t::string));
  return field->get<std::string>();
}

absl::StatusOr<int64_t> Int64Of(const json& value, absl::string_view key) {
  const bool fits =
      value.is_number_integer() &&
      (!value.is_number_unsigned() || value.get<uint64_t>() >> 63 == 0);
  if (!fits) return Wrong(absl::StrCat("\"", key, "\" is no integer"));
  return value.get<int64_t>();
}

absl::StatusOr<Dims> DimsField(const json& object, absl::string_view key) {
  ASSIGN_OR_RETURN(const json* field, Field(object, key, json::value_t::array));
  Dims dims;
  for (const json& value : *field) {
    ASSIGN_OR_RETURN(const int64_t number, Int64Of(value, key));
    dims.push_back(number);
  }
  return dims;
}

absl::StatusOr<std::string> StorageName(absl::string_view text) {
  if (text.size() < 2 || text[0] != '@') {
    return Wrong(absl::StrCat("\"", text, "\" is no storage: @name"));
  }
  return std::string(text.substr(1));
}

absl::StatusOr<RecordedStorage> StorageFromJson(const std::string& name,
                                                const json& object) {
  RecordedStorage storage;
  ASSIGN_OR_RETURN(storage.name, StorageName(name));
  ASSIGN_OR_RETURN(StorageContents before, ContentsFromJson(object, "before"));
  ASSIGN_OR_RETURN(StorageContents after, ContentsFromJson(object, "after"));
  if (before.bytes.size() != after.bytes.size()) {
    return Wrong("\"before\" and \"after\" are of two lengths");
  }
  storage.dtype = before.dtype;
  storage.before = std::move(before.bytes);
  storage.after = std::move(after.bytes);
  return storage;
}

absl::StatusOr<RecordedResult> ResultFromJson(const json& object) {
  RecordedResult result;
  ASSIGN_OR_RETURN(const std::string storage, StringField(object, "storage"));
  ASSIGN_OR_RETURN(result.storage, StorageName(storage));
  ASSIGN_OR_RETURN(StorageContents values, ContentsFromJson(object, "values"));
  ASSIGN_OR_RETURN(result.sizes, DimsField(object, "sizes"));
  ASSIGN_OR_RETURN(result.strides, DimsField(object, "strides"));
  ASSIGN_OR_RETURN(const json* offset,
                   Field(object, "offset", json::value_t::number_unsigned));
  ASSIGN_OR_RETURN(result.offset, Int64Of(*offset, "offset"));
  result.dtype = values.dtype;
  result.values = std::move(values.bytes);
  RETURN_IF_ERROR(CheckSizes(result.dtype, result.sizes));
  if (result.strides.size() != result.sizes.size()) {
    return Wrong("\"sizes\" and \"strides\" are of two lengths");
  }
  const int64_t bytes = ElementCount(result.sizes) * WidthOf(result.dtype);
  if (bytes != static_cast<int64_t>(result.values.size())) {
    return Wrong("\"values\" are not as many as \"sizes\" says");
  }
  return result;
}

absl::Status ReadExpectation(const json& expect, RecordedCase& recorded) {
  ASSIGN_OR_RETURN(const json* storages,
                   Field(expect, "storages", json::value_t::object));
  for (const auto& [name, object] : storages->items()) {
    absl::StatusOr<RecordedStorage> storage = StorageFromJson(name, object);
    if (!storage.ok())
      return In(absl::StrCat("storage ", name), storage.status());
    recorded.storages.push_back(*std::move(storage));
  }
  ASSIGN_OR_RETURN(const json* results,
                   Field(expect, "results", json::value_t::array));
  for (const json& object : *results) {
    absl::StatusOr<RecordedResult> result = ResultFromJson(object);
    if (!result.ok()) {
      return In(absl::StrCat("result ", recorded.results.size()),
                result.status());
    }
    recorded.results.push_back(*std::move(result));
  }
  return absl::OkStatus();
}

bool Near(double computed, double recorded) {
  if (std::isnan(computed) || std::isnan(recorded)) {
    return std::isnan(computed) && std::isnan(recorded);
  }
  if (std::isinf(computed) || std::isinf(recorded)) return computed == recorded;
  return std::abs(computed - recorded) <= 1e-6 + 1e-5 * std::abs(recorded);
}

// Whether two floats of 16 bits are neighbours at most. Infinities have none.
template <typename T>
bool WithinOneUlp(T computed, T recorded) {
  const float x = kernels::Load(computed);
  const float y = kernels::Load(recorded);
  if (!std::isfinite(x) || !std::isfinite(y)) return Near(x, y);
  const auto place = [](T value) {
    const int magnitude = value.bits & 0x7FFF;
    return value.bits & 0x8000 ? -magnitude : magnitude;
  };
  return std::abs(place(computed) - place(recorded)) <= 1;
}

template <typename T>
bool LikeRecorded(T computed, T recorded) {
  if constexpr (std::is_same_v<T, kernels::Half> ||
                std::is_same_v<T, kernels::BFloat16>) {
    return WithinOneUlp(computed, recorded);
  } else if constexpr (kernels::kIsComplex<T>) {
    return Near(computed.re, recorded.re) && Near(computed.im, recorded.im);
  } else if constexpr (std::is_floating_point_v<T>) {
    return Near(computed, recorded);
  } else {
    return std::memcmp(&computed, &recorded, sizeof(T)) == 0;
  }
}

}  // namespace

absl::StatusOr<json> ParseJson(absl::string_view text) {
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: .."
    const absl::string_view what = error.what();
    const size_t bracket = what.find("] ");
    return Wrong(absl::StrCat(
        "no JSON: ", what.substr(bracket == what.npos ? 0 : bracket + 2)));
  }
}

absl::StatusOr<StorageContents> ContentsFromJson(const json& object,
                                                 absl::string_view key) {
  ASSIGN_OR_RETURN(const std::string text, StringField(object, "dtype"));
  const absl::optional<DType> dtype = DTypeFromText(text);
  if (!dtype) return Wrong(absl::StrCat("\"", text, "\" is no dtype"));
  ASSIGN_OR_RETURN(const json* values,
                   Field(object, key, json::value_t::array));
  absl::StatusOr<std::vector<uint8_t>> bytes =
      ElementsFromJson(*dtype, *values);
  if (!bytes.ok()) return In(absl::StrCat("\"", key, "\""), bytes.status());
  return StorageContents{*dtype, *std::move(bytes)};
}

absl::StatusOr<RecordedCase> CaseFromJson(absl::string_view line) {
  ASSIGN_OR_RETURN(const json object, ParseJson(line));
  RecordedCase recorded;
  ASSIGN_OR_RETURN(recorded.name, StringField(object, "name"));
  // It may become a file's name.
  if (recorded.name.empty() || absl::StrContains(recorded.name, '/')) {
    return Wrong("\"name\" is empty, or has a / in it");
  }
  ASSIGN_OR_RETURN(recorded.program, StringField(object, "program"));
  ASSIGN_OR_RETURN(const json* opaque,
                   Field(object, "opaque", json::value_t::array));
  recorded.opaque = !opaque->empty();
  ASSIGN_OR_RETURN(const json* expect,
                   Field(object, "expect", json::value_t::object));
  RETURN_IF_ERROR(ReadExpectation(*expect, recorded));
  return recorded;
}

absl::optional<int64_t> FirstUnlikeRecorded(
    DType dtype, absl::Span<const uint8_t> computed,
    absl::Span<const uint8_t> recorded) {
  absl::optional<int64_t> first;
  VisitElementType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const int64_t count = static_cast<int64_t>(recorded.size() / sizeof(T));
    for (int64_t i = 0; i < count && !first; ++i) {
      if (!LikeRecorded(ElementAt<T>(computed.data(), i),
                        ElementAt<T>(recorded.data(), i))) {
        first = i;
      }
    }
  });
  return first;
}

}  // namespace palimpsest
