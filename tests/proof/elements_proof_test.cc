// Random programs of elementwise ops on windows that cut through elements:
// halves of one dtype's elements are elements of another's, whatever they hold.

#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "analysis/proof.h"
#include "gtest/gtest.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/proof/mutate.h"
#include "tests/proof/proof_pair.h"
#include "tests/proof/tag_oracle.h"

namespace palimpsest {
namespace {

constexpr int64_t kBytes = 24;  // Of each storage.
constexpr char kHead[] =
    "func @f(%x0: i32[6] in @s0, %x1: i16[12] in @s1, %x2: u8[24] in @s2) {\n"
    "  %x3 = empty : i16[12] in @s3\n";

class Writer {
 public:
  explicit Writer(uint32_t seed) : random_(seed) {}

  // Two programs that differ in that the second does some ops in two parts.
  // They mean the same, unless an op reads what its first part writes.
  std::pair<std::string, std::string> Write() {
    const int64_t ops = Draw(2, 7);
    for (int64_t i = 0; i < ops; ++i) WriteOp();
    for (std::string* text : {&whole_, &parts_}) {
      absl::StrAppend(text,
                      "  %sum = sum %x1, dims=[0], keepdim=false : i16[]\n",
                      "  return %x0, %x3, %sum\n}\n");
    }
    return {kHead + whole_, kHead + parts_};
  }

 private:
  struct Window {
    int64_t storage;
    DType dtype;
    Dims sizes;
    Dims strides;
    int64_t offset;
  };

  int64_t Draw(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % (high - low + 1));
  }

  Window DrawWindow(DType dtype, const Dims& sizes) {
    for (;;) {
      Window window{Draw(0, 3), dtype, sizes, {}, 0};
      for (size_t i = 0; i < sizes.size(); ++i) {
        window.strides.push_back(Draw(-2, 4));
      }
      window.offset = Draw(0, kBytes / WidthOf(dtype));
      const Layout layout = {dtype, window.sizes, window.strides};
      const auto needed = BytesToHold(layout, window.offset);
      if (needed && *needed <= kBytes) return window;
    }
  }

  // Rows [first, last) of the outermost dimension.
  static Window Rows(const Window& window, int64_t first, int64_t last) {
    Window rows = window;
    rows.offset += first * window.strides[0];
    rows.sizes[0] = last - first;
    return rows;
  }

  std::string View(const Window& window, std::string& text) {
    const std::string name = absl::StrCat("%v", next_name_++);
    absl::StrAppend(&text, "  ", name, " = view %x", window.storage, " : ",
                    TextOf(window.dtype, window.sizes), " in @s",
                    window.storage, " offset ", window.offset, " strides ",
                    TextOf(window.strides), "\n");
    return name;
  }

  struct Statement {
    std::string op;
    std::vector<Window> windows;
  };

  void Append(const Statement& statement, std::string& text) {
    std::vector<std::string> names;
    for (const Window& window : statement.windows) {
      names.push_back(View(window, text));
    }
    absl::StrAppend(&text, "  ", statement.op, " ", absl::StrJoin(names, ", "),
                    "\n");
  }

  void WriteOp() {
    static constexpr DType kDTypes[] = {DType::kU8, DType::kI16, DType::kI32};
    static constexpr const char* kOps[] = {
        "add_", "sub_", "neg_", "square_", "maximum_", "gt_", "copy_"};
    const DType dtype = kDTypes[Draw(0, 2)];
    Dims sizes = {Draw(1, 3)};
    if (Draw(0, 1) == 1) sizes.push_back(Draw(1, 3));
    Statement statement{kOps[Draw(0, 6)], {DrawWindow(dtype, sizes)}};
    if (statement.op != "neg_" && statement.op != "square_") {
      statement.windows.push_back(DrawWindow(dtype, sizes));
    }
    Append(statement, whole_);
    if (sizes[0] == 1 || Draw(0, 2) == 0) return Append(statement, parts_);
    const int64_t cut = Draw(1, sizes[0] - 1);
    for (const auto& [first, last] :
         {std::make_pair(int64_t{0}, cut), std::make_pair(cut, sizes[0])}) {
      Statement part{statement.op, {}};
      for (const Window& window : statement.windows) {
        part.windows.push_back(Rows(window, first, last));
      }
      Append(part, parts_);
    }
  }

  std::mt19937 random_;
  int next_name_ = 0;
  std::string whole_;
  std::string parts_;
};

struct Counts {
  int same = 0;
  int different = 0;
  int same_but_not_proved = 0;
};

void Check(const Function& a, const Function& b, Counts& counts) {
  const bool same = Refines(RunOnTags(a), RunOnTags(b));
  const ProofResult result = Prove(a, b);
  const bool proved = result.verdict == ProofResult::Verdict::kProved;
  ASSERT_TRUE(same || !proved) << PrintToString(a) << PrintToString(b);
  ++(same ? counts.same : counts.different);
  counts.same_but_not_proved += same && !proved;
}

TEST(ElementsProofTest, OpsInPartsAreProvedWhereTheyAreTheSame) {
  Counts counts;
  for (uint32_t seed = 0; seed < 4000 && !HasFatalFailure(); ++seed) {
    const auto [whole, parts] = Writer(seed).Write();
    Check(Parse(whole), Parse(parts), counts);
  }
  std::cout << counts.same << " the same, " << counts.same_but_not_proved
            << " of them not proved; " << counts.different << " different\n";
  EXPECT_GE(counts.same, 1000);
  EXPECT_GE(counts.different, 500);
  EXPECT_LE(counts.same_but_not_proved * 100, counts.same);
}

TEST(ElementsProofTest, NoMutantIsProvedThatIsDifferent) {
  Counts counts;
  std::mt19937 random(5);
  for (uint32_t seed = 0; seed < 4000 && !HasFatalFailure(); ++seed) {
    const Function function = Parse(Writer(seed).Write().first);
    for (int i = 0; i < 3; ++i) {
      const absl::optional<Mutant> mutant = Mutate(function, random);
      if (mutant) Check(function, mutant->function, counts);
    }
  }
  std::cout << counts.same << " the same, " << counts.same_but_not_proved
            << " of them not proved; " << counts.different << " different\n";
  EXPECT_GE(counts.different, 3000);
  EXPECT_LE(counts.same_but_not_proved * 100, counts.same);
}

}  // namespace
}  // namespace palimpsest
