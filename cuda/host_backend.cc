#include "cuda/backend.h"
#include "cuda/host_launcher.h"
#include "cuda/kernels/layout.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/op_table.h"

namespace palimpsest::kernels {
namespace {

const char* HostElementwiseOf(Op op, Type type, const ElementwiseCall& call) {
  return VisitType(type, [&](auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    if constexpr (IsOfClasses<T>("fibc")) {
      return HostElementwise<T>(op, call);
    }
    return "float8 can be moved and cast only";
  });
}

const char* HostCast(Type to, Type from, const MoveCall& call) {
  return VisitType(to, [&](auto tag) {
    return HostCastTo<typename decltype(tag)::type>(from, call);
  });
}

const char* HostReduceOf(Op op, Type type, const ReduceCall& call) {
  return VisitType(type, [&](auto tag) {
    return HostReduce<typename decltype(tag)::type>(op, call);
  });
}

const char* HostCumsumOf(Type type, const CumsumCall& call) {
  return VisitType(type, [&](auto tag) {
    return HostCumsum<typename decltype(tag)::type>(call);
  });
}

}  // namespace

const Backend& HostBackend() {
  static constexpr Backend kBackend = {
      HostElementwiseOf, HostCast,       Move<HostLauncher>, Iota<HostLauncher>,
      HostReduceOf,      HostCumsumOf,   HostMatmul,         HostAddIndex,
      HostIndexed,       HostMaskedMove, HostMaskPositions,  HostMaskedScatter,
  };
  return kBackend;
}

}  // namespace palimpsest::kernels
