// Routes: which byte of a buffer is which byte of a window's elements, taken in
// row-major order. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_ROUTE_H_
#define PALIMPSEST_ANALYSIS_PROOF_ROUTE_H_

#include <cstdint>
#include <vector>

#include "analysis/proof_box.h"
#include "ir/type.h"

namespace palimpsest {
namespace proof {

// A dimension along which all elements are the same bytes.
struct Repeat {
  int64_t size;
  int64_t step;  // Of positions.
};

// Lanes: the address in the buffer, the position in the row-major value. Each
// position is in one box at most, and in one repetition of it.
struct ReadRoute {
  std::vector<Box> boxes;
  std::vector<Repeat> repeats;
};

// The budget's boxes are those of the routes. Precondition: the window lies
// inside a buffer.
ReadRoute RouteOfRead(const Layout& layout, int64_t offset, Budget& budget);

// Lanes: the position, the address. Where the window touches a byte twice the
// later box, in this order, wins; no box touches a byte twice.
struct WriteRoute {
  std::vector<Box> boxes;
  bool may_overlap = false;  // False: proved that no byte is touched twice.
};

WriteRoute RouteOfWrite(const Layout& layout, int64_t offset, Budget& budget);

// The same for values all of whose elements are alike.
WriteRoute RouteOfFill(const Layout& layout, int64_t offset, Budget& budget);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_ROUTE_H_
