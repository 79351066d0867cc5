#include "tools/conform_judge.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/cost.h"
#include "analysis/proof.h"
#include "cuda/backend.h"
#include "cuda/buffer.h"
#include "cuda/compare.h"
#include "cuda/interpreter.h"
#include "cuda/random_inputs.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/verifier.h"
#include "tools/element_json.h"
#include "tools/output_elements.h"
#include "tools/program_file.h"
#include "tools/recorded_case.h"
#include "transforms/reinplace.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

constexpr int kRandomInputs = 2;

absl::Status Failure(absl::string_view why) { return absl::InternalError(why); }

absl::Status In(absl::string_view step, const absl::Status& status) {
  return Failure(absl::StrCat(step, ": ", status.message()));
}

absl::StatusOr<RunInputs> RecordedInputs(const Function& function,
                                         const RecordedCase& recorded) {
  RunInputs inputs;
  for (const RecordedStorage& storage : recorded.storages) {
    ASSIGN_OR_RETURN(inputs.storages[storage.name],
                     Buffer::CopyOf(storage.before));
  }
  int64_t wanted = 0;
  for (const Storage& storage : function.storages) {
    if (storage.kind != StorageKind::kParameter) continue;
    ++wanted;
    const std::string name = function.names.Text(storage.name);
    const auto found = inputs.storages.find(name);
    const int64_t bytes =
        found == inputs.storages.end() ? -1 : found->second.size();
    if (bytes != storage.bytes) {
      return Failure(
          absl::StrCat("the program's @", name, " has ", storage.bytes,
                       " bytes, the recorded one ",
                       bytes < 0 ? "is missing" : absl::StrCat("has ", bytes)));
    }
  }
  if (wanted != static_cast<int64_t>(inputs.storages.size())) {
    return Failure("a recorded storage is no parameter's");
  }
  return inputs;
}

std::string ElementText(DType dtype, absl::Span<const uint8_t> bytes,
                        int64_t index) {
  std::string text;
  const int64_t width = WidthOf(dtype);
  AppendElements(text, dtype, bytes.subspan(index * width, width));
  return text.substr(1, text.size() - 2);
}

absl::Status CompareValues(absl::string_view what, DType dtype,
                           absl::Span<const uint8_t> computed,
                           absl::Span<const uint8_t> recorded) {
  const absl::optional<int64_t> index =
      FirstUnlikeRecorded(dtype, computed, recorded);
  if (!index) return absl::OkStatus();
  return Failure(absl::StrCat(
      what, ", element ", *index, ": ", ElementText(dtype, computed, *index),
      ", recorded ", ElementText(dtype, recorded, *index)));
}

// Which results lie in one storage, and in which of the caller's.
class Aliasing {
 public:
  explicit Aliasing(const RecordedCase& recorded) {
    for (const RecordedStorage& storage : recorded.storages) {
      storages_[storage.name] = absl::StrCat("@", storage.name);
    }
  }

  // Whether the result lies where the recorded one does, new storages aside.
  bool Agrees(const RunResult& result, const RecordedResult& recorded) {
    const std::string computed = result.storage.empty()
                                     ? absl::StrCat("new ", result.group)
                                     : absl::StrCat("@", result.storage);
    const auto [known, is_new] = storages_.emplace(recorded.storage, computed);
    if (!is_new) return known->second == computed;
    // A new storage, that no other recorded one stands for.
    return result.storage.empty() &&
           new_groups_.emplace(result.group, 0).second;
  }

 private:
  absl::flat_hash_map<std::string, std::string> storages_;
  absl::flat_hash_map<int, int> new_groups_;
};

absl::Status ComparePlace(const RunResult& result,
                          const RecordedResult& recorded, Aliasing& aliasing) {
  if (result.dtype != recorded.dtype || result.sizes != recorded.sizes) {
    return Failure(absl::StrCat(TextOf(result.dtype, result.sizes),
                                ", recorded ",
                                TextOf(recorded.dtype, recorded.sizes)));
  }
  if (!aliasing.Agrees(result, recorded)) {
    return Failure(absl::StrCat("it lies in ",
                                result.storage.empty()
                                    ? "a new storage"
                                    : absl::StrCat("@", result.storage),
                                ", recorded is @", recorded.storage));
  }
  if (!SamePlaces(result.sizes, result.strides, recorded.strides)) {
    return Failure(absl::StrCat("strides ", TextOf(result.strides),
                                ", recorded ", TextOf(recorded.strides)));
  }
  // Where a new storage begins is nobody's business.
  const bool offset_matters =
      !result.storage.empty() && ElementCount(result.sizes) > 0;
  if (offset_matters && result.offset != recorded.offset) {
    return Failure(
        absl::StrCat("offset ", result.offset, ", recorded ", recorded.offset));
  }
  return absl::OkStatus();
}

absl::Status CompareResults(const RunOutputs& outputs,
                            const RecordedCase& recorded) {
  if (outputs.results.size() != recorded.results.size()) {
    return Failure(absl::StrCat(outputs.results.size(), " results, recorded ",
                                recorded.results.size()));
  }
  Aliasing aliasing(recorded);
  for (size_t i = 0; i < outputs.results.size(); ++i) {
    const RunResult& result = outputs.results[i];
    const RecordedResult& wanted = recorded.results[i];
    const std::string what = absl::StrCat("result ", i);
    const absl::Status place = ComparePlace(result, wanted, aliasing);
    if (!place.ok()) return In(what, place);
    if (recorded.opaque) continue;
    RETURN_IF_ERROR(CompareValues(what, wanted.dtype, ElementsOf(result).bytes,
                                  wanted.values));
  }
  return absl::OkStatus();
}

absl::Status CompareToRecord(const RunOutputs& outputs,
                             const RecordedCase& recorded) {
  if (!recorded.opaque) {
    for (const RecordedStorage& storage : recorded.storages) {
      const Buffer& after = outputs.storages.at(storage.name);
      RETURN_IF_ERROR(CompareValues(
          absl::StrCat("storage @", storage.name), storage.dtype,
          absl::MakeConstSpan(after.data(), after.size()), storage.after));
    }
  }
  return CompareResults(outputs, recorded);
}

// A program that the recorded one was made into.
struct Form {
  const char* name;  // In messages.
  FunctionKind kind;
  const Function& function;
};

// The recorded program and its other forms, judged step by step.
class Judge {
 public:
  Judge(const RecordedCase& recorded, const Function& original,
        kernels::Backend* backend)
      : recorded_(recorded), original_(original) {
    options_.backend = backend;
  }

  absl::Status RunOriginal() {
    ASSIGN_OR_RETURN(inputs_, RecordedInputs(original_, recorded_));
    ASSIGN_OR_RETURN(outputs_, Run(original_, inputs_, options_));
    return CompareToRecord(outputs_, recorded_);
  }

  absl::Status JudgeForm(const Form& form, const std::string& text) const {
    const absl::Status written = CheckText(form, text);
    if (!written.ok()) return In(form.name, written);
    const absl::Status run = RunForm(form);
    if (!run.ok()) return In(absl::StrCat(form.name, ", run"), run);
    const absl::Status random = RunOnRandomInputs(form);
    if (!random.ok()) {
      return In(absl::StrCat(form.name, ", on random contents"), random);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CheckText(const Form& form, const std::string& text) const {
    RETURN_IF_ERROR(Verify(form.function));
    if (form.function.kind != form.kind) {
      return Failure("it is another kind of function");
    }
    ASSIGN_OR_RETURN(const Program again, ParseProgram(text, "its text"));
    if (again.functions.size() != 1 ||
        !SameText(again.functions[0], form.function)) {
      return Failure("its text reads back as something else");
    }
    return absl::OkStatus();
  }

  absl::Status RunForm(const Form& form) const {
    ASSIGN_OR_RETURN(const RunOutputs outputs,
                     Run(form.function, inputs_, options_));
    RETURN_IF_ERROR(CompareToRecord(outputs, recorded_));
    return CompareRuns(outputs_, outputs);
  }

  absl::Status RunOnRandomInputs(const Form& form) const {
    for (uint64_t seed = 0; seed < kRandomInputs; ++seed) {
      ASSIGN_OR_RETURN(const RunInputs inputs, RandomInputs(original_, seed));
      ASSIGN_OR_RETURN(const RunOutputs a, Run(original_, inputs, options_));
      ASSIGN_OR_RETURN(const RunOutputs b,
                       Run(form.function, inputs, options_));
      const absl::Status same = CompareRuns(a, b);
      if (!same.ok()) return In(absl::StrCat("seed ", seed), same);
    }
    return absl::OkStatus();
  }

  absl::Status CompareRuns(const RunOutputs& original,
                           const RunOutputs& other) const {
    const absl::optional<Difference> difference =
        FindDifference(original_, original, other);
    if (!difference) return absl::OkStatus();
    return Failure(
        absl::StrCat("it differs from the original: ", difference->text));
  }

  const RecordedCase& recorded_;
  const Function& original_;
  RunOptions options_;
  RunInputs inputs_;
  RunOutputs outputs_;
};

// That what is back in place costs no more than what was so from the beginning.
absl::Status CompareCosts(const Cost& original, const Cost& reinplaced) {
  if (reinplaced.written > original.written) {
    return Failure(absl::StrCat("it writes ", reinplaced.written,
                                " bytes, the original ", original.written));
  }
  if (reinplaced.temporary > original.temporary) {
    return Failure(absl::StrCat("it takes ", reinplaced.temporary,
                                " temporary bytes, the original ",
                                original.temporary));
  }
  return absl::OkStatus();
}

CaseVerdict Failed(absl::string_view step, const absl::Status& status) {
  CaseVerdict verdict;
  verdict.kind = CaseVerdict::Kind::kFailed;
  verdict.why = std::string(In(step, status).message());
  return verdict;
}

}  // namespace

CaseVerdict JudgeCase(const RecordedCase& recorded, absl::string_view origin,
                      const ResolveOptions& options,
                      kernels::Backend* backend) {
  const absl::StatusOr<ProgramFile> file =
      ProgramFile::Parse(origin, recorded.program);
  if (!file.ok()) return Failed("parse", file.status());
  const absl::StatusOr<const Function*> function = file->Select("");
  if (!function.ok()) return Failed("parse", function.status());
  Judge judge(recorded, **function, backend);
  const absl::Status original = judge.RunOriginal();
  if (!original.ok()) return Failed("original, run", original);
  const absl::StatusOr<Resolution> resolution =
      ResolveInPlace(**function, options);
  CaseVerdict verdict;
  if (absl::IsFailedPrecondition(resolution.status())) {
    verdict.kind = CaseVerdict::Kind::kSkipped;
    verdict.why = std::string(resolution.status().message());
    return verdict;
  }
  if (!resolution.ok()) return Failed("resolve", resolution.status());
  const Function* source = (*function)->is_pure() ? nullptr : *function;
  const Reinplacement reinplacement =
      ReinplaceResolved(resolution->function, source);
  if (source != nullptr) {
    const absl::Status cost = CompareCosts(CostOf(*source), reinplacement.cost);
    if (!cost.ok()) return Failed("reinplaced", cost);
  }
  ProofOptions proof_options;
  proof_options.overlapping_calls = options.overlapping_calls;
  const Form forms[] = {
      {"resolved", FunctionKind::kPure, resolution->function},
      {"reinplaced", FunctionKind::kInPlace, reinplacement.function}};
  std::string* const texts[] = {&verdict.resolved, &verdict.reinplaced};
  for (size_t i = 0; i < std::size(forms); ++i) {
    const Form& form = forms[i];
    *texts[i] = PrintToString(form.function);
    const absl::Status status = judge.JudgeForm(form, *texts[i]);
    if (!status.ok()) {
      verdict.kind = CaseVerdict::Kind::kFailed;
      verdict.why = std::string(status.message());
      return verdict;
    }
    const ProofResult proof = Prove(**function, form.function, proof_options);
    if (proof.verdict != ProofResult::Verdict::kProved &&
        verdict.unproved.empty()) {
      verdict.unproved = absl::StrCat(form.name, ": ", proof.reason);
    }
  }
  return verdict;
}

}  // namespace palimpsest
