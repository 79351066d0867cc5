// FunctionBuilder's shorthands: each is one Append() of a draft.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/builder.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/view_sugar.h"

namespace palimpsest {

void Argument::AppendTo(OpDraft& draft) const {
  if (literal_) {
    draft.AddLiteral(*literal_);
  } else if (id_.valid()) {
    draft.AddValue(id_);
  } else {
    draft.AddNone();
  }
}

absl::StatusOr<ValueId> FunctionBuilder::Make(OpKind kind, Arguments arguments,
                                              Attributes attributes,
                                              absl::optional<TypeDraft> type) {
  OpDraft draft;
  draft.kind = kind;
  for (const Argument& argument : arguments) argument.AppendTo(draft);
  draft.attributes.assign(attributes.begin(), attributes.end());
  if (type) draft.types.push_back(*std::move(type));
  ASSIGN_OR_RETURN(const OpId op, Append(draft));
  return function_.Result(function_.Get(op));
}

absl::Status FunctionBuilder::InPlace(OpKind kind, Arguments arguments,
                                      Attributes attributes) {
  OpDraft draft;
  draft.kind = kind;
  draft.form = OpForm::kInPlace;
  for (const Argument& argument : arguments) argument.AppendTo(draft);
  draft.attributes.assign(attributes.begin(), attributes.end());
  return Append(draft).status();
}

absl::StatusOr<OpId> FunctionBuilder::CallOp(
    absl::string_view name,
    absl::Span<const std::pair<ValueId, Access>> operands,
    absl::Span<const TypeDraft> types,
    absl::Span<const std::pair<std::string, std::string>> attributes) {
  OpDraft draft;
  draft.kind = OpKind::kCall;
  for (const auto& [value, access] : operands) draft.AddValue(value, access);
  draft.types.assign(types.begin(), types.end());
  draft.call.emplace();
  draft.call->name = Intern(name);
  for (const auto& [key, value] : attributes) {
    draft.call->attributes.push_back({Intern(key), value});
  }
  return Append(draft);
}

absl::StatusOr<ValueId> FunctionBuilder::Extract(ValueId x,
                                                 const WindowDraft& window,
                                                 const TypeDraft& type) {
  OpDraft draft;
  draft.kind = OpKind::kExtract;
  draft.AddWindow(x, window);
  draft.types.push_back(type);
  ASSIGN_OR_RETURN(const OpId op, Append(draft));
  return function_.Result(function_.Get(op));
}

absl::Status FunctionBuilder::Commit(ValueId x, const TypeDraft& to) {
  OpDraft draft;
  draft.kind = OpKind::kCommit;
  draft.AddValue(x);
  draft.target = to;
  return Append(draft).status();
}

absl::Status FunctionBuilder::Bind(ValueId x, const TypeDraft& to) {
  OpDraft draft;
  draft.kind = OpKind::kBind;
  draft.AddValue(x);
  draft.target = to;
  return Append(draft).status();
}

StridedWindow FunctionBuilder::WindowOf(ValueId x) const {
  if (x.value < 0 || x.value >= static_cast<int>(function_.values.size())) {
    return {};
  }
  const Layout layout = function_.LayoutOf(x);
  return {layout.dtype, Dims(layout.sizes.begin(), layout.sizes.end()),
          Dims(layout.strides.begin(), layout.strides.end()),
          function_.Get(x).type.offset};
}

absl::StatusOr<ValueId> FunctionBuilder::View(
    const absl::StatusOr<StridedWindow>& window, ValueId x) {
  if (!window.ok()) return window.status();
  TypeDraft type{window->dtype, window->sizes, Name{}, window->offset,
                 window->strides};
  return Make(OpKind::kView, {x}, {}, std::move(type));
}

absl::StatusOr<ValueId> FunctionBuilder::Slice(ValueId x, int64_t dim,
                                               int64_t start, int64_t end,
                                               int64_t step) {
  return View(SliceOf(WindowOf(x), dim, start, end, step), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Select(ValueId x, int64_t dim,
                                                int64_t index) {
  return View(SelectOf(WindowOf(x), dim, index), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Permute(
    ValueId x, absl::Span<const int64_t> dims) {
  return View(PermuteOf(WindowOf(x), dims), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Transpose(ValueId x, int64_t dim0,
                                                   int64_t dim1) {
  return View(TransposeOf(WindowOf(x), dim0, dim1), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Reshape(
    ValueId x, absl::Span<const int64_t> sizes) {
  return View(ReshapeOf(WindowOf(x), sizes), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Expand(
    ValueId x, absl::Span<const int64_t> sizes) {
  return View(ExpandOf(WindowOf(x), sizes), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Diagonal(ValueId x, int64_t offset,
                                                  int64_t dim1, int64_t dim2) {
  return View(DiagonalOf(WindowOf(x), offset, dim1, dim2), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Unfold(ValueId x, int64_t dim,
                                                int64_t size, int64_t step) {
  return View(UnfoldOf(WindowOf(x), dim, size, step), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Squeeze(ValueId x) {
  return View(SqueezeOf(WindowOf(x), absl::nullopt), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Squeeze(
    ValueId x, absl::Span<const int64_t> dims) {
  return View(SqueezeOf(WindowOf(x), dims), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Unsqueeze(ValueId x, int64_t dim) {
  return View(UnsqueezeOf(WindowOf(x), dim), x);
}

absl::StatusOr<ValueId> FunctionBuilder::FlipView(
    ValueId x, absl::Span<const int64_t> dims) {
  return View(FlipViewOf(WindowOf(x), dims), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Bitcast(ValueId x, DType dtype) {
  return View(BitcastOf(WindowOf(x), dtype), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Real(ValueId x) {
  return View(RealOf(WindowOf(x)), x);
}

absl::StatusOr<ValueId> FunctionBuilder::Imag(ValueId x) {
  return View(ImagOf(WindowOf(x)), x);
}

}  // namespace palimpsest
