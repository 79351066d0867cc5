#include "bench/workloads.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/builder.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// A builder whose statements are right by construction.
class Maker {
 public:
  Maker() : builder_("main", FunctionKind::kInPlace) {}

  ValueId Parameter(absl::string_view name, DType dtype, Dims sizes) {
    return Must(
        builder_.AddParameter(name, {dtype, std::move(sizes), {}, 0, {}}));
  }
  ValueId Parameter(absl::string_view name, const TypeDraft& type) {
    return Must(builder_.AddParameter(name, type));
  }
  Name Intern(absl::string_view text) { return builder_.Intern(text); }

  ValueId Slice(ValueId x, int64_t dim, int64_t start, int64_t end,
                int64_t step = 1) {
    return Must(builder_.Slice(x, dim, start, end, step));
  }
  ValueId Select(ValueId x, int64_t dim, int64_t index) {
    return Must(builder_.Select(x, dim, index));
  }
  ValueId Transpose(ValueId x) { return Must(builder_.Transpose(x, 0, 1)); }
  ValueId Unsqueeze(ValueId x) { return Must(builder_.Unsqueeze(x, 0)); }

  ValueId Make(OpKind kind, Arguments arguments, Attributes attributes = {}) {
    return Must(builder_.Make(kind, arguments, attributes));
  }
  void InPlace(OpKind kind, Arguments arguments, Attributes attributes = {}) {
    PALIMPSEST_CHECK(builder_.InPlace(kind, arguments, attributes).ok());
  }

  // Adds the sum of all elements to what the function returns.
  void Observe(ValueId x) {
    const ValueId sum = Make(OpKind::kSum, {x});
    total_ = total_.valid() ? Make(OpKind::kAdd, {total_, sum}) : sum;
  }

  void Return(ValueId x) { PALIMPSEST_CHECK(builder_.Return(x).ok()); }

  Function Finish() {
    if (total_.valid()) PALIMPSEST_CHECK(builder_.Return(total_).ok());
    return std::move(builder_).FinishUnverified();
  }

 private:
  static ValueId Must(const absl::StatusOr<ValueId>& value) {
    PALIMPSEST_CHECK(value.ok());
    return *value;
  }

  FunctionBuilder builder_;
  ValueId total_;
};

Literal Number(double value) { return Literal::Float(value); }

int64_t AtLeastOne(int64_t count) { return std::max<int64_t>(count, 1); }

// Random numbers that are the same everywhere.
class Lottery {
 public:
  int64_t Below(int64_t count) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((state_ >> 33) % static_cast<uint64_t>(count));
  }

 private:
  uint64_t state_ = 1;
};

// A block of 4 rows and 8 columns, or every other of twice as many rows.
ValueId RandomBlock(Maker& make, Lottery& lottery, ValueId matrix) {
  const int64_t row = lottery.Below(248);
  const int64_t column = lottery.Below(56);
  const int64_t step = 1 + lottery.Below(2);
  return make.Slice(make.Slice(matrix, 0, row, row + 4 * step, step), 1, column,
                    column + 8);
}

}  // namespace

Function KvCache(int64_t ops) {
  constexpr int64_t kPositions = 64;
  Maker make;
  const ValueId cache =
      make.Parameter("cache", DType::kF32, {4, 2, kPositions, 8});
  const ValueId positions =
      make.Parameter("positions", DType::kI64, {kPositions});
  const ValueId keys = make.Parameter("keys", DType::kF32, {2, 2, 1, 8});
  for (int64_t i = 0; i < AtLeastOne(ops / 6); ++i) {
    const int64_t position = i % kPositions;
    const ValueId lanes = make.Slice(cache, 0, 0, 2);
    const ValueId index = make.Slice(positions, 0, position, position + 1);
    make.InPlace(OpKind::kIndexCopy, {lanes, index, keys},
                 {AttributeDraft::Dim(-2)});
    make.Observe(make.Select(lanes, 2, position));
  }
  return make.Finish();
}

Function ManyViews(int64_t ops) {
  Maker make;
  const ValueId base = make.Parameter("base", DType::kF32, {4096});
  const int64_t count = AtLeastOne(ops / 4);
  std::vector<ValueId> views;
  for (int64_t i = 0; i < count; ++i) {
    views.push_back(
        make.Slice(base, 0, i * 5 % 1024, 3072 + i * 3 % 1024, 1 + i % 3));
  }
  for (int64_t i = 0; i < count; ++i) {
    make.InPlace(OpKind::kAdd, {views[i], Number(1)});
    make.Observe(views[i * 7 % count]);
  }
  return make.Finish();
}

Function ViewChain(int64_t ops) {
  Maker make;
  const ValueId base = make.Parameter("base", DType::kF32, {16, 16});
  ValueId view = base;
  for (int64_t i = 0; i < ops - 2; ++i) {
    switch (i % 4) {
      case 0:
        view = make.Transpose(view);
        break;
      case 1:
        view = make.Slice(view, i % 8 == 1 ? 0 : 1, 0, 16);
        break;
      case 2:
        view = make.Unsqueeze(view);
        break;
      default:
        view = make.Select(view, 0, 0);
    }
  }
  make.InPlace(OpKind::kAdd, {view, Number(1)});
  make.Observe(base);
  return make.Finish();
}

Function PointwiseChain(int64_t ops) {
  Maker make;
  const ValueId x = make.Parameter("x", DType::kF32, {4});
  for (int64_t i = 0; i < ops / 2; ++i) {
    make.InPlace(OpKind::kAdd, {x, Number(1)});
    make.InPlace(OpKind::kMul, {x, Number(0.5)});
  }
  make.Observe(x);
  return make.Finish();
}

Function AliasingInputs(int64_t ops) {
  Maker make;
  const int64_t count = std::min<int64_t>(AtLeastOne(ops / 3), 64);
  std::vector<ValueId> inputs;
  for (int64_t i = 0; i < count; ++i) {
    inputs.push_back(make.Parameter(
        absl::StrCat("x", i),
        {DType::kF32, {512}, make.Intern("base"), 4 * i, absl::nullopt}));
  }
  for (int64_t round = 0; round < AtLeastOne(ops / (3 * count)); ++round) {
    for (ValueId input : inputs) make.InPlace(OpKind::kAdd, {input, Number(1)});
    for (ValueId input : inputs) make.Observe(input);
  }
  return make.Finish();
}

Function InterleavedColumns(int64_t ops) {
  Maker make;
  const int64_t count = AtLeastOne(ops / 7);
  const ValueId matrix = make.Parameter("matrix", DType::kF32, {4, count});
  std::vector<ValueId> columns;
  for (int64_t i = 0; i < count; ++i) {
    columns.push_back(make.Select(matrix, 1, i));
  }
  for (ValueId column : columns)
    make.InPlace(OpKind::kAdd, {column, Number(1)});
  for (ValueId column : columns) make.Observe(column);
  for (ValueId column : columns) {
    make.InPlace(OpKind::kMul, {column, Number(0.5)});
  }
  for (ValueId column : columns) make.Observe(column);
  return make.Finish();
}

Function Heads(int64_t ops) {
  Maker make;
  const int64_t count = AtLeastOne(ops / 9);
  const ValueId tensor = make.Parameter("qkv", DType::kF32, {16, 3, count, 8});
  const ValueId bias = make.Parameter("bias", DType::kF32, {8});
  const ValueId queries = make.Select(tensor, 1, 0);
  const ValueId keys = make.Select(tensor, 1, 1);
  const ValueId values = make.Select(tensor, 1, 2);
  for (int64_t head = 0; head < count; ++head) {
    const ValueId q = make.Select(queries, 1, head);
    const ValueId k = make.Select(keys, 1, head);
    make.InPlace(OpKind::kMul, {q, Number(0.5)});
    make.InPlace(OpKind::kAdd, {k, bias});
    const ValueId score = make.Make(OpKind::kMul, {q, k});
    make.InPlace(OpKind::kCopy, {make.Select(values, 1, head), score});
    make.Observe(score);
  }
  return make.Finish();
}

Function RandomMix(int64_t ops) {
  Maker make;
  Lottery lottery;
  std::vector<ValueId> matrices;
  for (int i = 0; i < 4; ++i) {
    matrices.push_back(
        make.Parameter(absl::StrCat("x", i), DType::kF32, {256, 64}));
  }
  for (int64_t i = 0; i < AtLeastOne(ops / 6); ++i) {
    const ValueId block =
        RandomBlock(make, lottery, matrices[lottery.Below(4)]);
    if (lottery.Below(2) == 0) {
      make.InPlace(OpKind::kAdd, {block, Number(1)});
      make.Observe(block);
    } else {
      const ValueId other =
          RandomBlock(make, lottery, matrices[lottery.Below(4)]);
      make.InPlace(OpKind::kCopy, {block, other});
      if (lottery.Below(4) == 0) make.Observe(matrices[lottery.Below(4)]);
    }
  }
  return make.Finish();
}

Function ManyStorages(int64_t ops) {
  Maker make;
  std::vector<ValueId> parameters;
  for (int64_t i = 0; i < AtLeastOne(ops / 2); ++i) {
    parameters.push_back(
        make.Parameter(absl::StrCat("x", i), DType::kF32, {4}));
  }
  for (ValueId parameter : parameters) {
    make.InPlace(OpKind::kNeg, {parameter});
    make.Return(make.Make(OpKind::kClone, {parameter}));
  }
  return make.Finish();
}

absl::Span<const Workload> AllWorkloads() {
  static constexpr Workload kWorkloads[] = {
      {"W1_KvCache", KvCache},
      {"W2_ManyViews", ManyViews},
      {"W3_ViewChain", ViewChain},
      {"W4_PointwiseChain", PointwiseChain},
      {"W5_AliasingInputs", AliasingInputs},
      {"W6_InterleavedColumns", InterleavedColumns},
      {"W7_Heads", Heads},
      {"W8_RandomMix", RandomMix},
      {"W9_ManyStorages", ManyStorages},
  };
  return kWorkloads;
}

}  // namespace palimpsest
