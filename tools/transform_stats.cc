#include "tools/transform_stats.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "analysis/cost.h"
#include "analysis/footprint.h"
#include "ir/op.h"
#include "ir/program.h"
#include "nlohmann/json.hpp"
#include "tools/op_count.h"
#include "transforms/reinplace.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

using Json = nlohmann::ordered_json;

// As the text writes them: "add_" in place. Calls are of one kind. By name.
nlohmann::json CountKinds(const Function& function) {
  nlohmann::json counts = nlohmann::json::object();
  for (const Op& op : function.ops) {
    if (!IsCounted(op.kind)) continue;
    const std::string kind =
        absl::StrCat(InfoFor(op.kind).text, op.in_place() ? "_" : "");
    counts[kind] = counts.value(kind, int64_t{0}) + 1;
  }
  return counts;
}

int64_t CountCommits(const Function& function) {
  int64_t commits = 0;
  for (const Op& op : function.ops) commits += op.kind == OpKind::kCommit;
  return commits;
}

Json ToJson(const LayerCounts& layers) {
  Json counts = Json::array();
  for (int i = 0; i < kLayers; ++i) {
    counts.push_back(layers.Get(static_cast<Layer>(i)));
  }
  return counts;
}

Json OpsOf(const Function& source, const Function& made) {
  return {{"ops_in", CountOps(source)},
          {"ops_out", CountOps(made)},
          {"kinds_in", CountKinds(source)},
          {"kinds_out", CountKinds(made)}};
}

void AddTimes(Json& line, const char* transform, const TransformTimes& times) {
  line["microseconds"] = {{"parse", times.parse},
                          {transform, times.transform},
                          {"print", times.print}};
}

}  // namespace

std::string StatsLine(const Function& source, const Resolution& resolution,
                      const TransformTimes& times) {
  Json line = OpsOf(source, resolution.function);
  line["commits"] = CountCommits(resolution.function);
  line["bytes_written_in"] = CostOf(source).written;
  line["bytes_written_out"] = CostOf(resolution.function).written;
  line["dead_writes"] = resolution.stats.dead_writes;
  line["forwarded_reads"] = resolution.stats.forwarded_reads;
  line["candidates"] = resolution.stats.candidates;
  line["overlap_layers"] = ToJson(resolution.stats.layers);
  AddTimes(line, "resolve", times);
  return absl::StrCat(line.dump(), "\n");
}

std::string StatsLine(const Function& source,
                      const Reinplacement& reinplacement,
                      const TransformTimes& times) {
  Json line = OpsOf(source, reinplacement.function);
  const Cost cost = CostOf(source);
  line["bytes_written_in"] = cost.written;
  line["bytes_written_out"] = reinplacement.cost.written;
  line["bytes_temporary_in"] = cost.temporary;
  line["bytes_temporary_out"] = reinplacement.cost.temporary;
  AddTimes(line, "reinplace", times);
  return absl::StrCat(line.dump(), "\n");
}

}  // namespace palimpsest
