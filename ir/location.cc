#include "ir/location.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"
#include "ir/op.h"

namespace palimpsest {
namespace {

constexpr char kLocation[] = "palimpsest/location";

}  // namespace

absl::Status AtLocation(SourceLocation location, absl::Status status) {
  if (location.line > 0) {
    status.SetPayload(kLocation, absl::Cord(absl::StrCat(location.line, ":",
                                                         location.column)));
  }
  return status;
}

absl::optional<SourceLocation> LocationOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kLocation);
  if (!payload) return absl::nullopt;
  const std::string text(*payload);
  const std::vector<std::string> parts = absl::StrSplit(text, ':');
  SourceLocation location;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &location.line) ||
      !absl::SimpleAtoi(parts[1], &location.column)) {
    return absl::nullopt;
  }
  return location;
}

}  // namespace palimpsest
