#include "tests/proof/mutate.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "ir/verifier.h"

namespace palimpsest {
namespace {

class Mutator {
 public:
  Mutator(Function function, std::mt19937& random)
      : function_(std::move(function)), random_(random) {}

  // What was done; empty where there was no place for it.
  std::string Run() {
    switch (function_.is_pure() ? Below(12) : 9 + Below(7)) {
      case 0:
        return DropCommit() ? "drop a commit" : "";
      case 1:
        return SwapCommits() ? "swap two commits" : "";
      case 2:
        return MoveWindow() ? "move a window by one element" : "";
      case 3:
        return MoveTarget() ? "move a commit by one element" : "";
      case 4:
        return DropPiece() ? "lose a piece" : "";
      case 5:
        return SwapPieces() ? "swap two pieces" : "";
      case 6:
        return ChangeStride() ? "change a stride" : "";
      case 7:
        return ChangeTargetStorage() ? "commit to another storage" : "";
      case 8:
        return ChangeReturn() ? "return another value" : "";
      case 9:
        return ChangeOperand() ? "read another value" : "";
      case 10:
        return ChangeLiteral() ? "change a literal" : "";
      case 11:
        return SwapOperands() ? "swap operands" : "";
      case 12:
        return DropWrite() ? "lose a write" : "";
      case 13:
        return SwapWrites() ? "swap two writes" : "";
      case 14:
        return MoveView() ? "move a view by one element" : "";
      default:
        return ChangeViewStride() ? "change a view's stride" : "";
    }
  }

  Function function() && { return std::move(function_); }

 private:
  int Below(size_t count) {
    return static_cast<int>(random_() % static_cast<uint32_t>(count));
  }

  // One of the ops of which `wanted` holds; null if there is none.
  template <typename Wanted>
  Op* PickOp(Wanted wanted) {
    std::vector<Op*> ops;
    for (Op& op : function_.ops) {
      if (wanted(op)) ops.push_back(&op);
    }
    return ops.empty() ? nullptr : ops[Below(ops.size())];
  }

  static bool IsEpilogue(const Op& op) {
    return op.kind == OpKind::kCommit || op.kind == OpKind::kBind;
  }

  void Erase(const Op& op) {
    const int32_t at = static_cast<int32_t>(&op - function_.ops.data());
    function_.ops.erase(function_.ops.begin() + at);
    if (!function_.blocks.empty()) --function_.blocks[0].ops.count;
    for (Value& value : function_.values) {
      if (value.definition.value > at) --value.definition.value;
    }
  }

  bool DropCommit() {
    Op* op = PickOp([](const Op& o) { return o.kind == OpKind::kCommit; });
    if (op == nullptr) return false;
    Erase(*op);
    return true;
  }

  bool DropWrite() {
    Op* op = PickOp([](const Op& o) { return o.in_place(); });
    if (op == nullptr) return false;
    Erase(*op);
    return true;
  }

  bool SwapWrites() {
    Op* a = PickOp([](const Op& o) { return o.in_place(); });
    Op* b = PickOp([](const Op& o) { return o.in_place(); });
    if (a == b) return false;
    std::swap(*a, *b);
    return true;
  }

  // The type of a view; null if there is none.
  Type* PickView() {
    Op* op = PickOp([](const Op& o) { return o.kind == OpKind::kView; });
    return op == nullptr ? nullptr
                         : &function_.values[function_.Result(*op).value].type;
  }

  bool MoveView() {
    Type* view = PickView();
    if (view == nullptr) return false;
    view->offset += Below(2) == 0 ? 1 : -1;
    return true;
  }

  bool ChangeViewStride() {
    Type* view = PickView();
    if (view == nullptr) return false;
    view->layout = WithStrideChanged(view->layout);
    return true;
  }

  bool SwapCommits() {
    Op* a = PickOp([](const Op& o) { return o.kind == OpKind::kCommit; });
    Op* b = PickOp([](const Op& o) { return o.kind == OpKind::kCommit; });
    if (a == b) return false;
    std::swap(*a, *b);
    return true;
  }

  Operand* PickOperand() {
    Op* op = PickOp([](const Op& o) { return o.operands.count > 0; });
    if (op == nullptr) return nullptr;
    return &function_.operands[op->operands.begin + Below(op->operands.count)];
  }

  // Gives an operand a window of its own, to be changed.
  BufferWindow* PickWindow() {
    Op* op = PickOp([](const Op& o) {
      return o.kind == OpKind::kExtract || o.kind == OpKind::kAssemble;
    });
    if (op == nullptr) return nullptr;
    Operand& operand =
        function_.operands[op->operands.begin + Below(op->operands.count)];
    if (operand.window < 0) return nullptr;
    function_.windows.push_back(
        BufferWindow(function_.windows[operand.window]));
    operand.window = static_cast<int32_t>(function_.windows.size()) - 1;
    return &function_.windows.back();
  }

  Type* PickTarget() {
    Op* op = PickOp(IsEpilogue);
    return op == nullptr ? nullptr : &function_.targets[op->target];
  }

  bool MoveWindow() {
    BufferWindow* window = PickWindow();
    if (window == nullptr) return false;
    window->offset += Below(2) == 0 ? 1 : -1;
    return true;
  }

  bool MoveTarget() {
    Type* target = PickTarget();
    if (target == nullptr) return false;
    target->offset += Below(2) == 0 ? 1 : -1;
    return true;
  }

  Op* PickAssemble() {
    return PickOp([](const Op& o) {
      return o.kind == OpKind::kAssemble && o.operands.count > 1;
    });
  }

  bool DropPiece() {
    Op* op = PickAssemble();
    if (op == nullptr) return false;
    const int lost = Below(op->operands.count);
    for (int i = lost; i + 1 < op->operands.count; ++i) {
      function_.operands[op->operands.begin + i] =
          function_.operands[op->operands.begin + i + 1];
    }
    --op->operands.count;
    return true;
  }

  bool SwapPieces() {
    Op* op = PickAssemble();
    if (op == nullptr) return false;
    Operand* operands = &function_.operands[op->operands.begin];
    const int a = Below(op->operands.count);
    const int b = Below(op->operands.count);
    if (operands[a].window < 0 || operands[b].window < 0) return false;
    std::swap(operands[a], operands[b]);
    return true;
  }

  LayoutId WithStrideChanged(LayoutId id) {
    const Layout layout = function_.layouts.Get(id);
    if (layout.rank() == 0) return id;
    const Dims sizes(layout.sizes.begin(), layout.sizes.end());
    Dims strides(layout.strides.begin(), layout.strides.end());
    const int dim = Below(sizes.size());
    if (sizes[dim] == 1) return id;  // Its stride does not matter.
    if (Below(3) == 0) {
      std::swap(strides[dim], strides[Below(sizes.size())]);
    } else {
      strides[dim] += Below(2) == 0 ? 1 : -1;
    }
    return function_.layouts.Intern(layout.dtype, sizes, strides);
  }

  bool ChangeStride() {
    if (Below(2) == 0) {
      BufferWindow* window = PickWindow();
      if (window == nullptr) return false;
      window->layout = WithStrideChanged(window->layout);
    } else {
      Type* target = PickTarget();
      if (target == nullptr) return false;
      target->layout = WithStrideChanged(target->layout);
    }
    return true;
  }

  bool ChangeTargetStorage() {
    Op* op = PickOp([](const Op& o) { return o.kind == OpKind::kCommit; });
    if (op == nullptr) return false;
    const ValueId parameter =
        function_.parameters[Below(function_.parameters.size())];
    function_.targets[op->target].storage =
        function_.Get(parameter).type.storage;
    return true;
  }

  // Another value of the same dtype and sizes, defined before `limit`.
  ValueId ValueLike(ValueId id, int32_t limit) {
    const Layout like = function_.LayoutOf(id);
    std::vector<ValueId> values;
    for (int32_t i = 0; i < limit; ++i) {
      const Layout layout = function_.LayoutOf(ValueId{i});
      if (i != id.value && layout.dtype == like.dtype &&
          layout.sizes == like.sizes) {
        values.push_back(ValueId{i});
      }
    }
    return values.empty() ? id : values[Below(values.size())];
  }

  bool ChangeReturn() {
    if (function_.returns.empty()) return false;
    Return& item = function_.returns[Below(function_.returns.size())];
    if (item.value.valid()) {
      item.value =
          ValueLike(item.value, static_cast<int32_t>(function_.values.size()));
    } else if (Below(2) == 0) {
      item.window.offset += Below(2) == 0 ? 1 : -1;
    } else {
      item.window.storage = StorageId{Below(function_.storages.size())};
    }
    return true;
  }

  bool ChangeOperand() {
    Op* op = PickOp([](const Op& o) { return o.operands.count > 0; });
    if (op == nullptr) return false;
    Operand& operand =
        function_.operands[op->operands.begin + Below(op->operands.count)];
    if (!operand.is_value()) return false;
    const int32_t limit = op->results.count > 0
                              ? op->results.begin
                              : static_cast<int32_t>(function_.values.size());
    operand.ref = ValueLike(operand.value(), limit).value;
    return true;
  }

  bool ChangeLiteral() {
    Operand* operand = PickOperand();
    if (operand == nullptr || operand->kind != OperandKind::kLiteral) {
      return false;
    }
    Literal literal = function_.literals[operand->ref];
    literal.integer ^= 1;
    literal.real += 1;
    operand->ref = function_.AddLiteral(literal);
    return true;
  }

  bool SwapOperands() {
    Op* op = PickOp([](const Op& o) { return o.operands.count > 1; });
    if (op == nullptr) return false;
    Operand* operands = &function_.operands[op->operands.begin];
    const int a = Below(op->operands.count);
    const int b = Below(op->operands.count);
    std::swap(operands[a].kind, operands[b].kind);
    std::swap(operands[a].ref, operands[b].ref);
    return true;
  }

  Function function_;
  std::mt19937& random_;
};

}  // namespace

absl::optional<Mutant> Mutate(const Function& function, std::mt19937& random) {
  Mutator mutator(function, random);
  Mutant mutant;
  mutant.what = mutator.Run();
  if (mutant.what.empty()) return absl::nullopt;
  mutant.function = std::move(mutator).function();
  if (!Verify(mutant.function).ok() || SameText(function, mutant.function)) {
    return absl::nullopt;
  }
  return mutant;
}

}  // namespace palimpsest
