#include "transforms/reinplace.h"

#include <utility>

#include "absl/status/statusor.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "transforms/place_values.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

absl::StatusOr<Reinplacement> Reinplace(const Function& function,
                                        const ResolveOptions& options) {
  ASSIGN_OR_RETURN(Resolution resolution, ResolveInPlace(function, options));
  const Function* source = function.is_pure() ? nullptr : &function;
  return Reinplacement{PlaceValues(resolution.function, source)};
}

}  // namespace palimpsest
