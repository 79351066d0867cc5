#include "tests/oracle/window_bytes.h"

#include <cstdint>
#include <set>
#include <vector>

#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

std::vector<int64_t> ElementStarts(const Layout& layout, int64_t offset) {
  // Sizes beside a zero may be of any magnitude.
  if (ElementCount(layout.sizes) == 0) return {};
  std::vector<int64_t> elements = {offset};
  for (int i = 0; i < layout.rank(); ++i) {
    std::vector<int64_t> next;
    for (int64_t element : elements) {
      for (int64_t k = 0; k < layout.sizes[i]; ++k) {
        next.push_back(element + k * layout.strides[i]);
      }
    }
    elements.swap(next);
  }
  for (int64_t& element : elements) element *= WidthOf(layout.dtype);
  return elements;
}

std::vector<int64_t> BytesOf(const Layout& layout, int64_t offset) {
  std::vector<int64_t> bytes;
  for (int64_t start : ElementStarts(layout, offset)) {
    for (int64_t i = 0; i < WidthOf(layout.dtype); ++i) {
      bytes.push_back(start + i);
    }
  }
  return bytes;
}

std::vector<int64_t> BytesOf(const Function& function, const Type& type) {
  return BytesOf(function.LayoutOf(type), type.offset);
}

bool OverlapsItself(const Layout& layout) {
  const std::vector<int64_t> elements = ElementStarts(layout, 0);
  return std::set<int64_t>(elements.begin(), elements.end()).size() <
         elements.size();
}

bool ShareBytes(const Function& function, const Type& a, const Type& b) {
  if (a.storage != b.storage) return false;
  const std::vector<int64_t> bytes = BytesOf(function, a);
  const std::set<int64_t> known(bytes.begin(), bytes.end());
  for (int64_t byte : BytesOf(function, b)) {
    if (known.count(byte) != 0) return true;
  }
  return false;
}

}  // namespace palimpsest
