// How the host back end runs a kernel: its units in order, on this thread.

#ifndef PALIMPSEST_CUDA_HOST_LAUNCHER_H_
#define PALIMPSEST_CUDA_HOST_LAUNCHER_H_

#include <cstdint>
#include <limits>

#include "cuda/backend.h"
#include "cuda/kernel.h"

namespace palimpsest::kernels {

struct HostLauncher {
  static constexpr int64_t kMaxChunk = std::numeric_limits<int64_t>::max();

  template <typename Kernel>
  static const char* Launch(const Kernel& kernel, int64_t units) {
    for (int64_t unit = 0; unit < units; ++unit) kernel(unit);
    return nullptr;
  }
};

// One definition for each element type, spread over files that compile in
// parallel.
template <typename T>
const char* HostElementwise(Op op, const ElementwiseCall& call);
template <typename T>
const char* HostCastTo(Type from, const MoveCall& call);
template <typename T>
const char* HostReduce(Op op, const ReduceCall& call);
template <typename T>
const char* HostCumsum(const CumsumCall& call);

const char* HostAddIndex(Type type, const AddIndexCall& call);
const char* HostIndexed(IndexedAction action, Type type,
                        const IndexedCall& call);
const char* HostMaskedMove(Type type, const MaskedMoveCall& call);
const char* HostMaskPositions(const MaskPositionsCall& call);
const char* HostMaskedScatter(Type type, const MaskedScatterCall& call);
const char* HostMatmul(Type type, const MatmulCall& call);

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_HOST_LAUNCHER_H_
