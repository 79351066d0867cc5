// What `--stats` says: one line of JSON.

#ifndef PALIMPSEST_TOOLS_TRANSFORM_STATS_H_
#define PALIMPSEST_TOOLS_TRANSFORM_STATS_H_

#include <cstdint>
#include <string>

#include "ir/program.h"
#include "transforms/reinplace.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

struct TransformTimes {
  int64_t parse = 0;  // In microseconds.
  int64_t transform = 0;
  int64_t print = 0;
};

// `kinds` and `ops` count statements but for view, commit, bind and return.
std::string StatsLine(const Function& source, const Resolution& resolution,
                      const TransformTimes& times);
std::string StatsLine(const Function& source,
                      const Reinplacement& reinplacement,
                      const TransformTimes& times);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_TRANSFORM_STATS_H_
