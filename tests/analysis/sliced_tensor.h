// A tensor, sliced as frameworks do: how tests make windows of one parent.

#ifndef PALIMPSEST_TESTS_ANALYSIS_SLICED_TENSOR_H_
#define PALIMPSEST_TESTS_ANALYSIS_SLICED_TENSOR_H_

#include <algorithm>
#include <cstdint>
#include <utility>

#include "analysis/footprint.h"
#include "ir/type.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {

// Each function makes another window.
class Tensor {
 public:
  explicit Tensor(Dims sizes, DType dtype = DType::kF32) {
    window_.dtype = dtype;
    window_.strides = RowMajorStrides(sizes);
    window_.sizes = std::move(sizes);
  }

  // [:, .., begin:end:step, ..]
  Tensor Slice(int dim, int64_t begin, int64_t end, int64_t step = 1) const {
    Tensor result = *this;
    result.window_.offset += begin * window_.strides[dim];
    result.window_.sizes[dim] = (end - begin + step - 1) / step;
    result.window_.strides[dim] *= step;
    return result;
  }
  Tensor Flip(int dim) const {
    Tensor result = *this;
    result.window_.offset += (window_.sizes[dim] - 1) * window_.strides[dim];
    result.window_.strides[dim] *= -1;
    return result;
  }
  Tensor Transpose(int i, int j) const {
    Tensor result = *this;
    std::swap(result.window_.sizes[i], result.window_.sizes[j]);
    std::swap(result.window_.strides[i], result.window_.strides[j]);
    return result;
  }
  // [:, .., index, ..]
  Tensor Select(int dim, int64_t index) const {
    Tensor result = Slice(dim, index, index + 1);
    result.window_.sizes.erase(result.window_.sizes.begin() + dim);
    result.window_.strides.erase(result.window_.strides.begin() + dim);
    return result;
  }
  // Of a matrix.
  Tensor Diagonal(int64_t offset) const {
    Tensor result = *this;
    const int64_t rows = window_.sizes[0];
    const int64_t columns = window_.sizes[1] - offset;
    result.window_.offset += offset * window_.strides[1];
    result.window_.sizes = {std::min(rows, columns)};
    result.window_.strides = {window_.strides[0] + window_.strides[1]};
    return result;
  }

  const Window& window() const { return window_; }
  Footprint footprint() const { return window_.footprint(); }

 private:
  Window window_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ANALYSIS_SLICED_TENSOR_H_
