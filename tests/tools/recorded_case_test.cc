// How near a computed element must be to the recorded one, by dtype.

#include "tools/recorded_case.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "nlohmann/json.hpp"
#include "tools/element_json.h"

namespace palimpsest {
namespace {

std::vector<uint8_t> Elements(DType dtype, const std::string& json) {
  const absl::StatusOr<std::vector<uint8_t>> bytes =
      ElementsFromJson(dtype, nlohmann::json::parse(json));
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.value_or(std::vector<uint8_t>());
}

bool Like(DType dtype, const std::string& computed,
          const std::string& recorded) {
  return !FirstUnlikeRecorded(dtype, Elements(dtype, computed),
                              Elements(dtype, recorded))
              .has_value();
}

TEST(RecordedCaseTest, IntegersAndBoolsAreEqual) {
  EXPECT_TRUE(Like(DType::kI64, "[9007199254740993]", "[9007199254740993]"));
  EXPECT_FALSE(Like(DType::kI64, "[9007199254740993]", "[9007199254740992]"));
  EXPECT_FALSE(Like(DType::kBool, "[true]", "[false]"));
}

TEST(RecordedCaseTest, FloatsAreNear) {
  EXPECT_TRUE(Like(DType::kF32, "[1.000009]", "[1]"));
  EXPECT_FALSE(Like(DType::kF32, "[1.00002]", "[1]"));
  EXPECT_TRUE(Like(DType::kF64, "[0.0000009]", "[0]"));
  EXPECT_FALSE(Like(DType::kF64, "[0.000002]", "[0]"));
  EXPECT_FALSE(Like(DType::kC64, "[1, 2]", "[1, 2.1]"));
}

TEST(RecordedCaseTest, HalvesAreNeighbours) {
  EXPECT_TRUE(Like(DType::kBF16, "[1.0078125]", "[1]"));
  EXPECT_FALSE(Like(DType::kBF16, "[1.015625]", "[1]"));
  EXPECT_TRUE(Like(DType::kF16, "[1.0009765625]", "[1]"));
  EXPECT_FALSE(Like(DType::kF16, "[1.001953125]", "[1]"));
  EXPECT_TRUE(Like(DType::kF16, "[-0.0]", "[0.0]"));
}

TEST(RecordedCaseTest, NanIsNanAndInfinitiesAreTheirOwn) {
  for (const DType dtype : {DType::kF64, DType::kF32, DType::kF16}) {
    EXPECT_TRUE(Like(dtype, R"(["nan", "inf"])", R"(["nan", "inf"])"));
    EXPECT_FALSE(Like(dtype, R"(["nan"])", "[0]"));
    EXPECT_FALSE(Like(dtype, R"(["inf"])", R"(["-inf"])"));
    EXPECT_FALSE(Like(dtype, "[65504]", R"(["inf"])"));
  }
}

TEST(RecordedCaseTest, TheFirstDifferenceIsNamed) {
  EXPECT_EQ(FirstUnlikeRecorded(DType::kI8, Elements(DType::kI8, "[1,2,3,4]"),
                                Elements(DType::kI8, "[1,2,0,0]")),
            2);
}

}  // namespace
}  // namespace palimpsest
