// palimpsest: the command. Reads its flags and calls the command they name.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "analysis/overlapping_calls.h"
#include "cuda/backends.h"
#include "tools/commands.h"
#include "tools/text_file.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

constexpr char kVersion[] = "palimpsest 0.1.0";

// What the flags ask for.
using Action = std::function<absl::StatusOr<Exit>()>;

// A command whose flags are read into a `Flags` and handed to `run`.
template <typename Flags>
struct Command {
  CLI::App* app;
  std::shared_ptr<Flags> flags;
};

template <typename Flags>
Command<Flags> AddCommand(CLI::App& main, Action& action,
                          absl::StatusOr<Exit> (*run)(const Flags&),
                          const std::string& name, const std::string& summary,
                          const std::string& example) {
  CLI::App* app = main.add_subcommand(name, summary);
  app->group("Commands")->footer(absl::StrCat("Example:\n  ", example));
  auto flags = std::make_shared<Flags>();
  app->callback(
      [&action, run, flags] { action = [run, flags] { return run(*flags); }; });
  return {app, flags};
}

// A flag that takes no value.
void AddOption(CLI::App* app, const std::string& name, Option& option,
               const std::string& what, Option value = Option::kOn) {
  app->add_flag_callback(
      name, [&option, value] { option = value; }, what);
}

void AddFile(CLI::App* app, Selection& selection) {
  app->add_option("FILE", selection.file, "The program; - is standard input")
      ->required();
  app->add_option("--function", selection.function,
                  "Which function of the file (default: the first)")
      ->type_name("@NAME");
}

void AddOutput(CLI::App* app, std::string& output) {
  app->add_option("-o,--output", output,
                  "Where to write it (default: standard output)")
      ->type_name("OUT");
}

// A flag whose value is one of a few words.
template <typename T>
void AddChoice(CLI::App* app, const std::string& name, T& target,
               const std::vector<std::pair<std::string, T>>& choices,
               const std::string& what) {
  const std::string words =
      absl::StrJoin(choices, "|", [](std::string* out, const auto& choice) {
        absl::StrAppend(out, choice.first);
      });
  const auto read = [&target, choices, words, name](const std::string& text) {
    for (const auto& [word, value] : choices) {
      if (word == text) {
        target = value;
        return;
      }
    }
    throw CLI::ValidationError(
        name, absl::StrCat("expected ", words, ", not `", text, "`"));
  };
  app->add_option_function<std::string>(name, read, what)->type_name(words);
}

template <typename T>
void AddNumber(CLI::App* app, const std::string& name, T& target, T least,
               T most, const std::string& what) {
  const auto read = [&target, least, most, name](const std::string& text) {
    T number;
    if (!absl::SimpleAtoi(text, &number) || number < least || number > most) {
      throw CLI::ValidationError(
          name, absl::StrCat("expected a number from ", least, " to ", most,
                             ", not `", text, "`"));
    }
    target = number;
  };
  app->add_option_function<std::string>(name, read, what)->type_name("N");
}

void AddSeed(CLI::App* app, uint64_t& seed) {
  AddNumber<uint64_t>(app, "--seed", seed, 0,
                      std::numeric_limits<uint64_t>::max(),
                      "Of the random contents (default: 0)");
}

void AddBackend(CLI::App* app, BackendName& backend) {
  AddChoice<BackendName>(app, "--backend", backend,
                         {{"host", BackendName::kHost},
                          {"emulated", BackendName::kEmulated},
                          {"cuda", BackendName::kCuda}},
                         "Where to run (default: host). emulated: as on a "
                         "device, but on the host, slowly");
}

void AddOverlappingCalls(CLI::App* app, OverlappingCalls& calls) {
  AddChoice<OverlappingCalls>(
      app, "--overlapping-calls", calls,
      {{"refuse", OverlappingCalls::kRefuse},
       {"by-value", OverlappingCalls::kByValue}},
      "A call whose mut operand overlaps another: refused (default), or taken "
      "to read all of its operands before it writes");
}

void AddOverlapChoices(CLI::App* app, ResolveOptions& options) {
  AddChoice<OverlappingWrites>(
      app, "--overlapping-writes", options.overlapping_writes,
      {{"refuse", OverlappingWrites::kRefuse},
       {"sequential", OverlappingWrites::kSequential}},
      "A destination that touches a byte twice: refused (default), or written "
      "in row-major order, so that the last write wins");
  AddOverlappingCalls(app, options.overlapping_calls);
}

void AddResolveChoices(CLI::App* app, ResolveOptions& options) {
  AddOverlapChoices(app, options);
  NegativeStrides& negative_strides = options.negative_strides;
  app->add_flag_callback(
      "--no-negative-strides",
      [&negative_strides] { negative_strides = NegativeStrides::kFlip; },
      "Windows never step backwards: a flip turns them");
}

// A command that makes a function of a function.
Command<TransformFlags> AddTransform(
    CLI::App& main, Action& action,
    absl::StatusOr<Exit> (*run)(const TransformFlags&), const std::string& name,
    const std::string& summary, const std::string& example) {
  const Command<TransformFlags> command =
      AddCommand(main, action, run, name, summary, example);
  AddFile(command.app, command.flags->input);
  AddOutput(command.app, command.flags->output);
  AddOption(command.app, "--check", command.flags->check,
            "Also checks that both do the same; if not, writes nothing and "
            "exits with status 1");
  AddOption(command.app, "--stats", command.flags->stats,
            "Prints one line of JSON on standard error");
  return command;
}

void AddResolve(CLI::App& main, Action& action) {
  const auto [app, flags] =
      AddTransform(main, action, ResolveCommand, "resolve",
                   "Turns a function that writes in place into a pure one",
                   "palimpsest resolve decode.pal -o pure.pal --stats");
  AddResolveChoices(app, flags->options);
}

void AddReinplace(CLI::App& main, Action& action) {
  const auto [app, flags] = AddTransform(
      main, action, ReinplaceCommand, "reinplace",
      "Gives a function's values places in memory anew, to write few bytes",
      "palimpsest reinplace pure.pal -o in_place.pal --stats");
  AddOverlapChoices(app, flags->options);
}

void AddCheck(CLI::App& main, Action& action) {
  auto [app, flags] =
      AddCommand(main, action, CheckCommand, "check",
                 "Says whether two functions do the same",
                 "palimpsest check decode.pal pure.pal --samples=8 --seed=1");
  app->add_option("A", flags->a, "A program; - is standard input")->required();
  app->add_option("B", flags->b, "Another")->required();
  app->add_option("--function", flags->function,
                  "Which function of both files (default: the first)")
      ->type_name("@NAME");
  AddBackend(app, flags->backend);
  AddNumber(app, "--samples", flags->samples, 1, 1000000,
            "How many random inputs to run (default: 3)");
  AddSeed(app, flags->seed);
  AddOption(app, "--no-proof", flags->proof,
            "Runs the programs, and looks for no proof", Option::kOff);
  AddOverlappingCalls(app, flags->overlapping_calls);
}

void AddRun(CLI::App& main, Action& action) {
  auto [app, flags] = AddCommand(
      main, action, RunCommand, "run",
      "Runs a function; prints results and changed storages as JSON",
      "palimpsest run decode.pal --inputs=values.json\n\n"
      "values.json holds storages by name; others get random contents:\n"
      "  {\"@pos\": {\"dtype\": \"i64\", \"values\": [3,4]}}");
  AddFile(app, flags->input);
  app->add_option("--inputs", flags->inputs,
                  "Contents of the caller's storages")
      ->type_name("VALUES.json");
  AddSeed(app, flags->seed);
  AddBackend(app, flags->backend);
  AddOption(app, "--full", flags->full,
            "All elements, also of a tensor of more than 100000");
}

void AddAlias(CLI::App& main, Action& action) {
  auto [app, flags] =
      AddCommand(main, action, AliasCommand, "alias",
                 "Lists the pairs of values that may share bytes",
                 "palimpsest alias decode.pal");
  AddFile(app, flags->input);
}

void AddExplain(CLI::App& main, Action& action) {
  auto [app, flags] =
      AddCommand(main, action, ExplainCommand, "explain",
                 "Says which writes and reads are behind a value",
                 "palimpsest explain decode.pal %sum");
  AddFile(app, flags->input);
  app->add_option("VALUE", flags->value, "The value, as in the program")
      ->required()
      ->type_name("%NAME");
  AddResolveChoices(app, flags->options);
}

void AddCost(CLI::App& main, Action& action) {
  auto [app, flags] = AddCommand(
      main, action, CostCommand, "cost",
      "Counts the bytes that programs read and write, and what memory they "
      "take beside the caller's",
      "palimpsest cost decode.pal pure.pal");
  app->add_option("FILE", flags->files, "The programs; - is standard input")
      ->required();
  app->add_option("--function", flags->function,
                  "Which function of each file (default: the first)")
      ->type_name("@NAME");
  AddOption(app, "--ops", flags->ops, "Also op by op");
  AddOption(app, "--json", flags->json, "A line of JSON for each program");
}

void AddFmt(CLI::App& main, Action& action) {
  auto [app, flags] =
      AddCommand(main, action, FmtCommand, "fmt",
                 "Prints a file's functions in the canonical text",
                 "palimpsest fmt --in-place decode.pal");
  app->add_option("FILE", flags->file, "The programs; - is standard input")
      ->required();
  CLI::Option* output =
      app->add_option("-o,--output", flags->output,
                      "Where to write it (default: standard output)")
          ->type_name("OUT");
  Option& in_place = flags->in_place;
  app->add_flag_callback(
         "--in-place", [&in_place] { in_place = Option::kOn; },
         "Rewrites FILE. Comments go")
      ->excludes(output);
}

void AddListOps(CLI::App& main, Action& action) {
  CLI::App* app = main.add_subcommand("list-ops", "Prints the op table");
  app->group("Commands");
  app->footer("Example:\n  palimpsest list-ops | grep index");
  app->callback([&action] { action = ListOpsCommand; });
}

void AddConform(CLI::App& main, Action& action) {
  auto [app, flags] = AddCommand(
      main, action, ConformCommand, "conform",
      "Runs recorded cases against every transform",
      "palimpsest conform tests/conformance/*.jsonl --write-resolved=out");
  app->add_option("CASES", flags->files, "Files of cases, one JSON a line")
      ->required()
      ->type_name("CASES.jsonl");
  app->add_option("--write-resolved", flags->write_resolved,
                  "Writes each case's resolved program to DIR/NAME.pal")
      ->type_name("DIR");
  app->add_option("--write-reinplaced", flags->write_reinplaced,
                  "Likewise, back in place")
      ->type_name("DIR");
  AddBackend(app, flags->backend);
  AddResolveChoices(app, flags->options);
}

// "palimpsest resolve: error: ..", and where to find help.
std::string UsageText(absl::string_view command, absl::string_view what) {
  return absl::StrCat(command, ": error: ", what, "\n", command,
                      " --help says what it takes\n");
}

std::string UsageError(const CLI::App* main, const CLI::Error& error) {
  const std::vector<CLI::App*> commands = main->get_subcommands();
  if (commands.empty() && error.get_name() == "RequiredError") {
    return UsageText(main->get_name(), "a command is missing");
  }
  std::string name = main->get_name();
  for (const CLI::App* command : commands) {
    absl::StrAppend(&name, " ", command->get_name());
  }
  return UsageText(name, error.what());
}

// Whether the first argument stands for a command that there is not.
bool IsUnknownCommand(const CLI::App& main, absl::string_view word) {
  if (absl::StartsWith(word, "-")) return false;
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* command : main.get_subcommands(all)) {
    if (command->get_name() == word) return false;
  }
  return true;
}

// Help and version, or an error of usage.
Exit ExitOf(const CLI::App& main, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = main.exit(error, out, err);
  const bool printed = Print(out.str()).ok() && PrintError(err.str()).ok();
  if (!printed) return Exit::kRefused;
  return status == 0 ? Exit::kDone : Exit::kUsage;
}

Exit Main(int argc, char** argv) {
  CLI::App main(
      "Makes tensor programs that write in place pure, puts pure ones back "
      "in place, and shows that they still do the same",
      "palimpsest");
  main.set_version_flag("--version", kVersion);
  main.require_subcommand(1);
  main.get_formatter()->label("SUBCOMMAND", "COMMAND");
  main.get_formatter()->label("TEXT", "");
  main.get_formatter()->label("REQUIRED", "");
  main.failure_message(UsageError);
  main.footer(
      "Exit status: 0 done, or equal; 1 different, a case failed, or no CUDA "
      "device; 2 usage; 3 the input is wrong or refused.\n"
      "palimpsest COMMAND --help says more of a command.");
  Action action;
  AddResolve(main, action);
  AddReinplace(main, action);
  AddCheck(main, action);
  AddRun(main, action);
  AddAlias(main, action);
  AddExplain(main, action);
  AddCost(main, action);
  AddFmt(main, action);
  AddListOps(main, action);
  AddConform(main, action);
  if (argc > 1 && IsUnknownCommand(main, argv[1])) {
    (void)PrintError(
        UsageText(main.get_name(), absl::StrCat("no command `", argv[1], "`")));
    return Exit::kUsage;
  }
  try {
    main.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ExitOf(main, error);
  }
  const absl::StatusOr<Exit> exit = action();
  if (exit.ok()) return *exit;
  (void)PrintError(absl::StrCat(std::string(exit.status().message()), "\n"));
  return Exit::kRefused;
}

}  // namespace
}  // namespace palimpsest

int main(int argc, char** argv) {
  return static_cast<int>(palimpsest::Main(argc, argv));
}
