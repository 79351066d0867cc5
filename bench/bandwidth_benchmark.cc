// Bytes a second that the interpreter's kernels read and write, beside those of
// a copy by memcpy: on the host, and on a CUDA device where there is one.
//
// bazel run //bench:bandwidth_benchmark -- --benchmark_filter=host

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "cuda/backend.h"
#include "cuda/backends.h"
#include "cuda/buffer.h"
#include "cuda/executor.h"
#include "cuda/host_backend.h"
#include "cuda/view.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

void Check(const absl::Status& status) {
  if (status.ok()) return;
  fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  std::exit(1);
}

template <typename T>
T Check(absl::StatusOr<T> result) {
  Check(result.status());
  return *std::move(result);
}

// Square matrices of tame values, and what the kernels do to them.
class Matrices {
 public:
  Matrices(kernels::Backend& backend, int64_t rows)
      : backend_(backend), executor_(backend), rows_(rows) {
    a_ = Make(DType::kF32, {rows, rows});
    b_ = Make(DType::kF32, {rows, rows});
    out_ = Make(DType::kF32, {rows, rows});
    half_ = Make(DType::kBF16, {rows, rows});
    sums_ = Make(DType::kF32, {rows});
    index_ = Check(executor_.Temporary(DType::kI64, {rows}));
    Check(executor_.Iota(index_, Literal::Integer(0), Literal::Integer(1)));
    transposed_ = a_;
    std::swap(transposed_.strides[0], transposed_.strides[1]);
    plan_.sizes = {rows, rows};
    plan_.dims_of_x = {-1, 1};
    plan_.places = {rows};
    plan_.indices.push_back({index_, 0});
  }

  struct Case {
    const char* name;
    int64_t matrices;  // Of f32, read or written.
    void (*run)(const Matrices& m);
  };
  static const std::vector<Case>& Cases();

  int64_t BytesOf(int64_t matrices) const {
    return matrices * rows_ * rows_ * 4;
  }
  void Finish() const { Check(executor_.Finish()); }

 private:
  View Make(DType dtype, std::vector<int64_t> sizes) {
    View view = Check(executor_.Temporary(dtype, sizes));
    Check(executor_.Fill(
        view, Check(executor_.ValueOf({Literal::Float(0.5)}, dtype, {}))));
    return view;
  }

  kernels::Backend& backend_;
  const Executor executor_;
  const int64_t rows_;
  View a_, b_, out_, half_, sums_, index_, transposed_;
  IndexPlan plan_;
};

const std::vector<Matrices::Case>& Matrices::Cases() {
  static const auto& cases = *new std::vector<Case>{
      {"memcpy", 2,
       [](const Matrices& m) {
         (void)m.backend_.Copy(m.out_.data(), m.a_.data(), m.BytesOf(1));
       }},
      {"clone", 2,
       [](const Matrices& m) { Check(m.executor_.Move(m.out_, m.a_)); }},
      {"clone of a transposed", 2,
       [](const Matrices& m) {
         Check(m.executor_.Move(m.out_, m.transposed_));
       }},
      {"add", 3,
       [](const Matrices& m) {
         Check(m.executor_.Elementwise(OpKind::kAdd, m.out_, {m.a_, m.b_}));
       }},
      {"exp", 2,
       [](const Matrices& m) {
         Check(m.executor_.Elementwise(OpKind::kExp, m.out_, {m.a_}));
       }},
      {"cast of bf16 to f32, twice", 3,
       [](const Matrices& m) {
         Check(m.executor_.Cast(m.out_, m.half_));
         Check(m.executor_.Cast(m.out_, m.half_));
       }},
      {"sum of rows", 1,
       [](const Matrices& m) {
         Check(m.executor_.Reduce(OpKind::kSum, m.sums_, m.a_, {1}));
       }},
      {"sum of columns", 1,
       [](const Matrices& m) {
         Check(m.executor_.Reduce(OpKind::kSum, m.sums_, m.a_, {0}));
       }},
      {"index_select of rows", 2,
       [](const Matrices& m) {
         Check(m.executor_.IndexRead(m.out_, m.a_, m.plan_));
       }},
      {"index_add of rows", 3,
       [](const Matrices& m) {
         Check(m.executor_.IndexUpdate(kernels::IndexedAction::kAdd, m.out_,
                                       m.a_, m.plan_));
       }},
  };
  return cases;
}

void Register(const char* where, kernels::Backend& backend, int64_t rows) {
  const auto matrices = std::make_shared<Matrices>(backend, rows);
  for (const Matrices::Case& c : Matrices::Cases()) {
    benchmark::RegisterBenchmark(
        absl::StrCat(where, ": ", c.name).c_str(),
        [matrices, c](benchmark::State& state) {
          for (auto _ : state) {
            c.run(*matrices);
            matrices->Finish();
          }
          state.SetBytesProcessed(state.iterations() *
                                  matrices->BytesOf(c.matrices));
        })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  using palimpsest::BackendName;
  benchmark::Initialize(&argc, argv);
  palimpsest::Register("host", palimpsest::kernels::HostBackend(), 4096);
  const auto device = palimpsest::OpenBackend(BackendName::kCuda);
  if (device.ok()) {
    palimpsest::Register("cuda", **device, 16384);
  } else {
    printf("%s\n", std::string(device.status().message()).c_str());
  }
  benchmark::RunSpecifiedBenchmarks();
  // Before the device goes, which the matrices lie on.
  benchmark::ClearRegisteredBenchmarks();
}
