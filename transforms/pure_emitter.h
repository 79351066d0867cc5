// The pure function under construction: appends ops whose results are row-major
// values. Knows nothing of storages' contents.

#ifndef PALIMPSEST_TRANSFORMS_PURE_EMITTER_H_
#define PALIMPSEST_TRANSFORMS_PURE_EMITTER_H_

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/window_table.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {

// Whether windows of buffers may step backwards; where not, a `flip` turns
// them.
enum class NegativeStrides { kAllow, kFlip };

// A value and where it lies in a row-major buffer, in elements of its own
// dtype.
struct Piece {
  ValueId value;
  LayoutId layout;
  int64_t offset = 0;
};

class PureEmitter {
 public:
  // Starts a pure function with the parameters and the caller's storages of
  // `source`, in their order. The layouts, names, literals and attributes that
  // source's ops refer to keep their ids and indices.
  PureEmitter(const Function& source, NegativeStrides negative_strides);

  Function& function() { return function_; }
  WindowTable& windows() { return windows_; }
  NegativeStrides negative_strides() const { return negative_strides_; }
  Layout LayoutOf(ValueId value) const { return function_.LayoutOf(value); }

  // Where ops come from until the next call: see Op::sources.
  void SetSource(OpId source, SourceLocation location);

  // Appends an op with these operands and, per layout, a result.
  // Row-major layouts only.
  Op& Append(OpKind kind, absl::Span<const Operand> operands,
             absl::Span<const LayoutId> results);
  ValueId AppendOne(OpKind kind, absl::Span<const Operand> operands,
                    LayoutId result);

  // Room for so many ops more that each have a target and no result.
  void ReserveTargets(size_t count);

  // The window of x's buffer, in elements of `layout`'s dtype and with its
  // sizes and strides. No op where that is x itself; the same op where it was
  // asked for a short while ago.
  ValueId Extract(ValueId x, const Layout& layout, int64_t offset);
  // Strides of dimensions of one element are row-major.
  ValueId Extract(ValueId x, LayoutId layout, int64_t offset);

  // A value of which no byte is defined.
  ValueId Empty(DType dtype, absl::Span<const int64_t> sizes);

  ValueId Contents(StorageId storage, DType dtype, int64_t count);

  // The pieces laid over the base in order; without a base they cover the
  // result.
  ValueId Assemble(LayoutId result, absl::optional<ValueId> base,
                   absl::Span<const Piece> pieces);

  // The value that lies like `value` in the window, whose strides become
  // positive; changes nothing where negative ones are allowed.
  ValueId Unflip(ValueId value, int64_t& offset, LayoutId& layout);

  LayoutId RowMajorOf(LayoutId layout) {
    return function_.layouts.RowMajorOf(layout);
  }
  LayoutId RowMajor(DType dtype, absl::Span<const int64_t> sizes) {
    return function_.layouts.InternRowMajor(dtype, sizes);
  }

 private:
  int32_t AddWindow(LayoutId layout, int64_t offset);
  // How many items an array has in the end that has so many by now.
  size_t Expected(size_t items);
  // Makes room for more items, and for those expected.
  template <typename T>
  void MakeRoom(size_t more, std::vector<T>& array) {
    const size_t size = array.size() + more;
    if (size > array.capacity()) array.reserve(Expected(size));
  }
  // Makes negative strides positive where they are not allowed; returns the
  // dimensions that this reversed.
  Dims TurnForward(absl::Span<const int64_t> sizes, int64_t& offset,
                   Dims& strides) const;
  ValueId Flip(ValueId x, absl::Span<const int64_t> dims);

  const Function& given_;
  const size_t steps_;  // Of `given_`: its ops but for views.
  // How many of them come before the last source for which that was asked.
  size_t steps_done_ = 0;
  OpId counted_to_{0};
  Function function_;
  WindowTable windows_;
  const NegativeStrides negative_strides_;
  OpId source_;
  SourceLocation location_;
  std::vector<Operand> operands_;  // Memory that is used again.
  // By value, layout (strides in the buffer) and offset.
  absl::flat_hash_map<std::tuple<ValueId, LayoutId, int64_t>, ValueId>
      extracts_;
  absl::flat_hash_map<LayoutId, ValueId> empties_;
  absl::flat_hash_map<StorageId, ValueId> contents_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_PURE_EMITTER_H_
