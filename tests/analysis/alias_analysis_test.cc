// Which values of a function share bytes, and what the listing says of them.

#include "analysis/alias_analysis.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "analysis/footprint.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/parser.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

class AliasAnalysisTest : public testing::Test {
 protected:
  // The analysis of the text's first function.
  AliasAnalysis Run(absl::string_view text) {
    absl::StatusOr<Program> program = ParseProgram(text, "test.pal");
    EXPECT_TRUE(program.ok()) << program.status();
    if (program.ok()) program_ = *std::move(program);
    return AliasAnalysis::Run(function());
  }
  const Function& function() const { return program_.functions.at(0); }

  ValueId Find(absl::string_view name) const {
    for (size_t i = 0; i < function().values.size(); ++i) {
      const ValueId id{static_cast<int32_t>(i)};
      if (function().TextOf(id) == name) return id;
    }
    ADD_FAILURE() << "no value " << name;
    return ValueId{0};
  }

 private:
  Program program_;
};

constexpr absl::string_view kCache = R"(
func @f(%cache: bf16[2,4,8,64] in @kv, %other: bf16[2,4,8,64] in @kv,
        %new: bf16[4,64]) {
  %row = select %cache, dim=0, index=1
  %slot = select %cache, dim=2, index=3
  %next = select %cache, dim=2, index=4
  %turned = permute %cache, dims=[3,2,1,0]
  %copy = clone %row
  copy_ %slot, %next
  return %row
}
)";

TEST_F(AliasAnalysisTest, ViewsRelateAsTheirBytesDo) {
  const AliasAnalysis analysis = Run(kCache);
  const auto relation = [&](absl::string_view a, absl::string_view b) {
    return analysis.Query(Find(a), Find(b)).relation;
  };
  EXPECT_EQ(relation("%cache", "%row"), Relation::kContains);
  EXPECT_EQ(relation("%row", "%cache"), Relation::kInside);
  EXPECT_EQ(relation("%cache", "%other"), Relation::kEqual);
  EXPECT_EQ(relation("%turned", "%other"), Relation::kEqual);
  EXPECT_EQ(relation("%row", "%slot"), Relation::kPartial);
  EXPECT_EQ(relation("%slot", "%next"), Relation::kDisjoint);
}

TEST_F(AliasAnalysisTest, DifferentStoragesNeverAlias) {
  const AliasAnalysis analysis = Run(kCache);
  EXPECT_EQ(analysis.Query(Find("%cache"), Find("%new")).relation,
            Relation::kDisjoint);
  EXPECT_EQ(analysis.Query(Find("%row"), Find("%copy")).relation,
            Relation::kDisjoint);
}

TEST_F(AliasAnalysisTest, SharingIsNotTransitive) {
  const AliasAnalysis analysis = Run(R"(
func @f(%x: f32[8]) {
  %low = slice %x, dim=0, start=0, end=4, step=1
  %high = slice %x, dim=0, start=4, end=8, step=1
  return
}
)");
  EXPECT_EQ(analysis.Query(Find("%low"), Find("%x")).relation,
            Relation::kInside);
  EXPECT_EQ(analysis.Query(Find("%x"), Find("%high")).relation,
            Relation::kContains);
  EXPECT_EQ(analysis.Query(Find("%low"), Find("%high")).relation,
            Relation::kDisjoint);
}

TEST_F(AliasAnalysisTest, OnlyParametersOfAPureFunctionAlias) {
  const AliasAnalysis analysis = Run(R"(
pure func @f(%x: f32[8] in @s, %y: f32[4] in @s offset 2) {
  %z = extract %x at offset 2 : f32[4]
  %w = neg %z
  return %z, %w
}
)");
  EXPECT_EQ(analysis.Query(Find("%x"), Find("%y")).relation,
            Relation::kContains);
  EXPECT_EQ(analysis.Query(Find("%y"), Find("%z")).relation,
            Relation::kDisjoint);
  EXPECT_EQ(analysis.ListPairs().pairs.size(), 1);
}

TEST_F(AliasAnalysisTest, TheListingNamesThePairsAndTheLayers) {
  const AliasAnalysis analysis = Run(R"(
func @f(%x: f32[4,4] in @s, %y: f32[4,4] in @s, %z: f32[4]) {
  %t = transpose %x, dim0=0, dim1=1
  %even = slice %t, dim=0, start=0, end=4, step=2
  %odd = slice %t, dim=0, start=1, end=4, step=2
  %low = slice %t, dim=0, start=0, end=2, step=1
  %view = slice %z, dim=0, start=0, end=2, step=1
  return
}
)");
  EXPECT_EQ(analysis.ToString(),
            R"(%x %y equal, the same map (layer 1: normal form)
%x %t equal (layer 1: normal form)
%x %even contains (layer 1: normal form)
%x %odd contains (layer 1: normal form)
%x %low contains (layer 1: normal form)
%y %t equal (layer 1: normal form)
%y %even contains (layer 1: normal form)
%y %odd contains (layer 1: normal form)
%y %low contains (layer 1: normal form)
%t %even contains (layer 1: normal form)
%t %odd contains (layer 1: normal form)
%t %low contains (layer 1: normal form)
%even %low partial (layer 3: digits)
%odd %low partial (layer 3: digits)
%z %view contains (layer 1: normal form)
15 of 16 pairs of one storage may share bytes; decided by normal form 13, residues 1, digits 2
)");
}

// Every pair, by Query and by the listing; the sweep must lose none.
TEST_F(AliasAnalysisTest, TheListingHasExactlyThePairsThatShareBytes) {
  std::string text = "func @f(%x: i16[24]) {\n";
  int count = 0;
  for (int step = 1; step <= 3; ++step) {
    for (int start = 0; start < 12; ++start) {
      for (int end = start; end <= start + 9; end += 3) {
        absl::StrAppend(&text, "  %v", count++,
                        " = slice %x, dim=0, start=", start, ", end=", end,
                        ", step=", step, "\n");
      }
    }
  }
  absl::StrAppend(&text, "  return\n}\n");
  const AliasAnalysis analysis = Run(text);

  std::vector<std::pair<int, int>> expected;
  const int values = static_cast<int>(function().values.size());
  for (int a = 0; a < values; ++a) {
    for (int b = a + 1; b < values; ++b) {
      if (analysis.Query(ValueId{a}, ValueId{b}).relation !=
          Relation::kDisjoint) {
        expected.push_back({a, b});
      }
    }
  }
  const AliasAnalysis::Listing listing = analysis.ListPairs();
  std::vector<std::pair<int, int>> listed;
  for (const AliasPair& pair : listing.pairs) {
    listed.push_back({pair.a.value, pair.b.value});
    const RelateResult result = analysis.Query(pair.a, pair.b);
    EXPECT_EQ(pair.result.relation, result.relation);
    EXPECT_EQ(pair.result.layer, result.layer);
  }
  EXPECT_EQ(listed, expected);
  EXPECT_EQ(listing.possible_pairs, values * (values - 1) / 2);
  int64_t counted = 0;
  for (int i = 0; i < kLayers; ++i) {
    counted += listing.counts.Get(static_cast<Layer>(i));
  }
  EXPECT_EQ(counted, listing.possible_pairs);
}

}  // namespace
}  // namespace palimpsest
