// TextCache: what parts of a source text were read as, so that a text seen
// before is neither cut into tokens nor interned again.
//
// Each text has one slot, which the next with its hash takes over: whatever the
// texts, memory is fixed and looking one up takes a time linear in its length.

#ifndef PALIMPSEST_IR_TEXT_CACHE_H_
#define PALIMPSEST_IR_TEXT_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace palimpsest {

class TextCache {
 public:
  // About so many slots. The texts must outlive the cache.
  explicit TextCache(size_t slots);

  // What Put() was last given for the text in that context; -1 where that is
  // gone or never was.
  int32_t Find(absl::string_view text, int32_t context) const {
    const Slot& slot = slots_[IndexOf(text, context)];
    const bool same =
        slot.epoch == epoch_ && slot.context == context && slot.text == text;
    return same ? slot.meaning : -1;
  }
  // An empty text is not put in.
  void Put(absl::string_view text, int32_t context, int32_t meaning);
  void Clear() { ++epoch_; }

 private:
  struct Slot {
    absl::string_view text;
    int32_t context = 0;
    int32_t meaning = 0;
    int32_t epoch = -1;
  };
  size_t IndexOf(absl::string_view text, int32_t context) const;

  std::vector<Slot> slots_;  // A power of two.
  int32_t epoch_ = 0;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_TEXT_CACHE_H_
