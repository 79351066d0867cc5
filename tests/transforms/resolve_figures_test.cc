// What resolve makes of the programs in examples/programs: the figures that the
// documentation quotes.

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/transforms/resolved.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

Function Example(const std::string& name) {
  return Parsed(ContentsOf(absl::StrCat("examples/programs/", name, ".pal")));
}

TEST(ResolveFiguresTest, ThirtyTwoViewsDeepCostsNothing) {
  const Function pure = ResolvedAndRun(Example("depth_32")).function;
  EXPECT_EQ(OpsIn(pure), 9);
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 1);
}

TEST(ResolveFiguresTest, InterleavedHalvesNeedNoAssemble) {
  const Function pure = ResolvedAndRun(Example("interleaved_halves")).function;
  EXPECT_EQ(CountOf(pure, OpKind::kAssemble), 0);
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 2);
}

TEST(ResolveFiguresTest, AllRowsWrittenAreOneAssembleAndOneCommit) {
  const Function pure = ResolvedAndRun(Example("rows_256")).function;
  EXPECT_EQ(OpsIn(pure), 514);
  EXPECT_EQ(CountOf(pure, OpKind::kAssemble), 1);
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 1);
}

// Of each cache two of the 16 lanes are written: those are committed, and
// nothing of a cache's shape is ever made.
void ExpectLanesAlone(const std::string& name, int64_t caches) {
  const Function pure = Resolved(Example(name)).function;
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), caches);
  for (const Op& op : pure.ops) {
    if (op.kind == OpKind::kCommit) {
      const Layout target = pure.LayoutOf(pure.targets[op.target]);
      EXPECT_EQ(ElementCount(target.sizes), 2 * 8 * 1024 * 64);
    }
    for (int i = 0; i < op.results.count; ++i) {
      const Layout made = pure.LayoutOf(pure.Result(op, i));
      EXPECT_NE(TextOf(made.sizes), "[16,8,1024,64]");
      EXPECT_NE(ElementCount(made.sizes), 16 * 8 * 1024 * 64);
    }
  }
}

TEST(ResolveFiguresTest, LlamaOfTwoLayersCommitsItsLanesAlone) {
  ExpectLanesAlone("llama_2_layers", 4);
}

TEST(ResolveFiguresTest, LlamaOfSixteenLayersCommitsItsLanesAlone) {
  ExpectLanesAlone("llama_16_layers", 32);
}

}  // namespace
}  // namespace palimpsest
