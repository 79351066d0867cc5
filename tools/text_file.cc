#include "tools/text_file.h"

#include <fcntl.h>
#include <stdlib.h>  // mkstemp, realpath
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/status_macros.h"

namespace palimpsest {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 30;

absl::Status SystemError(const std::string& path) {
  return FileError(path, std::strerror(errno));
}

absl::Status WriteAll(int descriptor, absl::string_view text,
                      const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError(path);
    text.remove_prefix(written);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(int descriptor, const std::string& path) {
  const char kTooLarge[] = "larger than 1 GiB";
  constexpr size_t kChunk = 1 << 20;
  std::string text;
  struct stat info;
  if (fstat(descriptor, &info) == 0) {
    if (info.st_size > kMaxBytes) return FileError(path, kTooLarge);
    // A pipe's size is 0. The last chunk finds nothing.
    text.reserve(static_cast<size_t>(info.st_size) + kChunk);
  }
  while (true) {
    const size_t size = text.size();
    text.resize(size + kChunk);
    const ssize_t count = read(descriptor, &text[size], kChunk);
    text.resize(size + (count < 0 ? 0 : count));
    if (count == 0) return text;
    if (count < 0 && errno != EINTR) return SystemError(path);
    if (static_cast<int64_t>(text.size()) > kMaxBytes) {
      return FileError(path, kTooLarge);
    }
  }
}

absl::StatusOr<std::string> ReadStandardInput() {
  static bool is_read = false;
  if (is_read) return FileError("-", "it can be read only once");
  is_read = true;
  return ReadAll(STDIN_FILENO, "-");
}

// The mode that open() would give a new file.
mode_t NewFileMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Writes a file next to the target and puts it in the target's place.
absl::Status Replace(const std::string& target, mode_t mode,
                     absl::string_view text, const std::string& path) {
  std::string temporary = absl::StrCat(target, ".XXXXXX");
  const int descriptor = mkstemp(&temporary[0]);
  if (descriptor < 0) return SystemError(path);
  auto remove = absl::MakeCleanup([&] { unlink(temporary.c_str()); });
  absl::Status status = WriteAll(descriptor, text, path);
  if (status.ok() && fchmod(descriptor, mode) != 0) status = SystemError(path);
  if (close(descriptor) != 0 && status.ok()) status = SystemError(path);
  RETURN_IF_ERROR(status);
  if (rename(temporary.c_str(), target.c_str()) != 0) return SystemError(path);
  std::move(remove).Cancel();
  return absl::OkStatus();
}

// Devices and pipes cannot be replaced.
absl::Status WriteInto(const std::string& path, absl::string_view text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(path);
  absl::Status status = WriteAll(descriptor, text, path);
  if (close(descriptor) != 0 && status.ok()) status = SystemError(path);
  return status;
}

}  // namespace

std::string DisplayName(const std::string& path) {
  if (path.empty()) return "\"\"";
  return path == "-" ? "<stdin>" : path;
}

absl::Status FileError(const std::string& path, absl::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat(DisplayName(path), ": error: ", message));
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  if (path == "-") return ReadStandardInput();
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(path);
  absl::StatusOr<std::string> text = ReadAll(descriptor, path);
  close(descriptor);
  return text;
}

absl::Status WriteText(const std::string& path, absl::string_view text) {
  if (path == "-") return Print(text);
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno != ENOENT) return SystemError(path);
    return Replace(path, NewFileMode(), text, path);
  }
  if (S_ISDIR(info.st_mode)) return FileError(path, std::strerror(EISDIR));
  if (!S_ISREG(info.st_mode)) return WriteInto(path, text);
  if (access(path.c_str(), W_OK) != 0) return SystemError(path);
  // Through a symbolic link: the link stays.
  char* target = realpath(path.c_str(), nullptr);
  if (target == nullptr) return SystemError(path);
  auto release = absl::MakeCleanup([&] { std::free(target); });
  return Replace(target, info.st_mode & 07777, text, path);
}

absl::Status MakeDirectory(const std::string& path) {
  if (mkdir(path.c_str(), 0777) == 0 || errno == EEXIST) {
    return absl::OkStatus();
  }
  return SystemError(path);
}

bool IsSameFile(const std::string& a, const std::string& b) {
  struct stat of_a, of_b;
  return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

absl::Status Print(absl::string_view text) {
  return WriteAll(STDOUT_FILENO, text, "<stdout>");
}

absl::Status PrintError(absl::string_view text) {
  return WriteAll(STDERR_FILENO, text, "<stderr>");
}

}  // namespace palimpsest
