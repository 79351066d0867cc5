// Casts of the host.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/cast.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) \
  PALIMPSEST_INSTANTIATE_CAST(HostLauncher, ElementOf<Type::enumerator>::type)
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE

}  // namespace palimpsest::kernels
