// The programs that come with the project, as texts.

#ifndef PALIMPSEST_TESTS_KNOWN_PROGRAMS_H_
#define PALIMPSEST_TESTS_KNOWN_PROGRAMS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace palimpsest {

struct NamedText {
  std::string name;
  std::string text;
};

// Those of examples/programs.
std::vector<NamedText> ExamplePrograms();

// The FILEs of tests/conformance/FILE.jsonl.
constexpr const char* kRecordedFiles[] = {"functionalization", "opinfo",
                                          "random", "reports"};

// The cases of one of them.
std::vector<NamedText> RecordedPrograms(absl::string_view file);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_KNOWN_PROGRAMS_H_
