// What an unknown call computes, so that a program with calls can be run and
// any lost or reordered write shows.
//
// Each output depends on the name, the attributes, every operand (dtype, sizes
// and each byte, in logical order; all NaNs are alike), and its own number,
// dtype and sizes; on nothing else. Its values are tame: floats k/8 with |k| <=
// 32, integers -8..8 (unsigned 0..8), bools 0 or 1.

#ifndef PALIMPSEST_CUDA_MIXING_H_
#define PALIMPSEST_CUDA_MIXING_H_

#include <cstdint>

#include "cuda/kernel_registry.h"
#include "ir/type.h"

namespace palimpsest {

// What all of that but the outputs comes to: equal for equal calls in every
// process, and hardly ever for others.
uint64_t DigestOf(const KernelCall& call);

// Fills the outputs. Precondition: that is the call's digest.
void MixCall(const KernelCall& call, uint64_t digest);

// `count` tame elements of the dtype that follow from the seed.
void FillTame(DType dtype, uint64_t seed, int64_t count, void* elements);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_MIXING_H_
