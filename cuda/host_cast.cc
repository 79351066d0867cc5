// Casts of the host.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/cast.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class)                 \
  template const char*                                                         \
  CastTo<HostLauncher, ElementOf<Type::enumerator>::type>(const HostLauncher&, \
                                                          Type, MoveCall);
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE

}  // namespace palimpsest::kernels
