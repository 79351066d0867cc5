// Arithmetic on windows and its errors. Private to ir/view_sugar*.cc.

#ifndef PALIMPSEST_IR_VIEW_SUGAR_ARITHMETIC_H_
#define PALIMPSEST_IR_VIEW_SUGAR_ARITHMETIC_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/type.h"
#include "ir/view_sugar.h"

namespace palimpsest {

template <typename... Args>
absl::Status SugarError(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(args...));
}

inline std::string TextOf(const StridedWindow& x) {
  return TextOf(x.dtype, x.sizes);
}

inline int64_t RankOf(const StridedWindow& x) {
  return static_cast<int64_t>(x.sizes.size());
}

// Arithmetic whose result must fit int64_t; `ok` says whether all of it did.
class CheckedArithmetic {
 public:
  int64_t Mul(int64_t a, int64_t b) {
    int64_t product = 0;
    ok_ &= !__builtin_mul_overflow(a, b, &product);
    return product;
  }
  int64_t Add(int64_t a, int64_t b) {
    int64_t sum = 0;
    ok_ &= !__builtin_add_overflow(a, b, &sum);
    return sum;
  }
  absl::StatusOr<StridedWindow> Result(StridedWindow window) const {
    if (ok_) return window;
    return SugarError("the view's offset or strides do not fit 64 bits");
  }

 private:
  bool ok_ = true;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_VIEW_SUGAR_ARITHMETIC_H_
