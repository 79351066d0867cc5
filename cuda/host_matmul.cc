// Matrix products of the host: blocked, packed, vectorised over columns.
//
//   for each block of up to 256 rows: pack its part of x, once
//     for each block of 128 columns
//       for each block of 256 terms: pack that part of y
//         for each tile of 4 rows and a few vectors of columns: add up its
//         terms
//
// Sums are kept in the type that the dtype computes in from block to block, so
// each is a sum over k ascending, whatever the blocks are (kernels/matmul.h).
// Packing converts f16 and bf16, and makes every layout of x and y alike.

#include "cuda/host_matmul.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "cuda/host_launcher.h"
#include "cuda/kernels/arithmetic.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {
namespace {

constexpr int64_t kRowBlock = 256;
constexpr int64_t kColumnBlock = 128;
constexpr int64_t kTermBlock = 256;
constexpr int64_t kTileRows = 4;
constexpr int64_t kTileVectors = 2;

// Integers are added up as unsigned ones of at least 32 bits, which wrap.
template <typename T>
struct SumOf {
  using type = Compute<T>;
};
template <typename T>
using Sum = typename std::conditional_t<kIsInteger<Compute<T>>,
                                        TypeTag<Wrapping<T>>, SumOf<T>>::type;

template <typename S>
struct Vectors {
  typedef S Vector __attribute__((vector_size(16)));
  static constexpr int64_t kLanes = 16 / sizeof(S);
  static constexpr int64_t kTileColumns = kTileVectors * kLanes;
};

// x as tiles of kTileRows rows: for each term, the rows' elements.
template <typename T>
void PackRows(const T* x, int64_t rows, int64_t terms, int64_t row_stride,
              int64_t term_stride, Sum<T>* packed) {
  for (int64_t row = 0; row < rows; row += kTileRows) {
    const int64_t height = std::min(kTileRows, rows - row);
    for (int64_t r = 0; r < kTileRows; ++r) {
      const T* from = x + (row + r) * row_stride;
      for (int64_t k = 0; k < terms; ++k) {
        packed[k * kTileRows + r] =
            r < height ? static_cast<Sum<T>>(Load(from[k * term_stride]))
                       : Sum<T>{};
      }
    }
    packed += terms * kTileRows;
  }
}

// y as tiles of columns: for each term, the columns' elements.
template <typename T>
void PackColumns(const T* y, int64_t columns, int64_t terms,
                 int64_t column_stride, int64_t term_stride, Sum<T>* packed) {
  constexpr int64_t kWidth = Vectors<Sum<T>>::kTileColumns;
  for (int64_t column = 0; column < columns; column += kWidth) {
    const int64_t width = std::min(kWidth, columns - column);
    const T* from = y + column * column_stride;
    if (width < kWidth) std::fill(packed, packed + terms * kWidth, Sum<T>{});
    if (column_stride == 1) {
      for (int64_t k = 0; k < terms; ++k) {
        for (int64_t c = 0; c < width; ++c) {
          packed[k * kWidth + c] =
              static_cast<Sum<T>>(Load(from[k * term_stride + c]));
        }
      }
    } else {
      for (int64_t c = 0; c < width; ++c) {
        for (int64_t k = 0; k < terms; ++k) {
          packed[k * kWidth + c] = static_cast<Sum<T>>(
              Load(from[k * term_stride + c * column_stride]));
        }
      }
    }
    packed += terms * kWidth;
  }
}

// sums[r][c] += over `terms`, of a tile of x and a tile of y.
template <typename S>
void AddTile(const S* x, const S* y, int64_t terms, S* sums,
             int64_t sums_stride) {
  using Vector = typename Vectors<S>::Vector;
  constexpr int64_t kLanes = Vectors<S>::kLanes;
  Vector tile[kTileRows][kTileVectors];
  for (int64_t r = 0; r < kTileRows; ++r) {
    memcpy(tile[r], sums + r * sums_stride, sizeof tile[r]);
  }
  for (int64_t k = 0; k < terms; ++k) {
    Vector columns[kTileVectors];
    memcpy(columns, y + k * kTileVectors * kLanes, sizeof columns);
    for (int64_t r = 0; r < kTileRows; ++r) {
      for (int64_t v = 0; v < kTileVectors; ++v) {
        tile[r][v] += x[k * kTileRows + r] * columns[v];
      }
    }
  }
  for (int64_t r = 0; r < kTileRows; ++r) {
    memcpy(sums + r * sums_stride, tile[r], sizeof tile[r]);
  }
}

template <typename T>
class Product {
 public:
  explicit Product(const MatmulCall& call)
      : call_(call),
        rows_(std::min(kRowBlock, RoundUp(call.m, kTileRows)) * call.k),
        columns_(kColumnBlock * std::min(kTermBlock, call.k)),
        sums_(kRowBlock * kColumnBlock) {}

  void Run() {
    for (int64_t b = 0; b < call_.batches; ++b) {
      for (int64_t m = 0; m < call_.m; m += kRowBlock) {
        const int64_t rows = std::min(kRowBlock, call_.m - m);
        PackRows(static_cast<const T*>(call_.x) + b * call_.x_strides[0] +
                     m * call_.x_strides[1],
                 rows, call_.k, call_.x_strides[1], call_.x_strides[2],
                 rows_.data());
        for (int64_t n = 0; n < call_.n; n += kColumnBlock) {
          RunBlock(b, m, rows, n, std::min(kColumnBlock, call_.n - n));
        }
      }
    }
  }

 private:
  using S = Sum<T>;

  static int64_t RoundUp(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
  }

  void RunBlock(int64_t b, int64_t m, int64_t rows, int64_t n,
                int64_t columns) {
    constexpr int64_t kWidth = Vectors<S>::kTileColumns;
    std::fill(sums_.begin(), sums_.end(), S{});
    for (int64_t k = 0; k < call_.k; k += kTermBlock) {
      const int64_t terms = std::min(kTermBlock, call_.k - k);
      PackColumns(static_cast<const T*>(call_.y) + b * call_.y_strides[0] +
                      k * call_.y_strides[1] + n * call_.y_strides[2],
                  columns, terms, call_.y_strides[2], call_.y_strides[1],
                  columns_.data());
      for (int64_t c = 0; c < columns; c += kWidth) {
        for (int64_t r = 0; r < rows; r += kTileRows) {
          AddTile(rows_.data() + r * call_.k + k * kTileRows,
                  columns_.data() + c * terms, terms,
                  sums_.data() + r * kColumnBlock + c, kColumnBlock);
        }
      }
    }
    StoreBlock(static_cast<T*>(call_.out) + b * call_.out_strides[0] +
                   m * call_.out_strides[1] + n * call_.out_strides[2],
               rows, columns);
  }

  void StoreBlock(T* out, int64_t rows, int64_t columns) const {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        out[r * call_.out_strides[1] + c * call_.out_strides[2]] =
            Store<T>(static_cast<Compute<T>>(sums_[r * kColumnBlock + c]));
      }
    }
  }

  const MatmulCall& call_;
  std::vector<S> rows_;
  std::vector<S> columns_;
  std::vector<S> sums_;
};

}  // namespace

const char* HostMatmul(const HostLauncher& launcher, Type type,
                       const MatmulCall& call) {
  return VisitType(type, [&](auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    if constexpr (IsOfClasses<T>("fi")) {
      Product<T>(call).Run();
      return nullptr;
    }
    return MatmulOf<HostLauncher, T>(launcher, call);
  });
}

}  // namespace palimpsest::kernels
