// Golden tests: what the palimpsest command prints, one file per claim.
//
// tests/golden/<command or pass>/<claim>.pal holds
//
//     // ARGS: resolve FILE --stats        the command line; a shell splits it
//     // COMMITS: 1                        numbers that matter (see kCounters)
//     func @f(..) { .. }                   the program
//     // ---- file other.pal               more files for the command, if any
//     ..
//     // ---- output                       stdout, then stderr, all of both
//     ..
//
// All above the first "// ----" line is one file named <claim>.pal, so that
// messages have this file's line numbers. It stands where ARGS says FILE, or
// comes last, unless ARGS ends in a #. The exit status is non-zero iff <claim>
// starts with "fail_".
// Times (the numbers in "microseconds") are masked as 0, and why there is no
// CUDA device, as "..": here there never is one.
//
// bazel run //tests:golden_test -- --update   rewrites the outputs.

#include <stdlib.h>  // mkdtemp
#include <sys/wait.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

const std::string kSection = "// ---- ";
const std::string kFileSection = kSection + "file ";
const std::string kOutputSection = kSection + "output";

// The numbers that a golden file may assert, and where `resolve --stats` has
// them. What the command leaves out (an op that does not occur) is 0.
const std::map<std::string, std::string> kCounters = {
    {"ASSEMBLES", "/kinds_out/assemble"},
    {"BYTES_WRITTEN", "/bytes_written_out"},
    {"COMMITS", "/commits"},
    {"DEAD_WRITES", "/dead_writes"},
    {"EXTRACTS", "/kinds_out/extract"},
    {"FORWARDED_READS", "/forwarded_reads"},
    {"OPS", "/ops_out"},
};

struct Golden {
  fs::path path;
  std::string args;
  std::map<std::string, int64_t> counters;
  std::map<std::string, std::string> files;  // What the command may read.
  std::string head;    // All of the file above the output.
  std::string output;  // As recorded.
};

struct Result {
  int status = 0;
  std::string out;
  std::string err;
};

bool StartsWith(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  EXPECT_TRUE(file.flush()) << "cannot write " << path;
}

// Reads the lines at the top: ARGS, counters, other comments.
void ParseHeader(const std::string& text, Golden& golden) {
  static const std::regex directive("// ([A-Z_]+): *(.*)");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!StartsWith(line, "//") || StartsWith(line, kSection)) return;
    if (!std::regex_match(line, match, directive)) continue;
    if (match[1] == "ARGS") {
      golden.args = match[2];
    } else if (kCounters.count(match[1]) != 0) {
      golden.counters[match[1]] = std::stoll(match[2]);
    } else {
      ADD_FAILURE() << "neither ARGS nor a counter: " << line;
    }
  }
}

Golden Parse(const fs::path& path) {
  const std::string text = ReadFile(path);
  Golden golden;
  golden.path = path;
  ParseHeader(text, golden);
  std::istringstream lines(text);
  std::string* section = &golden.files[path.filename()];
  for (std::string line; std::getline(lines, line);) {
    if (section == &golden.output) {
      golden.output += line + "\n";
      continue;
    }
    golden.head += line + "\n";
    if (line == kOutputSection) {
      section = &golden.output;
    } else if (StartsWith(line, kFileSection)) {
      section = &golden.files[line.substr(kFileSection.size())];
    } else {
      *section += line + "\n";
    }
  }
  if (section != &golden.output) golden.head += kOutputSection + "\n";
  return golden;
}

std::string CommandLine(const Golden& golden, const std::string& args) {
  static const std::regex file_word("\\bFILE\\b");
  const std::string file = golden.path.filename();
  if (!std::regex_search(args, file_word)) return args + " " + file;
  return std::regex_replace(args, file_word, file);
}

// Runs the command in a new directory that holds the golden's files.
Result RunCommand(const Golden& golden, const std::string& args) {
  std::string directory = testing::TempDir() + "/golden.XXXXXX";
  EXPECT_NE(mkdtemp(directory.data()), nullptr) << directory;
  for (const auto& [name, text] : golden.files) {
    WriteFile(fs::path(directory) / name, text);
  }
  const std::string command =
      "cd '" + directory + "' && export CUDA_VISIBLE_DEVICES= && { '" +
      fs::absolute("tools/palimpsest").string() + "' " +
      CommandLine(golden, args) + "\n} >.out 2>.err </dev/null";
  const int wait_status = std::system(command.c_str());
  Result result;
  result.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
  result.out = ReadFile(fs::path(directory) / ".out");
  result.err = ReadFile(fs::path(directory) / ".err");
  fs::remove_all(directory);
  return result;
}

// Replaces the numbers in every "microseconds" by 0.
std::string MaskTimes(const std::string& text) {
  static const std::regex times(R"("microseconds": *(\{[^}]*\}|[0-9.e+-]+))");
  static const std::regex number(R"(: *[0-9][0-9.e+-]*)");
  std::string masked;
  auto rest = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), times), end; it != end;
       ++it) {
    masked.append(rest, text.begin() + it->position());
    masked += std::regex_replace(it->str(), number, ":0");
    rest = text.begin() + it->position() + it->length();
  }
  return masked.append(rest, text.end());
}

// Also without what follows "no CUDA device: ".
std::string Masked(const std::string& text) {
  static const std::regex device("(no CUDA device: ).*");
  return MaskTimes(std::regex_replace(text, device, "$1.."));
}

// The statistics of `resolve`, with the options of ARGS if that is `resolve`.
std::optional<nlohmann::json> ResolveStats(const Golden& golden) {
  static const std::regex resolve("^resolve\\b");
  std::string args = "resolve FILE --stats";
  if (std::regex_search(golden.args, resolve)) {
    args = golden.args;
    if (args.find("--stats") == std::string::npos) args += " --stats";
  }
  std::istringstream lines(RunCommand(golden, args).err);
  for (std::string line; std::getline(lines, line);) {
    if (!StartsWith(line, "{")) continue;
    auto stats =
        nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!stats.is_discarded()) return stats;
  }
  return std::nullopt;
}

void CheckCounters(const Golden& golden) {
  if (golden.counters.empty()) return;
  const std::optional<nlohmann::json> stats = ResolveStats(golden);
  ASSERT_TRUE(stats.has_value()) << "resolve --stats printed no JSON";
  for (const auto& [name, expected] : golden.counters) {
    const nlohmann::json::json_pointer place(kCounters.at(name));
    EXPECT_EQ(stats->value(place, int64_t{0}), expected) << name;
  }
}

class GoldenTest : public testing::Test {
 public:
  GoldenTest(fs::path path, fs::path source_root)
      : path_(std::move(path)), source_root_(std::move(source_root)) {}

  void TestBody() override {
    const Golden golden = Parse(path_);
    ASSERT_FALSE(golden.args.empty()) << "line 1 must be // ARGS: ..";
    const Result result = RunCommand(golden, golden.args);
    const std::string output = Masked(result.out + result.err);
    EXPECT_EQ(result.status != 0, StartsWith(path_.filename(), "fail_"))
        << "exit status " << result.status << "\n"
        << output;
    CheckCounters(golden);
    if (source_root_.empty()) {
      EXPECT_EQ(golden.output, output) << "bazel run //tests:golden_test -- "
                                          "--update   accepts the new output";
    } else if (golden.output != output) {
      WriteFile(source_root_ / path_, golden.head + output);
    }
  }

 private:
  const fs::path path_;
  const fs::path source_root_;  // Where to write new outputs; empty: nowhere.
};

void RegisterGoldens(const fs::path& directory, const fs::path& source_root) {
  std::vector<fs::path> paths;
  if (!fs::exists(directory)) return;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().extension() == ".pal") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    const std::string suite = path.parent_path().filename();
    testing::RegisterTest(suite.c_str(), path.stem().c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [path, source_root]() -> testing::Test* {
                            return new GoldenTest(path, source_root);
                          });
  }
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string source_root;
  if (argc > 1 && argv[1] == std::string("--update")) {
    const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
    if (workspace == nullptr) {
      fputs("--update works under `bazel run` only\n", stderr);
      return 2;
    }
    source_root = workspace;
  }
  palimpsest::RegisterGoldens("tests/golden", source_root);
  return RUN_ALL_TESTS();
}
