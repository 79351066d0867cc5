#include "tests/oracle/symbolic_run.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/symbolic_op.h"
#include "tests/oracle/window_bytes.h"

namespace palimpsest {
namespace {

class Run {
 public:
  explicit Run(const Function& function)
      : function_(function), buffers_(function.values.size()) {
    for (size_t i = 0; i < function.storages.size(); ++i) {
      const Storage& storage = function.storages[i];
      storages_.emplace_back(storage.bytes, kUndefined);
      if (storage.kind != StorageKind::kParameter) continue;
      numbers_[static_cast<int>(i)] = static_cast<int>(numbers_.size());
      for (int64_t byte = 0; byte < storage.bytes; ++byte) {
        storages_[i][byte] = Scramble((numbers_[i] + 1) * 1000003 + byte);
      }
    }
    at_entry_ = storages_;
  }

  SymbolicOutcome Finish() {
    for (const Op& op : function_.ops) Step(op);
    SymbolicOutcome outcome;
    for (const auto& [storage, number] : numbers_) {
      outcome.storages.push_back(storages_[storage]);
    }
    const int parameters = static_cast<int>(numbers_.size());
    std::map<int, int> users;
    for (const Return& item : function_.returns) {
      outcome.results.push_back(Result(item));
      ++users[outcome.results.back().storage];
    }
    for (SymbolicResult& result : outcome.results) {
      result.shares_storage =
          result.storage < parameters || users[result.storage] > 1;
    }
    return outcome;
  }

 private:
  bool in_place() const { return !function_.is_pure(); }

  Symbols Load(const Type& type, const std::vector<Symbols>& storages) const {
    Symbols bytes;
    for (int64_t byte : BytesOf(function_, type)) {
      bytes.push_back(storages[type.storage.value][byte]);
    }
    return bytes;
  }
  void Store(const Type& type, const Symbols& bytes) {
    size_t i = 0;
    for (int64_t byte : BytesOf(function_, type)) {
      storages_[type.storage.value][byte] = bytes[i++];
    }
  }

  Symbols Read(ValueId value) const {
    const Value& read = function_.Get(value);
    if (in_place()) return Load(read.type, storages_);
    if (read.definition.valid()) return buffers_[value.value];
    return Load(read.type, at_entry_);  // Also after a commit.
  }
  void Define(ValueId value, Symbols bytes) {
    if (in_place()) {
      Store(function_.Get(value).type, bytes);
    } else {
      buffers_[value.value] = std::move(bytes);
    }
  }

  void Step(const Op& op) {
    if (op.kind == OpKind::kView) return;
    std::vector<SymbolicOperand> operands;
    for (const Operand& operand : function_.OperandsOf(op)) {
      operands.push_back(OperandOf(operand));
    }
    if (op.kind == OpKind::kCall) return StepCall(op, operands);
    if (op.kind == OpKind::kCommit || op.kind == OpKind::kBind) {
      return Store(function_.targets[op.target], operands[0].bytes);
    }
    if (op.in_place()) {
      const ValueId destination = function_.OperandsOf(op)[0].value();
      const Layout layout = function_.LayoutOf(destination);
      return Store(function_.Get(destination).type,
                   ResultOf(function_, op, layout, operands));
    }
    const ValueId result = function_.Result(op);
    Define(result,
           ResultOf(function_, op, function_.LayoutOf(result), operands));
  }

  SymbolicOperand OperandOf(const Operand& operand) const {
    SymbolicOperand made;
    if (operand.kind == OperandKind::kStorage) {
      made.bytes = at_entry_[operand.ref];
    } else if (operand.is_value()) {
      made.layout = function_.LayoutOf(operand.value());
      made.bytes = Read(operand.value());
    } else if (operand.kind == OperandKind::kLiteral) {
      made.literal = function_.literals[operand.ref];
    }
    if (operand.window >= 0) made.window = function_.windows[operand.window];
    return made;
  }

  // Reads all operands, then writes those marked, then takes views.
  void StepCall(const Op& op, const std::vector<SymbolicOperand>& operands) {
    const Call& call = function_.calls[op.call];
    const Symbol term =
        TermOfCall(function_, op, operands, call.pure ? 0 : ++impure_calls_);
    int made = 0;
    for (int i = 0; i < call.declared_results; ++i) {
      const ValueId result = function_.Result(op, i);
      if (IsViewOfOperand(op, result)) continue;
      Define(result, OutputOf(term, made++, function_.LayoutOf(result)));
    }
    int updates = 0;
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (operand.access == Access::kRead) continue;
      const Symbols bytes =
          OutputOf(term, 1000 + updates, function_.LayoutOf(operand.value()));
      Define(in_place() ? operand.value()
                        : function_.Result(op, call.declared_results + updates),
             bytes);
      ++updates;
    }
  }

  bool IsViewOfOperand(const Op& op, ValueId result) const {
    if (!in_place()) return false;
    for (const Operand& operand : function_.OperandsOf(op)) {
      if (function_.Get(operand.value()).type.storage ==
          function_.Get(result).type.storage) {
        return true;
      }
    }
    return false;
  }

  SymbolicResult Result(const Return& item) {
    SymbolicResult result;
    const Type& type =
        item.value.valid() ? function_.Get(item.value).type : item.window;
    const Layout layout = function_.LayoutOf(type);
    const bool is_value = !in_place() && item.value.valid();
    if (is_value) {
      result.storage = 1000000 + static_cast<int>(new_results_++);
    } else {
      const int next = static_cast<int>(numbers_.size());
      result.storage = numbers_.emplace(type.storage.value, next).first->second;
      result.offset = type.offset;
    }
    result.dtype = layout.dtype;
    result.sizes.assign(layout.sizes.begin(), layout.sizes.end());
    result.strides.assign(layout.strides.begin(), layout.strides.end());
    if (is_value) result.strides = RowMajorStrides(layout.sizes);
    result.bytes = is_value ? Read(item.value) : Load(type, storages_);
    return result;
  }

  const Function& function_;
  std::vector<Symbols> storages_;
  std::vector<Symbols> at_entry_;
  std::vector<Symbols> buffers_;  // Of a pure function's values.
  std::map<int, int> numbers_;    // Storages that the caller sees.
  int new_results_ = 0;
  int impure_calls_ = 0;
};

bool Differ(const Symbols& original, const Symbols& bytes) {
  for (size_t i = 0; i < original.size(); ++i) {
    if (original[i] != kUndefined && original[i] != bytes[i]) return true;
  }
  return false;
}

std::string DifferenceBetween(const SymbolicResult& original,
                              const SymbolicResult& result) {
  if (original.dtype != result.dtype || original.sizes != result.sizes) {
    return "type";
  }
  if (original.strides != result.strides) return "strides";
  if (original.shares_storage != result.shares_storage) return "aliasing";
  if (original.shares_storage && original.offset != result.offset) {
    return "offset";
  }
  return Differ(original.bytes, result.bytes) ? "value" : "";
}

}  // namespace

SymbolicOutcome RunSymbolically(const Function& function) {
  return Run(function).Finish();
}

std::string DifferenceBetween(const SymbolicOutcome& original,
                              const SymbolicOutcome& outcome) {
  if (original.storages.size() != outcome.storages.size() ||
      original.results.size() != outcome.results.size()) {
    return "the numbers of storages or results differ";
  }
  for (size_t i = 0; i < original.storages.size(); ++i) {
    if (original.storages[i].size() != outcome.storages[i].size()) {
      return absl::StrCat("storage ", i, " has another size");
    }
    for (size_t byte = 0; byte < original.storages[i].size(); ++byte) {
      const Symbol wanted = original.storages[i][byte];
      if (wanted != kUndefined && outcome.storages[i][byte] != wanted) {
        return absl::StrCat("byte ", byte, " of storage ", i, " differs");
      }
    }
  }
  std::map<int, int> partner;
  std::map<int, int> partner_back;
  for (size_t i = 0; i < original.results.size(); ++i) {
    const SymbolicResult& a = original.results[i];
    const SymbolicResult& b = outcome.results[i];
    const std::string difference = DifferenceBetween(a, b);
    if (!difference.empty()) {
      return absl::StrCat("the ", difference, " of result ", i, " differs");
    }
    const bool pairs =
        partner.emplace(a.storage, b.storage).first->second == b.storage &&
        partner_back.emplace(b.storage, a.storage).first->second == a.storage;
    const bool is_parameters =
        a.storage < static_cast<int>(original.storages.size());
    if (!pairs || (is_parameters && a.storage != b.storage)) {
      return absl::StrCat("result ", i, " lies in another storage");
    }
  }
  return "";
}

}  // namespace palimpsest
