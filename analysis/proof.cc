#include "analysis/proof.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "analysis/overlapping_calls.h"
#include "analysis/proof_compare.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_contents_table.h"
#include "analysis/proof_evaluate.h"
#include "analysis/proof_walk.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

using proof::Contents;
using proof::Context;
using proof::ElementTerms;
using proof::Outcome;

// FailedPrecondition: what differs.
absl::Status Differs(absl::string_view what) {
  return absl::FailedPreconditionError(what);
}

std::string TextOfWindow(const Function& function, const Type& type) {
  const Layout layout = function.LayoutOf(type);
  return absl::StrCat(TextOf(layout.dtype, layout.sizes), " offset ",
                      type.offset, " strides ", TextOf(layout.strides));
}

bool SameWindow(const Function& a, const Type& of_a, const Function& b,
                const Type& of_b) {
  const Layout x = a.LayoutOf(of_a);
  const Layout y = b.LayoutOf(of_b);
  return x.dtype == y.dtype && x.sizes == y.sizes && x.strides == y.strides &&
         of_a.offset == of_b.offset;
}

// Which of the caller's a storage is, by StorageId.
std::vector<size_t> NumbersOf(const std::vector<StorageId>& of_caller,
                              const Function& function) {
  std::vector<size_t> numbers(function.storages.size());
  for (size_t i = 0; i < of_caller.size(); ++i) {
    numbers[of_caller[i].value] = i;
  }
  return numbers;
}

absl::Status CheckSignatures(const Function& a, const Function& b) {
  if (a.parameters.size() != b.parameters.size()) {
    return Differs(absl::StrCat("the functions have ", a.parameters.size(),
                                " and ", b.parameters.size(), " parameters"));
  }
  const std::vector<StorageId> of_a = proof::CallerStorages(a);
  const std::vector<StorageId> of_b = proof::CallerStorages(b);
  const std::vector<size_t> number_in_a = NumbersOf(of_a, a);
  const std::vector<size_t> number_in_b = NumbersOf(of_b, b);
  for (size_t i = 0; i < a.parameters.size(); ++i) {
    const Type& x = a.Get(a.parameters[i]).type;
    const Type& y = b.Get(b.parameters[i]).type;
    const bool same_storage =
        number_in_a[x.storage.value] == number_in_b[y.storage.value];
    if (!same_storage || !SameWindow(a, x, b, y)) {
      return Differs(absl::StrCat("parameter ", i, " is ", TextOfWindow(a, x),
                                  " in ", a.TextOf(x.storage), " and ",
                                  TextOfWindow(b, y), " in ",
                                  b.TextOf(y.storage)));
    }
  }
  for (size_t i = 0; i < of_a.size(); ++i) {
    if (a.Get(of_a[i]).bytes == b.Get(of_b[i]).bytes) continue;
    return Differs(absl::StrCat("storage ", a.TextOf(of_a[i]), " has ",
                                a.Get(of_a[i]).bytes, " and ",
                                b.Get(of_b[i]).bytes, " bytes"));
  }
  return absl::OkStatus();
}

class OutcomeComparer {
 public:
  OutcomeComparer(const Function& function, Context& context)
      : context_(context) {
    for (StorageId id : proof::CallerStorages(function)) {
      storages_.push_back(function.TextOf(id));
    }
  }

  absl::Status Compare(const Outcome& a, const Outcome& b) {
    if (a.results.size() != b.results.size()) {
      return Differs(absl::StrCat("the functions return ", a.results.size(),
                                  " and ", b.results.size(), " results"));
    }
    if (a.effects != b.effects) {
      const size_t same =
          std::mismatch(
              a.effects.begin(),
              a.effects.begin() + std::min(a.effects.size(), b.effects.size()),
              b.effects.begin())
              .first -
          a.effects.begin();
      return Differs(absl::StrCat("call ", same + 1, " with effects differs"));
    }
    // By new storage: the first result with elements in it, where there is one.
    std::vector<absl::optional<size_t>> first;
    for (size_t i = 0; i < a.results.size(); ++i) {
      const Result& result = a.results[i];
      RETURN_IF_ERROR(CompareTypes(i, result, b.results[i]));
      if (result.new_storage >= static_cast<int32_t>(first.size())) {
        first.emplace_back();
      }
      size_t base = i;
      if (result.new_storage >= 0 && HasElements(result)) {
        if (!first[result.new_storage]) first[result.new_storage] = i;
        base = *first[result.new_storage];
      }
      RETURN_IF_ERROR(ComparePlacement(i, base, a.results, b.results));
    }
    for (size_t i = 0; i < a.results.size(); ++i) {
      RETURN_IF_ERROR(CompareContents(absl::StrCat("result ", i),
                                      a.results[i].contents,
                                      b.results[i].contents));
    }
    for (size_t i = 0; i < a.storages.size(); ++i) {
      RETURN_IF_ERROR(CompareContents(absl::StrCat("storage ", storages_[i]),
                                      a.storages[i], b.storages[i]));
    }
    if (!context_.unmatched.empty()) {
      return Differs(absl::StrCat("only the second has this ",
                                  context_.unmatched, ", which can fail"));
    }
    return absl::OkStatus();
  }

  int64_t boxes() const { return boxes_; }

 private:
  using Result = Outcome::Result;

  static absl::Status CompareTypes(size_t i, const Result& a, const Result& b) {
    if (a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides) {
      return absl::OkStatus();
    }
    return Differs(absl::StrCat("result ", i, " is ", TextOf(a.dtype, a.sizes),
                                " strides ", TextOf(a.strides), " and ",
                                TextOf(b.dtype, b.sizes), " strides ",
                                TextOf(b.strides)));
  }

  // The same storage of the caller, or new storages that the same results
  // share; the same offset, in a new storage from that of result `base`, the
  // first with elements in it. Where a window without elements lies does not
  // matter.
  static absl::Status ComparePlacement(size_t i, size_t base,
                                       const std::vector<Result>& a,
                                       const std::vector<Result>& b) {
    if (a[i].caller_storage != b[i].caller_storage ||
        a[i].new_storage != b[i].new_storage) {
      return Differs(absl::StrCat("result ", i, " is in ", TextOfStorage(a[i]),
                                  " and in ", TextOfStorage(b[i])));
    }
    int64_t offset_in_a = a[i].offset;
    int64_t offset_in_b = b[i].offset;
    if (a[i].new_storage >= 0 && HasElements(a[i])) {
      offset_in_a -= a[base].offset;
      offset_in_b -= b[base].offset;
    }
    if (offset_in_a == offset_in_b) return absl::OkStatus();
    return Differs(absl::StrCat("result ", i, " lies at byte ", offset_in_a,
                                " and ", offset_in_b, " of ",
                                TextOfStorage(a[i])));
  }

  static bool HasElements(const Result& result) {
    return ElementCount(result.sizes) != 0;
  }

  static std::string TextOfStorage(const Result& result) {
    return result.caller_storage >= 0
               ? absl::StrCat("the caller's storage ", result.caller_storage)
               : absl::StrCat("new storage ", result.new_storage);
  }

  absl::Status CompareContents(absl::string_view what, const Contents& a,
                               const Contents& b) {
    boxes_ += static_cast<int64_t>(a.boxes().size() + b.boxes().size());
    const absl::optional<proof::Difference> difference =
        context_.comparer.FindDifference(a, b, proof::Relation::kRefines);
    if (!difference) return absl::OkStatus();
    const auto text = [&](const proof::Place& place) {
      return proof::TextOf(place, context_.terms, context_.contents, storages_);
    };
    return Differs(absl::StrCat(what, ", byte ", difference->address, ": ",
                                text(difference->a), " and ",
                                text(difference->b)));
  }

  Context& context_;
  std::vector<std::string> storages_;  // The caller's, as the text names them.
  int64_t boxes_ = 0;
};

absl::Status WalkAndCompare(const Function& a, const Function& b,
                            OverlappingCalls overlapping_calls,
                            Context& context, int64_t& boxes) {
  RETURN_IF_ERROR(CheckSignatures(a, b));
  ASSIGN_OR_RETURN(const Outcome of_a,
                   proof::Walk(a, overlapping_calls, context));
  context.known_ops = context.terms.op_count();
  ASSIGN_OR_RETURN(const Outcome of_b,
                   proof::Walk(b, overlapping_calls, context));
  OutcomeComparer comparer(a, context);
  const absl::Status status = comparer.Compare(of_a, of_b);
  boxes = comparer.boxes();
  return status;
}

ProofResult ProveInContext(const Function& a, const Function& b,
                           const ProofOptions& options, Context& context) {
  const ProofLimits& limits = options.limits;
  ProofResult result;
  const absl::Status status =
      WalkAndCompare(a, b, options.overlapping_calls, context, result.boxes);
  result.terms = context.terms.size();
  if (context.budget.out_of_boxes()) {
    result.reason = absl::StrCat("it takes more than ", limits.boxes, " boxes");
  } else if (context.budget.exhausted()) {
    result.reason = absl::StrCat("it takes more than ", limits.steps, " steps");
  } else if (context.terms.full()) {
    result.reason = absl::StrCat("it takes more than ", limits.terms, " terms");
  } else if (!status.ok()) {
    result.reason = std::string(status.message());
  } else {
    result.verdict = ProofResult::Verdict::kProved;
  }
  return result;
}

}  // namespace

std::string ProofResult::ToString() const {
  if (verdict != Verdict::kProved) return absl::StrCat("not proved: ", reason);
  return absl::StrCat("proved: ", terms, terms == 1 ? " term, " : " terms, ",
                      boxes, boxes == 1 ? " box" : " boxes");
}

// Terms of whole ops make few boxes, and are all that is needed where both
// functions have the same elementwise ops on the same elements.
ProofResult Prove(const Function& a, const Function& b,
                  const ProofOptions& options) {
  const ProofLimits& limits = options.limits;
  ProofResult result;
  for (ElementTerms terms : {ElementTerms::kPerOp, ElementTerms::kPerBox}) {
    Context context(terms, limits.steps, limits.terms, limits.boxes);
    result = ProveInContext(a, b, options, context);
    if (result.verdict == ProofResult::Verdict::kProved ||
        !context.has_elementwise_ops) {
      break;
    }
  }
  return result;
}

}  // namespace palimpsest
