// Footprints: which bytes of a storage a window touches, and how two compare.
//
// With the bytes of an element as an innermost dimension of stride 1, a window
// with dimensions (extent e_i, stride s_i) touches the set of bytes
//
//     F = { begin + k_1*s_1 + ... + k_n*s_n  :  0 <= k_i < e_i },
//
// and windows of different dtypes need no special case. Whether two such sets
// meet is integer programming, so queries go through layers, the cheapest
// first, each of which is exact where it answers (footprint_overlap.cc):
//
//   0 bounds       one is empty, or their byte bounds do not meet (or do not
//                  nest)
//   1 normal form  equal, or one is an interval
//   2 residues     they stay apart modulo the gcd of their strides
//   3 digits       both split alike into levels of one or two strides
//   4 search       a level of three strides or more: depth first, with a budget
//   5 bitset       the bytes themselves, up to a cap: exact whatever the rank;
//                  before the search where there are few of them
//   6 undecided
//
// Equal footprints are not the same map: a square matrix and its transpose
// touch the same bytes in another order. SameMap() asks for both.

#ifndef PALIMPSEST_ANALYSIS_FOOTPRINT_H_
#define PALIMPSEST_ANALYSIS_FOOTPRINT_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {

struct ByteDim {
  int64_t extent;
  int64_t stride;  // In bytes.

  friend bool operator==(ByteDim a, ByteDim b) {
    return a.extent == b.extent && a.stride == b.stride;
  }
};
using ByteDims = absl::InlinedVector<ByteDim, 9>;  // Rank 8, and the element.

class FootprintRef;

// A footprint without its place. It depends on a layout alone, so one will do
// for all windows of a layout.
class FootprintShape {
 public:
  enum class Kind : uint8_t {
    kEmpty,
    kBytes,
    kTooLarge,  // int64_t does not count its bytes; how it compares is unknown.
  };

  FootprintShape() = default;  // Empty.
  static FootprintShape Of(const Layout& layout);
  // Dimensions in any order; strides may be zero and negative.
  static FootprintShape OfBytes(absl::Span<const ByteDim> dims);

  Kind kind() const { return kind_; }
  // The first byte, counted from that of element 0: not positive.
  int64_t first() const { return first_; }
  // The last byte, counted from the first.
  int64_t last() const { return last_; }
  bool is_interval() const { return step_ == 0; }

  // How many bytes are touched, each counted once; nullopt where dimensions
  // interleave, so that it takes more than a product to know.
  absl::optional<int64_t> bytes() const;

  // The normal form: extents of two or more, strides positive and falling.
  // Equal strides are merged into one dimension.
  const ByteDims& dims() const { return dims_; }
  // Also merged where two dimensions make one progression without gaps. An
  // interval has one dimension of stride 1, or none.
  const ByteDims& merged() const { return merged_; }
  // `merged` touches runs of run() bytes, whose starts are multiples of step()
  // apart. An interval is one run, with step 0.
  int64_t run() const { return run_; }
  int64_t step() const { return step_; }

  // The window whose element 0 starts at this byte of a storage. Precondition:
  // all of its bytes are numbers below INT64_MAX.
  FootprintRef At(int64_t byte) const;

 private:
  void Finish();

  Kind kind_ = Kind::kEmpty;
  int64_t first_ = 0;
  int64_t last_ = 0;
  int64_t run_ = 1;
  int64_t step_ = 0;
  ByteDims dims_;
  ByteDims merged_;
};

// A shape and the place of its first byte. The shape must outlive it.
class FootprintRef {
 public:
  FootprintRef(const FootprintShape& shape, int64_t begin)
      : shape_(&shape), begin_(begin) {}

  const FootprintShape& shape() const { return *shape_; }
  bool empty() const { return shape_->kind() == FootprintShape::Kind::kEmpty; }
  int64_t begin() const { return begin_; }
  int64_t last() const { return begin_ + shape_->last(); }
  // One past the last byte; begin() where it is empty.
  int64_t end() const { return empty() ? begin_ : last() + 1; }

 private:
  const FootprintShape* shape_;
  int64_t begin_;
};

inline FootprintRef FootprintShape::At(int64_t byte) const {
  return FootprintRef(*this, byte + first_);
}

// A footprint that holds its own shape.
class Footprint {
 public:
  Footprint() = default;  // Empty.
  Footprint(FootprintShape shape, int64_t begin);
  // The offset counts elements, as in Type.
  static Footprint Of(const Layout& layout, int64_t offset);

  const FootprintShape& shape() const { return shape_; }
  bool empty() const { return ref().empty(); }
  int64_t begin() const { return begin_; }
  int64_t last() const { return ref().last(); }
  int64_t end() const { return ref().end(); }
  FootprintRef ref() const { return FootprintRef(shape_, begin_); }
  operator FootprintRef() const { return ref(); }  // NOLINT: one is the other.

  // "[64, 192): 4 x 32, 16 x 1".
  std::string ToString() const;

 private:
  FootprintShape shape_;
  int64_t begin_ = 0;
};

enum class Layer : uint8_t {
  kBounds,
  kNormalForm,
  kResidues,
  kDigits,
  kSearch,
  kBitset,
  kUndecided,
};
constexpr int kLayers = 7;
absl::string_view TextOf(Layer layer);

// How often each layer decided.
class LayerCounts {
 public:
  void Add(Layer layer, int64_t times = 1) {
    counts_[static_cast<int>(layer)] += times;
  }
  int64_t Get(Layer layer) const { return counts_[static_cast<int>(layer)]; }

 private:
  std::array<int64_t, kLayers> counts_ = {};
};

// How much a query may cost before it is given up.
struct FootprintLimits {
  int64_t search_nodes = 1 << 14;
  int64_t bitset_bytes = int64_t{1} << 28;  // Of a footprint's extent.
};

enum class Overlap : uint8_t {
  kNo,       // Proved: no byte in common.
  kYes,      // Proved: a byte in common.
  kUnknown,  // Not proved. Treat it as kYes.
};

enum class Cover : uint8_t {
  kNo,       // Proved: some byte is left out.
  kYes,      // Proved: no byte is left out.
  kUnknown,  // Not proved. Treat it as kNo.
};

enum class Relation : uint8_t {
  kDisjoint,
  kEqual,
  kContains,  // The first has all bytes of the second, and more.
  kInside,    // The second has all bytes of the first, and more.
  kPartial,   // Each has bytes of the other's, and of its own.
  kUnknown,   // Not proved. Treat it as an overlap, never as a cover.
};
absl::string_view TextOf(Relation relation);

struct OverlapResult {
  Overlap overlap;
  Layer layer;
};
struct CoverResult {
  Cover cover;
  Layer layer;
};
struct RelateResult {
  Relation relation;
  Layer layer;  // The dearest one that it took.
};

// Of two windows of one storage. An empty one overlaps nothing and is covered
// by everything; two empty ones are disjoint.

OverlapResult Overlaps(FootprintRef a, FootprintRef b,
                       const FootprintLimits& limits = {});
// Whether `a` has all bytes of `b`.
CoverResult Covers(FootprintRef a, FootprintRef b,
                   const FootprintLimits& limits = {});
RelateResult Relate(FootprintRef a, FootprintRef b,
                    const FootprintLimits& limits = {});

// The bytes of both, where digits show that these are one window (or none).
absl::optional<Footprint> Intersection(FootprintRef a, FootprintRef b);

// Whether two different elements of the layout share a byte.
OverlapResult SelfOverlap(const Layout& layout,
                          const FootprintLimits& limits = {});

// Whether element k of one is element k of the other, for every k: the same
// dtype, sizes and addresses. Windows without elements are the same map where
// dtype and sizes agree.
bool SameMap(const Layout& a, int64_t a_offset, const Layout& b,
             int64_t b_offset);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_FOOTPRINT_H_
