// Elements by definition, slowly, and running a program's text on them: what
// the tests of the interpreter compare it with. Shares no code with the
// kernels.

#ifndef PALIMPSEST_TESTS_CUDA_REFERENCE_H_
#define PALIMPSEST_TESTS_CUDA_REFERENCE_H_

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cuda/interpreter.h"
#include "ir/type.h"

namespace palimpsest {

// An element: `integer` for integers and bools, `real` for all others.
struct Number {
  __int128 integer = 0;
  std::complex<double> real = 0;

  static Number Integer(__int128 value) { return {value, 0}; }
  static Number Real(std::complex<double> value) { return {0, value}; }
};

// Modulo 2^128, of which every dtype sees the low bits.
inline __int128 WrappedProduct(__int128 a, __int128 b) {
  return static_cast<__int128>(static_cast<unsigned __int128>(a) *
                               static_cast<unsigned __int128>(b));
}

bool IsIntegral(DType dtype);  // Integers and bool.
Number NumberOf(DType dtype, double value);

Number Decode(DType dtype, const uint8_t* element);
// Integers wrap; floats go to the nearest of all patterns, ties to the even
// one.
std::vector<uint8_t> Encode(DType dtype, Number number);
// The number after a trip through the dtype.
Number Rounded(DType dtype, Number number);

std::string ToString(DType dtype, Number number);
// Equal, NaN to NaN, or within so many units in the last place of the dtype.
bool IsClose(DType dtype, Number actual, Number expected, int ulps);

struct Tensor {
  DType dtype;
  Dims sizes;
  std::vector<Number> elements;  // Row-major.
};

// The function `text` on these contents of its parameters. Bytes that they do
// not cover are 0x5A. On the host it is run again as on a device, in two orders
// of threads: a failure where that gives other bits.
absl::StatusOr<RunOutputs> RunText(absl::string_view text,
                                   absl::Span<const Tensor> parameters,
                                   const RunOptions& options = {});

// A result's elements; an element of which a byte is poison is not looked at.
Tensor TensorOf(const RunResult& result);
std::vector<bool> PoisonOf(const RunResult& result);

// The same result of a run that must succeed.
Tensor ResultOf(absl::string_view text, absl::Span<const Tensor> parameters,
                int number = 0);

// Integers as a tensor of any dtype.
Tensor TensorOf(DType dtype, const Dims& sizes,
                const std::vector<double>& elements);
std::vector<double> RealsOf(const Tensor& tensor);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_CUDA_REFERENCE_H_
