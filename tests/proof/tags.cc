#include "tests/proof/tags.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/type.h"

namespace palimpsest {
namespace {

// The addresses of a window's elements, in row-major order, in elements.
std::vector<int64_t> ElementsOf(const Layout& layout, int64_t offset) {
  std::vector<int64_t> elements = {offset};
  for (int i = 0; i < layout.rank(); ++i) {
    std::vector<int64_t> next;
    for (int64_t element : elements) {
      for (int64_t k = 0; k < layout.sizes[i]; ++k) {
        next.push_back(element + k * layout.strides[i]);
      }
    }
    elements = std::move(next);
  }
  return elements;
}

}  // namespace

uint64_t Mix(uint64_t x, uint64_t y) {
  const uint64_t z = (x ^ (y + 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
  return ((z ^ (z >> 29)) * 0xc4ceb9fe1a85ec53u ^ (z >> 17)) | 1;
}

uint64_t HashOfText(const std::string& text) {
  uint64_t hash = 7;
  for (char c : text) hash = Mix(hash, static_cast<uint8_t>(c));
  return hash;
}

int64_t BytesOf(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

Tags ReadTags(const Tags& from, const Layout& layout, int64_t offset) {
  const int64_t width = WidthOf(layout.dtype);
  Tags tags;
  for (int64_t element : ElementsOf(layout, offset)) {
    for (int64_t b = 0; b < width; ++b)
      tags.push_back(from[element * width + b]);
  }
  return tags;
}

void WriteTags(Tags& to, const Layout& layout, int64_t offset,
               const Tags& value) {
  const int64_t width = WidthOf(layout.dtype);
  size_t i = 0;
  for (int64_t element : ElementsOf(layout, offset)) {
    for (int64_t b = 0; b < width; ++b) to[element * width + b] = value[i++];
  }
}

}  // namespace palimpsest
