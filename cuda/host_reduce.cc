// Reductions and cumsums of the host.

#include "cuda/host_launcher.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/reduce.h"

namespace palimpsest::kernels {

template <typename T>
const char* HostReduce(Op op, const ReduceCall& call) {
  return ReduceOf<HostLauncher, T>(op, call);
}

template <typename T>
const char* HostCumsum(const CumsumCall& call) {
  return CumsumOf<HostLauncher, T>(call);
}

#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class)        \
  template const char* HostReduce<ElementOf<Type::enumerator>::type>( \
      Op, const ReduceCall&);                                         \
  template const char* HostCumsum<ElementOf<Type::enumerator>::type>( \
      const CumsumCall&);
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE

}  // namespace palimpsest::kernels
