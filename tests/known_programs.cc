#include "tests/known_programs.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/check.h"
#include "nlohmann/json.hpp"

namespace palimpsest {

std::vector<NamedText> ExamplePrograms() {
  std::vector<NamedText> programs;
  for (const char* name :
       {"depth_32", "disjoint_32", "interleaved_halves", "kv_flat_index_copy",
        "kv_flat_index_put", "kv_one_storage", "kv_permuted", "kv_rows",
        "kv_slice_then_index", "llama_2_layers", "llama_16_layers", "rows_256",
        "shift_rows"}) {
    std::ifstream file(absl::StrCat("examples/programs/", name, ".pal"));
    PALIMPSEST_CHECK(file.good());
    programs.push_back({name, {std::istreambuf_iterator<char>(file), {}}});
  }
  return programs;
}

std::vector<NamedText> RecordedPrograms(absl::string_view file) {
  std::ifstream lines(absl::StrCat("tests/conformance/", file, ".jsonl"));
  PALIMPSEST_CHECK(lines.good());
  std::vector<NamedText> programs;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json json = nlohmann::json::parse(line);
    programs.push_back({json["name"], json["program"]});
  }
  return programs;
}

}  // namespace palimpsest
