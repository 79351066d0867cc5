#include "ir/fault.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace palimpsest {
namespace {

constexpr absl::string_view kPayload = "palimpsest/place";

}  // namespace

absl::Status Fault(Place place, absl::string_view message) {
  return FaultAt(place, absl::InvalidArgumentError(message));
}

absl::Status FaultAt(Place place, const absl::Status& status) {
  absl::Status fault = status;
  const std::string part(
      1, static_cast<char>('a' + static_cast<char>(place.part)));
  fault.SetPayload(kPayload, absl::Cord(absl::StrCat(part, place.index)));
  return fault;
}

Place PlaceOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kPayload);
  if (!payload) return {};
  const std::string text(*payload);
  Place place;
  place.part = static_cast<Place::Part>(text[0] - 'a');
  (void)absl::SimpleAtoi(text.substr(1), &place.index);
  return place;
}

}  // namespace palimpsest
