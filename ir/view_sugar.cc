#include "ir/view_sugar.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/view_sugar_arithmetic.h"

namespace palimpsest {
namespace {

absl::StatusOr<int64_t> DimOf(const StridedWindow& x, int64_t dim) {
  if (x.sizes.empty()) {
    return SugarError(TextOf(x), " has no dimension ", dim, "; its rank is 0");
  }
  return CanonicalDim(dim, RankOf(x));
}

}  // namespace

absl::StatusOr<int64_t> CanonicalDim(int64_t dim, int64_t rank) {
  const int64_t count = std::max<int64_t>(rank, 1);
  if (dim >= -count && dim < count) return dim < 0 ? dim + count : dim;
  return SugarError("dimension ", dim, " is out of range for rank ", rank,
                    "; it must be ", -count, " to ", count - 1);
}

absl::StatusOr<Dims> CanonicalDims(absl::Span<const int64_t> dims,
                                   int64_t rank) {
  Dims result;
  for (int64_t dim : dims) {
    ASSIGN_OR_RETURN(const int64_t canonical, CanonicalDim(dim, rank));
    result.push_back(canonical);
  }
  absl::c_sort(result);
  const auto twice = absl::c_adjacent_find(result);
  if (twice != result.end()) {
    return SugarError("dimension ", *twice, " stands there twice");
  }
  if (rank == 0) result.clear();
  return result;
}

absl::StatusOr<StridedWindow> SliceOf(const StridedWindow& x, int64_t dim,
                                      int64_t start, int64_t end,
                                      int64_t step) {
  ASSIGN_OR_RETURN(dim, DimOf(x, dim));
  if (step <= 0) return SugarError("step ", step, " must be positive");
  const int64_t size = x.sizes[dim];
  const auto clamp = [size](int64_t at) {
    return std::min(std::max<int64_t>(at < 0 ? at + size : at, 0), size);
  };
  start = clamp(start);
  const int64_t count = std::max(clamp(end), start) - start;
  CheckedArithmetic checked;
  StridedWindow result = x;
  result.offset = checked.Add(x.offset, checked.Mul(start, x.strides[dim]));
  result.sizes[dim] = count / step + (count % step != 0);
  result.strides[dim] = checked.Mul(x.strides[dim], step);
  return checked.Result(std::move(result));
}

absl::StatusOr<StridedWindow> SelectOf(const StridedWindow& x, int64_t dim,
                                       int64_t index) {
  ASSIGN_OR_RETURN(dim, DimOf(x, dim));
  const int64_t size = x.sizes[dim];
  if (index < -size || index >= size) {
    return SugarError("index ", index, " is out of range for dimension ", dim,
                      " of ", TextOf(x));
  }
  if (index < 0) index += size;
  CheckedArithmetic checked;
  StridedWindow result = x;
  result.offset = checked.Add(x.offset, checked.Mul(index, x.strides[dim]));
  result.sizes.erase(result.sizes.begin() + dim);
  result.strides.erase(result.strides.begin() + dim);
  return checked.Result(std::move(result));
}

absl::StatusOr<StridedWindow> PermuteOf(const StridedWindow& x,
                                        absl::Span<const int64_t> dims) {
  ASSIGN_OR_RETURN(const Dims sorted, CanonicalDims(dims, RankOf(x)));
  if (RankOf(x) != static_cast<int64_t>(dims.size())) {
    return SugarError(TextOf(x), " has ", RankOf(x), " dimensions, but ",
                      dims.size(), " are listed; each stands there once");
  }
  StridedWindow result = x;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t dim = dims[i] < 0 ? dims[i] + RankOf(x) : dims[i];
    result.sizes[i] = x.sizes[dim];
    result.strides[i] = x.strides[dim];
  }
  return result;
}

absl::StatusOr<StridedWindow> TransposeOf(const StridedWindow& x, int64_t dim0,
                                          int64_t dim1) {
  ASSIGN_OR_RETURN(dim0, CanonicalDim(dim0, RankOf(x)));
  ASSIGN_OR_RETURN(dim1, CanonicalDim(dim1, RankOf(x)));
  StridedWindow result = x;
  if (dim0 == dim1) return result;
  std::swap(result.sizes[dim0], result.sizes[dim1]);
  std::swap(result.strides[dim0], result.strides[dim1]);
  return result;
}

absl::StatusOr<StridedWindow> ExpandOf(const StridedWindow& x,
                                       absl::Span<const int64_t> sizes) {
  if (sizes.size() < x.sizes.size()) {
    return SugarError(TextOf(sizes), " has fewer dimensions than ", TextOf(x),
                      "; an expansion keeps them");
  }
  const size_t added = sizes.size() - x.sizes.size();
  StridedWindow result{x.dtype, Dims(sizes.begin(), sizes.end()),
                       Dims(sizes.size(), 0), x.offset};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const bool old = i >= added;
    int64_t& size = result.sizes[i];
    if (old && size == -1) size = x.sizes[i - added];
    if (old && size == x.sizes[i - added]) {
      result.strides[i] = x.strides[i - added];
    } else if (size < 0 || (old && x.sizes[i - added] != 1)) {
      return SugarError(TextOf(x), " does not expand to ", TextOf(sizes),
                        "; sizes, from the last, must be equal or 1");
    }
  }
  RETURN_IF_ERROR(CheckSizes(x.dtype, result.sizes));
  return result;
}

absl::StatusOr<StridedWindow> DiagonalOf(const StridedWindow& x, int64_t offset,
                                         int64_t dim1, int64_t dim2) {
  ASSIGN_OR_RETURN(dim1, DimOf(x, dim1));
  ASSIGN_OR_RETURN(dim2, DimOf(x, dim2));
  if (dim1 == dim2) return SugarError("dim1 and dim2 must be two dimensions");
  CheckedArithmetic checked;
  // How far the diagonal begins along each of the two.
  const int64_t skip1 = offset < 0 ? checked.Mul(offset, -1) : 0;
  const int64_t skip2 = offset < 0 ? 0 : offset;
  const int64_t count = std::max<int64_t>(
      std::min(checked.Add(x.sizes[dim1], checked.Mul(skip1, -1)),
               checked.Add(x.sizes[dim2], checked.Mul(skip2, -1))),
      0);
  StridedWindow result = x;
  if (count > 0) {
    const int64_t skip = checked.Add(checked.Mul(skip1, x.strides[dim1]),
                                     checked.Mul(skip2, x.strides[dim2]));
    result.offset = checked.Add(x.offset, skip);
  }
  for (int64_t dim : {std::max(dim1, dim2), std::min(dim1, dim2)}) {
    result.sizes.erase(result.sizes.begin() + dim);
    result.strides.erase(result.strides.begin() + dim);
  }
  result.sizes.push_back(count);
  result.strides.push_back(checked.Add(x.strides[dim1], x.strides[dim2]));
  return checked.Result(std::move(result));
}

absl::StatusOr<StridedWindow> UnfoldOf(const StridedWindow& x, int64_t dim,
                                       int64_t size, int64_t step) {
  ASSIGN_OR_RETURN(dim, CanonicalDim(dim, RankOf(x)));
  const int64_t whole = x.sizes.empty() ? 1 : x.sizes[dim];
  const int64_t stride = x.sizes.empty() ? 1 : x.strides[dim];
  if (size < 0 || size > whole) {
    return SugarError("size ", size, " is out of range; dimension ", dim,
                      " of ", TextOf(x), " has ", whole);
  }
  if (step <= 0) return SugarError("step ", step, " must be positive");
  CheckedArithmetic checked;
  StridedWindow result = x;
  if (!x.sizes.empty()) {
    result.sizes[dim] = (whole - size) / step + 1;
    result.strides[dim] = checked.Mul(stride, step);
  }
  result.sizes.push_back(size);
  result.strides.push_back(stride);
  RETURN_IF_ERROR(CheckSizes(x.dtype, result.sizes));
  return checked.Result(std::move(result));
}

absl::StatusOr<StridedWindow> SqueezeOf(
    const StridedWindow& x,
    const absl::optional<absl::Span<const int64_t>>& dims) {
  Dims chosen;
  if (dims) {
    ASSIGN_OR_RETURN(chosen, CanonicalDims(*dims, RankOf(x)));
  }
  StridedWindow result{x.dtype, {}, {}, x.offset};
  for (int64_t i = 0; i < RankOf(x); ++i) {
    const bool may_go = !dims || absl::c_linear_search(chosen, i);
    if (may_go && x.sizes[i] == 1) continue;
    result.sizes.push_back(x.sizes[i]);
    result.strides.push_back(x.strides[i]);
  }
  return result;
}

absl::StatusOr<StridedWindow> UnsqueezeOf(const StridedWindow& x, int64_t dim) {
  ASSIGN_OR_RETURN(dim, CanonicalDim(dim, RankOf(x) + 1));
  CheckedArithmetic checked;
  StridedWindow result = x;
  const int64_t stride =
      dim < RankOf(x) ? checked.Mul(x.sizes[dim], x.strides[dim]) : 1;
  result.sizes.insert(result.sizes.begin() + dim, 1);
  result.strides.insert(result.strides.begin() + dim, stride);
  return checked.Result(std::move(result));
}

absl::StatusOr<StridedWindow> FlipViewOf(const StridedWindow& x,
                                         absl::Span<const int64_t> dims) {
  ASSIGN_OR_RETURN(const Dims flipped, CanonicalDims(dims, RankOf(x)));
  CheckedArithmetic checked;
  StridedWindow result = x;
  const bool empty = ElementCount(x.sizes) == 0;
  for (int64_t dim : flipped) {
    if (!empty) {
      result.offset = checked.Add(
          result.offset, checked.Mul(x.sizes[dim] - 1, x.strides[dim]));
    }
    result.strides[dim] = checked.Mul(x.strides[dim], -1);
  }
  return checked.Result(std::move(result));
}

}  // namespace palimpsest
