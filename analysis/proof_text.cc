// Places as text.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "analysis/proof_compare.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_contents_table.h"
#include "analysis/proof_terms.h"

namespace palimpsest {
namespace proof {
namespace {

constexpr int kDepth = 3;
constexpr size_t kOperands = 4;

class Writer {
 public:
  Writer(const TermTable& terms, const ContentsTable& contents,
         const std::vector<std::string>& inputs)
      : terms_(terms), contents_(contents), inputs_(inputs) {}

  void Append(const Place& place, int depth) {
    if (place.term < 0) {
      text_ += "poison";
      return;
    }
    const Term& term = terms_.Get(place.term);
    const int64_t byte = place.coordinates[0];
    switch (term.kind) {
      case TermKind::kInput:
        absl::StrAppend(&text_, "byte ", byte, " of ", inputs_[term.index]);
        break;
      case TermKind::kLiteral:
        absl::StrAppend(&text_, "byte ", byte, " of literal ",
                        absl::BytesToHexString(terms_.BytesOf(place.term)));
        break;
      case TermKind::kOutput:
        absl::StrAppend(&text_, "byte ", byte, " of result ", term.output,
                        " of ");
        AppendOp(terms_.OpOf(place.term), depth);
        break;
      case TermKind::kElementwise:
        absl::StrAppend(&text_, "byte ", byte, " of ");
        AppendElements(place, depth);
        break;
    }
  }

  std::string text() && { return std::move(text_); }

 private:
  void AppendOp(const WholeOp& op, int depth) {
    text_ += terms_.TextOfLabel(op.label);
    if (op.occurrence > 0) absl::StrAppend(&text_, " call ", op.occurrence);
    text_ += '(';
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (i > 0) text_ += ", ";
      if (depth == 0 || i == kOperands) {
        text_ += "..";
        break;
      }
      AppendOperand(op.operands[i], depth);
    }
    text_ += ')';
  }

  void AppendOperand(const WholeOperand& operand, int depth) {
    if (operand.form == WholeOperand::Form::kNone) {
      text_ += "none";
      return;
    }
    const Contents contents = contents_.Get(operand.contents);
    const int64_t boxes = static_cast<int64_t>(contents.boxes().size());
    absl::StrAppend(&text_, TextOf(operand.dtype, operand.sizes), " of ", boxes,
                    boxes == 1 ? " box" : " boxes");
    if (boxes == 0) return;
    const Box& first = contents.boxes()[0];
    Place place;
    place.term = first.term();
    for (int lane = 1; lane < first.lanes(); ++lane) {
      place.coordinates.push_back(first.base(lane));
    }
    absl::StrAppend(&text_, " from ");
    Append(place, depth - 1);
  }

  void AppendElements(const Place& place, int depth) {
    const Elements& elements = terms_.ElementsOf(place.term);
    absl::StrAppend(&text_, terms_.TextOfLabel(elements.label), "(");
    for (size_t i = 0; i < elements.segments.size(); ++i) {
      if (i > 0) text_ += ", ";
      if (depth == 0 || i == kOperands) {
        text_ += "..";
        break;
      }
      const Segment& segment = elements.segments[i];
      Place first;
      first.term = segment.term;
      for (const Coordinate& coordinate : segment.place) {
        first.coordinates.push_back(
            coordinate.constant +
            (coordinate.local < 0 ? 0 : place.coordinates[coordinate.local]));
      }
      Append(first, depth - 1);
    }
    text_ += ')';
  }

  const TermTable& terms_;
  const ContentsTable& contents_;
  const std::vector<std::string>& inputs_;
  std::string text_;
};

}  // namespace

std::string TextOf(const Place& place, const TermTable& terms,
                   const ContentsTable& contents,
                   const std::vector<std::string>& inputs) {
  Writer writer(terms, contents, inputs);
  writer.Append(place, kDepth);
  return std::move(writer).text();
}

}  // namespace proof
}  // namespace palimpsest
