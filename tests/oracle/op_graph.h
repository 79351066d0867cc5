// The ops of a pure function without what they compute: which needs which, so
// that those that nobody needs can be left out of a count.

#ifndef PALIMPSEST_TESTS_ORACLE_OP_GRAPH_H_
#define PALIMPSEST_TESTS_ORACLE_OP_GRAPH_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace palimpsest {

class OpGraph {
 public:
  using Node = int;

  // A value that takes no op: a parameter's, or one of an op's results.
  Node Given(std::vector<Node> operands = {}) {
    return Add(std::move(operands), 0);
  }
  Node Op(std::vector<Node> operands) { return Add(std::move(operands), 1); }

  // The op with this key, made where it was not asked for before.
  using Key = std::vector<int64_t>;
  Node OpOnce(const Key& key, std::vector<Node> operands) {
    const auto [slot, is_new] = known_.try_emplace(key, 0);
    if (is_new) slot->second = Op(std::move(operands));
    return slot->second;
  }

  // That the caller can see the value, or what the op does.
  void Need(Node node) { needed_.push_back(node); }

  // That it was made before anybody could know whether it is needed.
  void Keep(Node node) { kept_.push_back(node); }

  // Ops that something needed depends on.
  int64_t CountNeeded() const { return CountBehind(needed_); }
  // Those, and what was kept.
  int64_t CountKept() const {
    std::vector<Node> nodes = kept_;
    nodes.insert(nodes.end(), needed_.begin(), needed_.end());
    return CountBehind(nodes);
  }

 private:
  struct Entry {
    std::vector<Node> operands;
    int ops;
  };
  Node Add(std::vector<Node> operands, int ops) {
    nodes_.push_back({std::move(operands), ops});
    return static_cast<Node>(nodes_.size()) - 1;
  }

  int64_t CountBehind(const std::vector<Node>& nodes) const {
    std::vector<bool> is_needed(nodes_.size(), false);
    for (Node node : nodes) is_needed[node] = true;
    int64_t ops = 0;
    // Operands are older than what they are operands of.
    for (size_t i = nodes_.size(); i-- > 0;) {
      if (!is_needed[i]) continue;
      ops += nodes_[i].ops;
      for (Node operand : nodes_[i].operands) is_needed[operand] = true;
    }
    return ops;
  }

  std::vector<Entry> nodes_;
  std::vector<Node> needed_;
  std::vector<Node> kept_;
  std::map<Key, Node> known_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_OP_GRAPH_H_
