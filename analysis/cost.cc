#include "analysis/cost.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/numeric/int128.h"
#include "analysis/liveness.h"
#include "analysis/op_overlap.h"
#include "analysis/op_traffic.h"
#include "analysis/saturating.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Sums of int64_t, as many as there are values.
using Wide = absl::int128;

// How many bytes live while each op runs.
class LiveBytes {
 public:
  explicit LiveBytes(const Function& function)
      : function_(function),
        liveness_(Liveness::Run(function)),
        changes_(function.ops.size() + 2, 0) {
    if (function.is_pure()) {
      AddValues();
    } else {
      AddStorages();
    }
  }

  // By op.
  std::vector<Wide> Get() const {
    std::vector<Wide> live;
    Wide bytes = 0;
    for (size_t i = 0; i < function_.ops.size(); ++i) {
      live.push_back(bytes += changes_[i]);
    }
    return live;
  }

 private:
  void Add(const Lifetime& lifetime, int64_t bytes) {
    if (lifetime.birth == Lifetime::kAtEntry) return;
    changes_[lifetime.birth] += bytes;
    changes_[lifetime.death + 1] -= bytes;
  }
  void AddStorages();
  void AddValues();

  const Function& function_;
  const Liveness liveness_;
  std::vector<Wide> changes_;  // From one op to the next.
};

// The bytes of a storage that are the caller's at the end.
struct Returned {
  int64_t begin = std::numeric_limits<int64_t>::max();
  int64_t end = 0;

  int64_t bytes() const { return std::max<int64_t>(end - begin, 0); }
  void Add(const Layout& layout, int64_t offset) {
    const Extent extent = *ExtentOf(layout);
    if (extent.count == 0) return;
    const int64_t width = WidthOf(layout.dtype);
    const int64_t first = (offset + extent.first) * width;
    begin = std::min(begin, first);
    end = std::max(end, first + extent.count * width);
  }
};

void LiveBytes::AddStorages() {
  std::vector<Returned> returned(function_.storages.size());
  for (const Return& item : function_.returns) {
    const Type& type = function_.Get(item.value).type;
    returned[type.storage.value].Add(function_.LayoutOf(type), type.offset);
  }
  for (int32_t i = 0; i < static_cast<int32_t>(returned.size()); ++i) {
    Add(liveness_.Of(StorageId{i}),
        function_.storages[i].bytes - returned[i].bytes());
  }
}

void LiveBytes::AddValues() {
  std::vector<bool> is_callers(function_.values.size(), false);
  for (const Return& item : function_.returns) {
    if (item.value.valid()) is_callers[item.value.value] = true;
  }
  for (const Op& op : function_.ops) {
    if (op.kind == OpKind::kBind) {
      is_callers[function_.OperandsOf(op)[0].ref] = true;
    }
  }
  for (const Op& op : function_.ops) {
    if (op.kind == OpKind::kExtract || op.kind == OpKind::kContents) continue;
    for (int k = 0; k < op.results.count; ++k) {
      const ValueId result = function_.Result(op, k);
      if (is_callers[result.value]) continue;
      const Layout layout = function_.LayoutOf(result);
      Add(liveness_.Of(result),
          ElementCount(layout.sizes) * WidthOf(layout.dtype));
    }
  }
}

int64_t Saturated(Wide bytes) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return bytes > kMost ? kMost : static_cast<int64_t>(bytes);
}

}  // namespace

std::vector<OpCost> CostByOp(const Function& function) {
  const std::vector<Wide> live = LiveBytes(function).Get();
  OpOverlap overlap(function);
  std::vector<OpCost> costs;
  costs.reserve(function.ops.size());
  for (size_t i = 0; i < function.ops.size(); ++i) {
    const Op& op = function.ops[i];
    const OpTraffic traffic = TrafficOf(function, op);
    costs.push_back({traffic.read, traffic.written,
                     Saturated(live[i] + overlap.BytesOf(op))});
  }
  return costs;
}

Cost CostOf(const Function& function) {
  Cost cost;
  for (const OpCost& op : CostByOp(function)) {
    cost.read = SaturatingSum(cost.read, op.read);
    cost.written = SaturatingSum(cost.written, op.written);
    cost.temporary = std::max(cost.temporary, op.temporary);
  }
  return cost;
}

}  // namespace palimpsest
