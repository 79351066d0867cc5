// An op with its row and its function, as the inference rules look at it, and
// the rules by family. Private to ir/infer*.cc.

#ifndef PALIMPSEST_IR_OP_VIEW_H_
#define PALIMPSEST_IR_OP_VIEW_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/fault.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

struct OpView {
  const Function& function;
  const Op& op;
  const OpInfo& info;
  absl::Span<const Operand> operands;
  const absl::optional<Layout>& declared;

  int count() const { return static_cast<int>(operands.size()); }
  bool is_value(int i) const { return operands[i].is_value(); }
  // Precondition of these: operand `i` is a value.
  Layout layout(int i) const { return function.LayoutOf(operands[i].value()); }
  absl::Span<const int64_t> sizes(int i) const { return layout(i).sizes; }
  LayoutId layout_id(int i) const {
    return function.Get(operands[i].value()).type.layout;
  }
  int rank(int i) const { return function.layouts.RankOf(layout_id(i)); }
  DType dtype(int i) const { return function.layouts.DTypeOf(layout_id(i)); }

  int64_t dim() const { return function.IntegerOf(op, AttributeKey::kDim); }
  absl::Span<const int64_t> dims() const {
    return function.ListOf(op, AttributeKey::kDims);
  }

  // "%x, f32[2,3]": for messages.
  std::string Text(int i) const;
};

// The role of operand `i`; the row's list takes as many as there are.
inline OperandRole RoleOf(const OpView& view, int i) {
  const int list = view.info.list;
  if (list >= 0 && i > list) {
    const int after_list =
        view.count() - static_cast<int>(view.info.operands.size());
    i = std::max(i - after_list, list);
  }
  return view.info.operands[i].role;
}

inline void Assign(Dims& sizes, absl::Span<const int64_t> from) {
  sizes.assign(from.begin(), from.end());
}

// Rules for sizes, which come in empty. Roles, dtypes and attributes were
// checked.
absl::Status ElementwiseSizes(const OpView& view, Dims& sizes);
absl::Status ReduceSizes(const OpView& view, Dims& sizes);
absl::Status MatmulSizes(const OpView& view, Dims& sizes);
absl::Status CatSizes(const OpView& view, Dims& sizes);

absl::Status IndexSelectSizes(const OpView& view, Dims& sizes);
absl::Status GatherSizes(const OpView& view, Dims& sizes);
absl::Status IndexSizes(const OpView& view, Dims& sizes);
absl::Status CheckIndexCopy(const OpView& view);
absl::Status CheckIndexFill(const OpView& view);
absl::Status CheckIndexPut(const OpView& view);
absl::Status CheckScatter(const OpView& view);
absl::Status CheckMask(const OpView& view);

absl::Status CheckView(const OpView& view);
absl::Status CheckExtract(const OpView& view);
absl::Status CheckAssemble(const OpView& view);
absl::Status CheckContents(const OpView& view);
absl::Status CheckConstant(const OpView& view);

// Checks that operand `i` broadcasts to `sizes`.
absl::Status CheckBroadcastsTo(const OpView& view, int i,
                               absl::Span<const int64_t> sizes);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_OP_VIEW_H_
