// Casts of the host.

#include <cstdint>

#include "cuda/host_launcher.h"
#include "cuda/kernels/cast.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template <typename T>
const char* HostCastTo(Type from, const MoveCall& call) {
  return CastTo<HostLauncher, T>(from, call);
}

#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class)        \
  template const char* HostCastTo<ElementOf<Type::enumerator>::type>( \
      Type, const MoveCall&);
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE

}  // namespace palimpsest::kernels
