// What `resolve --stats` says: one line of JSON.

#ifndef PALIMPSEST_TOOLS_RESOLVE_STATS_H_
#define PALIMPSEST_TOOLS_RESOLVE_STATS_H_

#include <cstdint>
#include <string>

#include "ir/program.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

struct ResolveTimes {
  int64_t parse = 0;  // In microseconds.
  int64_t resolve = 0;
  int64_t print = 0;
};

// `kinds` and `ops` count statements but for view, commit, bind and return.
std::string StatsLine(const Function& source, const Resolution& resolution,
                      const ResolveTimes& times);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_RESOLVE_STATS_H_
