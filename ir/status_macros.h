// RETURN_IF_ERROR and ASSIGN_OR_RETURN, which Debian's Abseil lacks.

#ifndef PALIMPSEST_IR_STATUS_MACROS_H_
#define PALIMPSEST_IR_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define RETURN_IF_ERROR(expression)                                         \
  do {                                                                      \
    if (absl::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

#define PALIMPSEST_CONCAT_(a, b) a##b
#define PALIMPSEST_CONCAT(a, b) PALIMPSEST_CONCAT_(a, b)

// The expression is evaluated once; `target` may declare a variable.
#define ASSIGN_OR_RETURN(target, expression) \
  ASSIGN_OR_RETURN_(PALIMPSEST_CONCAT(or_, __LINE__), target, expression)

#define ASSIGN_OR_RETURN_(or_value, target, expression) \
  auto or_value = (expression);                         \
  if (!or_value.ok()) return or_value.status();         \
  target = *std::move(or_value)

#endif  // PALIMPSEST_IR_STATUS_MACROS_H_
