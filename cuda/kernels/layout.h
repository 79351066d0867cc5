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
#ifndef __CUDA_ARCH__
    // (A device would go byte by byte.)
    if (so == 1 && si == 1) {
      memcpy(out, in, run.count * sizeof(T));
      return;
    }
#endif
    if (so == 1 && si == 0) {
      const T value = *in;
      for (int64_t i = 0; i < run.count; ++i) out[i] = value;
    } else {
      for (int64_t i = 0; i < run.count; ++i) out[i * so] = in[i * si];
    }
  }
};

// A move whose runs are dense in the output alone, and one of whose dimensions
// is dense in the input.
struct TransposeCall {
  MoveCall move;            // Without that dimension:
  int64_t columns = 1;      // its size,
  int64_t column_step = 0;  // and the output's step along it.
};

// Whether the move is one. A column or run of few elements is not worth it.
inline bool TakeColumns(const MoveCall& call, TransposeCall* transpose) {
  constexpr int64_t kFew = 4;
  if (call.runs.order != Order::kAny) return false;
  if (call.runs.steps[0] != 1 || call.runs.length < kFew) return false;
  if (call.runs.steps[1] == 1 || call.runs.steps[1] == 0) return false;
  int d = 0;
  while (d < call.runs.rank &&
         (call.runs.strides[1][d] != 1 || call.runs.sizes[d] < kFew)) {
    ++d;
  }
  if (d == call.runs.rank) return false;
  *transpose = {call, call.runs.sizes[d], call.runs.strides[0][d]};
  Runs<2>& runs = transpose->move.runs;
  runs.count /= runs.sizes[d];
  for (--runs.rank; d < runs.rank; ++d) {
    runs.sizes[d] = runs.sizes[d + 1];
    runs.strides[0][d] = runs.strides[0][d + 1];
    runs.strides[1][d] = runs.strides[1][d + 1];
  }
  return true;
}

// A unit is a tile of kTile x kTile elements, by way of a buffer: so each cache
// line is touched once, even where strides of a power of two put a tile's lines
// into one set of the cache. The runs are cut into kTile elements.
template <typename T>
struct TransposeKernel {
  static constexpr int64_t kTile = sizeof(T) <= 2 ? 64 : 32;
  TransposeCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const int64_t tiles = (call.columns + kTile - 1) / kTile;
    const int64_t first = unit % tiles * kTile;
    const int64_t columns =
        call.columns - first < kTile ? call.columns - first : kTile;
    const auto run = call.move.runs.At(unit / tiles);
    const int64_t out_step = call.column_step;
    const int64_t in_step = call.move.runs.steps[1];
    T* out = static_cast<T*>(call.move.out) + run.offsets[0] + first * out_step;
    const T* in = static_cast<const T*>(call.move.in) + run.offsets[1] + first;
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
const char* MoveOf(const Launcher& launcher, MoveCall call) {
  if constexpr (Launcher::kHasRuns) {
    TransposeCall transpose;
    if (launcher.max_chunk() > 1 && TakeColumns(call, &transpose)) {
      using Kernel = TransposeKernel<T>;
      transpose.move.runs.CutInto(Kernel::kTile);
      const int64_t tiles =
          (transpose.columns + Kernel::kTile - 1) / Kernel::kTile;
      return launcher.Launch(Kernel{transpose},
                             transpose.move.runs.Units() * tiles);
    }
  }
  call.runs.CutInto(launcher.max_chunk());
  return launcher.Launch(MoveKernel<T>{call}, call.runs.Units(),
                         call.runs.order);
}

template <typename Launcher>
const char* Move(const Launcher& launcher, int64_t width,
                 const MoveCall& call) {
  switch (width) {
    case 1:
      return MoveOf<Launcher, uint8_t>(launcher, call);
    case 2:
      return MoveOf<Launcher, uint16_t>(launcher, call);
    case 4:
      return MoveOf<Launcher, uint32_t>(launcher, call);
    case 8:
      return MoveOf<Launcher, uint64_t>(launcher, call);
    case 16:
      return MoveOf<Launcher, Bits128>(launcher, call);
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
const char* Iota(const Launcher& launcher, Type type, const IotaCall& call) {
  return VisitType(type, [&](auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    if constexpr (IsOfClasses<T>("fi")) {
      return launcher.Launch(IotaKernel<T>{call}, call.count);
    }
    return "iota of a dtype that the op table does not name";
  });
}

// *answer = 1 where one of the bytes is not 0. Several threads may say so at
// the same time. A unit is a row of bytes.
struct HoldsAnyKernel {
  static constexpr int64_t kRow = 1024;
  const uint8_t* memory;
  int64_t bytes;
  uint8_t* answer;

  int64_t Units() const { return (bytes + kRow - 1) / kRow; }
  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const int64_t first = unit * kRow;
    const int64_t end = first + kRow < bytes ? first + kRow : bytes;
    uint8_t any = 0;
    for (int64_t i = first; i < end; ++i) any |= memory[i];
    if (any != 0) *answer = 1;
  }
};

// Precondition: *answer is 0.
template <typename Launcher>
const char* HoldsAny(const Launcher& launcher, const uint8_t* memory,
                     int64_t bytes, uint8_t* answer) {
  const HoldsAnyKernel kernel = {memory, bytes, answer};
  return launcher.Launch(kernel, kernel.Units());
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_LAYOUT_H_
