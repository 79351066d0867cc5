#include "tools/resolve_stats.h"

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "analysis/footprint.h"
#include "ir/op.h"
#include "ir/program.h"
#include "tools/bytes_written.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

using KindCounts = std::map<std::string, int64_t>;

bool IsCounted(OpKind kind) {
  return kind != OpKind::kView && kind != OpKind::kCommit &&
         kind != OpKind::kBind;
}

// As the text writes them: "add_" in place. Calls are of one kind.
KindCounts CountKinds(const Function& function) {
  KindCounts counts;
  for (const Op& op : function.ops) {
    if (!IsCounted(op.kind)) continue;
    ++counts[absl::StrCat(InfoFor(op.kind).text, op.in_place() ? "_" : "")];
  }
  return counts;
}

int64_t Total(const KindCounts& counts) {
  int64_t total = 0;
  for (const auto& [kind, count] : counts) total += count;
  return total;
}

std::string TextOf(const KindCounts& counts) {
  return absl::StrCat("{",
                      absl::StrJoin(counts, ",",
                                    [](std::string* out, const auto& entry) {
                                      absl::StrAppend(out, "\"", entry.first,
                                                      "\":", entry.second);
                                    }),
                      "}");
}

int64_t CountCommits(const Function& function) {
  int64_t commits = 0;
  for (const Op& op : function.ops) commits += op.kind == OpKind::kCommit;
  return commits;
}

std::string TextOf(const LayerCounts& layers) {
  std::string text = "[";
  for (int i = 0; i < kLayers; ++i) {
    absl::StrAppend(&text, i > 0 ? "," : "", layers.Get(static_cast<Layer>(i)));
  }
  return absl::StrCat(text, "]");
}

}  // namespace

std::string StatsLine(const Function& source, const Resolution& resolution,
                      const ResolveTimes& times) {
  const KindCounts kinds_in = CountKinds(source);
  const KindCounts kinds_out = CountKinds(resolution.function);
  std::string line = "{";
  const auto append = [&line](absl::string_view key, const auto& value) {
    absl::StrAppend(&line, line.size() > 1 ? "," : "", "\"", key, "\":", value);
  };
  append("ops_in", Total(kinds_in));
  append("ops_out", Total(kinds_out));
  append("kinds_in", TextOf(kinds_in));
  append("kinds_out", TextOf(kinds_out));
  append("commits", CountCommits(resolution.function));
  append("bytes_written_in", BytesWritten(source));
  append("bytes_written_out", BytesWritten(resolution.function));
  append("dead_writes", resolution.stats.dead_writes);
  append("forwarded_reads", resolution.stats.forwarded_reads);
  append("candidates", resolution.stats.candidates);
  append("overlap_layers", TextOf(resolution.stats.layers));
  append("microseconds", absl::StrCat("{\"parse\":", times.parse,
                                      ",\"resolve\":", times.resolve,
                                      ",\"print\":", times.print, "}"));
  return absl::StrCat(line, "}\n");
}

}  // namespace palimpsest
