// Any bytes parse, or are refused with a message; what parses verifies, prints,
// and reads back as the same text.
//
//   bazel run --config=fuzz //tests/fuzz:parse_fuzz -- CORPUS_DIRECTORY

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "ir/check.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/program.h"
#include "ir/verifier.h"

namespace palimpsest {
namespace {

void CheckFunction(const Function& function) {
  const absl::Status verified = Verify(function);
  if (!verified.ok()) std::fprintf(stderr, "%s\n", verified.ToString().c_str());
  PALIMPSEST_CHECK(verified.ok());
}

void CheckText(absl::string_view text) {
  const absl::StatusOr<Program> program = ParseProgram(text, "fuzz.pal");
  if (!program.ok()) {
    PALIMPSEST_CHECK(absl::IsInvalidArgument(program.status()));
    PALIMPSEST_CHECK(absl::StartsWith(program.status().message(), "fuzz.pal:"));
    return;
  }
  for (const Function& function : program->functions) CheckFunction(function);
  const std::string printed = PrintToString(*program);
  const absl::StatusOr<Program> again = ParseProgram(printed, "printed.pal");
  if (!again.ok()) {
    std::fprintf(stderr, "%s\n", again.status().ToString().c_str());
  }
  PALIMPSEST_CHECK(again.ok());
  PALIMPSEST_CHECK(PrintToString(*again) == printed);
}

}  // namespace
}  // namespace palimpsest

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  palimpsest::CheckText({reinterpret_cast<const char*>(data), size});
  return 0;
}
