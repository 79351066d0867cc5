// A map from interned names to ids. Names that a NameTable interned index an
// array, and so do numbers as long as they are dense: below eight times as many
// as there are. Only larger ones are hashed.

#ifndef PALIMPSEST_IR_NAME_MAP_H_
#define PALIMPSEST_IR_NAME_MAP_H_

#include <cstddef>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ir/ids.h"
#include "ir/large_pages.h"

namespace palimpsest {

template <typename IdType>
class NameMap {
 public:
  // An invalid id where the name has none.
  IdType Find(Name name) const {
    const std::vector<IdType>& ids = ArrayFor(name);
    const size_t index = IndexOf(name);
    if (index < ids.size()) return ids[index];
    if (large_.empty()) return IdType{};
    const auto found = large_.find(name);
    return found == large_.end() ? IdType{} : found->second;
  }

  // An invalid id takes the name out.
  void Set(Name name, IdType id) {
    std::vector<IdType>& ids = name.is_number() ? by_number_ : by_text_;
    const size_t index = IndexOf(name);
    ++count_;
    if (index >= ids.size()) {
      if (name.is_number() && index >= 8 * count_ + 4096) {
        large_[name] = id;
        return;
      }
      Grow(ids, index);
    }
    ids[index] = id;
  }

 private:
  const std::vector<IdType>& ArrayFor(Name name) const {
    return name.is_number() ? by_number_ : by_text_;
  }
  static size_t IndexOf(Name name) {
    return static_cast<size_t>(name.is_number() ? name.number() : name.value);
  }
  // Makes room for `index`; names in the new part leave large_.
  void Grow(std::vector<IdType>& ids, size_t index) {
    ReserveLarge(ids, 2 * index + 16);
    ids.resize(2 * index + 16);
    if (&ids != &by_number_) return;
    for (auto it = large_.begin(); it != large_.end();) {
      if (IndexOf(it->first) < ids.size()) {
        ids[IndexOf(it->first)] = it->second;
        large_.erase(it++);
      } else {
        ++it;
      }
    }
  }

  size_t count_ = 0;  // Of calls of Set().
  std::vector<IdType> by_text_;
  std::vector<IdType> by_number_;
  absl::flat_hash_map<Name, IdType> large_;  // Numbers alone.
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_NAME_MAP_H_
