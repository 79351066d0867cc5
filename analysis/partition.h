// Partitions: which bytes of one window lie inside of another, as boxes.
//
// A window laid in a storage is a map from positions in a row-major buffer (its
// value) to addresses. Partition() splits a subject's positions into those
// whose address another window also has and those whose address it has not.
// Each part is a list of disjoint strided boxes that know three things at once:
// where they lie in the storage, in the subject's buffer and in the other's
// buffer. So one operation gives intersection (the inside), difference (the
// outside), cover (no outside), and where in a value a window stands (one
// inside box, unsplit).
//
// Everything counts bytes; the bytes of an element are an innermost dimension
// of stride 1, so windows of different dtypes need no special case.

#ifndef PALIMPSEST_ANALYSIS_PARTITION_H_
#define PALIMPSEST_ANALYSIS_PARTITION_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/type.h"

namespace palimpsest {

// One dimension of a box: how far a step moves in each of the three places.
struct BoxDim {
  int64_t extent;
  int64_t address;     // In the storage.
  int64_t subject;     // In the subject's row-major buffer.
  int64_t target = 0;  // In the other's; of inside boxes only.
};

struct Box {
  int64_t address = 0;
  int64_t subject = 0;
  int64_t target = 0;
  absl::InlinedVector<BoxDim, 6> dims;  // The subject's order; the last is an
                                        // element's bytes or a part of them.

  // The window as a box: one dimension for each of the layout's, also those of
  // one element, then the element. Offset in elements. No dimension may be
  // empty.
  static Box Of(const Layout& layout, int64_t offset);

  int64_t bytes() const;  // Counted with repetition.
};

// A window as a number system: its dimensions by falling stride, each stride
// larger than the span of all smaller ones, so that an address in the window
// has exactly one digit for each.
class DigitSystem {
 public:
  struct Level {
    int64_t extent;
    int64_t stride;  // In bytes of the storage, positive.
    // In bytes of the window's row-major buffer; may be negative.
    int64_t buffer;
  };

  // Nullopt where the window's strides are no such system (it overlaps itself
  // other than by broadcasting, or its dimensions interleave). Broadcast
  // dimensions count as their first element. O(d log d).
  static absl::optional<DigitSystem> Of(const Layout& layout, int64_t offset);
  // The other way round: the system's storage is the row-major buffer of a
  // value that lies at the window, and `buffer` counts bytes of the window's
  // storage. Precondition: the window is not empty. O(d).
  static DigitSystem OfBuffer(const Layout& layout, int64_t offset);
  // The bytes [begin, begin + count) of the storage.
  static DigitSystem Interval(int64_t begin, int64_t count);

  int64_t start() const { return start_; }
  int64_t buffer_start() const { return buffer_start_; }
  // The last level has stride 1.
  const absl::InlinedVector<Level, 6>& levels() const { return levels_; }

 private:
  // Makes one level of two where they count alike; false where a stride is no
  // larger than the span of the smaller ones. Precondition: they fall.
  bool Merge();

  int64_t start_ = 0;
  int64_t buffer_start_ = 0;
  absl::InlinedVector<Level, 6> levels_;
};

// A digit system, its start moved by some bytes. The system must outlive it.
class PlacedDigits {
 public:
  PlacedDigits(const DigitSystem& system, int64_t distance = 0)  // NOLINT
      : system_(&system), start_(system.start() + distance) {}

  int64_t start() const { return start_; }
  int64_t buffer_start() const { return system_->buffer_start(); }
  absl::Span<const DigitSystem::Level> levels() const {
    return system_->levels();
  }

 private:
  const DigitSystem* system_;
  int64_t start_;
};

struct Partition {
  std::vector<Box> inside;
  std::vector<Box> outside;
};

// Splits `subject` by whether its bytes lie in `other`. Exact; nullopt where it
// would take more than `max_boxes` boxes, which says nothing about either part.
// O(d^2) for each box.
absl::optional<Partition> PartitionBy(const Box& subject,
                                      const PlacedDigits& other, int max_boxes);

// The same, into memory that is used again; false where the other is nullopt,
// and then the result is a part of it.
bool PartitionInto(const Box& subject, const PlacedDigits& other, int max_boxes,
                   Partition& result);

// The subject with its place in `other`'s buffer, where all of it lies inside
// of `other` and is one strided window of the buffer in the subject's own
// order.
absl::optional<Box> PlaceIn(const Box& subject, const PlacedDigits& other);

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PARTITION_H_
