#include "analysis/proof_lifetimes.h"

#include <cstddef>
#include <vector>

#include "analysis/proof_walk.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {
namespace {

// The last op that uses each of them; kNone where it is to be kept.
constexpr int kNone = -1;

std::vector<int> LastReads(const Function& function) {
  std::vector<int> last(function.values.size(), kNone);
  for (size_t i = 0; i < function.ops.size(); ++i) {
    for (const Operand& operand : function.OperandsOf(function.ops[i])) {
      if (operand.is_value()) last[operand.ref] = static_cast<int>(i);
    }
  }
  for (const Return& item : function.returns) {
    if (item.value.valid()) last[item.value.value] = kNone;
  }
  return last;
}

// Precondition: an in-place function. All its values lie in storages.
std::vector<int> LastUses(const Function& function) {
  std::vector<int> last(function.storages.size(), kNone);
  for (size_t i = 0; i < function.ops.size(); ++i) {
    const Op& op = function.ops[i];
    const auto use = [&](const Type& type) {
      last[type.storage.value] = static_cast<int>(i);
    };
    for (const Operand& operand : function.OperandsOf(op)) {
      if (operand.is_value()) use(function.Get(operand.value()).type);
    }
    for (int k = 0; k < op.results.count; ++k) {
      use(function.Get(function.Result(op, k)).type);
    }
    if (op.target >= 0) use(function.targets[op.target]);
  }
  for (const Return& item : function.returns) {
    last[function.Get(item.value).type.storage.value] = kNone;
  }
  for (StorageId id : CallerStorages(function)) last[id.value] = kNone;
  return last;
}

}  // namespace

Lifetimes::Lifetimes(const Function& function)
    : values(function.ops.size()), storages(function.ops.size()) {
  const std::vector<int> reads = LastReads(function);
  for (size_t i = 0; i < reads.size(); ++i) {
    if (reads[i] == kNone) continue;
    values[reads[i]].push_back(ValueId{static_cast<int>(i)});
  }
  if (function.is_pure()) return;
  const std::vector<int> uses = LastUses(function);
  for (size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] == kNone) continue;
    storages[uses[i]].push_back(StorageId{static_cast<int>(i)});
  }
}

}  // namespace proof
}  // namespace palimpsest
