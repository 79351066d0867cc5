// Calls: registered kernels, and the mixing function of unknown ones.

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cuda/interpreter.h"
#include "cuda/kernel_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/cuda/reference.h"

namespace palimpsest {
namespace {

using testing::ElementsAre;
using Reals = std::vector<double>;

const Tensor& Six() {
  static const Tensor& tensor =
      *new Tensor(TensorOf(DType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  return tensor;
}

Reals Call(const std::string& call, const Tensor& x = Six()) {
  return RealsOf(ResultOf(
      "func @f(%x: f32[2,3]) {\n  %r = " + call + "\n  return %r\n}\n", {x}));
}

TEST(MixingTest, IsTameAndDeterministic) {
  for (DType dtype : AllDTypes()) {
    const Tensor result = ResultOf(
        "func @f(%x: f32[2,3]) {\n  %r = call \"f\"(%x) : " +
            std::string(InfoFor(dtype).text) + "[500]\n  return %r\n}\n",
        {Six()});
    std::set<double> seen;
    for (double value : RealsOf(result)) {
      seen.insert(value);
      EXPECT_LE(value, IsIntegral(dtype) ? 8 : 4);
      EXPECT_GE(value, IsIntegral(dtype) ? -8 : -4);
      EXPECT_EQ(value * 8, static_cast<int>(value * 8));
    }
    EXPECT_GE(seen.size(), dtype == DType::kBool ? 2u : 9u);
  }
  EXPECT_EQ(Call("call \"f\"(%x) : f32[9]"), Call("call \"f\"(%x) : f32[9]"));
}

TEST(MixingTest, DependsOnEverythingButMut) {
  std::set<Reals> all;
  all.insert(Call("call \"f\"(%x) : f32[9]"));
  all.insert(Call("call \"g\"(%x) : f32[9]"));
  all.insert(Call("call \"f\"(%x) {k=\"1\"} : f32[9]"));
  all.insert(Call("call \"f\"(%x) {k=\"2\"} : f32[9]"));
  all.insert(Call("call \"f\"(%x, %x) : f32[9]"));
  all.insert(Call("call \"f\"(%x) : f32[3,3]"));
  for (int i = 0; i < 6; ++i) {
    Tensor changed = Six();
    changed.elements[i].real += 1.0;
    all.insert(Call("call \"f\"(%x) : f32[9]", changed));
  }
  Tensor swapped = Six();
  std::swap(swapped.elements[0], swapped.elements[5]);
  all.insert(Call("call \"f\"(%x) : f32[9]", swapped));
  EXPECT_EQ(all.size(), 13u);
  const std::string two =
      "func @f(%x: f32[2,3]) {\n  %r, %s = call \"f\"(%x) : f32[9], f32[9]\n"
      "  return %r, %s\n}\n";
  EXPECT_NE(RealsOf(ResultOf(two, {Six()}, 0)),
            RealsOf(ResultOf(two, {Six()}, 1)));
  EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[2,3]) {\n"
                             "  %r = call \"f\"(mut %x) : f32[9]\n"
                             "  return %r\n}\n",
                             {Six()})),
            Call("call \"f\"(%x) : f32[9]"));
}

TEST(MixingTest, DoesNotDependOnTheLayoutOrOnNanPayloads) {
  const Reals expected = Call("call \"f\"(%x) : f32[9]");
  for (const std::string layout :
       {"strides [1,2]", "offset 5 strides [-3,-1]", "strides [32,9]"}) {
    EXPECT_EQ(RealsOf(ResultOf("func @f(%x: f32[2,3] in @s " + layout +
                                   ") {\n  %r = call \"f\"(%x) : f32[9]\n"
                                   "  return %r\n}\n",
                               {Six()})),
              expected);
  }
  const auto with_pattern = [](int64_t pattern) {
    return RealsOf(
        ResultOf("func @f(%b: i32[2] in @s) {\n  %x = view %b : f32[2] in @s\n"
                 "  %r = call \"f\"(%x) : f32[9]\n  return %r\n}\n",
                 {TensorOf(DType::kI32, {2}, {0, double(pattern)})}));
  };
  EXPECT_EQ(with_pattern(0x7FC00000), with_pattern(0x7FC12345));
  EXPECT_EQ(with_pattern(0x7FC00000), with_pattern(int32_t(0xFFC00000)));
  EXPECT_NE(with_pattern(0x7FC00000), with_pattern(0x7F800000));
}

TEST(CallTest, PureFormGivesWhatTheInPlaceFormWrites) {
  const std::string in_place =
      "func @f(%x: f32[4] in @s, %y: f32[2] in @s offset 1) {\n"
      "  %r, %v = call \"f\"(%x, mut %y) : i32[3], f32[2] in @s\n"
      "  return %r, %y, %v, %x\n}\n";
  const std::string pure =
      "pure func @f(%x: f32[4] in @s, %y: f32[2] in @s offset 1) {\n"
      "  %r, %u = call \"f\"(%x, upd %y) : i32[3]\n"
      "  commit %u to f32[2] in @s offset 1\n"
      "  return %r, f32[2] in @s offset 1, f32[2] in @s, f32[4] in @s\n}\n";
  const std::vector<Tensor> inputs = {TensorOf(DType::kF32, {4}, {1, 2, 3, 4}),
                                      TensorOf(DType::kF32, {2}, {2, 3})};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(RealsOf(ResultOf(in_place, inputs, i)),
              RealsOf(ResultOf(pure, inputs, i)))
        << i;
  }
}

TEST(CallTest, WritesLeftToRightTheLastWins) {
  KernelRegistry registry;
  registry.Register("fill", [](const KernelCall& call) {
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      float* out = static_cast<float*>(call.outputs[i].data);
      const float* in = static_cast<const float*>(call.operands[i].data);
      for (int k = 0; k < 2; ++k) out[k] = in[k] + 10.0f * (i + 1);
    }
    return absl::OkStatus();
  });
  RunOptions options;
  options.registry = &registry;
  const absl::StatusOr<RunOutputs> outputs = RunText(
      "func @f(%x: f32[2]) {\n  call \"fill\"(mut %x, mut %x)\n"
      "  return %x\n}\n",
      {TensorOf(DType::kF32, {2}, {1, 2})}, options);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT(RealsOf(TensorOf(outputs->results[0])), ElementsAre(21, 22));
}

TEST(CallTest, ARegisteredKernelSeesRowMajorOperandsAndMayFail) {
  KernelRegistry registry;
  registry.Register("sum", [](const KernelCall& call) -> absl::Status {
    if (call.attributes.empty()) return absl::InvalidArgumentError("no axis");
    EXPECT_EQ(call.attributes[0].first, "axis");
    EXPECT_THAT(call.operands[0].sizes, ElementsAre(2, 3));
    const float* in = static_cast<const float*>(call.operands[0].data);
    float* out = static_cast<float*>(call.outputs[0].data);
    for (int r = 0; r < 2; ++r) {
      out[r] = in[r * 3] + in[r * 3 + 1] + in[r * 3 + 2];
    }
    return absl::OkStatus();
  });
  RunOptions options;
  options.registry = &registry;
  const std::string head = "func @f(%x: f32[2,3] in @s strides [1,2]) {\n";
  const absl::StatusOr<RunOutputs> outputs =
      RunText(head +
                  "  %r = call \"sum\"(%x) {axis=\"1\"} : f32[2] in @r strides "
                  "[3]\n  return %r\n}\n",
              {Six()}, options);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT(RealsOf(TensorOf(outputs->results[0])), ElementsAre(6, 15));
  EXPECT_EQ(RunText(head + "  %r = call \"sum\"(%x) : f32[2]\n  return %r\n}\n",
                    {Six()}, options)
                .status()
                .message(),
            "call \"sum\": no axis");
}

}  // namespace
}  // namespace palimpsest
