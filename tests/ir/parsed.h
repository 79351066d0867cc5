// Programs in tests: text in, function out.

#ifndef PALIMPSEST_TESTS_IR_PARSED_H_
#define PALIMPSEST_TESTS_IR_PARSED_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/parser.h"
#include "ir/program.h"
#include "ir/verifier.h"

namespace palimpsest {

// The first function of the text, which must parse and verify.
inline Function ParsedFunction(absl::string_view text) {
  absl::StatusOr<Program> program = ParseProgram(text, "test.pal");
  EXPECT_TRUE(program.ok()) << program.status().message();
  if (!program.ok()) return Function();
  const absl::Status verified = Verify(program->functions[0]);
  EXPECT_TRUE(verified.ok()) << verified.message() << "\n" << text;
  return std::move(program->functions[0]);
}

// The message of the text's error; empty where it has none.
inline std::string ErrorOf(absl::string_view text) {
  const absl::StatusOr<Program> program = ParseProgram(text, "test.pal");
  return program.ok() ? "" : std::string(program.status().message());
}

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_IR_PARSED_H_
