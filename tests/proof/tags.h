// Tags: a number per byte that says what the byte is, 0 for poison; and moving
// them through windows, element by element.

#ifndef PALIMPSEST_TESTS_PROOF_TAGS_H_
#define PALIMPSEST_TESTS_PROOF_TAGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ir/type.h"

namespace palimpsest {

using Tags = std::vector<uint64_t>;

// Hashes; not 0.
uint64_t Mix(uint64_t x, uint64_t y);
uint64_t HashOfText(const std::string& text);

int64_t BytesOf(const Layout& layout);

// The window's tags in row-major order, and the other way round.
Tags ReadTags(const Tags& from, const Layout& layout, int64_t offset);
void WriteTags(Tags& to, const Layout& layout, int64_t offset,
               const Tags& value);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_PROOF_TAGS_H_
