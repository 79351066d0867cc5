#include "transforms/in_place_emitter.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// What an in-place version of `pure` shares with it: signature and tables.
Function InPlaceSignatureOf(const Function& pure) {
  Function function;
  function.name = pure.name;
  function.kind = FunctionKind::kInPlace;
  function.location = pure.location;
  function.layouts = pure.layouts;
  function.names = pure.names;
  function.parameters = pure.parameters;
  function.values.assign(pure.values.begin(),
                         pure.values.begin() + pure.parameters.size());
  function.storages = pure.storages;
  function.attributes = pure.attributes;
  function.integers = pure.integers;
  function.literals = pure.literals;
  function.windows = pure.windows;
  function.calls = pure.calls;
  function.sources = pure.sources;
  function.blocks.push_back(
      {{}, {0, static_cast<int32_t>(pure.parameters.size())}});
  function.ops.reserve(pure.ops.size());
  function.operands.reserve(pure.operands.size());
  return function;
}

}  // namespace

InPlaceEmitter::InPlaceEmitter(const Function& pure)
    : function_(InPlaceSignatureOf(pure)),
      windows_(function_.layouts),
      any_value_(function_.storages.size()) {
  for (Storage& storage : function_.storages) {
    if (storage.kind == StorageKind::kResult)
      storage.kind = StorageKind::kLocal;
  }
  for (const ValueId parameter : function_.parameters) {
    const Type& type = function_.Get(parameter).type;
    const Place place{type.storage, windows_.Intern(type)};
    any_value_[type.storage.value] = parameter;
    views_.try_emplace(place, parameter);
  }
}

StorageId InPlaceEmitter::NewStorage(int64_t bytes) {
  const StorageId id{static_cast<int32_t>(function_.storages.size())};
  Storage storage;
  storage.kind = StorageKind::kLocal;
  storage.bytes = bytes;
  function_.storages.push_back(storage);
  any_value_.emplace_back();
  return id;
}

Place InPlaceEmitter::NewPlace(LayoutId like) {
  const LayoutId layout = function_.layouts.RowMajorOf(like);
  const absl::optional<int64_t> bytes =
      BytesToHold(function_.layouts.Get(layout), 0);
  PALIMPSEST_CHECK(bytes.has_value());
  return {NewStorage(*bytes), windows_.Intern(layout, 0)};
}

Type InPlaceEmitter::TypeAt(Place place) const {
  const Window& window = windows_.Get(place.window);
  return {window.layout, place.storage, window.offset};
}

ValueId InPlaceEmitter::At(Place place) {
  const auto it = views_.find(place);
  if (it != views_.end()) return it->second;
  const ValueId view = At(TypeAt(place));
  views_[place] = view;
  return view;
}

ValueId InPlaceEmitter::At(const Type& window) {
  Make(window.storage);
  const ValueId any = AnyValueIn(window.storage);
  if (function_.Get(any).type == window) return any;
  Op view;
  view.kind = OpKind::kView;
  Op& op = Append(view, {Operand::Value(any)});
  return AddResult(op, window);
}

Op& InPlaceEmitter::Append(const Op& op, absl::Span<const Operand> operands) {
  Op& copy = function_.ops.emplace_back(op);
  copy.operands = {static_cast<int32_t>(function_.operands.size()),
                   static_cast<int32_t>(operands.size())};
  copy.results = {static_cast<int32_t>(function_.values.size()), 0};
  copy.target = -1;
  function_.operands.insert(function_.operands.end(), operands.begin(),
                            operands.end());
  return copy;
}

ValueId InPlaceEmitter::AddResult(Op& op, const Type& type) {
  const ValueId id{static_cast<int32_t>(function_.values.size())};
  function_.values.push_back(
      {type, Name(), OpId{static_cast<int32_t>(&op - function_.ops.data())}});
  ++op.results.count;
  ValueId& any = any_value_[type.storage.value];
  if (!any.valid()) any = id;
  return id;
}

bool InPlaceEmitter::Makes(Place place) const {
  if (any_value_[place.storage.value].valid()) return false;
  const Type type = TypeAt(place);
  return BytesToHold(function_.LayoutOf(type), type.offset) ==
         function_.Get(place.storage).bytes;
}

bool InPlaceEmitter::MakesAll(Place place) const {
  return place.valid() && Makes(place) && TypeAt(place).offset == 0 &&
         IsRowMajor(function_.LayoutOf(TypeAt(place)));
}

// A storage that no op's result makes as a whole.
void InPlaceEmitter::Make(StorageId storage) {
  if (any_value_[storage.value].valid()) return;
  Op empty;
  empty.kind = OpKind::kEmpty;
  const int64_t bytes = function_.Get(storage).bytes;
  const LayoutId layout = function_.layouts.InternRowMajor(DType::kU8, {bytes});
  Op& op = Append(empty, {});
  Remember({storage, windows_.Intern(layout, 0)},
           AddResult(op, Type{layout, storage, 0}));
}

void InPlaceEmitter::Remember(Place place, ValueId value) {
  views_.try_emplace(place, value);
}

void InPlaceEmitter::AppendValue(const Op& op,
                                 absl::Span<const Operand> operands, Place to) {
  const bool makes = Makes(to);
  if (!makes) Make(to.storage);
  Op& value = Append(op, operands);
  const Type type = TypeAt(to);
  if (!makes) {
    value.target = static_cast<int32_t>(function_.targets.size());
    function_.targets.push_back(type);
  }
  Remember(to, AddResult(value, type));
}

void InPlaceEmitter::AppendUpdate(const Op& op,
                                  absl::Span<const Operand> operands) {
  Op& update = Append(op, operands);
  update.form = OpForm::kInPlace;
  function_.operands[update.operands.begin].access = Access::kMut;
}

void InPlaceEmitter::AppendCall(const Op& op,
                                absl::Span<const Operand> operands,
                                absl::Span<const Place> results) {
  Op& call = Append(op, operands);
  for (const Place& place : results) {
    Remember(place, AddResult(call, TypeAt(place)));
  }
}

void InPlaceEmitter::AppendCopy(const Op& source, Place from, Place to) {
  const Operand operand = Operand::Value(At(from));
  Op copy;
  copy.kind = OpKind::kClone;
  copy.sources = source.sources;
  copy.location = source.location;
  if (Makes(to)) {
    AppendValue(copy, {operand}, to);
    return;
  }
  copy.kind = OpKind::kCopy;
  AppendUpdate(copy, {Operand::Value(At(to)), operand});
}

void InPlaceEmitter::Return(ValueId value) {
  palimpsest::Return returned;
  returned.value = value;
  function_.returns.push_back(returned);
}

// Storages that nothing made have nothing in them.
void InPlaceEmitter::DropUnused() {
  std::vector<StorageId> kept(function_.storages.size());
  int32_t count = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    const bool is_callers =
        function_.storages[i].kind == StorageKind::kParameter;
    if (!is_callers && !any_value_[i].valid()) continue;
    kept[i] = {count};
    function_.storages[count++] = function_.storages[i];
  }
  function_.storages.resize(count);
  for (Value& value : function_.values) {
    value.type.storage = kept[value.type.storage.value];
  }
  for (Type& target : function_.targets) {
    target.storage = kept[target.storage.value];
  }
}

Function InPlaceEmitter::Finish() && {
  DropUnused();
  absl::flat_hash_set<Name> taken;
  for (const ValueId parameter : function_.parameters) {
    taken.insert(function_.Get(parameter).name);
  }
  for (const Storage& storage : function_.storages) {
    if (storage.kind == StorageKind::kParameter) taken.insert(storage.name);
  }
  std::vector<bool> named(function_.storages.size(), false);
  int32_t number = 0;
  for (Value& value : function_.values) {
    if (!value.definition.valid()) continue;
    do {
      ++number;
    } while (taken.contains(Name::Number(number)));
    value.name = Name::Number(number);
    Storage& storage = function_.storages[value.type.storage.value];
    if (storage.kind == StorageKind::kLocal &&
        !named[value.type.storage.value]) {
      storage.name = value.name;
      named[value.type.storage.value] = true;
    }
  }
  function_.blocks[0].ops = {0, static_cast<int32_t>(function_.ops.size())};
  return std::move(function_);
}

}  // namespace palimpsest
