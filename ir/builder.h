// FunctionBuilder: makes well-formed functions, statement by statement.
//
//   FunctionBuilder b("f", FunctionKind::kInPlace);
//   ASSIGN_OR_RETURN(ValueId x, b.AddParameter("x", {DType::kF32, {4, 2}}));
//   ASSIGN_OR_RETURN(ValueId row, b.Select(x, /*dim=*/0, /*index=*/1));
//   RETURN_IF_ERROR(b.InPlace(OpKind::kAdd, {row, Literal::Float(1.0)}));
//   RETURN_IF_ERROR(b.Return(row));
//   ASSIGN_OR_RETURN(Function f, std::move(b).Finish());
//
// The parser makes functions through Append() too, so text and embedder are
// held to the same checks. Every error is a Fault (fault.h): it names the part
// that is wrong, and the builder is as it was before the call.

#ifndef PALIMPSEST_IR_BUILDER_H_
#define PALIMPSEST_IR_BUILDER_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/fault.h"
#include "ir/ids.h"
#include "ir/infer.h"
#include "ir/name_map.h"
#include "ir/op.h"
#include "ir/op_memo.h"
#include "ir/program.h"
#include "ir/type.h"
#include "ir/view_sugar.h"

namespace palimpsest {

// A type as written: what is left out follows from where it stands.
struct TypeDraft {
  DType dtype = DType::kF32;
  Dims sizes = {};
  Name storage = {};  // `in @s`.
  int64_t offset = 0;
  absl::optional<Dims> strides = {};  // Row-major where left out.
  // The layout, where the draft's maker knows it. Dtype and sizes are not
  // looked at then, and of strides only whether they are written.
  LayoutId layout = {};
};

// `at [offset N] [strides [..]]`.
struct WindowDraft {
  int64_t offset = 0;
  absl::optional<Dims> strides = {};
};

// An attribute as written: dimensions may count from behind.
struct AttributeDraft {
  AttributeKey key;
  Dims integers;    // One of them for an integer or a boolean.
  Literal literal;  // Of a kLiteral.

  static AttributeDraft Dim(int64_t dim) {
    return {AttributeKey::kDim, {dim}, {}};
  }
  static AttributeDraft DimList(Dims dims) {
    return {AttributeKey::kDims, std::move(dims), {}};
  }
  static AttributeDraft KeepDim() { return {AttributeKey::kKeepDim, {1}, {}}; }
  static AttributeDraft Accumulate() {
    return {AttributeKey::kAccumulate, {1}, {}};
  }
  static AttributeDraft Start(Literal literal) {
    return {AttributeKey::kStart, {}, literal};
  }
  static AttributeDraft Step(Literal literal) {
    return {AttributeKey::kStep, {}, literal};
  }
};

// A statement as written. May be used again after Clear(), which keeps memory.
struct OpDraft {
  OpKind kind = OpKind::kEmpty;
  OpForm form = OpForm::kValue;
  std::vector<Operand> operands;  // Lists flattened. They refer to:
  std::vector<Literal> literals;
  std::vector<WindowDraft> windows;
  absl::InlinedVector<AttributeDraft, 2> attributes;
  absl::InlinedVector<TypeDraft, 1> types;  // Declared; none: inferred.
  absl::InlinedVector<Name, 1> names;       // Of the results; none: fresh ones.
  absl::optional<TypeDraft> target;         // `into`, `to`.
  absl::optional<Call> call;                // All but `declared_results`.
  absl::optional<int64_t> tag;
  absl::InlinedVector<OpId, 1> sources;
  SourceLocation location;

  void Clear();
  void AddValue(ValueId id, Access access = Access::kRead);
  void AddLiteral(const Literal& literal);
  void AddNone();
  void AddStorage(StorageId id);
  void AddWindow(ValueId id, WindowDraft window);  // `%id at ..`
};

// An operand of the shorthands below: a value, a literal, or Argument::None().
class Argument {
 public:
  Argument(ValueId id) : id_(id) {}                        // NOLINT: `{x, y}`.
  Argument(const Literal& literal) : literal_(literal) {}  // NOLINT
  static Argument None() { return Argument(ValueId{}); }

  void AppendTo(OpDraft& draft) const;

 private:
  ValueId id_;
  absl::optional<Literal> literal_;
};
using Arguments = std::initializer_list<Argument>;
using Attributes = std::initializer_list<AttributeDraft>;

class FunctionBuilder {
 public:
  FunctionBuilder(absl::string_view name, FunctionKind kind,
                  SourceLocation location = {});

  const Function& function() const { return function_; }

  // Names, without sigil. Values (%) and storages (@) are named apart.
  Name Intern(absl::string_view text) { return function_.names.Intern(text); }
  Name FreshName();  // A number that is no value's and no storage's.
  ValueId FindValue(Name name) const { return values_.Find(name); }
  StorageId FindStorage(Name name) const { return storages_.Find(name); }

  // The dtype, sizes and strides of a draft; strides are empty where left out
  // and the layout is not known. Valid as long as `type` is.
  Layout ShapeOf(const TypeDraft& type) const;
  // The layout of such a type; invalid where the type is refused.
  LayoutId LayoutOf(const TypeDraft& type);

  // First the parameters, then storages and buffers, then statements.
  absl::StatusOr<ValueId> AddParameter(Name name, const TypeDraft& type);
  absl::StatusOr<ValueId> AddParameter(absl::string_view name,
                                       const TypeDraft& type) {
    return AddParameter(Intern(name), type);
  }
  // The size of a parameter's storage; otherwise the smallest that does.
  absl::Status DeclareStorage(Name name, int64_t bytes);
  absl::StatusOr<StorageId> AddBuffer(Name name, int64_t bytes);

  // Makes room: what is to come until the function's end is likely `times` as
  // much as what came since the last call. Precondition: `times` is not
  // negative.
  void Expect(double times);

  absl::StatusOr<OpId> Append(const OpDraft& draft);
  // The same statement once more, with its tag. Precondition: the op is one in
  // place, and no call.
  OpId AppendAgain(OpId id, SourceLocation location);
  absl::Status Return(ValueId value);
  absl::Status ReturnWindow(const TypeDraft& window);  // In a pure function.

  // Shorthands for Append(). Results have fresh names.
  absl::StatusOr<ValueId> Make(OpKind kind, Arguments arguments,
                               Attributes attributes = {},
                               absl::optional<TypeDraft> type = absl::nullopt);
  absl::Status InPlace(OpKind kind, Arguments arguments,
                       Attributes attributes = {});
  // The operands with their access, the types of new results; attributes as
  // text.
  absl::StatusOr<OpId> CallOp(
      absl::string_view name,
      absl::Span<const std::pair<ValueId, Access>> operands,
      absl::Span<const TypeDraft> types = {},
      absl::Span<const std::pair<std::string, std::string>> attributes = {});
  absl::StatusOr<ValueId> Extract(ValueId x, const WindowDraft& window,
                                  const TypeDraft& type);
  absl::Status Commit(ValueId x, const TypeDraft& to);
  absl::Status Bind(ValueId x, const TypeDraft& to);

  // Views. The window of a value (of no dimension where there is no such value:
  // View() refuses that), and what torch's op of the name makes of it.
  StridedWindow WindowOf(ValueId x) const;
  absl::StatusOr<ValueId> View(const absl::StatusOr<StridedWindow>& window,
                               ValueId x);
  absl::StatusOr<ValueId> Slice(ValueId x, int64_t dim, int64_t start,
                                int64_t end, int64_t step = 1);
  absl::StatusOr<ValueId> Select(ValueId x, int64_t dim, int64_t index);
  absl::StatusOr<ValueId> Permute(ValueId x, absl::Span<const int64_t> dims);
  absl::StatusOr<ValueId> Transpose(ValueId x, int64_t dim0, int64_t dim1);
  absl::StatusOr<ValueId> Reshape(ValueId x, absl::Span<const int64_t> sizes);
  absl::StatusOr<ValueId> Expand(ValueId x, absl::Span<const int64_t> sizes);
  absl::StatusOr<ValueId> Diagonal(ValueId x, int64_t offset, int64_t dim1,
                                   int64_t dim2);
  absl::StatusOr<ValueId> Unfold(ValueId x, int64_t dim, int64_t size,
                                 int64_t step);
  absl::StatusOr<ValueId> Squeeze(ValueId x);
  absl::StatusOr<ValueId> Squeeze(ValueId x, absl::Span<const int64_t> dims);
  absl::StatusOr<ValueId> Unsqueeze(ValueId x, int64_t dim);
  absl::StatusOr<ValueId> FlipView(ValueId x, absl::Span<const int64_t> dims);
  absl::StatusOr<ValueId> Bitcast(ValueId x, DType dtype);
  absl::StatusOr<ValueId> Real(ValueId x);
  absl::StatusOr<ValueId> Imag(ValueId x);

  // The function, verified (verifier.h).
  absl::StatusOr<Function> Finish() &&;
  // The same without a second look: what Append() lets pass verifies, but for
  // names that are no words.
  Function FinishUnverified() &&;

 private:
  // How long the arrays of a Function are, to undo a statement that fails.
  struct Mark {
    size_t values, storages, ops, operands, attributes, integers, literals,
        windows, targets, calls, sources;
  };
  Mark MarkNow() const;
  void RollBackTo(const Mark& mark);

  // Append() for a draft that passes the checks as an op of its key did, which
  // leaves the name and the place of its result.
  bool LiteralsFit(const OpDraft& draft, DType dtype) const;
  absl::StatusOr<OpId> AppendLike(const Op& model, const OpDraft& draft);
  void CopyAttributes(Op& op);
  void CopyOperands(const OpDraft& draft, Op& op);
  void AddSources(const OpDraft& draft, Op& op);

  // Parts of Append() for any draft, in order.
  absl::StatusOr<OpId> AppendOrRollBack(const OpDraft& draft);
  absl::StatusOr<OpId> AppendChecked(const OpDraft& draft);
  absl::Status AddOperands(const OpDraft& draft, Op& op);
  absl::Status CheckOperand(const OpDraft& draft, int i) const;
  absl::Status AddWindows(const OpDraft& draft, Op& op);
  absl::Status AddAttributes(const OpDraft& draft, Op& op);
  absl::Status AddAttribute(const OpDraft& draft, const Op& op,
                            AttributeKey key);
  absl::Status AddIntegers(const Op& op, const AttributeDraft& attribute);
  absl::Status AddCall(const OpDraft& draft, Op& op);
  absl::Status AddCallResult(const OpDraft& draft, const Op& op, int result);
  absl::Status AddEpilogue(const OpDraft& draft, Op& op);
  absl::Status AddResult(const OpDraft& draft, Op& op);

  // Parts of those. Errors are about the type at `place`.
  absl::Status CheckResultCounts(const OpDraft& draft, int wanted,
                                 int declarable) const;
  absl::StatusOr<Name> ResultName(const OpDraft& draft, int result);
  // What BytesToHold() says.
  absl::optional<int64_t> BytesOf(LayoutId layout, int64_t offset);
  absl::StatusOr<LayoutId> InternLayout(const TypeDraft& type, Place place);
  absl::Status CheckShape(const TypeDraft& type, const Shape& shape,
                          Place place) const;
  absl::StatusOr<StorageId> ExistingStorage(const TypeDraft& type,
                                            Place place) const;
  absl::StatusOr<Type> WindowType(LayoutId layout, int64_t offset,
                                  StorageId storage, Place place);
  absl::StatusOr<Type> NewStorageType(const TypeDraft& type, LayoutId layout,
                                      Name name, StorageKind kind, Place place);
  absl::StatusOr<Type> PureType(const TypeDraft& type, LayoutId layout,
                                Place place) const;
  absl::StatusOr<Type> TargetType(const TypeDraft& target, const Shape& shape);
  absl::StatusOr<Type> PlainResultType(const OpDraft& draft, LayoutId layout,
                                       Name name);
  absl::StatusOr<Type> ResultType(const OpDraft& draft, Op& op,
                                  const Shape& shape, LayoutId layout,
                                  Name name);
  absl::StatusOr<Type> DeclaredCallType(const Op& op, const TypeDraft& type,
                                        LayoutId layout, Name name,
                                        Place place);
  absl::StatusOr<StorageId> AddStorage(Name name, StorageKind kind,
                                       int64_t bytes);
  ValueId AddValue(Name name, const Type& type, OpId definition);

  Function function_;
  NameMap<ValueId> values_;
  NameMap<StorageId> storages_;
  OpMemo memo_;
  // By LayoutId: kUnknown counts where it has not been asked for.
  static constexpr int64_t kUnknown = -1;
  std::vector<Extent> extents_;
  // How long the long arrays were at the last call of Expect().
  std::vector<size_t> lengths_;
  int32_t next_name_ = 0;
  bool in_epilogue_ = false;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_BUILDER_H_
