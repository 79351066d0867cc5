// Programs with many windows of one storage whose strides do not divide each
// other: rows, columns, diagonals and others. Resolved, they do the same.

#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/transforms/resolved.h"

namespace palimpsest {
namespace {

constexpr int64_t kElements = 96;

class ProgramText {
 public:
  explicit ProgramText(uint64_t seed) : random_(seed) {}

  // Fills windows, and clones some on the way.
  std::string Make() {
    std::string text =
        absl::StrCat("func @f(%x: f32[", kElements, "] in @s) {\n");
    std::string results = "%x";
    for (int i = 0; i < 60; ++i) {
      absl::StrAppend(&text, "  %v", i, " = view %x : ", Window(), "\n");
      if (i % 6 == 5) {
        absl::StrAppend(&text, "  %c", i, " = clone %v", i, "\n");
        absl::StrAppend(&results, ", %c", i);
      } else {
        absl::StrAppend(&text, "  fill_ %v", i, ", ", i, ".0\n");
      }
    }
    return absl::StrCat(text, "  return ", results, "\n}\n");
  }

 private:
  int64_t Pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % (high - low + 1));
  }

  // Of one or two dimensions, the inner one short of the outer one's stride.
  std::string Window() {
    const int64_t inner = Pick(1, 7);
    const int64_t columns = Pick(1, 4);
    const int64_t row = (columns - 1) * inner + 1;
    const int64_t outer = Pick(row, row + 9);
    const int64_t rows = Pick(1, (kElements - row) / outer + 1);
    const int64_t end = (rows - 1) * outer + row;
    return absl::StrCat("f32[", rows, ",", columns, "] in @s offset ",
                        Pick(0, kElements - end), " strides [", outer, ",",
                        inner, "]");
  }

  std::mt19937_64 random_;
};

TEST(ManyWindowsTest, DoTheSameWhenResolved) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const std::string text = ProgramText(seed).Make();
    SCOPED_TRACE(text);
    ResolvedAndRun(Parsed(text));
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace palimpsest
