// cost: what programs move and the memory that they take, side by side.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "analysis/cost.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/commands.h"
#include "tools/op_count.h"
#include "tools/program_file.h"
#include "tools/text_file.h"
#include "tools/text_table.h"

namespace palimpsest {
namespace {

using json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

struct CostedFunction {
  std::string file;
  SelectedFunction input;

  const Function& function() const { return *input.function; }
  std::string name() const { return absl::StrCat("@", function().name); }
};

template <typename SomeCost>
void AddBytes(const SomeCost& cost, json& object) {
  object["bytes_read"] = cost.read;
  object["bytes_written"] = cost.written;
  object["bytes_temporary"] = cost.temporary;
}

// One line.
std::string JsonOf(const CostedFunction& costed, Option ops) {
  const Function& function = costed.function();
  json object = {{"file", costed.file}, {"function", costed.name()}};
  object["ops"] = CountOps(function);
  AddBytes(CostOf(function), object);
  if (ops == Option::kOn) {
    const std::vector<OpCost> costs = CostByOp(function);
    json& by_op = object["by_op"] = json::array();
    for (size_t i = 0; i < costs.size(); ++i) {
      const Op& op = function.ops[i];
      json entry = {{"line", op.location.line}, {"op", function.TextOf(op)}};
      AddBytes(costs[i], entry);
      by_op.push_back(entry);
    }
  }
  constexpr auto kReplace = json::error_handler_t::replace;
  return absl::StrCat(object.dump(-1, ' ', false, kReplace), "\n");
}

// A row per op, with its line of the text.
std::string OpTable(const CostedFunction& costed) {
  const Function& function = costed.function();
  const std::vector<absl::string_view> lines = costed.input.file.Lines();
  const std::vector<OpCost> costs = CostByOp(function);
  Rows rows = {{"LINE", "READ", "WRITTEN", "TEMPORARY", "STATEMENT"}};
  for (size_t i = 0; i < costs.size(); ++i) {
    const int32_t line = function.ops[i].location.line;
    rows.push_back({absl::StrCat(line), absl::StrCat(costs[i].read),
                    absl::StrCat(costs[i].written),
                    absl::StrCat(costs[i].temporary),
                    std::string(lines[line - 1])});
  }
  return absl::StrCat(costed.file, " ", costed.name(), "\n", TextTable(rows),
                      "\n");
}

// A column per function.
std::string SideBySide(const std::vector<CostedFunction>& all) {
  Rows rows = {{"FILE"},       {"function"},      {"ops"},
               {"bytes read"}, {"bytes written"}, {"bytes temporary"}};
  for (const CostedFunction& costed : all) {
    const Cost cost = CostOf(costed.function());
    rows[0].push_back(costed.file);
    rows[1].push_back(costed.name());
    rows[2].push_back(absl::StrCat(CountOps(costed.function())));
    rows[3].push_back(absl::StrCat(cost.read));
    rows[4].push_back(absl::StrCat(cost.written));
    rows[5].push_back(absl::StrCat(cost.temporary));
  }
  return TextTable(rows);
}

}  // namespace

absl::StatusOr<Exit> CostCommand(const CostFlags& flags) {
  std::vector<CostedFunction> all;
  for (const std::string& file : flags.files) {
    ASSIGN_OR_RETURN(SelectedFunction input,
                     ReadFunction({file, flags.function}));
    all.push_back({DisplayName(file), std::move(input)});
  }
  std::string text;
  for (const CostedFunction& costed : all) {
    if (flags.json == Option::kOn) {
      text += JsonOf(costed, flags.ops);
    } else if (flags.ops == Option::kOn) {
      text += OpTable(costed);
    }
  }
  if (flags.json == Option::kOff) text += SideBySide(all);
  RETURN_IF_ERROR(Print(text));
  return Exit::kDone;
}

}  // namespace palimpsest
