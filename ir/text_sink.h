// TextSink: appends to a string, a block at a time. What was given to it is
// there when it is gone.

#ifndef PALIMPSEST_IR_TEXT_SINK_H_
#define PALIMPSEST_IR_TEXT_SINK_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
    Copy(text.data(), text.size(), block_ + used_);
    used_ += text.size();
  }
  // A literal, whose length the compiler knows.
  template <size_t kSize>
  void Text(const char (&text)[kSize]) {
    constexpr size_t kLength = kSize - 1;
    static_assert(kLength < kBlock);
    if (kLength > Room()) Flush();
    std::memcpy(block_ + used_, text, kLength);
    used_ += kLength;
  }
  void Integer(int64_t value) {
    if (Room() < kDigits) Flush();
    char* begin = block_ + used_;
    used_ += std::to_chars(begin, begin + kDigits, value).ptr - begin;
  }

 private:
  static constexpr size_t kBlock = 4096;
  static constexpr size_t kDigits = 24;  // Of any integer, at most.

  // Most texts are short: for those, two copies that overlap are faster than a
  // call.
  static void Copy(const char* from, size_t size, char* to) {
    if (size > 2 * sizeof(uint64_t)) {
      std::memcpy(to, from, size);
    } else if (size >= sizeof(uint64_t)) {
      CopyEnds<uint64_t>(from, size, to);
    } else if (size >= sizeof(uint32_t)) {
      CopyEnds<uint32_t>(from, size, to);
    } else {
      for (size_t i = 0; i < size; ++i) to[i] = from[i];
    }
  }
  template <typename Word>
  static void CopyEnds(const char* from, size_t size, char* to) {
    Word first;
    Word last;
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
  }

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
