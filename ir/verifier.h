// The verifier: whether a Function is well formed. The rules:
//
//   1  Ranges, indices and ids lie inside the arrays that they point into.
//   2  Every value has a name that no other value has, every storage one that
//      no other storage has. Names, the function's too, are of letters, digits,
//      `_` and `.`; keys of a call's attributes are words.
//   3  The parameters are the first values; the others are the results of the
//      ops, in order, and each knows its op. Block 0 holds them all.
//   4  An op uses values and storages that were made before it.
//   5  Every layout passes CheckSizes(), and every op has the form, operands
//      and attributes that its row of the table and the function's kind ask
//      for.
//   6  Types agree with inference.
//   7  Every window lies inside its storage.
//   8  In a func: a view lies in its operand's storage; a result written `into`
//      a window has that window as its type; a call's result may be a view of
//      an operand's storage; every other result is the first value in a storage
//      of its own, of the smallest size.
//   9  In a pure func: results have no storage, offset 0 and row-major strides.
//  10  A parameter's storage holds a parameter, and is the smallest that holds
//      them unless it is declared. All storages are made: by a parameter, an
//      op, a `bind`, or as a buffer of a func.
//  11  commit and bind come last. A commit writes to a parameter's storage; a
//      bind makes a new one, of the smallest size.
//  12  A func returns values, a pure func values or windows of its parameters'
//      and its binds' storages.

#ifndef PALIMPSEST_IR_VERIFIER_H_
#define PALIMPSEST_IR_VERIFIER_H_

#include "absl/status/status.h"
#include "ir/program.h"

namespace palimpsest {

// An InvalidArgumentError that names the rule and the op or value. O(size).
absl::Status Verify(const Function& function);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_VERIFIER_H_
