// The benchmarks' programs, small: well formed, resolved, and the same.

#include "bench/workloads.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"
#include "tests/transforms/resolved.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

class WorkloadsTest : public testing::TestWithParam<Workload> {};

TEST_P(WorkloadsTest, HaveAboutAsManyStatementsAsAskedFor) {
  for (int64_t ops : {100, 3000}) {
    const Function function = GetParam().make(ops);
    EXPECT_TRUE(Verify(function).ok());
    EXPECT_GE(function.ops.size(), 0.75 * static_cast<double>(ops));
    EXPECT_LE(function.ops.size(), 1.05 * static_cast<double>(ops));
  }
}

TEST_P(WorkloadsTest, ReadBackFromText) {
  const Function function = GetParam().make(300);
  const absl::StatusOr<Program> program =
      ParseProgram(PrintToString(function), "text");
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_TRUE(SameText(program->functions[0], function));
}

TEST_P(WorkloadsTest, DoTheSameWhenResolved) {
  for (int64_t ops : {1, 12, 40, 150, 700}) {
    ResolvedAndRun(GetParam().make(ops));
  }
}

INSTANTIATE_TEST_SUITE_P(All, WorkloadsTest, testing::ValuesIn(AllWorkloads()),
                         [](const testing::TestParamInfo<Workload>& info) {
                           return std::string(info.param.name);
                         });

TEST(WorkloadsTest, ColumnsOfAMatrixNeedNoAssemble) {
  const Function pure = Resolved(InterleavedColumns(700)).function;
  EXPECT_EQ(CountOf(pure, OpKind::kAssemble), 0);
}

TEST(WorkloadsTest, ACacheIsCommittedOnce) {
  const Function pure = Resolved(KvCache(600)).function;
  EXPECT_EQ(CountOf(pure, OpKind::kAssemble), 0);
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 1);
}

}  // namespace
}  // namespace palimpsest
