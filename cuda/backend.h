// A back end: memory, and what runs kernels on it. Its functions return null,
// or what went wrong: a text that lasts until the next call.
//
// Pointers lead into the back end's memory, which nobody else may touch unless
// it is the host's; offsets and strides count elements.
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
  Runs<3> runs;  // The plain side, the base, the offsets, in row-major order.
  void* plain;
  void* base;
  const int64_t* offsets;  // Into the base, on top of the walk's.
  void* scratch;           // Of IndexedScratch bytes.
};

// out = in where mask is not 0.
struct MaskedMoveCall {
  Runs<3> runs;  // The output, the input, the mask.
  void* out;
  const void* in;
  const void* mask;
};

// positions[p] = the number of true mask elements before place p; one more than
// there are places, so that the last is the number of all.
struct MaskPositionsCall {
  Runs<2> runs;  // The positions (row-major), the mask.
  int64_t* positions;
  const void* mask;
  void* scratch;  // Of MaskPositionsScratch bytes.
};

// out = in[position] where mask is not 0; in is row-major.
struct MaskedScatterCall {
  Runs<3> runs;  // The output, the mask, the positions.
  void* out;
  const void* in;
  const void* mask;
  const int64_t* positions;
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Memory, 64-byte aligned. Null, without an error: there is none to be had.
  virtual const char* Allocate(int64_t bytes, void** memory) = 0;
  virtual void Free(void* memory) = 0;
  virtual const char* Fill(void* memory, uint8_t byte, int64_t bytes) = 0;
  // Between this memory and the host's.
  virtual const char* CopyIn(void* to, const void* host, int64_t bytes) = 0;
  virtual const char* CopyOut(void* host, const void* from, int64_t bytes) = 0;
  virtual const char* Copy(void* to, const void* from, int64_t bytes) = 0;
  // 16 bytes of zeros.
  virtual const void* Zeros() const = 0;
  // Whether one of these bytes is not 0.
  virtual const char* HoldsAny(const void* memory, int64_t bytes,
                               bool* answer) = 0;
  // Waits for all that was asked for, and says what went wrong in it.
  virtual const char* Finish() = 0;

  virtual const char* Elementwise(Op op, Type type,
                                  const ElementwiseCall& call) = 0;
  virtual const char* Cast(Type to, Type from, const MoveCall& call) = 0;
  virtual const char* Move(int64_t width, const MoveCall& call) = 0;
  virtual const char* Iota(Type type, const IotaCall& call) = 0;
  virtual const char* Reduce(Op op, Type type, const ReduceCall& call) = 0;
  virtual const char* Cumsum(Type type, const CumsumCall& call) = 0;
  virtual const char* Matmul(Type type, const MatmulCall& call) = 0;
  virtual const char* AddIndex(Type type, const AddIndexCall& call) = 0;
  virtual int64_t IndexedScratch(IndexedAction action,
                                 const IndexedCall& call) const = 0;
  virtual const char* Indexed(IndexedAction action, Type type,
                              const IndexedCall& call) = 0;
  virtual const char* MaskedMove(Type type, const MaskedMoveCall& call) = 0;
  virtual int64_t MaskPositionsScratch(const MaskPositionsCall& call) const = 0;
  virtual const char* MaskPositions(const MaskPositionsCall& call) = 0;
  virtual const char* MaskedScatter(Type type,
                                    const MaskedScatterCall& call) = 0;
};

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_BACKEND_H_
