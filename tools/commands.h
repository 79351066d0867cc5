// What each command of `palimpsest` takes and does. A command writes its answer
// to standard output; an error is a Status whose message is all that is to be
// said ("FILE:LINE:COLUMN: error: ..").

#ifndef PALIMPSEST_TOOLS_COMMANDS_H_
#define PALIMPSEST_TOOLS_COMMANDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/overlapping_calls.h"
#include "cuda/backends.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {

enum class Exit : int {
  kDone = 0,       // Also: equal, every case passed.
  kDifferent = 1,  // Also: a case failed, there is no such device.
  kUsage = 2,
  // The input is wrong or refused, or the output cannot be written.
  kRefused = 3,
};

// One function of a file.
struct Selection {
  std::string file;      // "-" is standard input.
  std::string function;  // "@name"; empty: the first.
};

// Whether to do more than was asked for by the command itself.
enum class Option : uint8_t { kOff, kOn };

struct TransformFlags {
  Selection input;
  std::string output = "-";
  ResolveOptions options;
  Option check = Option::kOff;
  Option stats = Option::kOff;
};
absl::StatusOr<Exit> ResolveCommand(const TransformFlags& flags);
absl::StatusOr<Exit> ReinplaceCommand(const TransformFlags& flags);

struct CheckFlags {
  std::string a;  // Files.
  std::string b;
  std::string function;  // Of both.
  BackendName backend = BackendName::kHost;
  int samples = 3;
  uint64_t seed = 0;
  Option proof = Option::kOn;
  OverlappingCalls overlapping_calls = OverlappingCalls::kRefuse;
};
absl::StatusOr<Exit> CheckCommand(const CheckFlags& flags);

struct RunFlags {
  Selection input;
  std::string inputs;  // A JSON file; empty: random contents.
  BackendName backend = BackendName::kHost;
  uint64_t seed = 0;
  Option full = Option::kOff;
};
absl::StatusOr<Exit> RunCommand(const RunFlags& flags);

struct AliasFlags {
  Selection input;
};
absl::StatusOr<Exit> AliasCommand(const AliasFlags& flags);

struct ExplainFlags {
  Selection input;
  std::string value;  // "%v".
  ResolveOptions options;
};
absl::StatusOr<Exit> ExplainCommand(const ExplainFlags& flags);

struct CostFlags {
  std::vector<std::string> files;
  std::string function;  // Of each; "@name", empty: the first.
  Option json = Option::kOff;
  Option ops = Option::kOff;  // Each of them.
};
absl::StatusOr<Exit> CostCommand(const CostFlags& flags);

struct FmtFlags {
  std::string file;
  std::string output = "-";
  Option in_place = Option::kOff;  // Rewrites the file.
};
absl::StatusOr<Exit> FmtCommand(const FmtFlags& flags);

absl::StatusOr<Exit> ListOpsCommand();

struct ConformFlags {
  std::vector<std::string> files;
  std::string write_resolved;  // Directories, or empty.
  std::string write_reinplaced;
  BackendName backend = BackendName::kHost;
  ResolveOptions options;
};
absl::StatusOr<Exit> ConformCommand(const ConformFlags& flags);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_COMMANDS_H_
