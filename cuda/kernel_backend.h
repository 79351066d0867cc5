// The kernels of a back end whose units run in any order, on its launcher. What
// remains for the back end itself is its memory.

#ifndef PALIMPSEST_CUDA_KERNEL_BACKEND_H_
#define PALIMPSEST_CUDA_KERNEL_BACKEND_H_

#include <cstdint>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/families.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template <typename Launcher>
class KernelBackend : public Backend {
 public:
  explicit KernelBackend(const Launcher& launcher) : launcher_(launcher) {}

  const char* Elementwise(Op op, Type type,
                          const ElementwiseCall& call) override {
    return VisitType(type, [&](auto tag) -> const char* {
      using T = typename decltype(tag)::type;
      if constexpr (IsOfClasses<T>("fibc")) {
        return ElementwiseOf<Launcher, T>(launcher_, op, call);
      }
      return "float8 can be moved and cast only";
    });
  }
  const char* Cast(Type to, Type from, const MoveCall& call) override {
    return VisitType(to, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return CastTo<Launcher, T>(launcher_, from, call);
    });
  }
  const char* Move(int64_t width, const MoveCall& call) override {
    return kernels::Move(launcher_, width, call);
  }
  const char* Iota(Type type, const IotaCall& call) override {
    return kernels::Iota(launcher_, type, call);
  }
  const char* Reduce(Op op, Type type, const ReduceCall& call) override {
    return VisitType(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return ReduceOf<Launcher, T>(launcher_, op, call);
    });
  }
  const char* Cumsum(Type type, const CumsumCall& call) override {
    return VisitType(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return CumsumOf<Launcher, T>(launcher_, call);
    });
  }
  const char* Matmul(Type type, const MatmulCall& call) override {
    return VisitType(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return MatmulOf<Launcher, T>(launcher_, call);
    });
  }
  const char* AddIndex(Type type, const AddIndexCall& call) override {
    return kernels::AddIndex(launcher_, type, call);
  }
  int64_t IndexedScratch(IndexedAction action,
                         const IndexedCall& call) const override {
    return SegmentScratch(launcher_, action, call);
  }
  const char* Indexed(IndexedAction action, Type type,
                      const IndexedCall& call) override {
    return IndexedInSegments(launcher_, action, type, call);
  }
  const char* MaskedMove(Type type, const MaskedMoveCall& call) override {
    return kernels::MaskedMove(launcher_, type, call);
  }
  int64_t MaskPositionsScratch(const MaskPositionsCall& call) const override {
    return launcher_.SumBytes(call.runs.count * call.runs.length + 1);
  }
  const char* MaskPositions(const MaskPositionsCall& call) override {
    return kernels::MaskPositions(launcher_, call);
  }
  const char* MaskedScatter(Type type, const MaskedScatterCall& call) override {
    return kernels::MaskedScatter(launcher_, type, call);
  }

 protected:
  const Launcher& launcher() const { return launcher_; }

 private:
  const Launcher launcher_;
};

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNEL_BACKEND_H_
