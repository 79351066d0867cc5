// Terms: what bytes are computed from, hash-consed. Private to analysis/proof*.
//
// A term is a space of bytes, each at a place: a coordinate vector.
//
//   input        the bytes that a caller's storage held at entry; one
//                coordinate
//   literal      the bytes of an element; one coordinate
//   output       of an op on whole operands; one coordinate, the byte of the
//                row-major result
//   elementwise  an op on elements. Coordinate 0 is the byte of the result's
//                element; the others say where the operands' elements lie.
//
// The operands of an elementwise term are segments: runs of bytes of an
// operand's element that lie at consecutive places of one term. A segment's
// first byte lies at a place whose coordinates each are a constant or one of
// the elementwise term's own coordinates plus a constant. So x + y and the same
// sum of slices of x and y are places of one term, wherever the slices begin.
//
// Equal terms have equal ids but for elementwise ones, of which one byte may
// have places in several: where boxes differ, coordinates may or may not
// coincide. SamePlaces() (proof_compare.h) sees through that, and so do
// weights.
//
// Weights. The weight of the byte at coordinates c of a term is
//
//     scale * base_0^c_0 * base_1^c_1 * ..          modulo 2^61 - 1
//
// An elementwise term's weight is that of the op, times the power for its byte,
// times the weights of its segments' first bytes, each to a power of its own.
// So a byte's weight does not depend on which of its elementwise terms it is
// in.

#ifndef PALIMPSEST_ANALYSIS_PROOF_TERMS_H_
#define PALIMPSEST_ANALYSIS_PROOF_TERMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "analysis/proof_box.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {

using TermId = int32_t;

enum class TermKind : uint8_t { kInput, kLiteral, kOutput, kElementwise };

struct Coordinate {
  int32_t local = -1;  // Of the elementwise term's coordinates, or none.
  int64_t constant = 0;

  friend bool operator==(const Coordinate& a, const Coordinate& b) {
    return a.local == b.local && a.constant == b.constant;
  }
};

struct Segment {
  int32_t operand = 0;
  int32_t bytes = 0;
  // Of coordinate 0, from byte to byte: 1, or 0 where all are one byte; 0 for a
  // single byte.
  int32_t step = 0;
  TermId term = -1;
  absl::InlinedVector<Coordinate, 2> place;  // Of its first byte.
};

// An operand of an op on whole operands.
struct WholeOperand {
  enum class Form : uint8_t { kValue, kLiteral, kNone, kUpdated };
  Form form = Form::kValue;
  DType dtype = DType::kU8;
  Dims sizes;
  int32_t contents = -1;  // Of a ContentsTable; none for kNone.
};

struct Term {
  TermKind kind = TermKind::kInput;
  int32_t coordinates = 1;
  // kInput: which storage. kLiteral: which bytes. kOutput: which op.
  // kElementwise: which elements.
  int32_t index = 0;
  int32_t output = 0;  // kOutput.
  uint64_t scale = 1;
  absl::InlinedVector<uint64_t, 2> bases;
};

struct WholeOp {
  int32_t label = -1;      // The op, its attributes, what its results are.
  int64_t occurrence = 0;  // Of a call with effects, from 1.
  bool is_call = false;    // Whose callee may do anything with poison.
  std::vector<WholeOperand> operands;
};

struct Elements {
  int32_t label;  // The op and its dtypes.
  std::vector<Segment> segments;
};

class TermTable {
 public:
  explicit TermTable(int64_t most = INT64_MAX) : most_(most) {}

  TermId Input(int32_t storage);
  TermId Literal(absl::string_view bytes);
  int32_t Op(WholeOp op);  // Not yet a term: its outputs are.
  TermId Output(int32_t op, int32_t output);
  // Segments refer to coordinates 1 .. `coordinates` - 1.
  TermId Elementwise(Elements elements, int32_t coordinates);

  int32_t Label(absl::string_view text);  // Interned.

  const Term& Get(TermId id) const { return terms_[id]; }
  // Precondition: the term is of that kind.
  const Elements& ElementsOf(TermId id) const {
    return elements_[terms_[id].index];
  }
  const WholeOp& OpOf(TermId id) const { return ops_[terms_[id].index]; }
  absl::string_view BytesOf(TermId id) const {
    return texts_[terms_[id].index];
  }
  const std::string& TextOfLabel(int32_t label) const { return texts_[label]; }

  int64_t size() const { return static_cast<int64_t>(terms_.size()); }
  bool full() const { return size() > most_; }
  int64_t op_count() const { return static_cast<int64_t>(ops_.size()); }

 private:
  using Key = std::vector<int64_t>;

  TermId Add(const Key& key, const Term& term);
  void WeighElementwise(const Elements& elements, Term& term) const;

  const int64_t most_;
  std::vector<Term> terms_;
  std::vector<WholeOp> ops_;
  std::vector<Elements> elements_;
  std::vector<std::string> texts_;  // Labels and the bytes of literals.
  absl::flat_hash_map<std::string, int32_t> text_ids_;
  absl::flat_hash_map<Key, int32_t> term_ids_;
  absl::flat_hash_map<Key, int32_t> op_ids_;
};

// The sum, over all points of the box, of the place's weight times a power for
// the address.
uint64_t FingerprintOf(const Box& box, const TermTable& terms);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_TERMS_H_
