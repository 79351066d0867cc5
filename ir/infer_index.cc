// Rules for the ops that read or update by index. Rank 0 counts as one
// dimension of size 1, for data and for index, as in torch. Whether the indices
// themselves are in range only a run can tell.

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/fault.h"
#include "ir/op.h"
#include "ir/op_view.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

int64_t SizeAt(absl::Span<const int64_t> sizes, int64_t dim) {
  return sizes.empty() ? 1 : sizes[dim];
}

// The sizes but for `dim`.
Dims Without(absl::Span<const int64_t> sizes, int64_t dim) {
  Dims rest(sizes.begin(), sizes.end());
  if (!rest.empty()) rest.erase(rest.begin() + dim);
  return rest;
}

absl::Status CheckIndexVector(const OpView& view, int i) {
  if (view.rank(i) <= 1) return absl::OkStatus();
  return Fault(Place::Operand(i),
               absl::StrCat(view.Text(i), ", must have rank 1, or 0"));
}

// gather and scatter: the ranks are equal, 0 taken for 1.
absl::Status CheckSameRank(const OpView& view, int i) {
  if (std::max(view.rank(i), 1) == std::max(view.rank(0), 1)) {
    return absl::OkStatus();
  }
  return Fault(
      Place::Operand(i),
      absl::StrCat(view.Text(i), ", must have the rank of ", view.Text(0)));
}

// The index may not be larger than operand `i`, but for `skipped`; an index
// without elements may.
absl::Status CheckIndexWithin(const OpView& view, int i, int64_t skipped) {
  const absl::Span<const int64_t> index = view.sizes(1);
  if (ElementCount(index) == 0) return absl::OkStatus();
  const int64_t rank = std::max<int64_t>(view.rank(i), 1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == skipped || SizeAt(index, dim) <= SizeAt(view.sizes(i), dim)) {
      continue;
    }
    return Fault(Place::Operand(1),
                 absl::StrCat(view.Text(1), ", is larger than ", view.Text(i),
                              ", in dimension ", dim));
  }
  return absl::OkStatus();
}

struct IndexList {
  int begin;  // Operands [begin, end) are the list.
  int end;
};

IndexList ListOf(const OpView& view) {
  return {1, view.op.kind == OpKind::kIndex ? view.count() : view.count() - 1};
}

// What the index tensors of the list broadcast to.
absl::StatusOr<Dims> BroadcastIndices(const OpView& view, IndexList list) {
  Dims sizes;
  int last = -1;
  for (int i = list.begin; i < list.end; ++i) {
    if (!view.is_value(i)) continue;
    const absl::Span<const int64_t> index = view.sizes(i);
    if (index.size() > sizes.size()) {
      sizes.insert(sizes.begin(), index.size() - sizes.size(), 1);
    }
    for (size_t k = 0; k < index.size(); ++k) {
      int64_t& size = sizes[sizes.size() - index.size() + k];
      if (index[k] != 1 && size != 1 && index[k] != size) {
        return Fault(Place::Operand(i),
                     absl::StrCat(view.Text(i), ", does not broadcast with ",
                                  view.Text(last), ", an index before it"));
      }
      if (size == 1) size = index[k];
    }
    last = i;
  }
  if (last >= 0) return sizes;
  return Fault({}, absl::StrCat(view.function.TextOf(view.op),
                                " needs at least one index tensor"));
}

// numpy's rule: the dimensions that are indexed become those that the indices
// broadcast to, in the place of the first; in front where `none` parts them.
absl::Status AdvancedIndexSizes(const OpView& view, Dims& sizes) {
  const IndexList list = ListOf(view);
  const absl::Span<const int64_t> x = view.sizes(0);
  if (list.end - list.begin > static_cast<int>(x.size())) {
    return Fault(
        Place::Operand(list.begin + static_cast<int>(x.size())),
        absl::StrCat(list.end - list.begin, " indices are too many for ",
                     view.Text(0), "; one per dimension"));
  }
  ASSIGN_OR_RETURN(const Dims indexed, BroadcastIndices(view, list));
  int front = -1;  // Where the indexed dimensions go.
  int last = -1;   // The last indexed dimension.
  bool parted = false;
  for (int dim = 0; dim < static_cast<int>(x.size()); ++dim) {
    const int i = list.begin + dim;
    if (i >= list.end || !view.is_value(i)) {
      sizes.push_back(x[dim]);
      continue;
    }
    if (front < 0) front = dim;
    parted |= last >= 0 && last != dim - 1;
    last = dim;
  }
  if (parted) front = 0;
  sizes.insert(sizes.begin() + front, indexed.begin(), indexed.end());
  return absl::OkStatus();
}

}  // namespace

absl::Status IndexSelectSizes(const OpView& view, Dims& sizes) {
  RETURN_IF_ERROR(CheckIndexVector(view, 1));
  const absl::Span<const int64_t> x = view.sizes(0);
  const int64_t count = SizeAt(view.sizes(1), 0);
  Assign(sizes, x);
  if (!sizes.empty()) {
    sizes[view.dim()] = count;
  } else if (count != 1) {
    return Fault(Place::Operand(1),
                 absl::StrCat(view.Text(1), ", must have one element, since ",
                              view.Text(0), ", has one"));
  }
  return absl::OkStatus();
}

absl::Status GatherSizes(const OpView& view, Dims& sizes) {
  RETURN_IF_ERROR(CheckSameRank(view, 1));
  RETURN_IF_ERROR(CheckIndexWithin(view, 0, view.dim()));
  const absl::Span<const int64_t> index = view.sizes(1);
  Assign(sizes, index);
  return absl::OkStatus();
}

absl::Status IndexSizes(const OpView& view, Dims& sizes) {
  return AdvancedIndexSizes(view, sizes);
}

absl::Status CheckIndexCopy(const OpView& view) {
  RETURN_IF_ERROR(CheckIndexVector(view, 1));
  const absl::Span<const int64_t> x = view.sizes(0);
  const absl::Span<const int64_t> source = view.sizes(2);
  const bool ranks_fit =
      source.size() == x.size() || source.empty() || x.empty();
  if (!ranks_fit || Without(source, view.dim()) != Without(x, view.dim())) {
    return Fault(
        Place::Operand(2),
        absl::StrCat(view.Text(2), ", must have the sizes of ", view.Text(0),
                     ", but for dimension ", view.dim()));
  }
  const int64_t count = SizeAt(view.sizes(1), 0);
  if (SizeAt(source, view.dim()) == count) return absl::OkStatus();
  return Fault(
      Place::Operand(2),
      absl::StrCat(view.Text(2), ", must have size ", count, " in dimension ",
                   view.dim(), ", one for each of ", view.Text(1)));
}

absl::Status CheckIndexFill(const OpView& view) {
  return CheckIndexVector(view, 1);
}

absl::Status CheckIndexPut(const OpView& view) {
  Dims sizes;
  RETURN_IF_ERROR(AdvancedIndexSizes(view, sizes));
  return CheckBroadcastsTo(view, view.count() - 1, sizes);
}

absl::Status CheckScatter(const OpView& view) {
  RETURN_IF_ERROR(CheckSameRank(view, 1));
  RETURN_IF_ERROR(CheckIndexWithin(view, 0, view.dim()));
  if (!view.is_value(2)) return absl::OkStatus();
  RETURN_IF_ERROR(CheckSameRank(view, 2));
  return CheckIndexWithin(view, 2, -1);
}

absl::Status CheckMask(const OpView& view) {
  return CheckBroadcastsTo(view, 1, view.sizes(0));
}

}  // namespace palimpsest
