#include "tools/check_verdict.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "analysis/overlapping_calls.h"
#include "analysis/proof.h"
#include "cuda/check.h"
#include "cuda/compare.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "tools/byte_origin.h"
#include "tools/commands.h"
#include "tools/progress.h"
#include "tools/text_file.h"

namespace palimpsest {
namespace {

// Above this share of results that are not finite, runs say little.
constexpr double kMaxNotFinite = 0.01;

std::string Plural(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

std::string NotesOn(const CheckReport& report) {
  std::string notes;
  if (report.NotFiniteShare() > kMaxNotFinite) {
    absl::StrAppendFormat(
        &notes, "note: %.1f%% of the results' elements are not finite\n",
        100 * report.NotFiniteShare());
  }
  if (report.poison > 0) {
    absl::StrAppend(&notes, "note: ", Plural(report.poison, "element"),
                    " of the original's results come from memory that nothing "
                    "wrote; the other program may have anything there\n");
  }
  return notes;
}

absl::StatusOr<CheckReport> RunSamples(const Function& original,
                                       const Function& other,
                                       CheckOptions options) {
  Progress progress;
  options.before_sample = [&](int i) {
    progress.Say(absl::StrCat("check: input ", i + 1, " of ", options.samples));
  };
  return CheckByRunning(original, other, options);
}

ProofResult FindProof(const Function& original, const Function& other,
                      OverlappingCalls overlapping_calls) {
  Progress progress;
  progress.Say("check: looking for a proof");
  ProofOptions options;
  options.overlapping_calls = overlapping_calls;
  return Prove(original, other, options);
}

// "in the first from line 7: add_ %x, 1.0".
std::string OriginText(absl::string_view which, const Function& function,
                       const BytePlace& place) {
  const absl::optional<OpId> origin = OriginOf(function, place);
  if (!origin) return absl::StrCat("in the ", which, " it is as at entry\n");
  const Op& op = function.Get(*origin);
  const std::string line =
      op.location.line > 0 ? absl::StrCat("line ", op.location.line, ": ") : "";
  return absl::StrCat("in the ", which, " it is from ", line,
                      PrintOp(function, op), "\n");
}

std::string OriginsOf(const Difference& difference, const Function& original,
                      const Function& other) {
  if (!difference.place) return "";
  return absl::StrCat(OriginText("first", original, *difference.place),
                      OriginText("second", other, *difference.place));
}

}  // namespace

absl::StatusOr<CheckVerdict> Check(const Function& original,
                                   const Function& other,
                                   const VerdictOptions& options) {
  const absl::Status signature = CheckSameSignature(original, other);
  if (!signature.ok()) {
    return CheckVerdict{Exit::kDifferent,
                        absl::StrCat("different: ", signature.message(), "\n")};
  }
  std::string notes;
  if (options.proof == Option::kOn) {
    const ProofResult proof =
        FindProof(original, other, options.overlapping_calls);
    if (proof.verdict == ProofResult::Verdict::kProved) {
      return CheckVerdict{Exit::kDone, absl::StrCat(proof.ToString(), "\n")};
    }
    notes = absl::StrCat("note: ", proof.ToString(), "\n");
  }
  ASSIGN_OR_RETURN(const CheckReport report,
                   RunSamples(original, other, options.run));
  if (!report.equal()) {
    return CheckVerdict{
        Exit::kDifferent,
        absl::StrCat("different: ", report.difference->text, " (seed ",
                     report.seed, ")\n",
                     OriginsOf(*report.difference, original, other))};
  }
  return CheckVerdict{Exit::kDone,
                      absl::StrCat("equal on ", Plural(report.samples, "input"),
                                   "\n", notes, NotesOn(report))};
}

absl::StatusOr<Exit> NoBackend(const absl::Status& why) {
  RETURN_IF_ERROR(PrintError(absl::StrCat(why.message(), "\n")));
  return Exit::kDifferent;
}

}  // namespace palimpsest
