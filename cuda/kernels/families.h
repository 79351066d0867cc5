// What each family of kernels offers, without the kernels: who includes this
// links with the files that instantiate them for its Launcher and every T.

#ifndef PALIMPSEST_CUDA_KERNELS_FAMILIES_H_
#define PALIMPSEST_CUDA_KERNELS_FAMILIES_H_

#include <cstdint>

#include "cuda/backend.h"
#include "cuda/kernel.h"

namespace palimpsest::kernels {

// elementwise.h, cast.h, reduce.h, matmul.h.
template <typename Launcher, typename T>
const char* ElementwiseOf(const Launcher& launcher, Op op,
                          ElementwiseCall call);
template <typename Launcher, typename To>
const char* CastTo(const Launcher& launcher, Type from, MoveCall call);
template <typename Launcher, typename T>
const char* ReduceOf(const Launcher& launcher, Op op, ReduceCall call);
template <typename Launcher, typename T>
const char* CumsumOf(const Launcher& launcher, CumsumCall call);
template <typename Launcher, typename T>
const char* MatmulOf(const Launcher& launcher, const MatmulCall& call);

// layout.h.
template <typename Launcher>
const char* Move(const Launcher& launcher, int64_t width, const MoveCall& call);
template <typename Launcher>
const char* Iota(const Launcher& launcher, Type type, const IotaCall& call);
template <typename Launcher>
const char* HoldsAny(const Launcher& launcher, const uint8_t* memory,
                     int64_t bytes, uint8_t* answer);

// index.h, segments.h.
template <typename Launcher>
const char* AddIndex(const Launcher& launcher, Type type, AddIndexCall call);
template <typename Launcher>
const char* IndexedInOrder(const Launcher& launcher, IndexedAction action,
                           Type type, IndexedCall call);
template <typename Launcher>
int64_t SegmentScratch(const Launcher& launcher, IndexedAction action,
                       IndexedCall call);
template <typename Launcher>
const char* IndexedInSegments(const Launcher& launcher, IndexedAction action,
                              Type type, IndexedCall call);
template <typename Launcher>
const char* MaskedMove(const Launcher& launcher, Type type,
                       MaskedMoveCall call);
template <typename Launcher>
const char* MaskPositions(const Launcher& launcher, MaskPositionsCall call);
template <typename Launcher>
const char* MaskedScatter(const Launcher& launcher, Type type,
                          MaskedScatterCall call);

// The explicit instantiations of each family.
#define PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, T)                \
  template const char* ElementwiseOf<Launcher, T>(const Launcher&, Op, \
                                                  ElementwiseCall);
// The same, in parts that compile side by side.
#define PALIMPSEST_INSTANTIATE_ELEMENTWISE_FLOATS(Launcher)    \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, double)         \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, float)          \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, Half)           \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, BFloat16)       \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, Complex<float>) \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, Complex<double>)
#define PALIMPSEST_INSTANTIATE_ELEMENTWISE_INTEGERS(Launcher) \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, int64_t)       \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, int32_t)       \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, int16_t)       \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, int8_t)        \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, Bool)
#define PALIMPSEST_INSTANTIATE_ELEMENTWISE_UNSIGNED(Launcher) \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, uint64_t)      \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, uint32_t)      \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, uint16_t)      \
  PALIMPSEST_INSTANTIATE_ELEMENTWISE(Launcher, uint8_t)
#define PALIMPSEST_INSTANTIATE_CAST(Launcher, T) \
  template const char* CastTo<Launcher, T>(const Launcher&, Type, MoveCall);
#define PALIMPSEST_INSTANTIATE_REDUCE(Launcher, T)                             \
  template const char* ReduceOf<Launcher, T>(const Launcher&, Op, ReduceCall); \
  template const char* CumsumOf<Launcher, T>(const Launcher&, CumsumCall);     \
  template const char* MatmulOf<Launcher, T>(const Launcher&,                  \
                                             const MatmulCall&);
#define PALIMPSEST_INSTANTIATE_LAYOUT(Launcher)                           \
  template const char* Move(const Launcher&, int64_t, const MoveCall&);   \
  template const char* Iota(const Launcher&, Type, const IotaCall&);      \
  template const char* HoldsAny(const Launcher&, const uint8_t*, int64_t, \
                                uint8_t*);
#define PALIMPSEST_INSTANTIATE_INDEX(Launcher)                                 \
  template const char* AddIndex(const Launcher&, Type, AddIndexCall);          \
  template int64_t SegmentScratch(const Launcher&, IndexedAction,              \
                                  IndexedCall);                                \
  template const char* IndexedInSegments(const Launcher&, IndexedAction, Type, \
                                         IndexedCall);                         \
  template const char* MaskedMove(const Launcher&, Type, MaskedMoveCall);      \
  template const char* MaskPositions(const Launcher&, MaskPositionsCall);      \
  template const char* MaskedScatter(const Launcher&, Type, MaskedScatterCall);

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_FAMILIES_H_
