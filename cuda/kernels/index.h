// Reads and updates by index and by mask.
//
// An index op walks the places of its index (for each, a run of elements), with
// one tensor of offsets into the indexed side, to which every index tensor adds
// its part. So all ops with indices are one of three actions (IndexedAction).
// Moves are by width; only bool, which is stored as 0 or 1, and sums need
// types.

#ifndef PALIMPSEST_CUDA_KERNELS_INDEX_H_
#define PALIMPSEST_CUDA_KERNELS_INDEX_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/backend.h"
#include "cuda/kernel.h"
#include "cuda/kernels/arithmetic.h"
#include "cuda/kernels/number.h"
#include "cuda/kernels/op_table.h"

namespace palimpsest::kernels {

template <typename T>
struct AddIndexKernel {
  AddIndexCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    int64_t* offsets = call.offsets + run.offsets[0];
    const T* index = static_cast<const T*>(call.index) + run.offsets[1];
    for (int64_t i = 0; i < run.count; ++i) {
      const T element = index[i * call.runs.steps[1]];
      int64_t value = static_cast<int64_t>(element);
      if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
        if (value < 0) value = call.size;  // Above INT64_MAX.
      } else {
        if (value < 0 && call.negative == NegativeIndex::kFromTheEnd) {
          value += call.size;
        }
      }
      if (value < 0 || value >= call.size) {
        NoteBad(run.offsets[0] + i * call.runs.steps[0]);
      } else {
        offsets[i * call.runs.steps[0]] += value * call.stride;
      }
    }
  }

  PALIMPSEST_DEVICE void NoteBad(int64_t place) const {
#ifdef __CUDA_ARCH__
    atomicMin(reinterpret_cast<long long*>(call.first_bad),
              static_cast<long long>(place));
#else
    if (place < *call.first_bad) *call.first_bad = place;
#endif
  }
};

template <typename Launcher>
const char* AddIndex(const Launcher& launcher, Type type, AddIndexCall call) {
  call.runs.CutInto(launcher.max_chunk());
  return VisitType(type, [&](auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    if constexpr (kIsInteger<T>) {
      return launcher.Launch(AddIndexKernel<T>{call}, call.runs.Units());
    }
    return "an index of a dtype that is no integer";
  });
}

template <IndexedAction action, typename T>
struct IndexedKernel {
  IndexedCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    T* plain = static_cast<T*>(call.plain) + run.offsets[0];
    T* base = static_cast<T*>(call.base) + run.offsets[1];
    const int64_t* offsets = call.offsets + run.offsets[2];
    const int64_t* steps = call.runs.steps;
    if (steps[2] == 0 && steps[0] == 1 && steps[1] == 1) {
      base += *offsets;
      PALIMPSEST_INDEPENDENT
      for (int64_t i = 0; i < run.count; ++i) Act(plain[i], base[i]);
    } else {
      for (int64_t i = 0; i < run.count; ++i) {
        Act(plain[i * steps[0]], base[i * steps[1] + offsets[i * steps[2]]]);
      }
    }
  }

  PALIMPSEST_DEVICE static void Act(T& plain, T& base) {
    if constexpr (action == IndexedAction::kRead) {
      plain = base;
    } else if constexpr (action == IndexedAction::kAdd) {
      base = Store<T>(Add(Load(base), Load(plain)));
    } else if constexpr (std::is_same_v<T, Bool>) {
      base = Store<Bool>(Load(plain));
    } else {
      base = plain;
    }
  }
};

// Calls visit with a type of T's width, which for bool is Bool.
template <typename Visitor>
const char* VisitWidth(Type type, Visitor visit) {
  return VisitType(type, [&](auto tag) -> const char* {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, Bool>) {
      return visit(TypeTag<Bool>());
    } else if constexpr (sizeof(T) == 1) {
      return visit(TypeTag<uint8_t>());
    } else if constexpr (sizeof(T) == 2) {
      return visit(TypeTag<uint16_t>());
    } else if constexpr (sizeof(T) == 4) {
      return visit(TypeTag<uint32_t>());
    } else if constexpr (sizeof(T) == 8) {
      return visit(TypeTag<uint64_t>());
    } else {
      return visit(TypeTag<Bits128>());
    }
  });
}

template <IndexedAction value>
struct ActionTag {
  static constexpr IndexedAction action = value;
};

// Calls visit with the action and the element type of its kernel.
template <typename Visitor>
const char* VisitIndexed(IndexedAction action, Type type, Visitor visit) {
  if (action == IndexedAction::kAdd) {
    return VisitType(type, [&](auto tag) -> const char* {
      using T = typename decltype(tag)::type;
      if constexpr (IsOfClasses<T>(ClassesOf(Op::kIndexAdd))) {
        return visit(ActionTag<IndexedAction::kAdd>(), tag);
      }
      return "an accumulation that the op table does not name";
    });
  }
  return VisitWidth(type, [&](auto tag) {
    return action == IndexedAction::kRead
               ? visit(ActionTag<IndexedAction::kRead>(), tag)
               : visit(ActionTag<IndexedAction::kWrite>(), tag);
  });
}

// For a launcher that runs units in order, as long runs as there are.
template <typename Launcher>
const char* IndexedInOrder(const Launcher& launcher, IndexedAction action,
                           Type type, IndexedCall call) {
  call.runs.CutInto(launcher.max_chunk());
  return VisitIndexed(action, type, [&](auto of, auto tag) {
    using T = typename decltype(tag)::type;
    return launcher.Launch(IndexedKernel<decltype(of)::action, T>{call},
                           call.runs.Units(), Order::kRowMajor);
  });
}

template <typename T>
PALIMPSEST_DEVICE inline T Canonical(T element) {
  if constexpr (std::is_same_v<T, Bool>) {
    return Store<Bool>(Load(element));
  } else {
    return element;
  }
}

template <typename T>
struct MaskedMoveKernel {
  MaskedMoveCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    T* out = static_cast<T*>(call.out) + run.offsets[0];
    const T* in = static_cast<const T*>(call.in) + run.offsets[1];
    const Bool* mask = static_cast<const Bool*>(call.mask) + run.offsets[2];
    const int64_t* steps = call.runs.steps;
    for (int64_t i = 0; i < run.count; ++i) {
      if (Load(mask[i * steps[2]])) {
        out[i * steps[0]] = Canonical(in[i * steps[1]]);
      }
    }
  }
};

template <typename Launcher>
const char* MaskedMove(const Launcher& launcher, Type type,
                       MaskedMoveCall call) {
  call.runs.CutInto(launcher.max_chunk());
  return VisitWidth(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return launcher.Launch(MaskedMoveKernel<T>{call}, call.runs.Units(),
                           call.runs.order);
  });
}

// positions[p] = 1 where the mask is true at place p, else 0.
struct MaskFlagsKernel {
  MaskPositionsCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    int64_t* positions = call.positions + run.offsets[0];
    const Bool* mask = static_cast<const Bool*>(call.mask) + run.offsets[1];
    for (int64_t i = 0; i < run.count; ++i) {
      positions[i * call.runs.steps[0]] = Load(mask[i * call.runs.steps[1]]);
    }
  }
};

// The last position may hold anything before.
template <typename Launcher>
const char* MaskPositions(const Launcher& launcher, MaskPositionsCall call) {
  call.runs.CutInto(launcher.max_chunk());
  const char* error = launcher.Launch(MaskFlagsKernel{call}, call.runs.Units());
  if (error != nullptr) return error;
  return launcher.SumBefore(
      call.positions, call.runs.count * call.runs.length + 1, call.scratch);
}

template <typename T>
struct MaskedScatterKernel {
  MaskedScatterCall call;

  PALIMPSEST_DEVICE void operator()(int64_t unit) const {
    const auto run = call.runs.At(unit);
    T* out = static_cast<T*>(call.out) + run.offsets[0];
    const T* in = static_cast<const T*>(call.in);
    const Bool* mask = static_cast<const Bool*>(call.mask) + run.offsets[1];
    const int64_t* positions = call.positions + run.offsets[2];
    const int64_t* steps = call.runs.steps;
    for (int64_t i = 0; i < run.count; ++i) {
      if (Load(mask[i * steps[1]])) {
        out[i * steps[0]] = Canonical(in[positions[i * steps[2]]]);
      }
    }
  }
};

template <typename Launcher>
const char* MaskedScatter(const Launcher& launcher, Type type,
                          MaskedScatterCall call) {
  call.runs.CutInto(launcher.max_chunk());
  return VisitWidth(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return launcher.Launch(MaskedScatterKernel<T>{call}, call.runs.Units(),
                           call.runs.order);
  });
}

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_KERNELS_INDEX_H_
