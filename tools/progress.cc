#include "tools/progress.h"

#include <unistd.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/text_file.h"

namespace palimpsest {
namespace {

// Back to the line's start, and clear it.
constexpr char kNewLine[] = "\r\x1b[K";

}  // namespace

Progress::Progress() {
  if (isatty(STDERR_FILENO) == 1) {
    thread_ = std::thread([this] { ShowUntilDone(); });
  }
}

Progress::~Progress() {
  Clear();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Progress::Say(std::string text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  text_ = std::move(text);
}

void Progress::Clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  text_.clear();
  if (shown_) (void)PrintError(kNewLine);
  shown_ = false;
}

void Progress::ShowUntilDone() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  auto wait = std::chrono::milliseconds(1000);
  while (!changed_.wait_for(lock, wait, [this] { return done_; })) {
    wait = std::chrono::milliseconds(250);
    if (text_.empty()) continue;
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
    (void)PrintError(
        absl::StrCat(kNewLine, text_, " (", seconds.count(), " s)"));
    shown_ = true;
  }
}

}  // namespace palimpsest
