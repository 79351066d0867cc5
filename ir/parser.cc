#include "ir/parser.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/function_parser.h"
#include "ir/lexer.h"
#include "ir/program.h"
#include "ir/source_text.h"
#include "ir/status_macros.h"
#include "ir/text_reader.h"

namespace palimpsest {
namespace {

absl::Status CheckBytes(const SourceText& source) {
  // Lines, columns and ids are 32 bits wide.
  if (source.text.size() > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat(
        source.file_name, ":1:1: error: the file is larger than 2 GiB"));
  }
  const absl::optional<size_t> bad = FindBadByte(source.text);
  if (!bad) return absl::OkStatus();
  const bool nul = source.text[*bad] == '\0';
  return source.Error(source.text.data() + *bad,
                      nul ? "a NUL byte; the text must have none"
                          : "this byte is no UTF-8; the text must be");
}

absl::Status ReadVersion(TextReader& reader) {
  if (!reader.token().IsWord("version")) return absl::OkStatus();
  reader.Advance();
  const char* at = reader.at();
  int64_t version = 0;
  RETURN_IF_ERROR(reader.ReadInteger(version, "after `version`"));
  if (version != 1) {
    return reader.Error(at, absl::StrCat("version ", version,
                                         " of the text is unknown; this reader "
                                         "knows version 1"));
  }
  if (!reader.token().Is(TokenKind::kEnd)) {
    RETURN_IF_ERROR(reader.Expect(TokenKind::kNewline, "after the version"));
  }
  reader.SkipNewlines();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Program> ParseProgram(absl::string_view text,
                                     absl::string_view file_name) {
  const SourceText source{text, file_name};
  RETURN_IF_ERROR(CheckBytes(source));
  TextReader reader(source);
  reader.SkipNewlines();
  RETURN_IF_ERROR(ReadVersion(reader));
  Program program;
  absl::flat_hash_set<std::string> names;
  while (!reader.token().Is(TokenKind::kEnd)) {
    const FunctionKind kind = reader.ConsumeWord("pure")
                                  ? FunctionKind::kPure
                                  : FunctionKind::kInPlace;
    if (!reader.ConsumeWord("func")) {
      return reader.Unexpected(kind == FunctionKind::kPure
                                   ? "`func` after `pure`"
                                   : "a function, `func @name(..) {`");
    }
    const char* name = reader.at();
    ASSIGN_OR_RETURN(Function function, FunctionParser(reader, kind).Parse());
    if (!names.insert(function.name).second) {
      return reader.Error(name, absl::StrCat("@", function.name,
                                             " stands above already; choose "
                                             "another name"));
    }
    program.functions.push_back(std::move(function));
    reader.SkipNewlines();
  }
  if (program.functions.empty()) {
    return reader.Error(reader.at(),
                        "the file has no function; it must have one, `func "
                        "@name(..) {`");
  }
  return program;
}

}  // namespace palimpsest
