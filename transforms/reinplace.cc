#include "transforms/reinplace.h"

#include <cstddef>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "analysis/cost.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "transforms/place_values.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

namespace {

// Larger functions are placed in one way only.
constexpr size_t kMaxOpsToImprove = 4096;

bool IsNoMore(const Cost& a, const Cost& b) {
  return a.written <= b.written && a.temporary <= b.temporary;
}

bool IsLess(const Cost& a, const Cost& b) {
  return std::tie(a.written, a.temporary, a.read) <
         std::tie(b.written, b.temporary, b.read);
}

}  // namespace

Reinplacement ReinplaceResolved(const Function& pure, const Function* source) {
  absl::optional<Cost> most;
  if (source != nullptr) most = CostOf(*source);
  absl::optional<Reinplacement> best;
  for (const OnConflict on_conflict :
       {OnConflict::kCheapest, OnConflict::kSave, OnConflict::kMove}) {
    Placed placed = PlaceValues(pure, source, on_conflict);
    const Cost cost = CostOf(placed.function);
    if ((!most || IsNoMore(cost, *most)) &&
        (!best || IsLess(cost, best->cost))) {
      best = Reinplacement{std::move(placed.function), cost};
    }
    if (placed.conflicts == 0) break;  // Any other way is the same.
    if (pure.ops.size() > kMaxOpsToImprove) break;
  }
  if (!best) return {*source, *most};
  return *std::move(best);
}

absl::StatusOr<Reinplacement> Reinplace(const Function& function,
                                        const ResolveOptions& options) {
  ASSIGN_OR_RETURN(const Resolution resolution,
                   ResolveInPlace(function, options));
  const Function* source = function.is_pure() ? nullptr : &function;
  return ReinplaceResolved(resolution.function, source);
}

}  // namespace palimpsest
