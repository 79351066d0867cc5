#include "tests/cuda/same_bits.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "cuda/buffer.h"
#include "cuda/interpreter.h"

namespace palimpsest {
namespace {

bool SameBytes(const uint8_t* a, const uint8_t* b, int64_t size) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::memcmp(a, b, size) == 0;
}

// Empty where they are the same.
std::string DifferenceOf(const Buffer& a, const Buffer& b) {
  if (a.size() != b.size()) return "sizes differ";
  if (!SameBytes(a.poison(), b.poison(), a.size())) return "poison differs";
  for (int64_t i = 0; i < a.size(); ++i) {
    if (a.data()[i] != b.data()[i]) {
      return absl::StrCat("byte ", i, " of ", a.size(), ": ", a.data()[i],
                          " and ", b.data()[i]);
    }
  }
  return "";
}

std::string DifferenceOf(const RunResult& a, const RunResult& b) {
  if (a.storage != b.storage || a.group != b.group || a.dtype != b.dtype ||
      a.sizes != b.sizes || a.strides != b.strides || a.offset != b.offset) {
    return "they lie elsewhere";
  }
  return DifferenceOf(a.bytes, b.bytes);
}

std::string DifferenceOf(const RunOutputs& a, const RunOutputs& b) {
  if (a.results.size() != b.results.size()) return "numbers of results differ";
  for (size_t i = 0; i < a.results.size(); ++i) {
    const std::string difference = DifferenceOf(a.results[i], b.results[i]);
    if (!difference.empty())
      return absl::StrCat("result ", i, ": ", difference);
  }
  if (a.storages.size() != b.storages.size()) {
    return "numbers of storages differ";
  }
  for (const auto& [name, buffer] : a.storages) {
    const auto other = b.storages.find(name);
    if (other == b.storages.end()) return absl::StrCat("no @", name);
    const std::string difference = DifferenceOf(buffer, other->second);
    if (!difference.empty()) return absl::StrCat("@", name, ": ", difference);
  }
  if (a.effects.size() != b.effects.size()) return "numbers of calls differ";
  for (size_t i = 0; i < a.effects.size(); ++i) {
    if (a.effects[i].call != b.effects[i].call ||
        a.effects[i].digest != b.effects[i].digest) {
      return absl::StrCat("call ", i, " differs");
    }
  }
  return "";
}

}  // namespace

testing::AssertionResult SameBits(const absl::StatusOr<RunOutputs>& expected,
                                  const absl::StatusOr<RunOutputs>& actual) {
  if (!expected.ok() || !actual.ok()) {
    if (expected.status() == actual.status()) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure()
           << expected.status() << " and " << actual.status();
  }
  const std::string difference = DifferenceOf(*expected, *actual);
  if (difference.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << difference;
}

}  // namespace palimpsest
