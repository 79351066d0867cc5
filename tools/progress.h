// A line on the terminal that says what a long task is at.

#ifndef PALIMPSEST_TOOLS_PROGRESS_H_
#define PALIMPSEST_TOOLS_PROGRESS_H_

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace palimpsest {

// Silent in the first second, and where standard error is no terminal. A thread
// of its own shows the line, so that one long step shows too. The line goes
// away with the object.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What the task is at from now on: "check: input 2 of 3".
  void Say(std::string text);
  // Takes the line away until the next Say(), so that something else can be
  // printed.
  void Clear();

 private:
  void ShowUntilDone();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;  // Guarded by mutex_, as all below.
  bool shown_ = false;
  bool done_ = false;
  std::thread thread_;  // None where there is no terminal.
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_PROGRESS_H_
