// Moves of bytes between windows, and iota.

#ifndef PALIMPSEST_CUDA_KERNELS_LAYOUT_H_
#define PALIMPSEST_CUDA_KERNELS_LAYOUT_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/number.h"

namespace palimpsest::kernels {

template <typename T>
struct MoveKernel {
  MoveCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    T* out = static_cast<T*>(call.out) + run.offsets[0];
    const T* in = static_cast<const T*>(call.in) + run.offsets[1];
    const int64_t so = call.runs.steps[0];
    const int64_t si = call.runs.steps[1];
    if (so == 1 && si == 1) {
      memcpy(out, in, run.count * sizeof(T));
    } else if (so == 1 && si == 0) {
      const T value = *in;
      for (int64_t i = 0; i < run.count; ++i) out[i] = value;
    } else {
      for (int64_t i = 0; i < run.count; ++i) out[i * so] = in[i * si];
    }
  }
};

// Transposes: the output is dense along the runs, the input along the columns.
// A unit is a tile of kTile x kTile elements, by way of a buffer: so each cache
// line is touched once, even where strides of a power of two put a tile's lines
// into one set of the cache. The runs are cut into kTile elements.
template <typename T>
struct TransposeKernel {
  static constexpr int64_t kTile = sizeof(T) <= 2 ? 64 : 32;
  MoveCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const int64_t tiles = (call.columns + kTile - 1) / kTile;
    const int64_t first = unit % tiles * kTile;
    const int64_t columns =
        call.columns - first < kTile ? call.columns - first : kTile;
    const auto run = call.runs.At(unit / tiles);
    const int64_t out_step = call.column_step_out;
    const int64_t in_step = call.runs.steps[1];
    T* out = static_cast<T*>(call.out) + run.offsets[0] + first * out_step;
    const T* in = static_cast<const T*>(call.in) + run.offsets[1] + first;
    T tile[kTile * kTile];
    for (int64_t i = 0; i < run.count; ++i) {
      for (int64_t c = 0; c < columns; ++c) {
        tile[c * kTile + i] = in[i * in_step + c];
      }
    }
    for (int64_t c = 0; c < columns; ++c) {
      memcpy(out + c * out_step, tile + c * kTile, run.count * sizeof(T));
    }
  }
};

template <typename Launcher, typename T>
const char* MoveOf(MoveCall call) {
  if (call.columns == 1 || Launcher::kMaxChunk == 1) {
    if (call.columns != 1) return "a device moves without tiles";
    call.runs.CutInto(Launcher::kMaxChunk);
    return Launcher::Launch(MoveKernel<T>{call}, call.runs.Units());
  }
  using Kernel = TransposeKernel<T>;
  call.runs.CutInto(Kernel::kTile);
  const int64_t tiles = (call.columns + Kernel::kTile - 1) / Kernel::kTile;
  return Launcher::Launch(Kernel{call}, call.runs.Units() * tiles);
}

template <typename Launcher>
const char* Move(int64_t width, const MoveCall& call) {
  switch (width) {
    case 1:
      return MoveOf<Launcher, uint8_t>(call);
    case 2:
      return MoveOf<Launcher, uint16_t>(call);
    case 4:
      return MoveOf<Launcher, uint32_t>(call);
    case 8:
      return MoveOf<Launcher, uint64_t>(call);
    case 16:
      return MoveOf<Launcher, Bits128>(call);
  }
  return "a width that no dtype has";
}

template <typename T>
struct IotaKernel {
  IotaCall call;

  PALIMPSEST_DEVICE void operator()(int64_t i) const {
    T* out = static_cast<T*>(call.out) + i;
    if constexpr (kIsInteger<T>) {
      *out = static_cast<T>(static_cast<uint64_t>(call.integer_start) +
                            static_cast<uint64_t>(i) *
                                static_cast<uint64_t>(call.integer_step));
    } else {
      *out = Store<T>(static_cast<Compute<T>>(
          call.start + static_cast<double>(i) * call.step));
    }
  }
};

template <typename Launcher>
const char* Iota(Type type, const IotaCall& call) {
  return VisitType(type, [&](auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    if constexpr (IsOfClasses<T>("fi")) {
      return Launcher::Launch(IotaKernel<T>{call}, call.count);
    }
    return "iota of a dtype that the op table does not name";
  });
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_LAYOUT_H_
