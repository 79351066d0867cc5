// Faults: errors about one part of a statement.
//
// What checks a function works on ids and knows no text; the parser knows where
// each part of a statement stands. A Fault is an absl::Status that says which
// part is wrong, so that the parser can put its caret there.

#ifndef PALIMPSEST_IR_FAULT_H_
#define PALIMPSEST_IR_FAULT_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/op.h"

namespace palimpsest {

struct Place {
  enum class Part : char {
    kOp,         // The statement as a whole.
    kOperand,    // Operand `index`; of an epilogue, its only one.
    kWindow,     // What `at` says of operand `index`.
    kAttribute,  // The attribute whose key is `index`.
    kResult,     // The name of result `index`.
    kType,       // The declared type of result `index`.
    kStorage,    // The storage that this type names.
    kTarget,     // The type after `into` or `to`.
  };
  Part part = Part::kOp;
  int index = 0;

  static Place Operand(int i) { return {Part::kOperand, i}; }
  static Place Attribute(AttributeKey key) {
    return {Part::kAttribute, static_cast<int>(key)};
  }
  static Place Type(int i) { return {Part::kType, i}; }
};

// An InvalidArgumentError about that place.
absl::Status Fault(Place place, absl::string_view message);

// The same error at that place.
absl::Status FaultAt(Place place, const absl::Status& status);

// The place that an error is about; the whole statement where it does not say.
Place PlaceOf(const absl::Status& status);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_FAULT_H_
