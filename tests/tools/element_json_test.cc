// Elements as JSON and back, for every dtype.

#include "tools/element_json.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "nlohmann/json.hpp"

namespace palimpsest {
namespace {

// Every pattern of an element's first and last byte, the others zero.
std::vector<uint8_t> Patterns(DType dtype) {
  const int64_t width = WidthOf(dtype);
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 65536; ++i) {
    std::vector<uint8_t> element(width, 0);
    element.front() = static_cast<uint8_t>(i);
    element.back() ^= static_cast<uint8_t>(i >> 8);
    bytes.insert(bytes.end(), element.begin(), element.end());
  }
  return bytes;
}

std::string ToJson(DType dtype, const std::vector<uint8_t>& bytes) {
  std::string text;
  AppendElements(text, dtype, bytes);
  return text;
}

// NaNs have many patterns and one text; so have bools that are true.
TEST(ElementJsonTest, TheTextOfAllElementsReadsBackToTheSameText) {
  for (const DType dtype : AllDTypes()) {
    const std::string text = ToJson(dtype, Patterns(dtype));
    const absl::StatusOr<std::vector<uint8_t>> bytes =
        ElementsFromJson(dtype, nlohmann::json::parse(text));
    ASSERT_TRUE(bytes.ok()) << InfoFor(dtype).text << bytes.status();
    EXPECT_EQ(ToJson(dtype, *bytes), text) << InfoFor(dtype).text;
  }
}

TEST(ElementJsonTest, IntegersKeepEveryBit) {
  for (const DType dtype :
       {DType::kI64, DType::kU64, DType::kI8, DType::kU16}) {
    const std::vector<uint8_t> bytes = Patterns(dtype);
    EXPECT_EQ(
        ElementsFromJson(dtype, nlohmann::json::parse(ToJson(dtype, bytes)))
            .value_or(std::vector<uint8_t>()),
        bytes);
  }
}

TEST(ElementJsonTest, FloatsTakeTheFewestDigits) {
  EXPECT_EQ(ToJson(DType::kF32, {0xCD, 0xCC, 0xCC, 0x3D}), "[0.1]");
  EXPECT_EQ(ToJson(DType::kBF16, {0x80, 0x3F}), "[1.0]");
}

TEST(ElementJsonTest, WhatIsNoElementIsRefused) {
  const auto refused = [](DType dtype, const char* json, const char* why) {
    const absl::Status status =
        ElementsFromJson(dtype, nlohmann::json::parse(json)).status();
    return absl::StrContains(status.message(), why);
  };
  EXPECT_TRUE(refused(DType::kI8, "[1, 128]", "value 1, 128, is no i8"));
  EXPECT_TRUE(refused(DType::kU8, "[-1]", "value 0, -1, is no u8"));
  EXPECT_TRUE(refused(DType::kI32, "[1.5]", "value 0, 1.5, is no i32"));
  EXPECT_TRUE(refused(DType::kF32, "[[1]]", "value 0, an array, is no f32"));
  EXPECT_TRUE(refused(DType::kF32, "[\"x\"]", "value 0, \"x\", is no f32"));
  EXPECT_TRUE(refused(DType::kBool, "[2]", "value 0, 2, is no bool"));
  EXPECT_TRUE(refused(DType::kC64, "[1, 2, 3]", "an odd number"));
  EXPECT_TRUE(refused(DType::kF32, "{}", "no list"));
}

TEST(ElementJsonTest, TheDigestIsThatOfTheBytes) {
  EXPECT_EQ(DigestOf({}), "cbf29ce484222325");
  const std::string text = "foobar";
  EXPECT_EQ(DigestOf(std::vector<uint8_t>(text.begin(), text.end())),
            "85944171f73967e8");
}

}  // namespace
}  // namespace palimpsest
