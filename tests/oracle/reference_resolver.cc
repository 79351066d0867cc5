#include "tests/oracle/reference_resolver.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/oracle/reference_log.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

// Definition 0 of a storage is what it holds at entry.
struct StorageHistory {
  std::vector<int> last_writer;            // By byte.
  std::vector<std::vector<Type>> windows;  // By definition.
  ByteSet written;
};

class Enumeration {
 public:
  explicit Enumeration(const Function& function) : function_(function) {
    for (const Storage& storage : function.storages) {
      StorageHistory history;
      history.last_writer.assign(storage.bytes, 0);
      history.windows.emplace_back();
      history.written.assign(storage.bytes, false);
      histories_.push_back(std::move(history));
    }
    for (ValueId parameter : function.parameters) {
      HistoryOf(TypeOf(parameter)).windows[0].push_back(TypeOf(parameter));
    }
  }

  ReferenceResolution Run() {
    const std::vector<bool> seen = FindSeenOps(function_);
    for (size_t i = 0; i < function_.ops.size(); ++i) {
      if (seen[i]) Step(function_.ops[i]);
    }
    for (size_t i = 0; i < histories_.size(); ++i) {
      if (function_.storages[i].kind == StorageKind::kParameter) {
        resolution_.written.push_back(histories_[i].written);
      }
    }
    return resolution_;
  }

 private:
  const Type& TypeOf(ValueId value) const { return function_.Get(value).type; }
  StorageHistory& HistoryOf(const Type& type) {
    return histories_[type.storage.value];
  }
  bool SameWindow(const Type& a, const Type& b) const {
    const Layout x = function_.LayoutOf(a);
    const Layout y = function_.LayoutOf(b);
    return x.dtype == y.dtype && x.sizes == y.sizes &&
           BytesOf(x, a.offset) == BytesOf(y, b.offset);
  }

  void Step(const Op& op) {
    if (op.kind == OpKind::kView) return;
    const auto operands = function_.OperandsOf(op);
    const bool is_copy = op.kind == OpKind::kCopy;
    if (is_copy && operands[0].value() == operands[1].value()) return;
    if (is_copy &&
        TypeOf(operands[0].value()).storage ==
            TypeOf(operands[1].value()).storage &&
        SameWindow(TypeOf(operands[0].value()), TypeOf(operands[1].value()))) {
      return;  // Writes nothing.
    }
    const bool overwrites = is_copy || op.kind == OpKind::kFill;
    const bool touches_nothing =
        op.in_place() &&
        BytesOf(function_, TypeOf(operands[0].value())).empty();
    if (touches_nothing) return;
    for (size_t i = overwrites ? 1 : 0; i < operands.size(); ++i) {
      if (operands[i].is_value()) Read(operands[i].value());
    }
    for (int i = 0; i < op.results.count; ++i) {
      const Type& type = TypeOf(function_.Result(op, i));
      if (op.kind != OpKind::kCall || !LiesInOperand(op, type)) Write(type);
    }
    for (const Operand& operand : operands) {
      if (operand.access == Access::kMut) Write(TypeOf(operand.value()));
    }
  }

  bool LiesInOperand(const Op& op, const Type& type) const {
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (TypeOf(operand.value()).storage == type.storage) return true;
    }
    return false;
  }

  void Write(const Type& type) {
    StorageHistory& history = HistoryOf(type);
    const int definition = static_cast<int>(history.windows.size());
    history.windows.push_back({type});
    for (int64_t byte : BytesOf(function_, type)) {
      history.last_writer[byte] = definition;
      history.written[byte] = true;
    }
  }

  void Read(ValueId value) {
    const Type& type = TypeOf(value);
    StorageHistory& history = HistoryOf(type);
    std::set<int> seen;
    for (int64_t byte : BytesOf(function_, type)) {
      seen.insert(history.last_writer[byte]);
    }
    if (seen.empty()) return;
    bool is_known = false;
    if (seen.size() == 1) {
      for (const Type& window : history.windows[*seen.begin()]) {
        is_known |=
            SameWindow(window, type) && IsNested(function_.LayoutOf(window));
      }
    }
    if (is_known) ++resolution_.forwarded_reads;
  }

  const Function& function_;
  std::vector<StorageHistory> histories_;
  ReferenceResolution resolution_;
};

}  // namespace

int64_t CountOf(const ByteSet& bytes) {
  return std::count(bytes.begin(), bytes.end(), true);
}

std::vector<bool> FindSeenOps(const Function& function) {
  const auto storage_of = [&](ValueId id) {
    return function.Get(id).type.storage;
  };
  std::set<StorageId> visible;
  for (ValueId id : function.parameters) visible.insert(storage_of(id));
  for (const Return& item : function.returns) {
    visible.insert(storage_of(item.value));
  }
  std::vector<bool> seen(function.ops.size(), false);
  for (size_t i = function.ops.size(); i-- > 0;) {
    const Op& op = function.ops[i];
    std::vector<ValueId> written;
    for (int32_t j = 0; j < op.results.count; ++j) {
      written.push_back(function.Result(op, j));
    }
    const auto operands = function.OperandsOf(op);
    for (const Operand& operand : operands) {
      if (operand.access == Access::kMut) written.push_back(operand.value());
    }
    if (op.in_place()) written.push_back(operands[0].value());
    seen[i] = op.kind == OpKind::kCall && !function.calls[op.call].pure;
    for (ValueId id : written)
      seen[i] = seen[i] || visible.count(storage_of(id));
    if (!seen[i] || op.kind == OpKind::kView) continue;
    for (const Operand& operand : operands) {
      if (operand.is_value()) visible.insert(storage_of(operand.value()));
    }
  }
  return seen;
}

ReferenceResolution ResolveByEnumeration(const Function& function) {
  return Enumeration(function).Run();
}

std::vector<StorageCommits> CommitsOf(const Function& function) {
  std::vector<StorageCommits> by_storage(function.storages.size());
  for (size_t i = 0; i < by_storage.size(); ++i) {
    by_storage[i].bytes.assign(function.storages[i].bytes, false);
  }
  for (const Op& op : function.ops) {
    if (op.kind != OpKind::kCommit) continue;
    const Type& target = function.targets[op.target];
    StorageCommits& commits = by_storage[target.storage.value];
    for (int64_t byte : BytesOf(function, target)) {
      commits.bytes[byte] = true;
      ++commits.total;
    }
  }
  std::vector<StorageCommits> commits;
  for (size_t i = 0; i < by_storage.size(); ++i) {
    if (function.storages[i].kind == StorageKind::kParameter) {
      commits.push_back(by_storage[i]);
    }
  }
  return commits;
}

}  // namespace palimpsest
