// A recorded case: a program, and what an eager framework did when it ran it.

#ifndef PALIMPSEST_TOOLS_RECORDED_CASE_H_
#define PALIMPSEST_TOOLS_RECORDED_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/type.h"
#include "nlohmann/json.hpp"

namespace palimpsest {

struct RecordedStorage {
  std::string name;  // Without "@".
  DType dtype = DType::kU8;
  std::vector<uint8_t> before;
  std::vector<uint8_t> after;
};

struct RecordedResult {
  std::string storage;  // A caller's storage, or a name of one that is new.
  DType dtype = DType::kU8;
  Dims sizes;
  Dims strides;
  int64_t offset = 0;
  std::vector<uint8_t> values;  // Row-major.
};

struct RecordedCase {
  std::string name;
  std::string program;
  bool opaque = false;  // It has ops known by name only: values differ.
  std::vector<RecordedStorage> storages;
  std::vector<RecordedResult> results;
};

// Reads one JSON object; fields that it does not know are left alone.
absl::StatusOr<RecordedCase> CaseFromJson(absl::string_view line);

// The contents that a JSON object {"dtype": .., KEY: [..]} gives a storage.
struct StorageContents {
  DType dtype = DType::kU8;
  std::vector<uint8_t> bytes;
};
absl::StatusOr<StorageContents> ContentsFromJson(const nlohmann::json& object,
                                                 absl::string_view key);

// The text as JSON; the error says where it stops to be that.
absl::StatusOr<nlohmann::json> ParseJson(absl::string_view text);

// The first element that is not the recorded one: integers and bools must be
// equal, f16 and bf16 within one unit of the last place, other floats within
// 1e-6 + 1e-5 |recorded|; NaN is NaN. The spans are of one size.
absl::optional<int64_t> FirstUnlikeRecorded(DType dtype,
                                            absl::Span<const uint8_t> computed,
                                            absl::Span<const uint8_t> recorded);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_RECORDED_CASE_H_
