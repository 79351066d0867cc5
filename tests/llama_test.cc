// Runs a litgpt Llama decode step with a KV cache, at real size, before and
// after resolution: the same bits, and values that a fault could not hide in.

#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/statusor.h"
#include "cuda/backends.h"
#include "cuda/check.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

std::string program_path;  // The program is the test's argument.

void CheckOn(BackendName name) {
  const auto backend = OpenBackend(name);
  if (!backend.ok()) GTEST_SKIP() << backend.status().message();
  std::ifstream file(program_path);
  ASSERT_TRUE(file.good()) << program_path;
  std::stringstream text;
  text << file.rdbuf();
  const absl::StatusOr<Program> program =
      ParseProgram(text.str(), program_path);
  ASSERT_TRUE(program.ok()) << program.status();
  const Function& original = program->functions.front();
  const absl::StatusOr<Resolution> resolution = ResolveInPlace(original);
  ASSERT_TRUE(resolution.ok()) << resolution.status();

  CheckOptions options;
  options.samples = 1;
  options.run.backend = backend->get();
  const absl::StatusOr<CheckReport> report =
      CheckByRunning(original, resolution->function, options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->equal()) << report->difference->text;
  EXPECT_GT(report->elements, 0);
  EXPECT_LE(report->NotFiniteShare(), 0.01);
}

TEST(LlamaTest, ResolvedRunsLikeTheOriginalAtRealSize) {
  CheckOn(BackendName::kHost);
}

TEST(LlamaTest, ResolvedRunsLikeTheOriginalOnADevice) {
  CheckOn(BackendName::kCuda);
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2) palimpsest::program_path = argv[1];
  return RUN_ALL_TESTS();
}
