// Windows by enumeration: where each element of a window starts, which bytes it
// touches. No cleverness to be wrong about.

#ifndef PALIMPSEST_TESTS_ORACLE_WINDOW_BYTES_H_
#define PALIMPSEST_TESTS_ORACLE_WINDOW_BYTES_H_

#include <cstdint>
#include <vector>

#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

// The first byte of each element, in row-major order.
std::vector<int64_t> ElementStarts(const Layout& layout, int64_t offset);

// The bytes of each element, in row-major order of elements. A byte stands
// there as often as elements touch it.
std::vector<int64_t> BytesOf(const Layout& layout, int64_t offset);
std::vector<int64_t> BytesOf(const Function& function, const Type& type);

bool OverlapsItself(const Layout& layout);

// Whether windows of one storage share a byte.
bool ShareBytes(const Function& function, const Type& a, const Type& b);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_WINDOW_BYTES_H_
