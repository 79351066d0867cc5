// TextCache: what parts of a source text were read as, so that a text seen
// before is neither cut into tokens nor interned again.
//
// Each text has one slot, which the next with its hash takes over: whatever the
// texts, memory is fixed and looking one up takes a time linear in its length.

#ifndef PALIMPSEST_IR_TEXT_CACHE_H_
#define PALIMPSEST_IR_TEXT_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/string_view.h"

namespace palimpsest {

// The first eight bytes of a text, or all of a shorter one, as a number that
// no other such text of its length has.
inline uint64_t HeadOf(absl::string_view text) {
  const char* begin = text.data();
  const size_t size = text.size();
  uint64_t word = 0;
  if (size >= sizeof(word)) {
    std::memcpy(&word, begin, sizeof(word));
    return word;
  }
  uint32_t half = 0;
  if (size >= sizeof(half)) {
    // Two halves, which overlap.
    std::memcpy(&half, begin, sizeof(half));
    word = half;
    std::memcpy(&half, begin + size - sizeof(half), sizeof(half));
    return word << 32 | half;
  }
  if (size == 0) return 0;
  const auto byte = [begin](size_t i) -> uint64_t {
    return static_cast<unsigned char>(begin[i]);
  };
  return byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
}

template <typename Meaning>
class TextCache {
 public:
  // About so many slots. The texts must outlive the cache.
  explicit TextCache(size_t slots) {
    size_t power = 1;
    while (power < slots) power *= 2;
    slots_.resize(power);
  }

  // What Put() was last given for the text in that context; null where that is
  // gone or never was. Valid until the next Put().
  const Meaning* Find(absl::string_view text, int32_t context = 0) const {
    const uint64_t hash = HashOf(text, context);
    const Slot& slot = slots_[hash & (slots_.size() - 1)];
    const bool same = slot.key == KeyOf(text, hash) && slot.epoch == epoch_ &&
                      slot.context == context &&
                      slot.text.size() == text.size() &&
                      (text.size() <= kHead || slot.text == text);
    return same ? &slot.meaning : nullptr;
  }
  // An empty text is not put in.
  void Put(absl::string_view text, const Meaning& meaning,
           int32_t context = 0) {
    if (text.empty()) return;
    const uint64_t hash = HashOf(text, context);
    slots_[hash & (slots_.size() - 1)] = {text, KeyOf(text, hash), context,
                                          epoch_, meaning};
  }
  void Clear() { ++epoch_; }

 private:
  static constexpr size_t kHead = sizeof(uint64_t);
  struct Slot {
    absl::string_view text;
    uint64_t key = 0;
    int32_t context = 0;
    int32_t epoch = -1;
    Meaning meaning;
  };

  static uint64_t Mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 32;
  }
  static uint64_t HashOf(absl::string_view text, int32_t context) {
    uint64_t hash = Mix(static_cast<uint32_t>(context), HeadOf(text));
    uint64_t word;
    for (size_t i = kHead; i < text.size(); i += kHead) {
      const size_t begin = text.size() - i < kHead ? text.size() - kHead : i;
      std::memcpy(&word, text.data() + begin, kHead);
      hash = Mix(hash, word);
    }
    return hash;
  }
  // All of a short text; of others the hash, so that most that differ are told
  // apart without a look at where they stand, which may be far.
  static uint64_t KeyOf(absl::string_view text, uint64_t hash) {
    return text.size() <= kHead ? HeadOf(text) : hash;
  }

  std::vector<Slot> slots_;  // A power of two.
  int32_t epoch_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_TEXT_CACHE_H_
