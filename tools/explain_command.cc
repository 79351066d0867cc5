// explain: the chain of writes and reads behind the bytes that a value shows.
//
// The function up to the value's last use, with a clone of the value as its
// only result, is resolved. What then leads to the result is the answer: every
// op of it knows the ops of the program that it came from.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "tools/commands.h"
#include "tools/program_file.h"
#include "tools/text_file.h"
#include "tools/text_table.h"
#include "tools/value_probe.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

absl::optional<ValueId> FindValue(const Function& function,
                                  absl::string_view text) {
  const absl::optional<Name> name =
      function.names.Find(absl::StripPrefix(text, "%"));
  if (!name) return absl::nullopt;
  for (int32_t i = 0; i < static_cast<int32_t>(function.values.size()); ++i) {
    if (function.values[i].name == *name) return ValueId{i};
  }
  return absl::nullopt;
}

// The value in a pure function, and where its ops came from.
struct PureForm {
  Function function;
  ValueId value;
  std::vector<std::vector<OpId>> sources;  // By op: ops of the program.
};

// A pure function is its own.
PureForm Itself(const Function& function, ValueId value) {
  PureForm form = {function, value, {}};
  for (int32_t i = 0; i < static_cast<int32_t>(function.ops.size()); ++i) {
    form.sources.push_back({OpId{i}});
  }
  return form;
}

absl::StatusOr<PureForm> PureFormOf(const SelectedFunction& input,
                                    ValueId value, const Moment& moment,
                                    const ResolveOptions& options) {
  const Function& source = *input.function;
  if (source.is_pure()) return Itself(source, value);
  const ValueProbe probe = ProbeValue(value, moment, source);
  absl::StatusOr<Resolution> resolution =
      ResolveInPlace(probe.function, options);
  if (!resolution.ok()) return input.Locate(resolution.status());
  PureForm form = {std::move(resolution->function), {}, {}};
  form.value = form.function.returns[0].value;
  for (const Op& op : form.function.ops) {
    std::vector<OpId> sources;
    for (const OpId id : form.function.SourcesOf(op)) {
      if (probe.sources[id.value].valid()) {
        sources.push_back(probe.sources[id.value]);
      }
    }
    form.sources.push_back(std::move(sources));
  }
  return form;
}

// The ops that lead to the value, latest first, and the parameters they read.
struct Chain {
  std::vector<OpId> ops;
  std::vector<ValueId> parameters;
};

Chain ChainTo(const Function& pure, ValueId value) {
  std::vector<bool> needed(pure.values.size(), false);
  needed[value.value] = true;
  Chain chain;
  for (int32_t i = static_cast<int32_t>(pure.ops.size()) - 1; i >= 0; --i) {
    const Op& op = pure.ops[i];
    const auto results = needed.begin() + op.results.begin;
    if (std::find(results, results + op.results.count, true) ==
        results + op.results.count) {
      continue;
    }
    chain.ops.push_back(OpId{i});
    for (const Operand& operand : pure.OperandsOf(op)) {
      if (operand.is_value()) needed[operand.value().value] = true;
    }
  }
  for (const ValueId parameter : pure.parameters) {
    if (needed[parameter.value]) chain.parameters.push_back(parameter);
  }
  return chain;
}

// What a pure op does for the op of the program that it came from.
absl::string_view RoleOf(const Op& pure, const Op* source) {
  switch (pure.kind) {
    case OpKind::kExtract:
    case OpKind::kAssemble:
    case OpKind::kContents:
      return "reads";
    default:
      break;
  }
  return source != nullptr && source->in_place() ? "writes" : "makes";
}

class Explanation {
 public:
  Explanation(const ProgramFile& file, const Function& source,
              const PureForm& pure)
      : lines_(file.Lines()), source_(source), pure_(pure) {}

  std::string ToString(const Chain& chain) const {
    std::vector<std::vector<std::string>> rows;
    for (const OpId op : chain.ops) rows.push_back(RowOf(op));
    for (const ValueId parameter : chain.parameters) {
      const Function& function = pure_.function;
      rows.push_back({"entry", "holds", function.TextOf(parameter),
                      function.TextOf(function.Get(parameter).type.storage)});
    }
    return TextTable(rows);
  }

 private:
  std::string LineOf(int32_t line) const {
    const bool known = line >= 1 && line <= static_cast<int>(lines_.size());
    return known ? std::string(lines_[line - 1]) : "";
  }

  // "line 7", "lines 7, 9", or for a read of the value itself "here".
  std::string Where(absl::Span<const OpId> sources) const {
    if (sources.empty()) return "here";
    const std::string numbers =
        absl::StrJoin(sources, ", ", [this](std::string* out, OpId id) {
          absl::StrAppend(out, source_.Get(id).location.line);
        });
    return absl::StrCat(sources.size() == 1 ? "line " : "lines ", numbers);
  }

  // The op of the pure form. A move stands in it as a call (value_probe.h).
  std::string PureText(const Op& op, const Op* source) const {
    if (source_.is_pure()) return "";
    const bool move = source != nullptr && op.kind == OpKind::kCall &&
                      source->kind != OpKind::kCall;
    const Function& function = pure_.function;
    if (!move) return PrintOp(function, op);
    return absl::StrCat(function.TextOf(function.Result(op)), " = ",
                        function.TextOf(function.OperandsOf(op)[0].value()));
  }

  std::vector<std::string> RowOf(OpId id) const {
    const Op& op = pure_.function.Get(id);
    const std::vector<OpId>& sources = pure_.sources[id.value];
    const Op* source = sources.empty() ? nullptr : &source_.Get(sources[0]);
    return {Where(sources), std::string(RoleOf(op, source)),
            source == nullptr ? "" : LineOf(source->location.line),
            PureText(op, source)};
  }

  const std::vector<absl::string_view> lines_;
  const Function& source_;
  const PureForm& pure_;
};

}  // namespace

absl::StatusOr<Exit> ExplainCommand(const ExplainFlags& flags) {
  ASSIGN_OR_RETURN(const SelectedFunction input, ReadFunction(flags.input));
  const Function& function = *input.function;
  const absl::optional<ValueId> value = FindValue(function, flags.value);
  if (!value) {
    return input.Locate(absl::NotFoundError(absl::StrCat(
        "no value %", absl::StripPrefix(flags.value, "%"), " in it")));
  }
  const Moment moment = LastUseOf(*value, function);
  ASSIGN_OR_RETURN(const PureForm pure,
                   PureFormOf(input, *value, moment, flags.options));
  RETURN_IF_ERROR(
      Print(absl::StrCat(function.TextOf(*value), ", ", moment.text, "\n",
                         Explanation(input.file, function, pure)
                             .ToString(ChainTo(pure.function, pure.value)))));
  return Exit::kDone;
}

}  // namespace palimpsest
