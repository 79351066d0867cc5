// TextSink: appends to a string, a block at a time. What was given to it is
// there when it is gone.

#ifndef PALIMPSEST_IR_TEXT_SINK_H_
#define PALIMPSEST_IR_TEXT_SINK_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace palimpsest {

class TextSink {
 public:
  explicit TextSink(std::string& out) : out_(out) {}
  ~TextSink() { Flush(); }
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  void Text(absl::string_view text) {
    if (text.size() > Room()) return TextAcross(text);
    used_ += text.copy(block_ + used_, text.size());
  }
  void Integer(int64_t value) {
    if (Room() < kDigits) Flush();
    char* begin = block_ + used_;
    used_ += std::to_chars(begin, begin + kDigits, value).ptr - begin;
  }

 private:
  static constexpr size_t kBlock = 4096;
  static constexpr size_t kDigits = 24;  // Of any integer, at most.

  size_t Room() const { return kBlock - used_; }
  void Flush() {
    out_.append(block_, used_);
    used_ = 0;
  }
  void TextAcross(absl::string_view text) {
    Flush();
    out_.append(text.data(), text.size());
  }

  std::string& out_;
  size_t used_ = 0;
  char block_[kBlock];
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_TEXT_SINK_H_
