// Rules for the sizes of elementwise ops, reductions, products and `cat`.

#include <algorithm>
#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/fault.h"
#include "ir/op.h"
#include "ir/op_view.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Widens `sizes` so that `other` broadcasts to it too, as numpy does. Whether
// there is such a widening.
bool BroadcastWith(Dims& sizes, absl::Span<const int64_t> other) {
  if (other.size() > sizes.size()) {
    sizes.insert(sizes.begin(), other.size() - sizes.size(), 1);
  }
  const size_t skipped = sizes.size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    int64_t& size = sizes[skipped + i];
    if (size == 1) {
      size = other[i];
    } else if (other[i] != 1 && other[i] != size) {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::Status CheckBroadcastsTo(const OpView& view, int i,
                               absl::Span<const int64_t> sizes) {
  if (!view.is_value(i)) return absl::OkStatus();
  const absl::Span<const int64_t> from = view.sizes(i);
  bool fits = from.size() <= sizes.size();
  for (size_t k = 0; fits && k < from.size(); ++k) {
    const int64_t to = sizes[sizes.size() - from.size() + k];
    fits = from[k] == 1 || from[k] == to;
  }
  if (fits) return absl::OkStatus();
  return Fault(
      Place::Operand(i),
      absl::StrCat(view.Text(i), ", does not broadcast to ", TextOf(sizes),
                   from.size() > sizes.size()
                       ? ", which has fewer dimensions"
                       : "; sizes, from the last, must be equal or 1"));
}

absl::Status ElementwiseSizes(const OpView& view, Dims& sizes) {
  if (view.op.in_place()) {
    const absl::Span<const int64_t> destination = view.sizes(0);
    for (int i = 1; i < view.count(); ++i) {
      RETURN_IF_ERROR(CheckBroadcastsTo(view, i, destination));
    }
    Assign(sizes, destination);
    return absl::OkStatus();
  }
  for (int i = 0; i < view.count(); ++i) {
    if (!view.is_value(i) || view.sizes(i) == sizes) continue;
    const Dims before = sizes;
    if (!BroadcastWith(sizes, view.sizes(i))) {
      return Fault(Place::Operand(i),
                   absl::StrCat(view.Text(i), ", does not broadcast with ",
                                TextOf(before),
                                "; sizes, from the last, must be equal or 1"));
    }
  }
  return absl::OkStatus();
}

absl::Status ReduceSizes(const OpView& view, Dims& sizes) {
  const absl::Span<const int64_t> from = view.sizes(0);
  const bool keep_dims =
      view.function.IntegerOf(view.op, AttributeKey::kKeepDim) != 0;
  const bool has_identity =
      view.op.kind != OpKind::kAmax && view.op.kind != OpKind::kAmin;
  for (int64_t i = 0; i < static_cast<int64_t>(from.size()); ++i) {
    if (!absl::c_linear_search(view.dims(), i)) {
      sizes.push_back(from[i]);
      continue;
    }
    if (from[i] == 0 && !has_identity) {
      return Fault(Place::Attribute(AttributeKey::kDims),
                   absl::StrCat("dimension ", i, " of ", view.Text(0),
                                ", has no elements, and ", view.info.text,
                                " of none has no value"));
    }
    if (keep_dims) sizes.push_back(1);
  }
  return absl::OkStatus();
}

absl::Status MatmulSizes(const OpView& view, Dims& sizes) {
  const absl::Span<const int64_t> x = view.sizes(0);
  const absl::Span<const int64_t> y = view.sizes(1);
  if (x.size() != 2 && x.size() != 3) {
    return Fault(
        Place::Operand(0),
        absl::StrCat(view.Text(0), ", must have rank 2, or 3 for a batch"));
  }
  const size_t last = x.size() - 1;
  if (y.size() != x.size() || y[last - 1] != x[last] ||
      (last == 2 && y[0] != x[0])) {
    return Fault(
        Place::Operand(1),
        absl::StrCat(view.Text(1), ", does not fit ", view.Text(0),
                     "; it takes ",
                     last == 2 ? absl::StrCat("[", x[0], ",", x[last], ",n]")
                               : absl::StrCat("[", x[last], ",n]")));
  }
  Assign(sizes, x);
  sizes[last] = y[last];
  return absl::OkStatus();
}

absl::Status CatSizes(const OpView& view, Dims& sizes) {
  const absl::Span<const int64_t> first = view.sizes(0);
  if (first.empty()) {
    return Fault(Place::Operand(0),
                 absl::StrCat(view.Text(0),
                              ", has no dimension to join along; "
                              "its rank must be 1 or more"));
  }
  Assign(sizes, first);
  const int64_t dim = view.dim();
  for (int i = 1; i < view.count(); ++i) {
    const absl::Span<const int64_t> other = view.sizes(i);
    bool fits = other.size() == sizes.size();
    for (size_t k = 0; fits && k < other.size(); ++k) {
      fits = static_cast<int64_t>(k) == dim || other[k] == sizes[k];
    }
    if (!fits) {
      return Fault(Place::Operand(i),
                   absl::StrCat(view.Text(i), ", differs from ", view.Text(0),
                                ", in more than dimension ", dim));
    }
    if (__builtin_add_overflow(sizes[dim], other[dim], &sizes[dim])) {
      return Fault(Place::Operand(i), "the sizes add up to more than 2^63");
    }
  }
  return absl::OkStatus();
}

}  // namespace palimpsest
