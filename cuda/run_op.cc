#include "cuda/run_op.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/executor.h"
#include "cuda/index_plan.h"
#include "cuda/view.h"
#include "ir/check.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

using kernels::IndexedAction;

class Runner {
 public:
  Runner(const Executor& executor, const Function& function, const Op& op,
         const OpWindows& windows, IndexActivity& activity)
      : executor_(executor),
        function_(function),
        op_(op),
        out_(windows.out),
        operands_(windows.operands),
        activity_(activity) {}

  absl::Status Run();

 private:
  const View& operand(int i) const { return *operands_[i]; }
  int64_t dim() const { return function_.IntegerOf(op_, AttributeKey::kDim); }
  std::vector<View> AllOperands() const {
    std::vector<View> views;
    for (const absl::optional<View>& view : operands_) views.push_back(*view);
    return views;
  }

  absl::Status Constant() const;
  absl::Status Read(const View& out, const View& x, const IndexPlan& plan);
  absl::Status ReadAt(const IndexPlan& plan);
  absl::Status ReadAdvanced();
  absl::Status PutAdvanced();
  absl::Status StartUpdate();
  absl::Status Update(IndexedAction action, const View& x, const View& source,
                      const IndexPlan& plan);
  absl::Status UpdateAlong(IndexedAction action);
  absl::Status Scatter(IndexedAction action);

  const Executor& executor_;
  const Function& function_;
  const Op& op_;
  View out_;
  std::vector<absl::optional<View>> operands_;
  IndexActivity& activity_;
};

// An update's result starts as its first operand. The others are read before
// that is written.
absl::Status Runner::StartUpdate() {
  for (size_t i = 1; i < operands_.size(); ++i) {
    if (!operands_[i] || OverlapOf(*operands_[i], out_) == ViewOverlap::kNone) {
      continue;
    }
    ASSIGN_OR_RETURN(operands_[i], executor_.CopyOf(*operands_[i]));
  }
  return executor_.Move(out_, operand(0));
}

absl::Status Runner::Constant() const {
  std::vector<Literal> literals;
  for (const Operand& operand : function_.OperandsOf(op_)) {
    literals.push_back(function_.literals[operand.ref]);
  }
  ASSIGN_OR_RETURN(const View elements,
                   executor_.ValueOf(literals, out_.dtype, out_.sizes));
  return executor_.Move(out_, elements);
}

absl::Status Runner::Read(const View& out, const View& x,
                          const IndexPlan& plan) {
  activity_.places = ElementCount(plan.sizes);
  return executor_.IndexRead(out, x, plan);
}

absl::Status Runner::ReadAt(const IndexPlan& plan) {
  return Read(AtLeastRankOne(out_), AtLeastRankOne(operand(0)), plan);
}

absl::Status Runner::ReadAdvanced() {
  return Read(
      out_, operand(0),
      PlanAdvanced(operand(0), absl::MakeConstSpan(operands_).subspan(1)));
}

absl::Status Runner::Update(IndexedAction action, const View& x,
                            const View& source, const IndexPlan& plan) {
  activity_.places = ElementCount(plan.sizes);
  activity_.adds = action == IndexedAction::kAdd;
  return executor_.IndexUpdate(action, x, source, plan);
}

absl::Status Runner::PutAdvanced() {
  RETURN_IF_ERROR(StartUpdate());
  const IndexPlan plan = PlanAdvanced(
      out_, absl::MakeConstSpan(operands_).subspan(1, operands_.size() - 2));
  const bool accumulates =
      function_.IntegerOf(op_, AttributeKey::kAccumulate) != 0;
  return Update(accumulates ? IndexedAction::kAdd : IndexedAction::kWrite, out_,
                *operands_.back(), plan);
}

absl::Status Runner::UpdateAlong(IndexedAction action) {
  RETURN_IF_ERROR(StartUpdate());
  const View x = AtLeastRankOne(out_);
  return Update(action, x, operand(2), PlanAlong(x, operand(1), dim()));
}

absl::Status Runner::Scatter(IndexedAction action) {
  RETURN_IF_ERROR(StartUpdate());
  const View x = AtLeastRankOne(out_);
  const IndexPlan plan = PlanPointwise(x, operand(1), dim());
  View source = operand(2);
  if (function_.OperandsOf(op_)[2].is_value()) {
    // The part of the source that the index covers.
    source = AtLeastRankOne(source);
    source.sizes = plan.sizes;
  }
  return Update(action, x, source, plan);
}

// An op that the table gains does not compile without a case here.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"

absl::Status Runner::Run() {
  const auto list = [&](AttributeKey key) {
    return function_.ListOf(op_, key);
  };
  switch (op_.kind) {
#define PALIMPSEST_CASE_kElementwise(kind) case OpKind::kind:
#define PALIMPSEST_CASE_kCreate(kind)
#define PALIMPSEST_CASE_kMove(kind)
#define PALIMPSEST_CASE_kReduce(kind)
#define PALIMPSEST_CASE_kMatmul(kind)
#define PALIMPSEST_CASE_kIndex(kind)
#define PALIMPSEST_CASE_kCall(kind)
#define PALIMPSEST_CASE_kStructure(kind)
#define PALIMPSEST_OP(kind, text, forms, operands, attributes, rule, classes, \
                      family)                                                 \
  PALIMPSEST_CASE_##family(kind)
#include "ir/ops.def"
#undef PALIMPSEST_OP
    return executor_.Elementwise(op_.kind, out_, AllOperands());
    case OpKind::kFull:
      return executor_.Fill(out_, operand(0));
    case OpKind::kFill:
      return executor_.Fill(out_, operand(1));
    case OpKind::kEmpty:
      return executor_.MakePoison(out_);
    case OpKind::kIota:
      return executor_.Iota(out_,
                            function_.LiteralOf(op_, AttributeKey::kStart),
                            function_.LiteralOf(op_, AttributeKey::kStep));
    case OpKind::kConstant:
      return Constant();
    case OpKind::kClone:
      return executor_.Move(out_, operand(0));
    case OpKind::kCopy:
      return executor_.Move(out_, operand(1));
    case OpKind::kCat:
      return executor_.Cat(out_, AllOperands(), dim());
    case OpKind::kFlip:
      return executor_.Flip(out_, operand(0), list(AttributeKey::kDims));
    case OpKind::kSum:
    case OpKind::kProd:
    case OpKind::kAmax:
    case OpKind::kAmin:
    case OpKind::kMean:
      return executor_.Reduce(op_.kind, out_, operand(0),
                              list(AttributeKey::kDims));
    case OpKind::kCumsum:
      return executor_.Cumsum(out_, operand(0), dim());
    case OpKind::kMatmul:
      return executor_.Matmul(out_, operand(0), operand(1));
    case OpKind::kIndexSelect:
      return ReadAt(PlanAlong(AtLeastRankOne(operand(0)), operand(1), dim()));
    case OpKind::kGather:
      return ReadAt(
          PlanPointwise(AtLeastRankOne(operand(0)), operand(1), dim()));
    case OpKind::kIndex:
      return ReadAdvanced();
    case OpKind::kIndexCopy:
    case OpKind::kIndexFill:
      return UpdateAlong(IndexedAction::kWrite);
    case OpKind::kIndexAdd:
      return UpdateAlong(IndexedAction::kAdd);
    case OpKind::kIndexPut:
      return PutAdvanced();
    case OpKind::kScatter:
      return Scatter(IndexedAction::kWrite);
    case OpKind::kScatterAdd:
      return Scatter(IndexedAction::kAdd);
    case OpKind::kMaskedFill:
      RETURN_IF_ERROR(StartUpdate());
      return executor_.MaskedFill(out_, operand(1), operand(2));
    case OpKind::kMaskedScatter:
      RETURN_IF_ERROR(StartUpdate());
      return executor_.MaskedScatter(out_, operand(1), operand(2));
    case OpKind::kView:
    case OpKind::kExtract:
    case OpKind::kAssemble:
    case OpKind::kContents:
    case OpKind::kCall:
    case OpKind::kCommit:
    case OpKind::kBind:
      break;
  }
  PALIMPSEST_CHECK(false && "structure is not run as an op on windows");
  return absl::OkStatus();
}

#pragma GCC diagnostic pop

}  // namespace

absl::Status RunOp(const Executor& executor, const Function& function,
                   const Op& op, const OpWindows& windows,
                   IndexActivity& activity) {
  return Runner(executor, function, op, windows, activity).Run();
}

}  // namespace palimpsest
