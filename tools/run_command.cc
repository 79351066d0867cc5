// run: what a function computes from given or random contents.

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "cuda/backends.h"
#include "cuda/buffer.h"
#include "cuda/interpreter.h"
#include "cuda/random_inputs.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "nlohmann/json.hpp"
#include "tools/check_verdict.h"
#include "tools/commands.h"
#include "tools/element_json.h"
#include "tools/output_elements.h"
#include "tools/program_file.h"
#include "tools/progress.h"
#include "tools/recorded_case.h"
#include "tools/text_file.h"

namespace palimpsest {
namespace {

using nlohmann::json;

constexpr int64_t kShown = 100000;

const Storage* FindParameterStorage(const Function& function,
                                    absl::string_view name) {
  for (const Storage& storage : function.storages) {
    if (storage.kind == StorageKind::kParameter &&
        function.names.Text(storage.name) == name) {
      return &storage;
    }
  }
  return nullptr;
}

absl::StatusOr<Buffer> BufferFromJson(const Function& function,
                                      absl::string_view name,
                                      const json& object) {
  const Storage* storage =
      FindParameterStorage(function, absl::StripPrefix(name, "@"));
  if (storage == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("no parameter of @", function.name, " is in it"));
  }
  ASSIGN_OR_RETURN(const StorageContents contents,
                   ContentsFromJson(object, "values"));
  const int64_t bytes = static_cast<int64_t>(contents.bytes.size());
  if (bytes != storage->bytes) {
    return absl::InvalidArgumentError(absl::StrCat("the values come to ", bytes,
                                                   " bytes, the storage has ",
                                                   storage->bytes));
  }
  return Buffer::CopyOf(contents.bytes);
}

// Puts the contents that the file gives in the place of random ones.
absl::Status ReadInputs(const std::string& path, const Function& function,
                        RunInputs& inputs) {
  ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  const absl::StatusOr<json> object = ParseJson(text);
  if (!object.ok()) return FileError(path, object.status().message());
  if (!object->is_object()) {
    return FileError(path,
                     "expected an object: {\"@storage\": {\"dtype\": "
                     "\"f32\", \"values\": [..]}, ..}");
  }
  for (const auto& [name, contents] : object->items()) {
    absl::StatusOr<Buffer> buffer = BufferFromJson(function, name, contents);
    if (!buffer.ok()) {
      return FileError(path,
                       absl::StrCat(name, ": ", buffer.status().message()));
    }
    inputs.storages[std::string(absl::StripPrefix(name, "@"))] =
        *std::move(buffer);
  }
  return absl::OkStatus();
}

void AppendDims(std::string& out, absl::string_view key, const Dims& dims) {
  absl::StrAppend(&out, "\"", key, "\": ", TextOf(dims), ", ");
}

// Names for storages: "@kv" for the caller's, "new 0", "new 1", .. for others,
// in the order in which results name them.
class StorageNames {
 public:
  std::string NameOf(const RunResult& result) {
    if (!result.storage.empty()) return absl::StrCat("@", result.storage);
    const int next = static_cast<int>(numbers_.size());
    return absl::StrCat("new ",
                        numbers_.emplace(result.group, next).first->second);
  }

 private:
  absl::flat_hash_map<int, int> numbers_;  // By group.
};

std::string ResultText(const RunResult& result, absl::string_view storage,
                       int64_t limit) {
  std::string text = "{\"storage\": ";
  AppendJsonString(text, storage);
  absl::StrAppend(&text, ", \"dtype\": \"", InfoFor(result.dtype).text, "\", ");
  AppendDims(text, "sizes", result.sizes);
  AppendDims(text, "strides", result.strides);
  absl::StrAppend(&text, "\"offset\": ", result.offset, ", ");
  AppendValues(text, ElementsOf(result), limit);
  return text + "}";
}

bool SameContents(const Buffer& a, const Buffer& b) {
  return a.same_memory(b) || (a.poison() == nullptr && a.size() == b.size() &&
                              std::memcmp(a.data(), b.data(), a.size()) == 0);
}

std::string StorageText(absl::string_view storage, DType dtype,
                        const Buffer& contents, int64_t limit) {
  std::string text;
  AppendJsonString(text, storage);
  absl::StrAppend(&text, ": {\"dtype\": \"", InfoFor(dtype).text, "\", ");
  AppendValues(text, ElementsOf(contents, dtype), limit);
  return text + "}";
}

// The storages whose contents changed, in the function's order.
std::vector<std::string> ChangedStorages(const Function& function,
                                         const RunInputs& inputs,
                                         const RunOutputs& outputs,
                                         int64_t limit) {
  std::vector<std::string> texts;
  const auto dtypes = ParameterDTypes(function);
  for (int32_t i = 0; i < static_cast<int32_t>(function.storages.size()); ++i) {
    const StorageId id{i};
    if (function.Get(id).kind != StorageKind::kParameter) continue;
    const std::string name = function.names.Text(function.Get(id).name);
    const Buffer& after = outputs.storages.at(name);
    if (SameContents(after, inputs.storages.at(name))) continue;
    const DType dtype = StorageDType(dtypes[i], function.Get(id).bytes);
    texts.push_back(StorageText(function.TextOf(id), dtype, after, limit));
  }
  return texts;
}

std::string Join(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  return absl::StrCat("\n    ", absl::StrJoin(texts, ",\n    "), "\n  ");
}

}  // namespace

absl::StatusOr<Exit> RunCommand(const RunFlags& flags) {
  const auto backend = OpenBackend(flags.backend);
  if (!backend.ok()) return NoBackend(backend.status());
  ASSIGN_OR_RETURN(const SelectedFunction input, ReadFunction(flags.input));
  const Function& function = *input.function;
  Progress progress;
  progress.Say("run");
  absl::StatusOr<RunInputs> inputs = RandomInputs(function, flags.seed);
  if (!inputs.ok()) return input.Locate(inputs.status());
  if (!flags.inputs.empty()) {
    RETURN_IF_ERROR(ReadInputs(flags.inputs, function, *inputs));
  }
  RunOptions options;
  options.backend = backend->get();
  const absl::StatusOr<RunOutputs> outputs = Run(function, *inputs, options);
  if (!outputs.ok()) return input.Locate(outputs.status());
  const int64_t limit =
      flags.full == Option::kOn ? std::numeric_limits<int64_t>::max() : kShown;
  StorageNames names;
  std::vector<std::string> results;
  for (const RunResult& result : outputs->results) {
    results.push_back(ResultText(result, names.NameOf(result), limit));
  }
  progress.Clear();
  RETURN_IF_ERROR(Print(absl::StrCat(
      "{\n  \"results\": [", Join(results), "],\n  \"storages\": {",
      Join(ChangedStorages(function, *inputs, *outputs, limit)), "}\n}\n")));
  return Exit::kDone;
}

}  // namespace palimpsest
