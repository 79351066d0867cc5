// Reductions, cumsums and plain matrix products of a device.

#include <cstdint>

#include "cuda/device_launcher.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/matmul.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/reduce.h"

namespace palimpsest::kernels {

#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) \
  PALIMPSEST_INSTANTIATE_REDUCE(DeviceLauncher,                \
                                ElementOf<Type::enumerator>::type)
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE

}  // namespace palimpsest::kernels
