#include "analysis/proof_terms.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "analysis/proof_box.h"
#include "analysis/proof_field.h"

namespace palimpsest {
namespace proof {
namespace {

constexpr uint64_t kAddressBase = 0x1a3b5c7d9e2f4061u % kPrime;
constexpr uint64_t kByteBase = 0x0fedcba987654321u % kPrime;

// The power that a segment's weight is raised to. Small, since it is taken
// often.
int64_t ExponentOf(size_t segment) {
  return 2 * static_cast<int64_t>(segment) + 3;
}

void AppendTo(std::vector<int64_t>& key, const Segment& segment) {
  key.insert(key.end(),
             {segment.operand, segment.bytes, segment.step, segment.term});
  for (const Coordinate& coordinate : segment.place) {
    key.push_back(coordinate.local);
    key.push_back(coordinate.constant);
  }
}

void AppendTo(std::vector<int64_t>& key, const WholeOperand& operand) {
  key.insert(key.end(), {static_cast<int64_t>(operand.form),
                         static_cast<int64_t>(operand.dtype), operand.contents,
                         static_cast<int64_t>(operand.sizes.size())});
  key.insert(key.end(), operand.sizes.begin(), operand.sizes.end());
}

}  // namespace

int32_t TermTable::Label(absl::string_view text) {
  const auto [slot, is_new] = text_ids_.try_emplace(
      std::string(text), static_cast<int32_t>(texts_.size()));
  if (is_new) texts_.emplace_back(text);
  return slot->second;
}

TermId TermTable::Add(const Key& key, const Term& term) {
  const auto [slot, is_new] =
      term_ids_.try_emplace(key, static_cast<int32_t>(terms_.size()));
  if (!is_new) return slot->second;
  terms_.push_back(term);
  if (term.kind != TermKind::kElementwise) {
    terms_.back().scale = Scramble(static_cast<uint64_t>(term.kind) << 32 |
                                       static_cast<uint32_t>(term.index),
                                   term.output);
    terms_.back().bases = {kByteBase};
  }
  return slot->second;
}

TermId TermTable::Input(int32_t storage) {
  Term term;
  term.kind = TermKind::kInput;
  term.index = storage;
  return Add({static_cast<int64_t>(term.kind), storage}, term);
}

TermId TermTable::Literal(absl::string_view bytes) {
  Term term;
  term.kind = TermKind::kLiteral;
  term.index = Label(bytes);
  return Add({static_cast<int64_t>(term.kind), term.index}, term);
}

int32_t TermTable::Op(WholeOp op) {
  Key key = {op.label, op.occurrence};
  for (const WholeOperand& operand : op.operands) AppendTo(key, operand);
  const auto [slot, is_new] =
      op_ids_.try_emplace(std::move(key), static_cast<int32_t>(ops_.size()));
  if (is_new) ops_.push_back(std::move(op));
  return slot->second;
}

TermId TermTable::Output(int32_t op, int32_t output) {
  Term term;
  term.kind = TermKind::kOutput;
  term.index = op;
  term.output = output;
  return Add({static_cast<int64_t>(term.kind), op, output}, term);
}

TermId TermTable::Elementwise(Elements elements, int32_t coordinates) {
  Key key = {static_cast<int64_t>(TermKind::kElementwise), elements.label,
             coordinates};
  for (const Segment& segment : elements.segments) AppendTo(key, segment);
  const auto found = term_ids_.find(key);
  if (found != term_ids_.end()) return found->second;
  Term term;
  term.kind = TermKind::kElementwise;
  term.coordinates = coordinates;
  WeighElementwise(elements, term);
  term.index = static_cast<int32_t>(elements_.size());
  elements_.push_back(std::move(elements));
  return Add(key, term);
}

void TermTable::WeighElementwise(const Elements& elements, Term& term) const {
  uint64_t shape = Scramble(elements.label, 0xe1e);
  term.bases.assign(term.coordinates, 1);
  term.bases[0] = kByteBase;
  uint64_t weights = 1;
  for (size_t i = 0; i < elements.segments.size(); ++i) {
    const Segment& segment = elements.segments[i];
    shape = Scramble(shape, static_cast<uint64_t>(segment.operand) << 40 |
                                segment.bytes << 8 | segment.step);
    const Term& of = terms_[segment.term];
    const int64_t exponent = ExponentOf(i);
    uint64_t weight = of.scale;
    for (int k = 0; k < of.coordinates; ++k) {
      const Coordinate& coordinate = segment.place[k];
      weight = Multiply(weight, Power(of.bases[k], coordinate.constant));
      if (coordinate.local < 0) continue;
      uint64_t& base = term.bases[coordinate.local];
      base = Multiply(base, Power(of.bases[k], exponent));
    }
    weights = Multiply(weights, Power(weight, exponent));
  }
  term.scale = Multiply(shape, weights);
}

uint64_t FingerprintOf(const Box& box, const TermTable& terms) {
  const Term& term = terms.Get(box.term());
  const auto weight_of = [&](auto&& number_of_lane) {
    uint64_t weight = Power(kAddressBase, number_of_lane(0));
    for (int k = 0; k < term.coordinates; ++k) {
      weight = Multiply(weight, Power(term.bases[k], number_of_lane(k + 1)));
    }
    return weight;
  };
  uint64_t sum =
      Multiply(term.scale, weight_of([&](int lane) { return box.base(lane); }));
  for (int row = 0; row < box.rank(); ++row) {
    const uint64_t ratio =
        weight_of([&](int lane) { return box.step(row, lane); });
    sum = Multiply(sum, GeometricSum(ratio, box.size(row)));
  }
  return sum;
}

}  // namespace proof
}  // namespace palimpsest
