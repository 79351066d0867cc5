// conform: recorded cases against every transform.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "cuda/backend.h"
#include "cuda/backends.h"
#include "ir/status_macros.h"
#include "tools/check_verdict.h"
#include "tools/commands.h"
#include "tools/conform_judge.h"
#include "tools/progress.h"
#include "tools/recorded_case.h"
#include "tools/text_file.h"

namespace palimpsest {
namespace {

struct Tally {
  int64_t passed = 0;
  int64_t unproved = 0;  // Of those that passed.
  int64_t failed = 0;
  int64_t skipped = 0;

  std::string ToString() const {
    return absl::StrCat(passed, " passed, ", failed, " failed, ", skipped,
                        " skipped");
  }
};

class Conformance {
 public:
  Conformance(const ConformFlags& flags, kernels::Backend* backend)
      : flags_(flags), backend_(backend) {}

  absl::Status RunFile(const std::string& path) {
    ASSIGN_OR_RETURN(const std::string text, ReadText(path));
    int64_t line_number = 0;
    bool has_cases = false;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      ++line_number;
      if (absl::StripAsciiWhitespace(line).empty()) continue;
      const std::string origin =
          absl::StrCat(DisplayName(path), ":", line_number);
      const absl::StatusOr<RecordedCase> recorded = CaseFromJson(line);
      if (!recorded.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat(origin, ": error: ", recorded.status().message()));
      }
      RETURN_IF_ERROR(RunCase(*recorded, origin));
      has_cases = true;
    }
    return has_cases ? absl::OkStatus() : FileError(path, "it has no cases");
  }

  const Tally& tally() const { return tally_; }
  void ClearProgress() { progress_.Clear(); }

 private:
  absl::Status RunCase(const RecordedCase& recorded,
                       const std::string& origin) {
    progress_.Say(absl::StrCat("conform: ", tally_.ToString(), "; ", origin,
                               " ", recorded.name));
    const bool writes =
        !flags_.write_resolved.empty() || !flags_.write_reinplaced.empty();
    if (writes && !written_.insert(recorded.name).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          origin, ": error: a second case of the name `", recorded.name,
          "`, whose programs would replace the first one's"));
    }
    const CaseVerdict verdict =
        JudgeCase(recorded, origin, flags_.options, backend_);
    RETURN_IF_ERROR(Count(recorded.name, verdict));
    RETURN_IF_ERROR(
        Keep(flags_.write_resolved, recorded.name, verdict.resolved));
    return Keep(flags_.write_reinplaced, recorded.name, verdict.reinplaced);
  }

  static absl::Status Keep(const std::string& directory,
                           const std::string& name, const std::string& text) {
    if (directory.empty() || text.empty()) return absl::OkStatus();
    return WriteText(absl::StrCat(directory, "/", name, ".pal"), text);
  }

  absl::Status Count(const std::string& name, const CaseVerdict& verdict) {
    switch (verdict.kind) {
      case CaseVerdict::Kind::kPassed:
        ++tally_.passed;
        if (verdict.unproved.empty()) return absl::OkStatus();
        ++tally_.unproved;
        break;
      case CaseVerdict::Kind::kFailed:
        ++tally_.failed;
        break;
      case CaseVerdict::Kind::kSkipped:
        ++tally_.skipped;
        break;
    }
    progress_.Clear();
    return Print(absl::StrCat(
        LabelOf(verdict), " ", name, ": ",
        OneLine(verdict.unproved.empty() ? verdict.why : verdict.unproved),
        "\n"));
  }

  static absl::string_view LabelOf(const CaseVerdict& verdict) {
    switch (verdict.kind) {
      case CaseVerdict::Kind::kPassed:
        return "passed without a proof";
      case CaseVerdict::Kind::kFailed:
        return "FAILED";
      case CaseVerdict::Kind::kSkipped:
        return "skipped";
    }
    return "";
  }

  // A picture of a line and a caret has no room in a list.
  static std::string OneLine(absl::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
  }

  const ConformFlags& flags_;
  kernels::Backend* const backend_;
  Tally tally_;
  absl::flat_hash_set<std::string> written_;  // Names of cases.
  Progress progress_;
};

}  // namespace

absl::StatusOr<Exit> ConformCommand(const ConformFlags& flags) {
  const auto backend = OpenBackend(flags.backend);
  if (!backend.ok()) return NoBackend(backend.status());
  for (const std::string* directory :
       {&flags.write_resolved, &flags.write_reinplaced}) {
    if (!directory->empty()) RETURN_IF_ERROR(MakeDirectory(*directory));
  }
  if (IsSameFile(flags.write_resolved, flags.write_reinplaced)) {
    return FileError(flags.write_reinplaced,
                     "the resolved programs would be replaced by those that "
                     "are back in place: name two directories");
  }
  Conformance conformance(flags, backend->get());
  for (const std::string& path : flags.files) {
    RETURN_IF_ERROR(conformance.RunFile(path));
  }
  conformance.ClearProgress();
  const Tally& tally = conformance.tally();
  RETURN_IF_ERROR(
      Print(absl::StrCat(tally.passed - tally.unproved, " of ", tally.passed,
                         " proved for all inputs\n", tally.ToString(), "\n")));
  return tally.failed == 0 ? Exit::kDone : Exit::kDifferent;
}

}  // namespace palimpsest
