// A CUDA device against the host: the same bits, or as close as
// cuda/device_rounding.h says. Skipped, each by its name, without a device.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cuda/backend.h"
#include "cuda/backends.h"
#include "cuda/device_rounding.h"
#include "cuda/interpreter.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/cuda/every_op.h"
#include "tests/cuda/reference.h"
#include "tests/cuda/same_bits.h"
#include "tests/known_programs.h"

namespace palimpsest {
namespace {

using testing::AssertionResult;

template <typename Base>
class OnDevice : public Base {
 protected:
  void SetUp() override {
    auto backend = OpenBackend(BackendName::kCuda);
    if (!backend.ok()) GTEST_SKIP() << backend.status().message();
    backend_ = *std::move(backend);
    options_.backend = backend_.get();
  }

  RunOptions options_;

 private:
  std::unique_ptr<kernels::Backend> backend_;
};

AssertionResult AreClose(const RunOutputs& host, const RunOutputs& device,
                         int ulps) {
  if (host.results.size() != device.results.size()) {
    return testing::AssertionFailure() << "numbers of results differ";
  }
  for (size_t r = 0; r < host.results.size(); ++r) {
    const DType dtype = host.results[r].dtype;
    const Tensor expected = TensorOf(host.results[r]);
    const Tensor actual = TensorOf(device.results[r]);
    if (actual.elements.size() != expected.elements.size()) {
      return testing::AssertionFailure() << "sizes of result " << r;
    }
    for (size_t i = 0; i < expected.elements.size(); ++i) {
      if (IsClose(dtype, actual.elements[i], expected.elements[i], ulps)) {
        continue;
      }
      return testing::AssertionFailure()
             << "element " << i << ": " << ToString(dtype, actual.elements[i])
             << ", on the host " << ToString(dtype, expected.elements[i]);
    }
  }
  return testing::AssertionSuccess();
}

using EveryOpOnDeviceTest = OnDevice<testing::TestWithParam<int>>;

TEST_P(EveryOpOnDeviceTest, IsAsExactAsStated) {
  const OpKind op = OpKind(GetParam());
  for (DType dtype : AllDTypes()) {
    const int ulps = DeviceUlps(op, dtype);
    const bool is_complex = InfoFor(dtype).dtype_class == DTypeClass::kComplex;
    for (const std::string& text : ProgramsOf(op, dtype)) {
      const absl::StatusOr<Program> program = ParseProgram(text, "test");
      ASSERT_TRUE(program.ok()) << program.status() << text;
      const Function& function = program->functions[0];
      for (Contents contents : {Contents::kTame, Contents::kAnyBytes}) {
        if (ulps > 0 && is_complex && contents != Contents::kTame) continue;
        const auto inputs = InputsOf(function, contents, 2);
        ASSERT_TRUE(inputs.ok()) << inputs.status();
        const auto host = palimpsest::Run(function, *inputs);
        const auto device = palimpsest::Run(function, *inputs, options_);
        if (ulps == 0 || !host.ok() || !device.ok()) {
          EXPECT_TRUE(SameBits(host, device)) << text;
        } else {
          EXPECT_TRUE(AreClose(*host, *device, ulps)) << text;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, EveryOpOnDeviceTest,
                         testing::Range<int>(0, AllOps().size()),
                         [](const auto& info) {
                           return std::string(AllOps()[info.param].text);
                         });

using ConformOnDeviceTest = OnDevice<testing::TestWithParam<const char*>>;

// Each recorded program and its pure form, on the device: eager's values, and
// the same bits from both.
TEST_P(ConformOnDeviceTest, EveryCasePasses) {
  const std::string command =
      absl::StrCat("tools/palimpsest conform --backend=cuda tests/conformance/",
                   GetParam(), ".jsonl 2>&1");
  FILE* const pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  char piece[4096];
  while (fgets(piece, sizeof piece, pipe) != nullptr) output += piece;
  EXPECT_EQ(pclose(pipe), 0) << output;
  EXPECT_NE(output.find(" 0 failed"), std::string::npos) << output;
}

INSTANTIATE_TEST_SUITE_P(Corpus, ConformOnDeviceTest,
                         testing::ValuesIn(kRecordedFiles),
                         [](const auto& info) { return info.param; });

using DeviceMemoryTest = OnDevice<testing::Test>;

TEST_F(DeviceMemoryTest, SaysHowManyBytesItHasNotGot) {
  const absl::StatusOr<Program> program = ParseProgram(
      "func @f(%x: f32[1]) {\n"
      "  %e = view %x : f32[1048576,1048576,4] strides [0,0,0]\n"
      "  %y = clone %e\n  return %y\n}\n",
      "test");
  ASSERT_TRUE(program.ok()) << program.status();
  const Function& function = program->functions[0];
  const auto inputs = InputsOf(function, Contents::kTame, 0);
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  const absl::Status status =
      palimpsest::Run(function, *inputs, options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(status.message(),
            "clone: out of memory: 17592186044416 bytes asked for");
}

}  // namespace
}  // namespace palimpsest
