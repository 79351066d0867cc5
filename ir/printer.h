// The printer: Program to canonical text. ParseProgram(Print(p)) is p again,
// and prints alike.
//
// One statement a line; places (`in`, `offset`, `strides`) only where they
// differ from what a reader fills in; attributes always, in their row's order.

#ifndef PALIMPSEST_IR_PRINTER_H_
#define PALIMPSEST_IR_PRINTER_H_

#include <string>

#include "ir/program.h"

namespace palimpsest {

void PrintFunction(std::string& out, const Function& function);
void PrintProgram(std::string& out, const Program& program);

std::string PrintToString(const Function& function);
std::string PrintToString(const Program& program);

// One statement, without indent or newline: for messages.
std::string PrintOp(const Function& function, const Op& op);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_PRINTER_H_
