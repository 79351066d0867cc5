#include "tests/transforms/fewest_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/optional.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr int64_t kUnitBytes = kUnit * 4;
constexpr int kJunk = -1;

// What a unit holds: one of the caller's at entry, or a unit of an op's result.
using Symbols = std::vector<int>;

struct Step {
  std::vector<Symbols> operands;
  Symbols result;
};

// What there is to do.
struct Task {
  Symbols entry;
  Symbols exit;
  std::vector<Symbols> results;
  std::vector<Step> steps;
};

class Reader {
 public:
  explicit Reader(const Function& pure) : pure_(pure) {}

  absl::optional<Task> Read() {
    if (pure_.parameters.size() != 1) return absl::nullopt;
    const ValueId parameter = pure_.parameters[0];
    held_.resize(pure_.values.size());
    for (int64_t i = 0; i < UnitsOf(parameter); ++i) {
      task_.entry.push_back(next_++);
    }
    held_[parameter.value] = task_.entry;
    task_.exit = task_.entry;
    for (const Op& op : pure_.ops) {
      if (!ReadOp(op)) return absl::nullopt;
    }
    for (const Return& item : pure_.returns) {
      if (!item.value.valid()) return absl::nullopt;
      task_.results.push_back(held_[item.value.value]);
    }
    return task_;
  }

 private:
  int64_t UnitsOf(ValueId value) const {
    return ElementCount(pure_.LayoutOf(value).sizes) / kUnit;
  }

  // Where a row of units begins, in units.
  static absl::optional<int64_t> UnitOf(const Layout& layout, int64_t offset) {
    if (layout.dtype != DType::kF32 || !IsRowMajor(layout) ||
        ElementCount(layout.sizes) % kUnit != 0 || offset % kUnit != 0) {
      return absl::nullopt;
    }
    return offset / kUnit;
  }

  absl::optional<int64_t> UnitOf(const Operand& operand) const {
    const BufferWindow& window = pure_.windows[operand.window];
    return UnitOf(pure_.layouts.Get(window.layout), window.offset);
  }

  bool ReadOp(const Op& op) {
    const auto operands = pure_.OperandsOf(op);
    switch (op.kind) {
      case OpKind::kExtract: {
        const auto unit = UnitOf(operands[0]);
        if (!unit) return false;
        const Symbols& whole = held_[operands[0].ref];
        const ValueId result = pure_.Result(op);
        held_[result.value].assign(whole.begin() + *unit,
                                   whole.begin() + *unit + UnitsOf(result));
        return true;
      }
      case OpKind::kAssemble: {
        Symbols whole(UnitsOf(pure_.Result(op)), kJunk);
        for (const Operand& operand : operands) {
          const auto unit = operand.window < 0 ? absl::make_optional<int64_t>(0)
                                               : UnitOf(operand);
          if (!unit) return false;
          absl::c_copy(held_[operand.ref], whole.begin() + *unit);
        }
        held_[pure_.Result(op).value] = whole;
        return true;
      }
      case OpKind::kCommit: {
        const Type& target = pure_.targets[op.target];
        const auto unit = UnitOf(pure_.LayoutOf(target), target.offset);
        if (!unit) return false;
        absl::c_copy(held_[operands[0].ref], task_.exit.begin() + *unit);
        return true;
      }
      default:
        break;
    }
    if (InfoFor(op.kind).family != KernelFamily::kElementwise) return false;
    Step step;
    const ValueId result = pure_.Result(op);
    if (!UnitOf(pure_.LayoutOf(result), 0)) return false;
    for (const Operand& operand : operands) {
      if (!operand.is_value()) continue;
      if (UnitsOf(operand.value()) != UnitsOf(result)) return false;
      step.operands.push_back(held_[operand.ref]);
    }
    for (int64_t i = 0; i < UnitsOf(result); ++i) {
      step.result.push_back(next_++);
    }
    held_[result.value] = step.result;
    task_.steps.push_back(step);
    return true;
  }

  const Function& pure_;
  std::vector<Symbols> held_;  // By ValueId.
  int next_ = 0;
  Task task_;
};

// Memory 0 is the caller's, then come the results', in order, then others.
struct State {
  std::vector<Symbols> memories;
  uint32_t done = 0;  // Steps, as bits.

  friend bool operator<(const State& a, const State& b) {
    return std::tie(a.done, a.memories) < std::tie(b.done, b.memories);
  }
};

struct Row {
  size_t memory;
  size_t begin;
};

using BytesOfState = std::pair<int64_t, int64_t>;  // Written, temporary.

// A*, by what is written at least in the end. That adds up, what is temporary
// is a maximum, so that the first way to the end is the least in that order.
class Search {
 public:
  explicit Search(const Task& task) : task_(task) {}

  FewestBytes Run() {
    State start;
    start.memories.push_back(task_.entry);
    for (const Symbols& result : task_.results) {
      start.memories.emplace_back(result.size(), kJunk);
    }
    Reach(start, {LeastWritten(start, 0), 0});
    for (;;) {
      const auto [bytes, state] = *queue_.begin();
      queue_.erase(queue_.begin());
      if (IsDone(state)) return {bytes.first, bytes.second};
      bytes_ = bytes;
      Expand(state);
    }
  }

 private:
  bool IsDone(const State& state) const {
    if (state.done + 1 != uint32_t{1} << task_.steps.size()) return false;
    if (state.memories[0] != task_.exit) return false;
    for (size_t i = 0; i < task_.results.size(); ++i) {
      if (state.memories[i + 1] != task_.results[i]) return false;
    }
    return true;
  }

  size_t kept() const { return 1 + task_.results.size(); }

  std::set<int> NeededIn(const State& state) const {
    std::set<int> needed(task_.exit.begin(), task_.exit.end());
    for (const Symbols& result : task_.results) {
      needed.insert(result.begin(), result.end());
    }
    for (size_t i = 0; i < task_.steps.size(); ++i) {
      if (IsDone(state, i)) continue;
      for (const Symbols& operand : task_.steps[i].operands) {
        needed.insert(operand.begin(), operand.end());
      }
    }
    return needed;
  }

  static bool IsDone(const State& state, size_t step) {
    return (state.done >> step & 1) != 0;
  }

  static bool Holds(const State& state, int symbol) {
    return absl::c_any_of(state.memories, [&](const Symbols& memory) {
      return absl::c_linear_search(memory, symbol);
    });
  }

  // Whether what is needed is somewhere, or still to be made.
  bool CanBeDone(const State& state, const std::set<int>& needed) const {
    std::set<int> to_be_made;
    for (size_t i = 0; i < task_.steps.size(); ++i) {
      if (IsDone(state, i)) continue;
      const Symbols& result = task_.steps[i].result;
      to_be_made.insert(result.begin(), result.end());
    }
    return absl::c_all_of(needed, [&](int symbol) {
      return to_be_made.count(symbol) > 0 || Holds(state, symbol);
    });
  }

  // Forgets what nobody needs any more; the order of other memory is nothing.
  State Reduced(State state, const std::set<int>& needed) const {
    std::vector<Symbols> reduced;
    for (size_t i = 0; i < state.memories.size(); ++i) {
      Symbols& memory = state.memories[i];
      for (int& symbol : memory) {
        if (needed.count(symbol) == 0) symbol = kJunk;
      }
      const bool is_empty =
          absl::c_all_of(memory, [](int symbol) { return symbol == kJunk; });
      if (i < kept() || !is_empty) reduced.push_back(memory);
    }
    std::sort(reduced.begin() + kept(), reduced.end());
    state.memories = std::move(reduced);
    return state;
  }

  // The bytes that are written at least, in the end.
  int64_t LeastWritten(const State& state, int64_t written) const {
    for (size_t i = 0; i < task_.steps.size(); ++i) {
      if (IsDone(state, i)) continue;
      written +=
          static_cast<int64_t>(task_.steps[i].result.size()) * kUnitBytes;
    }
    return written;
  }

  // `bytes` say what is written at least, in the end.
  void Reach(State state, BytesOfState bytes) {
    const std::set<int> needed = NeededIn(state);
    if (!CanBeDone(state, needed)) return;
    state = Reduced(std::move(state), needed);
    const auto [known, is_new] = known_.try_emplace(state, bytes);
    if (!is_new) {
      if (known->second <= bytes) return;
      queue_.erase({known->second, state});
      known->second = bytes;
    }
    queue_.insert({bytes, std::move(state)});
  }

  void Expand(const State& state) {
    for (size_t i = kept(); i < state.memories.size(); ++i) {
      State freed = state;
      freed.memories.erase(freed.memories.begin() + i);
      Reach(freed, bytes_);
    }
    for (size_t i = 0; i < task_.steps.size(); ++i) {
      if (IsDone(state, i)) continue;
      const Step& step = task_.steps[i];
      if (!absl::c_all_of(step.operands, [&](const Symbols& operand) {
            return !RowsOf(state, operand).empty();
          })) {
        continue;
      }
      State next = state;
      next.done |= uint32_t{1} << i;
      Put(state, next, step.operands, step.result);
    }
    for (const Symbols& memory : state.memories) {
      for (size_t begin = 0; begin < memory.size(); ++begin) {
        for (size_t end = begin + 1; end <= memory.size(); ++end) {
          const Symbols copied(memory.begin() + begin, memory.begin() + end);
          if (absl::c_linear_search(copied, kJunk)) break;
          Put(state, state, {copied}, copied);
        }
      }
    }
  }

  static std::vector<Row> RowsOf(const State& state, const Symbols& symbols) {
    std::vector<Row> rows;
    for (size_t i = 0; i < state.memories.size(); ++i) {
      const Symbols& memory = state.memories[i];
      for (size_t begin = 0; begin + symbols.size() <= memory.size(); ++begin) {
        if (std::equal(symbols.begin(), symbols.end(),
                       memory.begin() + begin)) {
          rows.push_back({i, begin});
        }
      }
    }
    return rows;
  }

  // Whether so many units are still to be read in a row.
  bool IsRead(const State& state, size_t units) const {
    for (size_t i = 0; i < task_.steps.size(); ++i) {
      if (IsDone(state, i)) continue;
      for (const Symbols& operand : task_.steps[i].operands) {
        if (operand.size() == units) return true;
      }
    }
    return false;
  }

  // Writes the result everywhere that there is, and into new memory.
  void Put(const State& state, const State& next,
           const std::vector<Symbols>& operands, const Symbols& result) {
    const size_t units = result.size();
    for (size_t i = 0; i < state.memories.size(); ++i) {
      for (size_t at = 0; at + units <= state.memories[i].size(); ++at) {
        Write(state, next, operands, result, {i, at}, 0);
      }
    }
    for (size_t size = units; size <= task_.entry.size(); ++size) {
      if (size > units && !IsRead(next, size)) continue;
      State larger = next;
      larger.memories.emplace_back(size, kJunk);
      for (size_t at = 0; at + units <= size; ++at) {
        Write(state, larger, operands, result, {state.memories.size(), at},
              size);
      }
    }
  }

  void Write(const State& state, State next,
             const std::vector<Symbols>& operands, const Symbols& result,
             Row to, size_t new_units) {
    int64_t temporary = static_cast<int64_t>(new_units);
    for (size_t i = kept(); i < state.memories.size(); ++i) {
      temporary += static_cast<int64_t>(state.memories[i].size());
    }
    for (const Symbols& operand : operands) {
      temporary += UnitsToSave(state, operand, to);
    }
    absl::c_copy(result, next.memories[to.memory].begin() + to.begin);
    const bool is_copy = next.done == state.done;
    const int64_t copied =
        is_copy ? static_cast<int64_t>(result.size()) * kUnitBytes : 0;
    Reach(std::move(next), {bytes_.first + copied,
                            std::max(bytes_.second, temporary * kUnitBytes)});
  }

  // Of the operand, read where the fewest are overwritten before they are read.
  static int64_t UnitsToSave(const State& state, const Symbols& operand,
                             Row to) {
    int64_t fewest = std::numeric_limits<int64_t>::max();
    const auto units = static_cast<int64_t>(operand.size());
    for (const Row& from : RowsOf(state, operand)) {
      const int64_t apart = std::abs(static_cast<int64_t>(from.begin) -
                                     static_cast<int64_t>(to.begin));
      const bool is_free = from.memory != to.memory || apart == 0;
      fewest =
          std::min(fewest, is_free ? 0 : std::max<int64_t>(units - apart, 0));
    }
    return fewest;
  }

  const Task& task_;
  BytesOfState bytes_;  // Of the state at hand.
  std::map<State, BytesOfState> known_;
  std::set<std::pair<BytesOfState, State>> queue_;
};

}  // namespace

absl::optional<FewestBytes> FindFewestBytes(const Function& pure) {
  const absl::optional<Task> task = Reader(pure).Read();
  if (!task) return absl::nullopt;
  return Search(*task).Run();
}

}  // namespace palimpsest
