// The parser: text to Program. The grammar, one statement a line:
//
//   file     = [ "version" int ] { ["pure"] func }
//   func     = "func" @id "(" [ param { "," param } ] ")" "{"
//              { ("storage" | "buffer") @id ":" int "bytes" }
//              { stmt } return "}"
//   param    = %id ":" type
//   type     = dtype "[" [ int { "," int } ] "]" ["in" @id] ["offset" int]
//              ["strides" "[" [ int { "," int } ] "]"]
//   stmt     = [ %id { "," %id } "=" ] ( op [ arg { "," arg } ] | call )
//              [ ":" type { "," type } ] [ ("into" | "to") type ] [ "tag" int ]
//   call     = "call" ["pure"] string "(" [ operand { "," operand } ] ")"
//              [ "{" key "=" string { "," key "=" string } "}" ]
//   operand  = [ "mut" | "upd" ] %id
//   arg      = %id [ "at" ["offset" int] ["strides" "[" .. "]"] ]
//              | @id | literal
//              | "[" [ elem { "," elem } ] "]" | key "=" ( literal | list )
//   elem     = %id | "none" | literal
//   literal  = int | float | ["-"] "inf" | "nan" | "true" | "false"
//              | "(" re "," im ")"
//   return   = "return" [ ( %id | type ) { "," ( %id | type ) } ]
//
// `//` to the end of a line is a comment. View sugar (view_sugar_text.h)
// becomes `view`. What a program means is checked by FunctionBuilder; the
// parser adds the places. Words of later versions are refused as such.

#ifndef PALIMPSEST_IR_PARSER_H_
#define PALIMPSEST_IR_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/program.h"

namespace palimpsest {

// The first error is an InvalidArgumentError as SourceText::Error() makes it:
//
//   FILE:LINE:COLUMN: error: WHAT, and what would be right
//   the line
//        ^
absl::StatusOr<Program> ParseProgram(absl::string_view text,
                                     absl::string_view file_name);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_PARSER_H_
