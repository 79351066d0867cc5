#include "cuda/cost_meter.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "cuda/overwritten_bytes.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Of each storage, how many bytes there are from the first to the last that is
// returned.
std::vector<int64_t> ReturnedBytes(const Function& function) {
  std::vector<int64_t> begin(function.storages.size(),
                             std::numeric_limits<int64_t>::max());
  std::vector<int64_t> end(function.storages.size(), 0);
  for (const Return& item : function.returns) {
    const Type& type = function.Get(item.value).type;
    const Layout layout = function.LayoutOf(type);
    if (ElementCount(layout.sizes) == 0) continue;
    const Extent extent = *ExtentOf(layout);
    const int64_t first = type.offset + extent.first;
    const int64_t width = WidthOf(layout.dtype);
    const int32_t s = type.storage.value;
    begin[s] = std::min(begin[s], first * width);
    end[s] = std::max(end[s], (first + extent.count) * width);
  }
  std::vector<int64_t> bytes(end.size(), 0);
  for (size_t s = 0; s < end.size(); ++s) {
    if (end[s] > 0) bytes[s] = end[s] - begin[s];
  }
  return bytes;
}

// All of the values that are returned, or bound.
std::vector<int64_t> ReturnedValues(const Function& function) {
  std::vector<int64_t> bytes(function.values.size(), 0);
  const auto add = [&](ValueId id) {
    const Layout layout = function.LayoutOf(id);
    bytes[id.value] = ElementCount(layout.sizes) * WidthOf(layout.dtype);
  };
  for (const Return& item : function.returns) {
    if (item.value.valid()) add(item.value);
  }
  for (const Op& op : function.ops) {
    if (op.kind == OpKind::kBind) add(function.OperandsOf(op)[0].value());
  }
  return bytes;
}

}  // namespace

CostMeter::CostMeter(const Function& function)
    : function_(function),
      held_(function.is_pure() ? function.values.size()
                               : function.storages.size()),
      callers_(function.is_pure() ? ReturnedValues(function)
                                  : ReturnedBytes(function)) {}

void CostMeter::Hold(int32_t memory, int64_t bytes) {
  if (held_[memory] != nullptr) return;
  held_[memory] = std::make_shared<Held>(bytes - callers_[memory], live_);
}

void CostMeter::Share(int32_t view, int32_t memory) {
  held_[view] = held_[memory];
}

void CostMeter::Release(int32_t memory) { held_[memory] = nullptr; }

void CostMeter::EndOp(const Op& op) {
  op_.temporary = live_ + OverwrittenBytes(function_, op);
  costs_.push_back(std::exchange(op_, {}));
}

}  // namespace palimpsest
