// A back end: functions that run kernels. Null, or what went wrong.
//
// Pointers lead into the back end's memory; offsets and strides count elements.
// No two windows of a call overlap, unless it says so, except that an output
// may be the same map as an operand of an elementwise call.

#ifndef PALIMPSEST_CUDA_BACKEND_H_
#define PALIMPSEST_CUDA_BACKEND_H_

#include <cstdint>

#include "cuda/kernel.h"

namespace palimpsest::kernels {

struct ElementwiseCall {
  Runs<4> runs;  // The output, the operands.
  void* out;
  const void* in[3];
};

struct MoveCall {
  Runs<2> runs;  // The output, the input.
  // Where the runs are dense in the output alone: the size of a dimension that
  // is dense in the input (and no longer part of the walk), with the output's
  // step along it, so that the move can go by tiles. Else 1.
  int64_t columns = 1;
  int64_t column_step_out = 0;
  void* out;
  const void* in;
};

// out[i] = start + i * step.
struct IotaCall {
  int64_t count;
  int64_t integer_start, integer_step;  // For integers, which wrap.
  double start, step;                   // For floats, rounded once.
  void* out;
};

struct ReduceCall {
  Runs<2> kept;     // The output, the input's first element for it.
  Runs<1> reduced;  // From there, in logical order.
  void* out;
  const void* in;
};

struct CumsumCall {
  Runs<2> lines;  // First elements of the output's and the input's lines.
  int64_t length;
  int64_t steps[2];
  void* out;
  const void* in;
};

// out[b,m,n] = sum over k, ascending from zero, of x[b,m,k] * y[b,k,n].
struct MatmulCall {
  int64_t batches, m, n, k;
  int64_t out_strides[3];  // Of b, m, n.
  int64_t x_strides[3];    // Of b, m, k.
  int64_t y_strides[3];    // Of b, k, n.
  void* out;
  const void* x;
  const void* y;
};

enum class NegativeIndex : uint8_t { kRefused, kFromTheEnd };

// offsets[p] += index[p] * stride, for each place p of the walk.
struct AddIndexCall {
  Runs<2> runs;  // The offsets (row-major), the index.
  int64_t size;  // Of the dimension.
  int64_t stride;
  NegativeIndex negative;
  int64_t* offsets;
  const void* index;
  int64_t* first_bad;  // The first place that is out of range, or untouched.
};

enum class IndexedAction : uint8_t {
  kRead,   // plain = base[offset]
  kWrite,  // base[offset] = plain, in order; the last wins.
  kAdd,    // base[offset] += plain, in order.
};

struct IndexedCall {
  Runs<3> runs;  // The plain side, the base, the offsets; order matters.
  void* plain;
  void* base;
  const int64_t* offsets;  // Into the base, on top of the walk's.
};

// out = in where mask is not 0.
struct MaskedMoveCall {
  Runs<3> runs;  // The output, the input, the mask.
  void* out;
  const void* in;
  const void* mask;
};

// positions[p] = the number of true mask elements before place p; total = of
// all.
struct MaskPositionsCall {
  Runs<2> runs;  // The positions (row-major), the mask.
  int64_t* positions;
  const void* mask;
  int64_t* total;
};

// out = in[position] where mask is not 0; in is row-major.
struct MaskedScatterCall {
  Runs<3> runs;  // The output, the mask, the positions.
  void* out;
  const void* in;
  const void* mask;
  const int64_t* positions;
};

struct Backend {
  const char* (*elementwise)(Op op, Type type, const ElementwiseCall& call);
  const char* (*cast)(Type to, Type from, const MoveCall& call);
  const char* (*move)(int64_t width, const MoveCall& call);
  const char* (*iota)(Type type, const IotaCall& call);
  const char* (*reduce)(Op op, Type type, const ReduceCall& call);
  const char* (*cumsum)(Type type, const CumsumCall& call);
  const char* (*matmul)(Type type, const MatmulCall& call);
  const char* (*add_index)(Type type, const AddIndexCall& call);
  const char* (*indexed)(IndexedAction action, Type type,
                         const IndexedCall& call);
  const char* (*masked_move)(Type type, const MaskedMoveCall& call);
  const char* (*mask_positions)(const MaskPositionsCall& call);
  const char* (*masked_scatter)(Type type, const MaskedScatterCall& call);
};

// Runs kernels on the calling thread.
const Backend& HostBackend();

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_BACKEND_H_
