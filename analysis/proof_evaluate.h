// What one op makes of its operands' contents. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_EVALUATE_H_
#define PALIMPSEST_ANALYSIS_PROOF_EVALUATE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_compare.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_contents_table.h"
#include "analysis/proof_terms.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {

// Changed in their boxes alone.
using SharedContents = std::shared_ptr<Contents>;

// What an elementwise op makes.
enum class ElementTerms {
  kPerOp,   // One term, as any other op: what it is of is one box.
  kPerBox,  // One for each box of its operands, since it commutes with moves.
};

// What the walks over two functions share.
struct Context {
  Context(ElementTerms made, int64_t max_steps, int64_t max_terms,
          int64_t max_boxes)
      : element_terms(made),
        budget(max_steps, max_boxes),
        terms(max_terms),
        comparer(terms, budget,
                 [this](int32_t id) { return contents.Get(id); }),
        contents(terms, comparer) {}
  Context(const Context&) = delete;

  const ElementTerms element_terms;
  bool has_elementwise_ops = false;  // That were evaluated.
  Budget budget;
  TermTable terms;
  Comparer comparer;
  ContentsTable contents;
  // The ops that the first function has; -1 while it is walked over.
  int64_t known_ops = -1;
  // An op of the second function that can fail at run time where none of the
  // first's ops does; empty if there is none.
  std::string unmatched;
};

// Operands that are values: as row-major contents. Null for others.
using Operands = std::vector<SharedContents>;

class Evaluator {
 public:
  Evaluator(const Function& function, Context& context)
      : function_(function), context_(context) {}

  // The result's contents, row-major; of an op in place those of all of its
  // destination. Not for views, calls, contents and the epilogue.
  Contents Evaluate(const Op& op, const Operands& operands,
                    const Layout& result);

  // A call's id, for TermTable::Output(). `outputs` are the types of what it
  // makes; `occurrence` is from 1, or 0 for a pure call.
  int32_t EvaluateCall(const Op& op, const Operands& operands,
                       absl::Span<const Layout> outputs, int64_t occurrence);

 private:
  SharedContents OperandAt(const Op& op, const Operands& operands, int i,
                           DType dtype, absl::Span<const int64_t> sizes);
  Contents Literals(const Op& op, const Layout& result);
  Contents Full(const Op& op, const Operands& operands, const Layout& result);
  Contents Iota(const Op& op, const Layout& result);
  Contents Cat(const Op& op, const Operands& operands, const Layout& result);
  Contents Flip(const Op& op, const Operands& operands, const Layout& result);
  Contents Assemble(const Op& op, const Operands& operands,
                    const Layout& result);
  Contents EvaluateElements(const Op& op, const Operands& operands,
                            const Layout& result);
  Contents EvaluateWhole(const Op& op, const Operands& operands,
                         const Layout& result);

  Contents OutputOf(WholeOp whole, const Layout& made);
  Contents CastOfBool(Contents bools, const Layout& result);
  Contents Broadcast(const Contents& from, const Layout& of,
                     absl::Span<const int64_t> sizes);
  Contents Filled(absl::string_view element, int64_t bytes);
  DType LiteralDType(const Op& op, const Layout& result) const;
  std::string TextOfAttributes(const Op& op) const;
  WholeOperand WholeOperandAt(const Op& op, const Operands& operands, int i,
                              DType literal_dtype);
  void NoteFailure(const Op& op, const Operands& operands);

  const Function& function_;
  Context& context_;
};

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_EVALUATE_H_
