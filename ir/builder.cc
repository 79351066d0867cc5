// A statement goes in as it stands (operands, windows, attributes in canonical
// form), is checked by infer.h, then gets its results. RollBackTo() undoes what
// of that was done when a check fails.

#include "ir/builder.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/check.h"
#include "ir/fault.h"
#include "ir/ids.h"
#include "ir/infer.h"
#include "ir/large_pages.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/verifier.h"

namespace palimpsest {
namespace {

int32_t SizeOf(size_t size) { return static_cast<int32_t>(size); }

template <typename Vector>
void Truncate(Vector& vector, size_t size) {
  vector.erase(vector.begin() + static_cast<int64_t>(size), vector.end());
}

// Makes room in an array that has `recent` new elements for `times` as many, if
// there is none: early, while there is little to move.
template <typename Vector>
void MakeRoom(Vector& vector, size_t recent, double times) {
  constexpr double kSpare = 1.05;
  const double more = times * static_cast<double>(recent);
  if (vector.size() + static_cast<size_t>(more) <= vector.capacity()) return;
  ReserveLarge(vector, vector.size() + static_cast<size_t>(kSpare * more));
}

// Gives back what was reserved in vain.
template <typename Vector>
void ReleaseSpare(Vector& vector) {
  if (vector.capacity() / 2 > vector.size()) vector.shrink_to_fit();
}

// The arrays of a function that have elements for each op.
template <typename Visit>
void ForEachLongArray(Function& function, Visit visit) {
  visit(function.storages);
  visit(function.values);
  visit(function.ops);
  visit(function.operands);
  visit(function.attributes);
  visit(function.integers);
  visit(function.literals);
  visit(function.windows);
  visit(function.targets);
}

}  // namespace

void OpDraft::Clear() {
  form = OpForm::kValue;
  operands.clear();
  literals.clear();
  windows.clear();
  attributes.clear();
  types.clear();
  names.clear();
  target.reset();
  call.reset();
  tag.reset();
  sources.clear();
}

void OpDraft::AddValue(ValueId id, Access access) {
  operands.push_back(Operand::Value(id, access));
}

void OpDraft::AddLiteral(const Literal& literal) {
  operands.push_back(
      {OperandKind::kLiteral, Access::kRead, SizeOf(literals.size()), -1});
  literals.push_back(literal);
}

void OpDraft::AddNone() { operands.push_back(Operand::None()); }

void OpDraft::AddStorage(StorageId id) {
  operands.push_back(Operand::Storage(id));
}

void OpDraft::AddWindow(ValueId id, WindowDraft window) {
  AddValue(id);
  operands.back().window = SizeOf(windows.size());
  windows.push_back(std::move(window));
}

FunctionBuilder::FunctionBuilder(absl::string_view name, FunctionKind kind,
                                 SourceLocation location) {
  function_.name = std::string(name);
  function_.kind = kind;
  function_.location = location;
}

Name FunctionBuilder::FreshName() {
  Name name = Name::Number(next_name_++);
  while (FindValue(name).valid() || FindStorage(name).valid()) {
    name = Name::Number(next_name_++);
  }
  return name;
}

absl::StatusOr<ValueId> FunctionBuilder::AddParameter(Name name,
                                                      const TypeDraft& type) {
  if (!function_.ops.empty()) {
    return Fault({}, "parameters come before statements");
  }
  if (FindValue(name).valid()) {
    return Fault({Place::Part::kResult},
                 absl::StrCat("%", function_.names.Text(name),
                              " is defined already; choose another name"));
  }
  const Place place = Place::Type(0);
  const StorageId known =
      type.storage.valid() ? FindStorage(type.storage) : StorageId{};
  ASSIGN_OR_RETURN(const LayoutId layout, InternLayout(type, place));
  Type window;
  if (!known.valid()) {
    ASSIGN_OR_RETURN(window, NewStorageType(type, layout, name,
                                            StorageKind::kParameter, place));
  } else {
    Storage& storage = function_.storages[known.value];
    const absl::optional<int64_t> bytes =
        BytesToHold(function_.layouts.Get(layout), type.offset);
    if (!storage.declared && bytes) {
      storage.bytes = std::max(storage.bytes, *bytes);
    }
    ASSIGN_OR_RETURN(window, WindowType(layout, type.offset, known, place));
  }
  const ValueId id = AddValue(name, window, OpId{});
  function_.parameters.push_back(id);
  return id;
}

absl::Status FunctionBuilder::DeclareStorage(Name name, int64_t bytes) {
  const StorageId id = FindStorage(name);
  const std::string text = absl::StrCat("@", function_.names.Text(name));
  if (!id.valid() || function_.Get(id).kind != StorageKind::kParameter) {
    return Fault({}, absl::StrCat("no parameter lies in ", text,
                                  "; `storage` gives the size of a parameter's "
                                  "storage"));
  }
  Storage& storage = function_.storages[id.value];
  if (storage.declared) {
    return Fault({}, absl::StrCat(text, " is declared already"));
  }
  if (bytes < storage.bytes) {
    return Fault({},
                 absl::StrCat(text, " needs ", storage.bytes,
                              " bytes to hold its parameters, not ", bytes));
  }
  storage.bytes = bytes;
  storage.declared = true;
  return absl::OkStatus();
}

absl::StatusOr<StorageId> FunctionBuilder::AddBuffer(Name name, int64_t bytes) {
  if (function_.is_pure()) {
    return Fault({}, "a pure func has no buffers; nothing in it writes");
  }
  if (bytes < 0) {
    return Fault({}, absl::StrCat(bytes, " bytes are fewer than none"));
  }
  ASSIGN_OR_RETURN(const StorageId id,
                   AddStorage(name, StorageKind::kBuffer, bytes));
  function_.storages[id.value].declared = true;
  return id;
}

void FunctionBuilder::Expect(double times) {
  size_t i = 0;
  ForEachLongArray(function_, [&](auto& array) {
    if (i == lengths_.size()) lengths_.push_back(0);
    MakeRoom(array, array.size() - lengths_[i], times);
    lengths_[i++] = array.size();
  });
}

absl::StatusOr<OpId> FunctionBuilder::Append(const OpDraft& draft) {
  OpMemo::Key key;
  if (in_epilogue_ || !key.Set(function_, draft)) {
    return AppendOrRollBack(draft);
  }
  const OpMemo::Model* model = memo_.Find(key);
  if (model != nullptr && LiteralsFit(draft, model->literals)) {
    return AppendLike(function_.Get(model->op), draft);
  }
  absl::StatusOr<OpId> op = AppendOrRollBack(draft);
  if (op.ok()) memo_.Put(function_, *op, key);
  return op;
}

bool FunctionBuilder::LiteralsFit(const OpDraft& draft, DType dtype) const {
  for (const Literal& literal : draft.literals) {
    if (!CheckLiteral(literal, dtype).ok()) return false;
  }
  return true;
}

// What can fail comes first, so that there is nothing to undo.
absl::StatusOr<OpId> FunctionBuilder::AppendLike(const Op& model,
                                                 const OpDraft& draft) {
  const OpId id{SizeOf(function_.ops.size())};
  Op op = model;
  op.results.begin = SizeOf(function_.values.size());
  const int results = op.results.count;
  if (!draft.names.empty()) {
    RETURN_IF_ERROR(CheckResultCounts(draft, results, results));
  }
  if (results > 0) {
    ASSIGN_OR_RETURN(const Name name, ResultName(draft, 0));
    ASSIGN_OR_RETURN(const Type type,
                     PlainResultType(draft, draft.types[0].layout, name));
    AddValue(name, type, id);
  }
  op.location = draft.location;
  op.has_tag = draft.tag.has_value();
  op.tag = draft.tag.value_or(0);
  AddSources(draft, op);
  CopyOperands(draft, op);
  CopyAttributes(op);
  function_.ops.push_back(op);
  return id;
}

void FunctionBuilder::CopyOperands(const OpDraft& draft, Op& op) {
  const int32_t first_literal = SizeOf(function_.literals.size());
  op.operands.begin = SizeOf(function_.operands.size());
  for (const Operand& operand : draft.operands) {
    function_.operands.push_back(operand);
    if (operand.kind == OperandKind::kLiteral) {
      function_.operands.back().ref += first_literal;
    }
  }
  for (const Literal& literal : draft.literals) {
    function_.literals.push_back(literal);
  }
  if (op.in_place()) {
    function_.operands[op.operands.begin].access = Access::kMut;
  }
}

// What its operands' layouts and the literals are has not changed, so that it
// passes the same checks; and it makes nothing.
OpId FunctionBuilder::AppendAgain(OpId id, SourceLocation location) {
  Op op = function_.Get(id);
  PALIMPSEST_CHECK(op.in_place() && op.call < 0 && op.results.count == 0);
  op.location = location;
  op.results.begin = SizeOf(function_.values.size());
  const Range from = op.operands;
  op.operands.begin = SizeOf(function_.operands.size());
  for (int32_t i = from.begin; i < from.begin + from.count; ++i) {
    Operand operand = function_.operands[i];
    if (operand.kind == OperandKind::kLiteral) {
      const Literal literal = function_.literals[operand.ref];
      operand.ref = function_.AddLiteral(literal);
    }
    function_.operands.push_back(operand);
  }
  CopyAttributes(op);
  function_.ops.push_back(op);
  return OpId{SizeOf(function_.ops.size()) - 1};
}

// The attributes that the op has become its own.
void FunctionBuilder::CopyAttributes(Op& op) {
  const Range from = op.attributes;
  op.attributes.begin = SizeOf(function_.attributes.size());
  for (int32_t i = from.begin; i < from.begin + from.count; ++i) {
    Attribute attribute = function_.attributes[i];
    const Range values = attribute.integers;
    if (TypeOf(attribute.key) == AttributeType::kLiteral) {
      const Literal literal = function_.literals[values.begin];
      attribute.integers.begin = function_.AddLiteral(literal);
    } else {
      attribute.integers.begin = SizeOf(function_.integers.size());
      for (int32_t k = values.begin; k < values.begin + values.count; ++k) {
        const int64_t integer = function_.integers[k];
        function_.integers.push_back(integer);
      }
    }
    function_.attributes.push_back(attribute);
  }
}

void FunctionBuilder::AddSources(const OpDraft& draft, Op& op) {
  op.sources = {SizeOf(function_.sources.size()), SizeOf(draft.sources.size())};
  for (OpId source : draft.sources) function_.sources.push_back(source);
}

absl::StatusOr<OpId> FunctionBuilder::AppendOrRollBack(const OpDraft& draft) {
  const Mark mark = MarkNow();
  absl::StatusOr<OpId> op = AppendChecked(draft);
  if (!op.ok()) RollBackTo(mark);
  return op;
}

absl::StatusOr<OpId> FunctionBuilder::AppendChecked(const OpDraft& draft) {
  const OpInfo& info = InfoFor(draft.kind);
  const bool epilogue = info.rule == InferenceRule::kEpilogue;
  Op op;
  op.kind = draft.kind;
  op.form = draft.form;
  op.location = draft.location;
  op.has_tag = draft.tag.has_value();
  op.tag = draft.tag.value_or(0);
  AddSources(draft, op);
  RETURN_IF_ERROR(AddOperands(draft, op));
  if (draft.target) op.target = function_.AddTarget({});  // Filled in below.
  if (draft.kind == OpKind::kCall) {
    op.call = SizeOf(function_.calls.size());
    function_.calls.push_back(draft.call.value_or(Call{}));
  }
  RETURN_IF_ERROR(CheckForm(function_, op));
  if (in_epilogue_ && !epilogue) {
    return Fault({}, absl::StrCat("`", info.text,
                                  "` stands after a `commit` or `bind`; those "
                                  "come last"));
  }
  RETURN_IF_ERROR(AddWindows(draft, op));
  RETURN_IF_ERROR(AddAttributes(draft, op));
  op.results.begin = SizeOf(function_.values.size());
  RETURN_IF_ERROR(draft.kind == OpKind::kCall ? AddCall(draft, op)
                  : epilogue                  ? AddEpilogue(draft, op)
                                              : AddResult(draft, op));
  op.results.count = SizeOf(function_.values.size()) - op.results.begin;
  in_epilogue_ |= epilogue;
  function_.ops.push_back(op);
  return OpId{SizeOf(function_.ops.size()) - 1};
}

absl::Status FunctionBuilder::CheckOperand(const OpDraft& draft, int i) const {
  const Operand& operand = draft.operands[i];
  const size_t count =
      operand.kind == OperandKind::kValue     ? function_.values.size()
      : operand.kind == OperandKind::kStorage ? function_.storages.size()
      : operand.kind == OperandKind::kLiteral ? draft.literals.size()
                                              : 0;
  const bool known = operand.kind == OperandKind::kNone ||
                     (operand.ref >= 0 && operand.ref < SizeOf(count));
  if (known && operand.window < SizeOf(draft.windows.size())) {
    return absl::OkStatus();
  }
  return Fault(Place::Operand(i),
               absl::StrCat("operand ", i + 1, " is of another function"));
}

absl::Status FunctionBuilder::AddOperands(const OpDraft& draft, Op& op) {
  const int32_t first_literal = SizeOf(function_.literals.size());
  op.operands = {SizeOf(function_.operands.size()),
                 SizeOf(draft.operands.size())};
  for (int i = 0; i < op.operands.count; ++i) {
    RETURN_IF_ERROR(CheckOperand(draft, i));
    function_.operands.push_back(draft.operands[i]);
    Operand& operand = function_.operands.back();
    if (operand.kind == OperandKind::kLiteral) operand.ref += first_literal;
  }
  for (const Literal& literal : draft.literals) {
    function_.literals.push_back(literal);
  }
  const bool writes =
      op.in_place() && !draft.operands.empty() && draft.operands[0].is_value();
  if (writes && draft.operands[0].access == Access::kRead) {
    function_.operands[op.operands.begin].access = Access::kMut;
  }
  return absl::OkStatus();
}

absl::Status FunctionBuilder::Return(ValueId value) {
  if (!value.valid() || value.value >= SizeOf(function_.values.size())) {
    return Fault({}, "the value is of another function");
  }
  function_.returns.push_back({value, Type{}});
  return absl::OkStatus();
}

absl::Status FunctionBuilder::ReturnWindow(const TypeDraft& window) {
  const Place place = Place::Type(0);
  if (!function_.is_pure()) {
    return Fault(place,
                 "a func returns values, %x; windows are for a pure func");
  }
  ASSIGN_OR_RETURN(const StorageId storage, ExistingStorage(window, place));
  ASSIGN_OR_RETURN(const LayoutId layout, InternLayout(window, place));
  ASSIGN_OR_RETURN(const Type type,
                   WindowType(layout, window.offset, storage, place));
  function_.returns.push_back({ValueId{}, type});
  return absl::OkStatus();
}

absl::StatusOr<Function> FunctionBuilder::Finish() && {
  Function function = std::move(*this).FinishUnverified();
  RETURN_IF_ERROR(Verify(function));
  return function;
}

Function FunctionBuilder::FinishUnverified() && {
  Block body;
  body.ops = {0, SizeOf(function_.ops.size())};
  body.parameters = {0, SizeOf(function_.parameters.size())};
  function_.blocks = {body};
  ForEachLongArray(function_, [](auto& array) { ReleaseSpare(array); });
  return std::move(function_);
}

FunctionBuilder::Mark FunctionBuilder::MarkNow() const {
  return {function_.values.size(),     function_.storages.size(),
          function_.ops.size(),        function_.operands.size(),
          function_.attributes.size(), function_.integers.size(),
          function_.literals.size(),   function_.windows.size(),
          function_.targets.size(),    function_.calls.size(),
          function_.sources.size()};
}

// Layouts and names stay in their tables; unused ones do no harm.
void FunctionBuilder::RollBackTo(const Mark& mark) {
  for (size_t i = mark.values; i < function_.values.size(); ++i) {
    values_.Set(function_.values[i].name, ValueId{});
  }
  for (size_t i = mark.storages; i < function_.storages.size(); ++i) {
    storages_.Set(function_.storages[i].name, StorageId{});
  }
  Truncate(function_.values, mark.values);
  Truncate(function_.storages, mark.storages);
  Truncate(function_.ops, mark.ops);
  Truncate(function_.operands, mark.operands);
  Truncate(function_.attributes, mark.attributes);
  Truncate(function_.integers, mark.integers);
  Truncate(function_.literals, mark.literals);
  Truncate(function_.windows, mark.windows);
  Truncate(function_.targets, mark.targets);
  Truncate(function_.calls, mark.calls);
  Truncate(function_.sources, mark.sources);
}

}  // namespace palimpsest
