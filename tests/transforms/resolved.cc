#include "tests/transforms/resolved.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cuda/check.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/type.h"
#include "ir/verifier.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

int64_t BytesOf(const Function& function, ValueId value) {
  const Layout layout = function.LayoutOf(value);
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

}  // namespace

Function Parsed(absl::string_view text) {
  absl::StatusOr<Program> program = ParseProgram(text, "test.pal");
  EXPECT_TRUE(program.ok()) << program.status().message();
  if (!program.ok()) return Function();
  const absl::Status verified = Verify(program->functions[0]);
  EXPECT_TRUE(verified.ok()) << verified.message();
  return std::move(program->functions[0]);
}

std::string ContentsOf(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

Resolution Resolved(const Function& function, const ResolveOptions& options) {
  absl::StatusOr<Resolution> resolution = ResolveInPlace(function, options);
  EXPECT_TRUE(resolution.ok()) << resolution.status().message();
  if (!resolution.ok()) return Resolution();
  EXPECT_TRUE(resolution->function.is_pure());
  const absl::Status verified = Verify(resolution->function);
  EXPECT_TRUE(verified.ok()) << verified.message() << "\n"
                             << PrintToString(resolution->function);
  return *std::move(resolution);
}

Resolution ResolvedAndRun(const Function& function,
                          const ResolveOptions& options) {
  Resolution resolution = Resolved(function, options);
  const absl::StatusOr<CheckReport> report =
      CheckByRunning(function, resolution.function, {});
  EXPECT_TRUE(report.ok()) << report.status().message();
  if (report.ok()) {
    EXPECT_TRUE(report->equal()) << report->difference->text;
    EXPECT_LE(report->NotFiniteShare(), 0.01);
  }
  return resolution;
}

int64_t CountOf(const Function& function, OpKind kind) {
  int64_t count = 0;
  for (const Op& op : function.ops) count += op.kind == kind;
  return count;
}

int64_t OpsIn(const Function& function) {
  return static_cast<int64_t>(function.ops.size()) -
         CountOf(function, OpKind::kView) - CountOf(function, OpKind::kCommit) -
         CountOf(function, OpKind::kBind);
}

ReadCost ReadCostOf(const Function& function) {
  ReadCost cost;
  for (const Op& op : function.ops) {
    if (op.kind != OpKind::kExtract && op.kind != OpKind::kAssemble) continue;
    ++cost.parts;
    cost.bytes += BytesOf(function, function.Result(op));
    if (op.kind == OpKind::kExtract) continue;
    for (const Operand& operand : function.OperandsOf(op)) {
      if (operand.window < 0) continue;
      ++cost.parts;
      cost.bytes += BytesOf(function, operand.value());
    }
  }
  return cost;
}

}  // namespace palimpsest
