// Random windows: free strides, slices of one parent, its views of other
// dtypes, slices of its reshapes. The same seed gives the same windows
// everywhere.

#ifndef PALIMPSEST_TESTS_ANALYSIS_WINDOW_FAMILIES_H_
#define PALIMPSEST_TESTS_ANALYSIS_WINDOW_FAMILIES_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <random>
#include <utility>

#include "absl/types/span.h"
#include "ir/type.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // In [low, high].
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % (high - low + 1));
  }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }
  template <typename T>
  T OneOf(std::initializer_list<T> choices) {
    return choices.begin()[Between(0, choices.size() - 1)];
  }
  void Permute(Window& window) {
    for (int64_t i = window.sizes.size(); i-- > 1;) {
      const int64_t j = Between(0, i);
      std::swap(window.sizes[i], window.sizes[j]);
      std::swap(window.strides[i], window.strides[j]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

inline Window FreeStrides(Random& random) {
  Window window;
  window.dtype =
      random.OneOf({DType::kI8, DType::kI16, DType::kI32, DType::kI64});
  window.offset = random.Between(0, 60);
  for (int64_t rank = random.Between(0, 4); rank > 0; --rank) {
    window.sizes.push_back(random.OneIn(40) ? 0 : random.Between(1, 4));
    window.strides.push_back(
        random.OneOf({-1, 1}) *
        random.OneOf({0, 1, 2, 3, 4, 6, 8, 9, 12, 16, 24, 36, 40}));
  }
  return window;
}

// A basic slice: any steps, flips and permutations.
inline Window SliceOf(Random& random, DType dtype,
                      absl::Span<const int64_t> shape) {
  const Dims parent = RowMajorStrides(shape);
  Window window;
  window.dtype = dtype;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t step = random.OneIn(3) ? random.Between(2, 5) : 1;
    // Starts near 0 more often, so that many pairs meet.
    const int64_t start = random.Between(0, random.Between(0, shape[i] - 1));
    const int64_t most = (shape[i] - 1 - start) / step + 1;
    const int64_t size = random.OneIn(2) ? most : random.Between(1, most);
    const bool flip = random.OneIn(2);
    window.offset += parent[i] * (flip ? start + step * (size - 1) : start);
    window.sizes.push_back(size);
    window.strides.push_back((flip ? -step : step) * parent[i]);
  }
  if (random.OneIn(4)) {  // A broadcast dimension.
    window.sizes.push_back(2);
    window.strides.push_back(0);
  }
  random.Permute(window);
  return window;
}

inline Window SliceOfOneParent(Random& random) {
  return SliceOf(random, DType::kI16, {3, 4, 5, 7});
}

inline Window DTypeView(Random& random) {
  const DType dtype =
      random.OneOf({DType::kI8, DType::kI16, DType::kI32, DType::kI64});
  return SliceOf(random, dtype, {4, 5, 48 / WidthOf(dtype)});
}

inline Window SliceOfSomeReshape(Random& random) {
  switch (random.Between(0, 6)) {
    case 0:
      return SliceOf(random, DType::kI8, {6, 8, 5});
    case 1:
      return SliceOf(random, DType::kI8, {8, 6, 5});
    case 2:
      return SliceOf(random, DType::kI8, {48, 5});
    case 3:
      return SliceOf(random, DType::kI8, {3, 16, 5});
    case 4:
      return SliceOf(random, DType::kI8, {15, 16});
    case 5:
      return SliceOf(random, DType::kI8, {4, 3, 20});
    default:
      return SliceOf(random, DType::kI8, {240});
  }
}

struct Family {
  const char* name;
  Window (*make)(Random&);

  friend std::ostream& operator<<(std::ostream& out, const Family& family) {
    return out << family.name;
  }
};
inline constexpr Family kFamilies[] = {
    {"FreeStrides", FreeStrides},
    {"SlicesOfOneParent", SliceOfOneParent},
    {"DTypeViews", DTypeView},
    {"SlicesOfReshapes", SliceOfSomeReshape},
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ANALYSIS_WINDOW_FAMILIES_H_
