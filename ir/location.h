// Where in a text an error is about: a Status that carries a line and a column.

#ifndef PALIMPSEST_IR_LOCATION_H_
#define PALIMPSEST_IR_LOCATION_H_

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "ir/op.h"

namespace palimpsest {

// The same error, about that place. Unchanged where the location is of no text.
absl::Status AtLocation(SourceLocation location, absl::Status status);

absl::optional<SourceLocation> LocationOf(const absl::Status& status);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_LOCATION_H_
