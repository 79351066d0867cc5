// Reductions, cumsums and plain matrix products of the host.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/matmul.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/reduce.h"

namespace palimpsest::kernels {

#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) \
  template const char*                                         \
  ReduceOf<HostLauncher, ElementOf<Type::enumerator>::type>(   \
      const HostLauncher&, Op, ReduceCall);                    \
  template const char*                                         \
  CumsumOf<HostLauncher, ElementOf<Type::enumerator>::type>(   \
      const HostLauncher&, CumsumCall);                        \
  template const char*                                         \
  MatmulOf<HostLauncher, ElementOf<Type::enumerator>::type>(   \
      const HostLauncher&, const MatmulCall&);
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE

}  // namespace palimpsest::kernels
