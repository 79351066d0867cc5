#include "tests/oracle/reference_cost.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/oracle/op_graph.h"
#include "tests/oracle/reference_log.h"
#include "tests/oracle/reference_resolver.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

class Walk {
 public:
  explicit Walk(const Function& function) : function_(function) {
    for (const Storage& storage : function.storages) {
      logs_.emplace_back(storage.bytes, graph_);
    }
    for (ValueId parameter : function.parameters) {
      const StridedWindow window = WindowOf(parameter);
      NoteDefinition(parameter);
      LogOf(parameter).AddInitial(window,
                                  {graph_.Given(), window.dtype, window.sizes});
    }
    for (size_t i = 0; i < logs_.size(); ++i) {
      if (function.storages[i].kind == StorageKind::kParameter) {
        AddContents(logs_[i]);
      }
    }
  }

  ReferenceCost Run() {
    const std::vector<bool> seen = FindSeenOps(function_);
    for (size_t i = 0; i < function_.ops.size(); ++i) {
      if (seen[i]) Step(function_.ops[i]);
    }
    for (const Return& item : function_.returns) NeedResult(item.value);
    for (size_t i = 0; i < logs_.size(); ++i) {
      if (function_.storages[i].kind == StorageKind::kParameter) {
        logs_[i].NeedWrites();
      }
    }
    for (const ReferenceLog& log : logs_) cost_.has_spans |= log.has_spans();
    cost_.ops = graph_.CountNeeded();
    cost_.ops_kept = graph_.CountKept();
    return cost_;
  }

 private:
  StorageId StorageOf(ValueId id) const {
    return function_.Get(id).type.storage;
  }
  ReferenceLog& LogOf(ValueId id) { return logs_[StorageOf(id).value]; }
  StridedWindow WindowOf(ValueId id) const {
    const Type& type = function_.Get(id).type;
    return StridedWindow::Of(function_.LayoutOf(type), type.offset);
  }
  bool IsEmpty(ValueId id) const {
    return ElementCount(function_.LayoutOf(id).sizes) == 0;
  }

  void AddContents(ReferenceLog& log) {
    log.AddInitial(StridedWindow::Row(DType::kU8, 0, log.bytes()),
                   {graph_.Op({}), DType::kU8, {log.bytes()}});
  }

  ReferenceValue Read(ValueId id) {
    const ReferenceValue value = LogOf(id).Read(WindowOf(id));
    graph_.Keep(value.node);
    return value;
  }
  void NoteDefinition(ValueId id) {
    if (IsEmpty(id) || IsNested(function_.LayoutOf(id))) return;
    cost_.has_irregular_definitions = true;
  }
  void Write(ValueId id, const ReferenceValue& value) {
    if (IsEmpty(id)) return;
    NoteDefinition(id);
    LogOf(id).Write(WindowOf(id), value);
  }
  // An op of the source, in its pure form.
  OpGraph::Node Make(std::vector<OpGraph::Node> operands) {
    const OpGraph::Node node = graph_.Op(std::move(operands));
    graph_.Keep(node);
    return node;
  }

  // A value of the window's dtype and sizes.
  ReferenceValue ValueLike(ValueId id, OpGraph::Node node) const {
    const StridedWindow window = WindowOf(id);
    return {node, window.dtype, window.sizes};
  }

  std::vector<OpGraph::Node> ReadOperands(const Op& op) {
    std::vector<OpGraph::Node> operands;
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (operand.is_value()) operands.push_back(Read(operand.value()).node);
    }
    return operands;
  }

  void Step(const Op& op) {
    if (op.kind == OpKind::kView) return;
    if (op.kind == OpKind::kCall) return StepCall(op);
    if (op.in_place()) return StepInPlace(op);
    const ValueId result = function_.Result(op);
    if (op.kind == OpKind::kClone) {
      Write(result, Read(function_.OperandsOf(op)[0].value()));
    } else {
      Write(result, ValueLike(result, Make(ReadOperands(op))));
    }
  }

  void StepInPlace(const Op& op) {
    const ValueId destination = function_.OperandsOf(op)[0].value();
    if (IsEmpty(destination)) return;
    if (op.kind == OpKind::kCopy) return Copy(op, destination);
    if (op.kind == OpKind::kFill) return Fill(op, destination);
    OpGraph::Node node = Make(ReadOperands(op));
    if (InfoFor(op.kind).rule == InferenceRule::kPredicate &&
        function_.LayoutOf(destination).dtype != DType::kBool) {
      node = Make({node});  // A cast.
    }
    Write(destination, ValueLike(destination, node));
  }

  void Copy(const Op& op, ValueId destination) {
    const ValueId from = function_.OperandsOf(op)[1].value();
    const Type& a = function_.Get(from).type;
    const Type& b = function_.Get(destination).type;
    const Layout given = function_.LayoutOf(a);
    const Layout taken = function_.LayoutOf(b);
    if (a.storage == b.storage && given.dtype == taken.dtype &&
        given.sizes == taken.sizes &&
        BytesOf(given, a.offset) == BytesOf(taken, b.offset)) {
      return;  // Writes nothing.
    }
    const ReferenceValue value = Broadcast(Read(from), taken);
    graph_.Keep(value.node);
    Write(destination, value);
  }

  ReferenceValue Broadcast(const ReferenceValue& value, const Layout& to) {
    StridedWindow window = StridedWindow::Of(to, 0);
    const Dims row_major = RowMajorStrides(value.sizes);
    const size_t more = window.sizes.size() - value.sizes.size();
    for (size_t i = 0; i < window.sizes.size(); ++i) {
      const bool repeats = i < more || value.sizes[i - more] == 1;
      window.strides[i] = repeats ? 0 : row_major[i - more];
    }
    return ExtractOf(value, window, graph_);
  }

  void Fill(const Op& op, ValueId destination) {
    const Operand& operand = function_.OperandsOf(op)[1];
    const Layout layout = function_.LayoutOf(destination);
    if (operand.is_value() && layout.dtype != DType::kBool) {
      return Write(destination, Broadcast(Read(operand.value()), layout));
    }
    std::vector<OpGraph::Node> operands;
    if (operand.is_value()) operands.push_back(Read(operand.value()).node);
    Write(destination, ValueLike(destination, Make(operands)));
  }

  void StepCall(const Op& op) {
    const OpGraph::Node call = Make(ReadOperands(op));
    if (!function_.calls[op.call].pure) graph_.Need(call);
    for (int i = 0; i < op.results.count; ++i) {
      const ValueId result = function_.Result(op, i);
      if (!LiesInOperand(op, result)) {
        Write(result, ValueLike(result, graph_.Given({call})));
      }
    }
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (operand.access != Access::kMut) continue;
      Write(operand.value(), ValueLike(operand.value(), graph_.Given({call})));
    }
  }

  // A view that is taken after the call's writes.
  bool LiesInOperand(const Op& op, ValueId result) const {
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (StorageOf(operand.value()) == StorageOf(result)) return true;
    }
    return false;
  }

  // A result in a storage of the caller's is a window of it. Of one that is
  // alone in its storage it is bound, or the row that it spans where it
  // overlaps itself; of others all of the storage.
  void NeedResult(ValueId id) {
    if (function_.Get(StorageOf(id)).kind == StorageKind::kParameter) return;
    int results = 0;
    for (const Return& item : function_.returns) {
      results += StorageOf(item.value) == StorageOf(id);
    }
    const StridedWindow window = WindowOf(id);
    if (results == 1 && !OverlapsItself(window.layout())) {
      graph_.Need(Read(id).node);
    } else if (results == 1) {
      const Extent extent = *ExtentOf(window.layout());
      graph_.Need(
          LogOf(id)
              .Read(StridedWindow::Row(
                  window.dtype, window.offset + extent.first, extent.count))
              .node);
    } else {
      graph_.Need(ReadAll(id).node);
    }
  }

  // As one of the results that are all of the storage, or else as a row.
  ReferenceValue ReadAll(ValueId id) {
    ReferenceLog& log = LogOf(id);
    for (const Return& item : function_.returns) {
      const StridedWindow window = WindowOf(item.value);
      if (StorageOf(item.value) != StorageOf(id) || window.offset != 0)
        continue;
      if (IsRowMajor(window.layout()) &&
          ElementCount(window.sizes) * WidthOf(window.dtype) == log.bytes()) {
        return log.Read(window);
      }
    }
    DType dtype = function_.LayoutOf(id).dtype;
    if (log.bytes() % WidthOf(dtype) != 0) dtype = DType::kU8;
    return log.Read(StridedWindow::Row(dtype, 0, log.bytes() / WidthOf(dtype)));
  }

  const Function& function_;
  OpGraph graph_;
  std::vector<ReferenceLog> logs_;  // By StorageId.
  ReferenceCost cost_;
};

}  // namespace

ReferenceCost CostByEnumeration(const Function& function) {
  return Walk(function).Run();
}

}  // namespace palimpsest
