#include "ir/text_cache.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"

namespace palimpsest {
namespace {

size_t PowerOfTwo(size_t least) {
  size_t power = 1;
  while (power < least) power *= 2;
  return power;
}

uint64_t Mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 32;
}

}  // namespace

TextCache::TextCache(size_t slots) : slots_(PowerOfTwo(slots)) {}

size_t TextCache::IndexOf(absl::string_view text, int32_t context) const {
  constexpr size_t kWord = sizeof(uint64_t);
  uint64_t hash = static_cast<uint32_t>(context);
  uint64_t word = 0;
  if (text.size() < kWord) {
    for (char c : text) word = word << 8 | static_cast<unsigned char>(c);
  } else {
    for (size_t i = 0; i + kWord < text.size(); i += kWord) {
      std::memcpy(&word, text.data() + i, kWord);
      hash = Mix(hash, word);
    }
    std::memcpy(&word, text.data() + text.size() - kWord, kWord);
  }
  return Mix(hash, word) & (slots_.size() - 1);
}

void TextCache::Put(absl::string_view text, int32_t context, int32_t meaning) {
  if (text.empty()) return;
  slots_[IndexOf(text, context)] = {text, context, meaning, epoch_};
}

}  // namespace palimpsest
