// The windows of a function, interned, with what is known of each.
//
// Two windows have one id exactly when they are the same map: the same dtype,
// sizes and addresses, element by element. A program has far fewer windows than
// values, so what costs thought (the footprint, the digits) is found once.

#ifndef PALIMPSEST_ANALYSIS_WINDOW_TABLE_H_
#define PALIMPSEST_ANALYSIS_WINDOW_TABLE_H_

#include <cstdint>
#include <deque>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "analysis/byte_runs.h"
#include "analysis/footprint.h"
#include "analysis/partition.h"
#include "ir/ids.h"
#include "ir/type.h"

namespace palimpsest {

using WindowId = Id<struct WindowTag>;

// What all windows of a layout have in common, at offset 0.
struct WindowShape {
  int64_t elements = 0;
  int64_t bytes = 0;  // elements * width: counted with repetition.
  FootprintShape footprint;
  Box box;                             // Where not empty.
  Box bytes_box;                       // Likewise; see Window::bytes_box().
  ByteRuns runs;                       // Likewise; of its addresses.
  absl::optional<DigitSystem> digits;  // Where there is one, and not empty.
  Overlap self_overlap = Overlap::kNo;
};

struct Window {
  const WindowShape* shape = nullptr;
  LayoutId layout;  // Strides of dimensions of one element are row-major.
  // Where the first log that knows the window keeps that (see WriteLog), or -1.
  mutable int32_t place_in_log = -1;
  int64_t offset = 0;  // In elements; 0 where empty.
  int64_t start = 0;   // The byte of element 0.

  bool empty() const { return shape->elements == 0; }
  int64_t bytes() const { return shape->bytes; }
  FootprintRef footprint() const { return shape->footprint.At(start); }
  int64_t begin() const { return footprint().begin(); }
  int64_t end() const { return footprint().end(); }
  Overlap self_overlap() const { return shape->self_overlap; }

  // Precondition: it is not empty.
  Box box() const {
    Box box = shape->box;
    box.address += start;
    return box;
  }
  // The bytes that it touches, in as few dimensions as say so: where they lie
  // in a value is not said. Precondition: it is not empty.
  Box bytes_box() const {
    Box box = shape->bytes_box;
    box.address += start;
    return box;
  }
  bool has_digits() const { return shape->digits.has_value(); }
  // Precondition: it has digits.
  PlacedDigits digits() const { return {*shape->digits, start}; }
  // Whether a byte of a value laid there is one byte of the storage, which the
  // digits find.
  bool is_simple() const {
    return self_overlap() == Overlap::kNo && has_digits();
  }
};

class WindowTable {
 public:
  // `layouts` must outlive the table, which adds layouts to it.
  explicit WindowTable(LayoutTable& layouts) : layouts_(layouts) {}

  // Precondition: the window lies in a storage, or is empty.
  WindowId Intern(LayoutId layout, int64_t offset);
  WindowId Intern(const Type& type) { return Intern(type.layout, type.offset); }
  // A row of `count` elements.
  WindowId InternRow(DType dtype, int64_t offset, int64_t count);

  // The window of the storage that [offset, layout] is of the row-major buffer
  // of a value which lies at `outer`; nullopt where that is none, or where one
  // of its steps goes from one dimension of `outer` into the next. O(d), once.
  absl::optional<WindowId> Within(WindowId outer, LayoutId layout,
                                  int64_t offset);

  // Stays where it is when windows are added.
  const Window& Get(WindowId id) const {
    return pages_[id.value / kPageSize][id.value % kPageSize];
  }
  Layout LayoutOf(WindowId id) const { return layouts_.Get(Get(id).layout); }
  DType DTypeOf(WindowId id) const { return LayoutOf(id).dtype; }

  LayoutTable& layouts() const { return layouts_; }

  // Whether they may share a byte.
  bool MayOverlap(const Window& a, const Window& b) const;
  // Whether every byte of `inner` is one of `outer`; false also where that is
  // not known.
  bool SurelyCovers(const Window& outer, const Window& inner) const;
  // PartitionBy() the window's digits, where it has them.
  absl::optional<Partition> Split(const Box& subject, const Window& by,
                                  int max_boxes) const;

  // Takes what `by` covers from the boxes; whether that was anything. Nullopt,
  // and the boxes as they were, where it would leave or take more than
  // `max_boxes` boxes to say.
  absl::optional<bool> Subtract(const Window& by, int max_boxes,
                                std::vector<Box>& boxes) const;

  // Which layers of analysis/footprint.h decided the questions above; a split
  // counts as one by digits.
  const LayerCounts& layer_counts() const { return layer_counts_; }

 private:
  static constexpr int kPageSize = 256;  // Windows.

  const WindowShape* ShapeOf(LayoutId canonical);
  absl::optional<WindowId> FindWithin(WindowId outer, LayoutId layout,
                                      int64_t offset);

  LayoutTable& layouts_;
  mutable LayerCounts layer_counts_;
  mutable Partition parts_;  // Of Subtract(): memory that is used again.
  mutable std::vector<Box> left_;
  // Never grown beyond their capacity, so that windows stay where they are.
  std::vector<std::vector<Window>> pages_;
  int32_t count_ = 0;
  std::deque<WindowShape> shapes_;
  std::vector<const WindowShape*> shape_of_;  // By LayoutId, once known.
  absl::flat_hash_map<std::pair<LayoutId, int64_t>, WindowId> ids_;
  absl::flat_hash_map<std::tuple<WindowId, LayoutId, int64_t>,
                      absl::optional<WindowId>>
      within_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_WINDOW_TABLE_H_
