// What a compiler does with palimpsest: build a function that writes in place,
// make it pure, walk the result, and see it do the same with its own kernel.

#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/proof.h"
#include "cuda/check.h"
#include "cuda/interpreter.h"
#include "cuda/kernel_registry.h"
#include "ir/builder.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "transforms/resolve_inplace.h"

namespace p = palimpsest;

namespace {

constexpr int64_t kNode = 41;  // Our own graph's node that writes the row.

// A step that scales one row of a table in place and adds the rows up:
//
//   row = table[1];  scale_(row);  return table.sum(0)
absl::StatusOr<p::Function> BuildStep() {
  p::FunctionBuilder b("step", p::FunctionKind::kInPlace);
  ASSIGN_OR_RETURN(const p::ValueId table,
                   b.AddParameter("table", {p::DType::kF32, {4, 8}}));
  ASSIGN_OR_RETURN(const p::ValueId row,
                   b.Select(table, /*dim=*/0, /*index=*/1));
  p::OpDraft scale;
  scale.kind = p::OpKind::kCall;
  scale.call = p::Call{b.Intern("acme.scale")};
  scale.AddValue(row, p::Access::kMut);
  scale.tag = kNode;
  RETURN_IF_ERROR(b.Append(scale).status());
  ASSIGN_OR_RETURN(
      const p::ValueId sum,
      b.Make(p::OpKind::kSum, {table}, {p::AttributeDraft::DimList({0})}));
  RETURN_IF_ERROR(b.Return(sum));
  return std::move(b).Finish();
}

// The kernel behind "acme.scale": doubles its operand.
absl::Status Scale(const p::KernelCall& call) {
  const auto* x = static_cast<const float*>(call.operands[0].data);
  auto* y = static_cast<float*>(call.outputs[0].data);
  const int64_t count = p::ElementCount(call.operands[0].sizes);
  for (int64_t i = 0; i < count; ++i) y[i] = 2 * x[i];
  return absl::OkStatus();
}

absl::Status Main() {
  ASSIGN_OR_RETURN(const p::Function step, BuildStep());
  ASSIGN_OR_RETURN(const p::Resolution resolution, p::ResolveInPlace(step));
  const p::Function& pure = resolution.function;
  std::printf("%s", p::PrintToString(pure).c_str());

  for (const p::Op& op : pure.ops) {
    if (op.has_tag) {
      std::printf("node %d became: %s\n", static_cast<int>(op.tag),
                  p::PrintOp(pure, op).c_str());
    }
  }
  const p::ProofResult proof = p::Prove(step, pure);
  std::printf("%s\n", proof.ToString().c_str());

  p::KernelRegistry kernels;
  kernels.Register("acme.scale", Scale);
  p::CheckOptions options;
  options.run.registry = &kernels;
  ASSIGN_OR_RETURN(const p::CheckReport report,
                   p::CheckByRunning(step, pure, options));
  if (!report.equal()) return absl::InternalError(report.difference->text);
  std::printf("equal on %d inputs\n", report.samples);
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Main();
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}
