// Random inputs, comparing two runs, and checking by running.

#include "cuda/check.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "cuda/buffer.h"
#include "cuda/interpreter.h"
#include "cuda/random_inputs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

Program Parsed(const std::string& text) {
  absl::StatusOr<Program> program = ParseProgram(text, "test");
  if (!program.ok()) {
    ADD_FAILURE() << program.status();
    return Program();
  }
  return *std::move(program);
}

std::vector<int64_t> IntegersOf(const Buffer& buffer) {
  std::vector<int64_t> integers(buffer.size() / 8);
  std::memcpy(integers.data(), buffer.data(), buffer.size());
  return integers;
}

RunInputs InputsOf(const Program& program, uint64_t seed) {
  absl::StatusOr<RunInputs> inputs = RandomInputs(program.functions[0], seed);
  if (!inputs.ok()) ADD_FAILURE() << inputs.status();
  return *std::move(inputs);
}

TEST(RandomInputsTest, AreTameCoverTheStorageAndFollowFromTheSeed) {
  const Program program = Parsed(
      "func @f(%x: f32[2] in @s offset 1, %y: i8[1] in @s) {\n"
      "  storage @s : 15 bytes\n  return %x\n}\n");
  const RunInputs a = InputsOf(program, 1);
  const Buffer& bytes = a.storages.at("s");
  ASSERT_EQ(bytes.size(), 15);
  float values[3];
  std::memcpy(values, bytes.data(), 12);
  for (int i = 1; i < 3; ++i) {
    EXPECT_LE(std::fabs(values[i]), 4);
    EXPECT_EQ(values[i] * 8, static_cast<int>(values[i] * 8));
  }
  const auto text = [](const RunInputs& inputs) {
    const Buffer& buffer = inputs.storages.at("s");
    return std::string(reinterpret_cast<const char*>(buffer.data()),
                       buffer.size());
  };
  EXPECT_EQ(text(a), text(InputsOf(program, 1)));
  EXPECT_NE(text(a), text(InputsOf(program, 2)));
}

// %i reaches indices into 8 through views, a cast, a copy, additions.
constexpr const char* kIndexed[] = {
    "func @f(%x: f32[8], %i: i64[2,3]) {\n"
    "  %j = view %i : i64[6]\n  %r = index_select %x, %j, dim=0\n"
    "  return %r\n}\n",
    "func @f(%x: f32[8], %i: i64[2,3]) {\n"
    "  %c = cast %i : i32[2,3]\n  %d = clone %c : i32[2,3]\n"
    "  %e = view %d : i32[6]\n  %r = index %x, [%e]\n  return %r\n}\n",
    "pure func @f(%x: f32[8], %i: i64[2,3]) {\n"
    "  %j = extract %i at : i64[6]\n  %k = add %j, -4\n"
    "  %l = sub %k, -4\n"
    "  %r = index_fill %x, %l, 1, dim=0\n  return %r\n}\n",
    "func @f(%x: f32[8], %i: i64[2,3]) {\n"
    "  add_ %i, 2\n  %j = view %i : i64[6]\n  sub_ %j, 2\n"
    "  %k = view %j : i64[6,1] strides [1,0]\n"
    "  %l = view %k : i64[6,2] strides [1,0]\n"
    "  %m = view %x : f32[8,1]\n  %n = view %x : f32[8,2] strides [1,0]\n"
    "  %r = gather %n, %l, dim=0\n  return %r\n}\n",
};

TEST(RandomInputsTest, IndicesAreInRangeWithDuplicatesInOneRunOfThree) {
  for (const char* text : kIndexed) {
    const Program program = Parsed(text);
    int with_duplicates = 0;
    for (uint64_t seed = 0; seed < 30; ++seed) {
      const RunInputs inputs = InputsOf(program, seed);
      const std::vector<int64_t> indices = IntegersOf(inputs.storages.at("i"));
      for (int64_t index : indices) {
        EXPECT_GE(index, 0);
        EXPECT_LT(index, 8);
      }
      const std::set<int64_t> distinct(indices.begin(), indices.end());
      with_duplicates += distinct.size() < indices.size();
      const absl::StatusOr<RunOutputs> outputs =
          palimpsest::Run(program.functions[0], inputs);
      EXPECT_TRUE(outputs.ok()) << outputs.status() << text;
    }
    EXPECT_EQ(with_duplicates, 10) << text;
  }
}

CheckReport Check(const std::string& a, const std::string& b) {
  const absl::StatusOr<CheckReport> report = CheckByRunning(
      Parsed(a).functions[0], Parsed(b).functions[0], CheckOptions());
  if (!report.ok()) {
    ADD_FAILURE() << report.status();
    return CheckReport();
  }
  return *report;
}

TEST(CheckTest, AFunctionEqualsItself) {
  for (const char* text : kIndexed) {
    const CheckReport report = Check(text, text);
    EXPECT_TRUE(report.equal()) << report.difference->text;
    EXPECT_EQ(report.samples, 3);
  }
}

TEST(CheckTest, ThePureFormEqualsTheInPlaceForm) {
  const CheckReport report = Check(
      "func @f(%x: f32[4] in @s, %y: f32[2] in @s offset 1) {\n"
      "  add_ %y, 1\n  %t = clone %x : f32[4] in @t\n"
      "  %u = view %t : f32[2] in @t offset 2\n  return %y, %t, %u\n}\n",
      "pure func @f(%a: f32[4] in @b, %c: f32[2] in @b offset 1) {\n"
      "  %d = add %c, 1\n"
      "  %e = assemble %a, %d at offset 1 : f32[4]\n"
      "  commit %d to f32[2] in @b offset 1\n"
      "  bind %e to f32[4] in @t offset 1\n"
      "  return f32[2] in @b offset 1, f32[4] in @t offset 1, "
      "f32[2] in @t offset 3\n}\n");
  EXPECT_TRUE(report.equal()) << report.difference->text;
}

constexpr char kOriginal[] =
    "func @f(%x: f32[4] in @s) {\n  %v = view %x : f32[2] in @s offset 1\n"
    "  add_ %v, 1\n  %t = clone %x : f32[4] in @t\n"
    "  %u = view %t : f32[2] in @t\n  return %v, %t, %u\n}\n";

std::string Pure(const std::string& body, const std::string& results) {
  return "pure func @f(%x: f32[4] in @s) {\n"
         "  %v = extract %x at offset 1 : f32[2]\n  %w = add %v, 1\n"
         "  %t = assemble %x, %w at offset 1 : f32[4]\n" +
         body + "  return " + results + "\n}\n";
}

TEST(CheckTest, ShowsWhatDiffers) {
  const std::string commit = "  commit %w to f32[2] in @s offset 1\n";
  const std::string bind = "  bind %t to f32[4] in @t\n";
  const std::string good = "f32[2] in @s offset 1, f32[4] in @t, f32[2] in @t";
  const auto difference = [](const std::string& pure) {
    const CheckReport report = Check(kOriginal, pure);
    return report.equal() ? std::string() : report.difference->text;
  };
  EXPECT_EQ(difference(Pure(commit + bind, good)), "");
  EXPECT_THAT(difference(Pure(bind, good)),
              testing::StartsWith("storage @s: byte "));
  EXPECT_THAT(difference(Pure("  commit %v to f32[2] in @s\n" + bind, good)),
              testing::StartsWith("storage @s: byte "));
  EXPECT_EQ(difference(Pure(commit + bind,
                            "f32[2] in @s, f32[4] in @t, f32[2] in @t")),
            "result 0: f32[2] in @s offset 1 strides [1] and f32[2] in @s "
            "offset 0 strides [1]");
  EXPECT_EQ(difference(Pure(commit + bind, "%w, f32[4] in @t, f32[2] in @t")),
            "result 0: f32[2] in @s offset 1 strides [1] and f32[2] strides "
            "[1]");
  EXPECT_EQ(difference(Pure(commit, "f32[2] in @s offset 1, %t, %v")),
            "result 2: shares its storage with other results");
  EXPECT_EQ(difference(Pure(commit + bind,
                            "f32[2] in @s offset 1, f32[4] in @t, "
                            "f32[2] in @t offset 1")),
            "result 2: lies elsewhere from the results that share its storage");
  EXPECT_THAT(
      difference(Pure(commit + "  bind %x to f32[4] in @t\n", good)),
      testing::StartsWith("result 1: element 1 (byte 4 of its storage): "));
}

TEST(CheckTest, StridesOfANewResultMatter) {
  const char* original =
      "func @f(%x: f32[2,2]) {\n  %r = neg %x : f32[2,2] strides [1,2]\n"
      "  return %r\n}\n";
  EXPECT_EQ(Check(original,
                  "pure func @f(%x: f32[2,2]) {\n  %r = neg %x\n"
                  "  return %r\n}\n")
                .difference->text,
            "result 0: f32[2,2] strides [1,2] and f32[2,2] strides [2,1]");
}

TEST(CheckTest, ElementsAreFoundByTheirStrides) {
  const std::string head =
      "func @f(%x: f32[2,3]) {\n  %r = neg %x : f32[2,3] strides [6,2]\n";
  const std::string write =
      "  %v = view %r : f32[] in @r offset 8\n  add_ %v, 1.0\n";
  EXPECT_THAT(
      Check(head + "  return %r\n}\n", head + write + "  return %r\n}\n")
          .difference->text,
      testing::StartsWith("result 0: element 4 (byte 32 of its storage): "));
}

TEST(CheckTest, PoisonMayBecomeAnythingButNotAppear) {
  const char* poison = "func @f() {\n  %r = empty : f32[2]\n  return %r\n}\n";
  const char* value = "func @f() {\n  %r = full 3 : f32[2]\n  return %r\n}\n";
  const CheckReport report = Check(poison, value);
  EXPECT_TRUE(report.equal());
  EXPECT_EQ(report.poison, 6);
  EXPECT_EQ(Check(value, poison).difference->text,
            "result 0: element 0 (byte 0 of its storage): 3 and poison");
}

TEST(CheckTest, CallsWithEffectsAreCompared) {
  const auto difference = [](const std::string& a, const std::string& b) {
    const auto text = [](const std::string& body) {
      return "func @f(%x: f32[3], %y: f32[3]) {\n" + body + "  return\n}\n";
    };
    const CheckReport report = Check(text(a), text(b));
    return report.equal() ? std::string() : report.difference->text;
  };
  const std::string foo = "  call \"foo\"(%x)\n";
  const std::string bar = "  call \"bar\"(%x)\n";
  EXPECT_EQ(difference(foo + bar, foo + bar), "");
  EXPECT_EQ(difference(foo, ""), "1 and 0 calls with effects are made");
  EXPECT_EQ(difference(foo, foo + foo), "1 and 2 calls with effects are made");
  EXPECT_EQ(difference(foo + bar, bar + foo),
            "call 1 with effects is \"foo\" and \"bar\"");
  EXPECT_EQ(difference(foo, "  call \"foo\"(%y)\n"),
            "call 1 with effects (\"foo\") has other attributes or reads other "
            "values");
  EXPECT_EQ(difference(foo, "  call \"foo\"(%x) {k=\"v\"}\n"),
            "call 1 with effects (\"foo\") has other attributes or reads other "
            "values");
  EXPECT_EQ(difference("", "  call pure \"foo\"(%x)\n"), "");
}

TEST(CheckTest, CountsWhatIsNotFinite) {
  const char* text =
      "func @f(%x: f32[3]) {\n  %z = sub %x, %x\n  %r = div 1.0, %z\n"
      "  return %r, %z\n}\n";
  const CheckReport report = Check(text, text);
  EXPECT_TRUE(report.equal());
  EXPECT_EQ(report.NotFiniteShare(), 0.5);
}

TEST(CheckTest, AFailureOfTheSecondIsADifference) {
  const char* good = "func @f(%x: f32[3]) {\n  return %x\n}\n";
  const char* bad =
      "func @f(%x: f32[3]) {\n  %i = full 3 : i64[1]\n"
      "  %r = index_select %x, %i, dim=0\n  return %x\n}\n";
  EXPECT_EQ(Check(good, bad).difference->text,
            "the second fails: line 3: index_select: index 3 is out of range "
            "for dimension 0 of size 3");
}

TEST(CheckTest, SignaturesMustMatch) {
  const auto message = [](const std::string& a, const std::string& b) {
    const auto function = [](const std::string& parameters) {
      return Parsed("func @f(" + parameters + ") {\n  return\n}\n");
    };
    return std::string(
        CheckSameSignature(function(a).functions[0], function(b).functions[0])
            .message());
  };
  EXPECT_EQ(message("%x: f32[2] in @s", "%y: f32[2]"), "");
  EXPECT_EQ(message("%x: f32[2]", "%x: f32[2], %y: f32[2]"),
            "the signatures differ: 1 and 2 parameters");
  EXPECT_EQ(message("%x: f32[2]", "%x: f32[3]"),
            "the signatures differ: parameter 0: f32[2] offset 0 strides [1] "
            "and f32[3] offset 0 strides [1]");
  EXPECT_EQ(message("%x: f32[2] in @s, %y: f32[2] in @s",
                    "%x: f32[2] in @s, %y: f32[2] in @t"),
            "the signatures differ: parameter 1: in @s and in @t, so they "
            "alias other parameters");
}

}  // namespace
}  // namespace palimpsest
