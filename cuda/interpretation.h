// One run of a function: which memory each storage and value has, from op to
// op. Private to the interpreter.
//
// In a func a value is a window of its storage's current memory. In a pure func
// it has memory of its own, or is a free view of another's (extract), and never
// changes; an update takes over the memory of an operand that dies there.
//
// A parameter's storage is the caller's buffer until something is written to
// it, and a copy from then on. Memory goes when its last reader is done. All of
// it is the back end's, from the inputs' arrival to the results' return.

#ifndef PALIMPSEST_CUDA_INTERPRETATION_H_
#define PALIMPSEST_CUDA_INTERPRETATION_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "cuda/buffer.h"
#include "cuda/cost_meter.h"
#include "cuda/executor.h"
#include "cuda/interpreter.h"
#include "cuda/run_op.h"
#include "cuda/view.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

class Interpretation {
 public:
  Interpretation(const Function& function, const RunInputs& inputs,
                 const RunOptions& options, kernels::Backend& backend);

  absl::StatusOr<RunOutputs> Run();

 private:
  absl::Status TakeInputs();
  void FindLastUses();
  absl::Status Execute(const Op& op);
  void Release(const std::vector<int32_t>& dying);

  // Memory.
  absl::StatusOr<Buffer> ReadableStorage(StorageId id);
  absl::StatusOr<Buffer> WritableStorage(StorageId id);
  absl::StatusOr<View> Read(ValueId id);
  absl::StatusOr<View> ReadOperand(const Op& op, int i, DType literal_dtype);
  absl::StatusOr<View> WritableWindow(const Type& type);
  absl::StatusOr<View> NewResult(ValueId result);
  absl::StatusOr<View> Destination(const Op& op);
  absl::optional<View> TakeOver(const Op& op);
  DType LiteralDTypeOf(const Op& op, DType result) const;

  // Ops.
  absl::Status ExecuteTableOp(const Op& op);
  absl::Status RunTableOp(const Op& op, OpWindows windows,
                          IndexActivity& activity);
  absl::Status ExecuteExtract(const Op& op);
  absl::Status ExecuteContents(const Op& op);
  absl::Status ExecuteAssemble(const Op& op);
  absl::Status AssembleInto(const Op& op, const View& out,
                            std::vector<View> pieces);
  absl::Status ExecuteEpilogue(const Op& op);
  absl::Status ExecuteCall(const Op& op);
  absl::StatusOr<bool> ReadCallOperands(const Op& op,
                                        std::vector<View>& operands);
  absl::Status FinishCall(const Op& op, absl::Span<const View> outputs);
  std::vector<Type> OutputTypesOf(const Op& op) const;

  // Measuring; nothing is done where nothing is to be measured.
  void NoteHeld(int32_t memory, int64_t bytes);
  void NoteRead(const View& view);
  void NoteWritten(const View& view);
  absl::StatusOr<int64_t> CountMasked(const Op& op, const OpWindows& windows);
  void NoteTableOp(const Op& op, const OpWindows& windows,
                   const IndexActivity& activity, int64_t masked);

  absl::StatusOr<Buffer> StorageForHost(StorageId id);
  absl::StatusOr<RunOutputs> Outputs();
  absl::StatusOr<RunResult> ResultOf(const Return& returned, int number);

  const Function& function_;
  const RunInputs& inputs_;
  const RunOptions& options_;
  kernels::Backend& backend_;
  const Executor executor_;

  std::vector<Buffer> entries_;    // By StorageId: parameters as at entry.
  std::vector<Buffer> storages_;   // By StorageId.
  std::vector<bool> is_writable_;  // By StorageId: the memory is ours.
  std::vector<View> values_;       // By ValueId, in a pure func.
  std::vector<std::vector<int32_t>> dying_;  // By op: storages, or values.
  std::vector<CallEffect> effects_;          // So far.
  std::unique_ptr<CostMeter> meter_;         // Null: measures nothing.
  int current_op_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_INTERPRETATION_H_
