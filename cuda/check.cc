#include "cuda/check.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "cuda/compare.h"
#include "cuda/element_text.h"
#include "cuda/interpreter.h"
#include "cuda/random_inputs.h"
#include "ir/ids.h"
#include "ir/location.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// An error in the second program, of which no text is at hand to show.
std::string WithLine(const absl::Status& status) {
  const absl::optional<SourceLocation> location = LocationOf(status);
  return location
             ? absl::StrCat("line ", location->line, ": ", status.message())
             : std::string(status.message());
}

std::string NameOf(const Function& function, StorageId id) {
  return function.names.Text(function.Get(id).name);
}

const Type& ParameterType(const Function& function, size_t i) {
  return function.Get(function.parameters[i]).type;
}

std::string TypeText(const Function& function, const Type& type) {
  const Layout layout = function.LayoutOf(type);
  return absl::StrCat(InfoFor(layout.dtype).text, "[",
                      absl::StrJoin(layout.sizes, ","), "] offset ",
                      type.offset, " strides [",
                      absl::StrJoin(layout.strides, ","), "]");
}

// Which storage of `b` stands for each of `a`, by the place in the signature.
struct StorageNames {
  absl::flat_hash_map<std::string, std::string> of_b;  // By that of a.
  absl::flat_hash_map<std::string, std::string> of_a;  // By that of b.
};

absl::Status Pair(const Function& a, const Function& b, size_t i,
                  StorageNames& names) {
  const Type& x = ParameterType(a, i);
  const Type& y = ParameterType(b, i);
  const std::string text_a = TypeText(a, x);
  const std::string text_b = TypeText(b, y);
  const std::string which = absl::StrCat("parameter ", i, ": ");
  if (text_a != text_b) {
    return absl::InvalidArgumentError(
        absl::StrCat(which, text_a, " and ", text_b));
  }
  const std::string name_a = NameOf(a, x.storage);
  const std::string name_b = NameOf(b, y.storage);
  if (names.of_b.try_emplace(name_a, name_b).first->second != name_b ||
      names.of_a.try_emplace(name_b, name_a).first->second != name_a) {
    return absl::InvalidArgumentError(
        absl::StrCat(which, "in @", name_a, " and in @", name_b,
                     ", so they alias other parameters"));
  }
  if (a.Get(x.storage).bytes != b.Get(y.storage).bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(which, "in a storage of ", a.Get(x.storage).bytes,
                     " and of ", b.Get(y.storage).bytes, " bytes"));
  }
  return absl::OkStatus();
}

absl::StatusOr<StorageNames> PairStorages(const Function& a,
                                          const Function& b) {
  if (a.parameters.size() != b.parameters.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the signatures differ: ", a.parameters.size(), " and ",
                     b.parameters.size(), " parameters"));
  }
  if (a.returns.size() != b.returns.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the signatures differ: ", a.returns.size(), " and ",
                     b.returns.size(), " results"));
  }
  StorageNames names;
  for (size_t i = 0; i < a.parameters.size(); ++i) {
    if (absl::Status status = Pair(a, b, i, names); !status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the signatures differ: ", status.message()));
    }
  }
  return names;
}

RunInputs InputsOfB(const RunInputs& inputs, const StorageNames& names) {
  RunInputs renamed;
  for (const auto& [name, buffer] : inputs.storages) {
    renamed.storages[names.of_b.at(name)] = buffer;
  }
  return renamed;
}

RunOutputs OutputsOfA(RunOutputs outputs, const StorageNames& names) {
  RunOutputs renamed;
  renamed.effects = std::move(outputs.effects);
  for (RunResult& result : outputs.results) {
    if (!result.storage.empty()) result.storage = names.of_a.at(result.storage);
    renamed.results.push_back(std::move(result));
  }
  for (auto& [name, buffer] : outputs.storages) {
    renamed.storages[names.of_a.at(name)] = buffer;
  }
  return renamed;
}

void Count(const RunResult& result, CheckReport& report) {
  const int64_t count = ElementCount(result.sizes);
  const int64_t width = WidthOf(result.dtype);
  const uint8_t* poison = result.bytes.poison();
  const DTypeClass dtype_class = InfoFor(result.dtype).dtype_class;
  report.elements += count;
  if (poison == nullptr && (dtype_class == DTypeClass::kInteger ||
                            dtype_class == DTypeClass::kBool)) {
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at =
        width * (result.offset + ElementPlace(result.sizes, result.strides, i));
    if (poison != nullptr && std::memchr(poison + at, 1, width) != nullptr) {
      ++report.poison;
    } else if (!IsFiniteElement(result.dtype, result.bytes.data() + at)) {
      ++report.not_finite;
    }
  }
}

}  // namespace

absl::Status CheckSameSignature(const Function& a, const Function& b) {
  return PairStorages(a, b).status();
}

absl::StatusOr<CheckReport> CheckByRunning(const Function& original,
                                           const Function& other,
                                           const CheckOptions& options) {
  ASSIGN_OR_RETURN(const StorageNames names, PairStorages(original, other));
  CheckReport report;
  for (int i = 0; i < options.samples; ++i) {
    if (options.before_sample) options.before_sample(i);
    report.seed = options.seed + i;
    ASSIGN_OR_RETURN(const RunInputs inputs,
                     RandomInputs(original, report.seed));
    ASSIGN_OR_RETURN(const RunOutputs expected,
                     Run(original, inputs, options.run));
    ++report.samples;
    for (const RunResult& result : expected.results) Count(result, report);
    absl::StatusOr<RunOutputs> actual =
        Run(other, InputsOfB(inputs, names), options.run);
    if (!actual.ok()) {
      if (actual.status().code() == absl::StatusCode::kResourceExhausted) {
        return actual.status();
      }
      report.difference = Difference{
          absl::StrCat("the second fails: ", WithLine(actual.status())),
          absl::nullopt};
      return report;
    }
    report.difference = FindDifference(original, expected,
                                       OutputsOfA(*std::move(actual), names));
    if (!report.equal()) return report;
  }
  return report;
}

}  // namespace palimpsest
