#include "analysis/liveness.h"

#include <algorithm>
#include <cstdint>

#include "analysis/op_traffic.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {
namespace {

// Not yet made.
constexpr int32_t kUnborn = -2;

bool ReadsOperand(const Function& function, const Op& op, int i) {
  return i > 0 || !op.in_place() || ReadsDestination(function, op);
}

}  // namespace

Liveness Liveness::Run(const Function& function) {
  Liveness liveness;
  if (function.is_pure()) {
    liveness.RunPure(function);
  } else {
    liveness.RunInPlace(function);
  }
  return liveness;
}

void Liveness::RunInPlace(const Function& function) {
  const int32_t end = static_cast<int32_t>(function.ops.size());
  last_reads_.resize(function.storages.size(), Lifetime::kAtEntry);
  for (const Storage& storage : function.storages) {
    const bool callers = storage.kind == StorageKind::kParameter;
    storages_.push_back({callers ? Lifetime::kAtEntry : kUnborn,
                         callers ? end : Lifetime::kAtEntry});
  }
  const auto storage_of = [&](ValueId id) {
    return function.Get(id).type.storage.value;
  };
  const auto use = [&](ValueId id, int32_t op) {
    Lifetime& lifetime = storages_[storage_of(id)];
    if (lifetime.birth == kUnborn) lifetime.birth = op;
    lifetime.death = std::max(lifetime.death, op);
  };
  for (int32_t i = 0; i < end; ++i) {
    const Op& op = function.ops[i];
    const bool is_view = op.kind == OpKind::kView;
    for (int k = 0; k < op.operands.count; ++k) {
      const Operand& operand = function.OperandsOf(op)[k];
      if (!operand.is_value() || is_view) continue;
      use(operand.value(), i);
      if (!ReadsOperand(function, op, k)) continue;
      last_reads_[storage_of(operand.value())] = i;
    }
    for (int k = 0; k < op.results.count; ++k) {
      if (!is_view) use(function.Result(op, k), i);
    }
  }
  for (const Return& returned : function.returns) {
    use(returned.value, end);
    last_reads_[storage_of(returned.value)] = end;
  }
  for (size_t i = 0; i < storages_.size(); ++i) {
    if (function.storages[i].kind == StorageKind::kParameter) {
      last_reads_[i] = end;
    }
    if (storages_[i].birth == kUnborn) storages_[i].birth = Lifetime::kAtEntry;
  }
}

// Backwards, so that a view's death is known before the op that takes it.
void Liveness::RunPure(const Function& function) {
  const int32_t end = static_cast<int32_t>(function.ops.size());
  storages_.resize(function.storages.size(), {Lifetime::kAtEntry, end});
  values_.resize(function.values.size());
  const auto use = [&](ValueId id, int32_t op) {
    int32_t& death = values_[id.value].death;
    death = std::max(death, op);
  };
  for (const Return& returned : function.returns) {
    if (returned.value.valid()) use(returned.value, end);
  }
  for (int32_t i = end - 1; i >= 0; --i) {
    const Op& op = function.ops[i];
    if (op.kind == OpKind::kBind) {
      storages_[function.targets[op.target].storage.value].birth = i;
    }
    for (int k = 0; k < op.results.count; ++k) {
      values_[function.Result(op, k).value].birth = i;
      use(function.Result(op, k), i);
    }
    const int32_t death = op.kind == OpKind::kExtract
                              ? values_[function.Result(op).value].death
                              : i;
    for (const Operand& operand : function.OperandsOf(op)) {
      if (operand.is_value()) use(operand.value(), death);
    }
  }
  for (ValueId parameter : function.parameters) use(parameter, end);
}

}  // namespace palimpsest
