// What statements make: names, types and storages of their results.

#include <cstdint>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/builder.h"
#include "ir/fault.h"
#include "ir/ids.h"
#include "ir/infer.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Where the storage of the type at `place` is named.
Place StorageOf(Place place) {
  if (place.part == Place::Part::kTarget) return place;
  return {Place::Part::kStorage, place.index};
}

bool SaysWhere(const TypeDraft& type) {
  return type.storage.valid() || type.offset != 0 || type.strides.has_value();
}

// Whether an operand of the op lies in the storage.
bool HasOperandIn(const Function& function, const Op& op, StorageId storage) {
  return absl::c_any_of(function.OperandsOf(op), [&](const Operand& operand) {
    return function.Get(operand.value()).type.storage == storage;
  });
}

}  // namespace

absl::Status FunctionBuilder::AddResult(const OpDraft& draft, Op& op) {
  const int results = op.in_place() ? 0 : 1;
  RETURN_IF_ERROR(CheckResultCounts(draft, results, results));
  LayoutId layout;
  absl::optional<Layout> declared;
  if (!draft.types.empty()) {
    ASSIGN_OR_RETURN(layout, InternLayout(draft.types[0], Place::Type(0)));
    declared = function_.layouts.Get(layout);
  }
  Shape shape;
  RETURN_IF_ERROR(InferShape(function_, op, declared, shape));
  if (op.in_place()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Name name, ResultName(draft, 0));
  if (!declared) {
    const TypeDraft inferred{shape.dtype, shape.sizes};
    ASSIGN_OR_RETURN(layout, InternLayout(inferred, {}));
  } else {
    RETURN_IF_ERROR(CheckShape(draft.types[0], shape, Place::Type(0)));
  }
  ASSIGN_OR_RETURN(const Type type, ResultType(draft, op, shape, layout, name));
  AddValue(name, type, OpId{static_cast<int32_t>(function_.ops.size())});
  return absl::OkStatus();
}

// Of a result without a target.
absl::StatusOr<Type> FunctionBuilder::PlainResultType(const OpDraft& draft,
                                                      LayoutId layout,
                                                      Name name) {
  static const auto& nowhere = *new TypeDraft;
  const TypeDraft& type = draft.types.empty() ? nowhere : draft.types[0];
  const Place place = Place::Type(0);
  if (function_.is_pure()) return PureType(type, layout, place);
  if (draft.kind != OpKind::kView) {
    return NewStorageType(type, layout, name, StorageKind::kLocal, place);
  }
  const StorageId storage =
      function_.Get(draft.operands[0].value()).type.storage;
  if (type.storage.valid() && FindStorage(type.storage) != storage) {
    return Fault(StorageOf(place),
                 absl::StrCat("a view lies in its operand's storage, ",
                              function_.TextOf(storage)));
  }
  return WindowType(layout, type.offset, storage, place);
}

absl::StatusOr<Type> FunctionBuilder::ResultType(const OpDraft& draft, Op& op,
                                                 const Shape& shape,
                                                 LayoutId layout, Name name) {
  if (op.target < 0) return PlainResultType(draft, layout, name);
  if (!draft.types.empty() && SaysWhere(draft.types[0])) {
    return Fault(Place::Type(0),
                 "the type after `into` says where the result lies; dtype and "
                 "sizes alone may stand here");
  }
  ASSIGN_OR_RETURN(function_.targets[op.target],
                   TargetType(*draft.target, shape));
  return function_.targets[op.target];
}

// A window of a storage that is there already.
absl::StatusOr<Type> FunctionBuilder::TargetType(const TypeDraft& target,
                                                 const Shape& shape) {
  const Place place{Place::Part::kTarget};
  RETURN_IF_ERROR(CheckShape(target, shape, place));
  ASSIGN_OR_RETURN(const StorageId storage, ExistingStorage(target, place));
  ASSIGN_OR_RETURN(const LayoutId layout, InternLayout(target, place));
  return WindowType(layout, target.offset, storage, place);
}

absl::Status FunctionBuilder::AddEpilogue(const OpDraft& draft, Op& op) {
  RETURN_IF_ERROR(CheckResultCounts(draft, 0, 0));
  const Place place{Place::Part::kTarget};
  const TypeDraft& target = *draft.target;
  Type& type = function_.targets[op.target];
  Shape shape;
  RETURN_IF_ERROR(InferShape(function_, op, absl::nullopt, shape));
  if (op.kind == OpKind::kBind) {
    if (!target.storage.valid()) {
      return Fault(place, "`bind` must name a new storage, `in @s`");
    }
    RETURN_IF_ERROR(CheckShape(target, shape, place));
    ASSIGN_OR_RETURN(const LayoutId layout, InternLayout(target, place));
    ASSIGN_OR_RETURN(type, NewStorageType(target, layout, Name{},
                                          StorageKind::kResult, place));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(type, TargetType(target, shape));
  if (function_.Get(type.storage).kind == StorageKind::kParameter) {
    return absl::OkStatus();
  }
  return Fault(place, absl::StrCat(function_.TextOf(type.storage),
                                   " is no parameter's; `commit` writes to "
                                   "storages of parameters"));
}

absl::Status FunctionBuilder::AddCall(const OpDraft& draft, Op& op) {
  const int updated = static_cast<int>(absl::c_count_if(
      draft.operands,
      [](const Operand& operand) { return operand.access == Access::kUpd; }));
  const int declared = static_cast<int>(draft.types.size());
  function_.calls.back().declared_results = declared;
  if (!function_.calls.back().name.valid()) {
    return Fault({}, "a call must have a name, `call \"name\"(..)`");
  }
  RETURN_IF_ERROR(CheckResultCounts(draft, declared + updated, declared));
  for (int i = 0; i < declared + updated; ++i) {
    RETURN_IF_ERROR(AddCallResult(draft, op, i));
  }
  return absl::OkStatus();
}

absl::Status FunctionBuilder::AddCallResult(const OpDraft& draft, const Op& op,
                                            int result) {
  const Place place = Place::Type(result);
  ASSIGN_OR_RETURN(const Name name, ResultName(draft, result));
  const OpId id{static_cast<int32_t>(function_.ops.size())};
  Type type;
  const int updated = UpdatedOperand(function_, op, result);
  if (updated >= 0) {
    const Layout like =
        function_.LayoutOf(function_.OperandsOf(op)[updated].value());
    type.layout = function_.layouts.InternRowMajor(like.dtype, like.sizes);
  } else {
    const TypeDraft& declared = draft.types[result];
    ASSIGN_OR_RETURN(const LayoutId layout, InternLayout(declared, place));
    ASSIGN_OR_RETURN(type, DeclaredCallType(op, declared, layout, name, place));
  }
  AddValue(name, type, id);
  return absl::OkStatus();
}

absl::StatusOr<Type> FunctionBuilder::DeclaredCallType(const Op& op,
                                                       const TypeDraft& type,
                                                       LayoutId layout,
                                                       Name name, Place place) {
  if (function_.is_pure()) return PureType(type, layout, place);
  const StorageId storage =
      type.storage.valid() ? FindStorage(type.storage) : StorageId{};
  if (storage.valid() && HasOperandIn(function_, op, storage)) {
    return WindowType(layout, type.offset, storage, place);
  }
  return NewStorageType(type, layout, name, StorageKind::kLocal, place);
}

// `wanted` results, the first `declarable` of which may have a type.
absl::Status FunctionBuilder::CheckResultCounts(const OpDraft& draft,
                                                int wanted,
                                                int declarable) const {
  const int names = static_cast<int>(draft.names.size());
  const int types = static_cast<int>(draft.types.size());
  if (names != 0 && names != wanted) {
    const absl::string_view advice =
        draft.form == OpForm::kInPlace
            ? "; its first operand holds what it writes"
        : draft.kind == OpKind::kCall
            ? "; a call says its results' types behind `:`"
            : "";
    return Fault({Place::Part::kResult, std::min(names - 1, wanted)},
                 absl::StrCat("the op gives ", wanted, " result",
                              wanted == 1 ? "" : "s", ", but ", names,
                              names == 1 ? " is" : " are", " named", advice));
  }
  if (types > declarable) {
    return Fault(Place::Type(declarable),
                 declarable == 0 ? "the op gives no result that a type could "
                                   "be of"
                                 : "the op gives one result; one type is "
                                   "wanted");
  }
  return absl::OkStatus();
}

absl::StatusOr<Name> FunctionBuilder::ResultName(const OpDraft& draft,
                                                 int result) {
  if (draft.names.empty()) return FreshName();
  const Name name = draft.names[result];
  if (!FindValue(name).valid()) return name;
  return Fault({Place::Part::kResult, result},
               absl::StrCat("%", function_.names.Text(name),
                            " is defined already; choose another name"));
}

Layout FunctionBuilder::ShapeOf(const TypeDraft& type) const {
  if (type.layout.valid()) return function_.layouts.Get(type.layout);
  return {type.dtype, type.sizes,
          type.strides ? absl::MakeConstSpan(*type.strides)
                       : absl::Span<const int64_t>()};
}

LayoutId FunctionBuilder::LayoutOf(const TypeDraft& type) {
  const absl::StatusOr<LayoutId> layout = InternLayout(type, {});
  return layout.ok() ? *layout : LayoutId{};
}

absl::StatusOr<LayoutId> FunctionBuilder::InternLayout(const TypeDraft& type,
                                                       Place place) {
  if (type.layout.valid()) return type.layout;
  const absl::Status fits = CheckSizes(type.dtype, type.sizes);
  if (!fits.ok()) return FaultAt(place, fits);
  if (!type.strides) {
    return function_.layouts.InternRowMajor(type.dtype, type.sizes);
  }
  if (type.strides->size() != type.sizes.size()) {
    return Fault(place,
                 absl::StrCat(TextOf(type.dtype, type.sizes), " has rank ",
                              type.sizes.size(), "; ", type.strides->size(),
                              " strides do not fit, one per dimension is "
                              "wanted"));
  }
  return function_.layouts.Intern(type.dtype, type.sizes, *type.strides);
}

absl::Status FunctionBuilder::CheckShape(const TypeDraft& type,
                                         const Shape& shape,
                                         Place place) const {
  const Layout declared = ShapeOf(type);
  if (declared.dtype == shape.dtype &&
      declared.sizes == absl::MakeConstSpan(shape.sizes)) {
    return absl::OkStatus();
  }
  return Fault(place,
               absl::StrCat("the op gives ", TextOf(shape.dtype, shape.sizes),
                            ", not ", TextOf(declared.dtype, declared.sizes)));
}

absl::StatusOr<StorageId> FunctionBuilder::ExistingStorage(
    const TypeDraft& type, Place place) const {
  if (!type.storage.valid()) {
    const Layout shape = ShapeOf(type);
    return Fault(place,
                 absl::StrCat("the storage is missing; write ",
                              TextOf(shape.dtype, shape.sizes), " in @s"));
  }
  const StorageId id = FindStorage(type.storage);
  if (id.valid()) return id;
  return Fault(StorageOf(place),
               absl::StrCat("there is no storage @",
                            function_.names.Text(type.storage), " yet"));
}

absl::optional<int64_t> FunctionBuilder::BytesOf(LayoutId layout,
                                                 int64_t offset) {
  const size_t index = static_cast<size_t>(layout.value);
  if (index >= extents_.size()) {
    extents_.resize(2 * index + 16, Extent{0, kUnknown});
  }
  Extent& extent = extents_[index];
  if (extent.count == kUnknown) {
    const absl::optional<Extent> found =
        ExtentOf(function_.layouts.Get(layout));
    if (!found) return absl::nullopt;
    extent = *found;
  }
  return BytesToHold(extent, function_.layouts.DTypeOf(layout), offset);
}

absl::StatusOr<Type> FunctionBuilder::WindowType(LayoutId layout,
                                                 int64_t offset,
                                                 StorageId storage,
                                                 Place place) {
  const absl::optional<int64_t> bytes = BytesOf(layout, offset);
  if (bytes && *bytes <= function_.Get(storage).bytes) {
    return Type{layout, storage, offset};
  }
  return Fault(
      place,
      absl::StrCat("the window lies outside ", function_.TextOf(storage),
                   ", which has ", function_.Get(storage).bytes, " bytes",
                   bytes ? absl::StrCat("; it needs ", *bytes) : ""));
}

absl::StatusOr<Type> FunctionBuilder::NewStorageType(const TypeDraft& type,
                                                     LayoutId layout, Name name,
                                                     StorageKind kind,
                                                     Place place) {
  const absl::optional<int64_t> bytes = BytesOf(layout, type.offset);
  if (!bytes) {
    return Fault(
        place, "the window begins before its storage, or ends past 2^63 bytes");
  }
  const absl::StatusOr<StorageId> storage =
      AddStorage(type.storage.valid() ? type.storage : name, kind, *bytes);
  if (!storage.ok()) return FaultAt(StorageOf(place), storage.status());
  return Type{layout, *storage, type.offset};
}

absl::StatusOr<Type> FunctionBuilder::PureType(const TypeDraft& type,
                                               LayoutId layout,
                                               Place place) const {
  if (!SaysWhere(type)) return Type{layout, StorageId{}, 0};
  return Fault(type.storage.valid() ? StorageOf(place) : place,
               "results of a pure func are values, without `in`, `offset` or "
               "`strides`");
}

absl::StatusOr<StorageId> FunctionBuilder::AddStorage(Name name,
                                                      StorageKind kind,
                                                      int64_t bytes) {
  if (FindStorage(name).valid()) {
    return Fault({}, absl::StrCat("storage @", function_.names.Text(name),
                                  " exists already; name the new one with `in "
                                  "@other`"));
  }
  const StorageId id{static_cast<int32_t>(function_.storages.size())};
  Storage storage;
  storage.name = name;
  storage.kind = kind;
  storage.bytes = bytes;
  function_.storages.push_back(storage);
  storages_.Set(name, id);
  return id;
}

ValueId FunctionBuilder::AddValue(Name name, const Type& type,
                                  OpId definition) {
  const ValueId id{static_cast<int32_t>(function_.values.size())};
  function_.values.push_back({type, name, definition});
  values_.Set(name, id);
  return id;
}

}  // namespace palimpsest
