// Measures, op by op, what a run reads, writes and holds beside the caller's
// memory. Private to the interpreter; interpreter.h says what is counted.

#ifndef PALIMPSEST_CUDA_COST_METER_H_
#define PALIMPSEST_CUDA_COST_METER_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cuda/interpreter.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

// Memory is numbered as the interpreter numbers it: the storages of a func, the
// values of a pure func.
class CostMeter {
 public:
  // The function must outlive it.
  explicit CostMeter(const Function& function);
  CostMeter(const CostMeter&) = delete;  // What is held points to it.
  CostMeter& operator=(const CostMeter&) = delete;

  // From here on the function holds so many bytes, but for what of them will be
  // the caller's; until all memory that shares them is released. Holds once
  // what is held already.
  void Hold(int32_t memory, int64_t bytes);
  // `view` is a part of what `memory` holds, if it holds any.
  void Share(int32_t view, int32_t memory);
  void Release(int32_t memory);

  // By the op that runs.
  void Read(int64_t bytes) { op_.read += bytes; }
  void Write(int64_t bytes) { op_.written += bytes; }

  // The op is done, and what it is the last to use not yet released. It also
  // needs the bytes that it overwrites before it reads them: O(bytes) of its
  // windows, where one overlaps another.
  void EndOp(const Op& op);

  std::vector<RunCost> TakeCosts() { return std::move(costs_); }

 private:
  // Counts as held for as long as it exists.
  class Held {
   public:
    Held(int64_t bytes, int64_t& live) : bytes_(bytes), live_(live) {
      live_ += bytes_;
    }
    ~Held() { live_ -= bytes_; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    int64_t bytes_;
    int64_t& live_;
  };

  const Function& function_;
  int64_t live_ = 0;  // Before held_, which counts it down.
  std::vector<std::shared_ptr<Held>> held_;
  std::vector<int64_t> callers_;  // By memory: the bytes that will be.
  RunCost op_;
  std::vector<RunCost> costs_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_COST_METER_H_
