// Large pages for long arrays.

#ifndef PALIMPSEST_IR_LARGE_PAGES_H_
#define PALIMPSEST_IR_LARGE_PAGES_H_

#include <cstddef>
#include <iterator>
#include <vector>

namespace palimpsest {

// Asks the kernel for large pages in that memory, where it is large and the
// kernel has them. Only speed depends on it: filling arrays of many millions of
// bytes that are new is mostly page faults otherwise.
void PreferLargePages(void* begin, size_t bytes);

// Makes room for as many elements in all, in large pages where it is much.
template <typename T>
void ReserveLarge(std::vector<T>& array, size_t count) {
  if (count <= array.capacity()) return;
  std::vector<T> larger;
  larger.reserve(count);
  // Before anything is written there.
  PreferLargePages(larger.data(), larger.capacity() * sizeof(T));
  larger.insert(larger.end(), std::make_move_iterator(array.begin()),
                std::make_move_iterator(array.end()));
  array.swap(larger);
}

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_LARGE_PAGES_H_
