// The read rule: what a window of a storage reads as at this point of the walk.

#ifndef PALIMPSEST_TRANSFORMS_WINDOW_READER_H_
#define PALIMPSEST_TRANSFORMS_WINDOW_READER_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/open_bytes.h"
#include "analysis/partition.h"
#include "analysis/window_table.h"
#include "analysis/write_log.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "transforms/pure_emitter.h"

namespace palimpsest {

// One storage of the source function during the walk.
struct StorageState {
  WriteLog log;
  StorageId contents;  // Of the pure function; invalid: undefined at entry.
  WindowId widest;     // Of the simple ones so far: see NoteWindow().
  int64_t definitions = 0;  // At entry and by writes.
  int64_t dead_writes = 0;  // At the end.
};

class WindowReader {
 public:
  // Definitions at entry have times up to `entry_time`.
  WindowReader(PureEmitter& emitter, int64_t entry_time)
      : emitter_(emitter), time_(entry_time), open_(emitter.windows()) {}

  // The value of the window now: row-major, of its dtype and sizes. O(k log k)
  // in the number of definitions that overlap it and a covering definition does
  // not hide; each write is merged again O(log n) times.
  ValueId Read(StorageState& state, WindowId window);

  // Records a write. Precondition: the value has the window's dtype and sizes;
  // the window is not empty and does not overlap itself.
  void Write(StorageState& state, WindowId window, ValueId value, OpId source);

  // That there is a definition of the window, at entry or by a write: a wide
  // one is what ReadThroughWidest() takes.
  void NoteWindow(StorageState& state, WindowId window);

  void SetSource(OpId source) { source_ = source; }

  // Reads that a definition or an earlier read answered without any op.
  int64_t forwarded_reads() const { return forwarded_reads_; }

 private:
  static constexpr size_t kNoLimit = static_cast<size_t>(-1);
  // More layers than this are merged, newest first.
  static constexpr size_t kFewLayers = 8;
  // What is assembled beyond what was asked for has at most so many times its
  // bytes.
  static constexpr int kHullFactor = 4;

  // How many boxes a clip may take: two ends in each dimension, with some room
  // for windows of another shape.
  static int MaxBoxes(const Box& box) {
    return 4 * static_cast<int>(box.dims.size());
  }

  // A definition that a read shows, or a part of it.
  struct Layer {
    DefinitionId id;
    Definition definition;
  };
  // What a window is made of: the newest definition that holds all of it as one
  // window of its value, and the newer writes of which something shows.
  struct Coverage {
    absl::optional<Layer> base;  // None where the layers hide it, or none is.
    Box place;                   // The window in the base's value.
    absl::InlinedVector<Layer, 4> layers;  // Oldest first.
    bool is_filled = false;                // By the layers.
    int reaching_out = 0;  // Layers with bytes outside of the window.
    bool is_cut = false;   // There may be more layers, or a base.
  };

  // What of a layer a region shows.
  struct Clip {
    enum class Extent : unsigned char { kWhole, kPart };
    int layer;
    Extent extent;
    Box box;
  };

  // Whether merges count, and so hide the writes that they were made of.
  enum class Merges : unsigned char { kUsed, kIgnored };

  // How far to look. No further than `max_layers`, unless merges are used and
  // all layers lie inside of the window: a merge of the window itself stands
  // for those later. No further than `max_clips` that reach out of it.
  struct Scope {
    size_t max_layers = kNoLimit;
    int max_clips = std::numeric_limits<int>::max();
    Merges merges = Merges::kUsed;
  };
  Coverage Find(const StorageState& state, WindowId id) const {
    return Find(state, id, Scope());
  }
  Coverage Find(const StorageState& state, WindowId id,
                const Scope& scope) const;
  bool TakeBase(const Layer& layer, WindowId id, Coverage& coverage) const;
  static bool IsBeyond(const Scope& scope, const Coverage& coverage);
  Coverage FindCheapest(const StorageState& state, WindowId id,
                        Coverage coverage) const;
  int ClipsOf(const Coverage& coverage, WindowId id) const;
  absl::optional<Box> PlaceInWindow(WindowId id, WindowId whole) const;
  bool IsStill(const StorageState& state, WindowId id,
               const WriteLog::Memory& known, const Coverage& coverage) const;
  Coverage FindCompacted(StorageState& state, WindowId id);
  int CountNewest(absl::Span<const Layer> layers) const;
  bool MergeNewest(StorageState& state, const Coverage& coverage, int count,
                   DType dtype);
  ValueId ValueOf(StorageState& state, const Layer& layer);
  ValueId ReadBase(StorageState& state, const Coverage& coverage, WindowId id);
  ValueId ExtractAt(ValueId value, const Box& place, WindowId id);

  absl::optional<std::vector<Box>> Clipped(const Window& layer,
                                           const Window& region) const;
  // Lays the layers over the base as one value of `region` and records it as a
  // merge; nullopt where a layer cannot be clipped to the region.
  absl::optional<ValueId> Lay(StorageState& state, WindowId region,
                              const Coverage& coverage);
  absl::optional<ValueId> ReadThroughWidest(StorageState& state, WindowId id,
                                            const Coverage& coverage);
  ValueId LayHull(StorageState& state, int64_t begin, int64_t end, DType dtype);
  ValueId ReadThroughHull(StorageState& state, WindowId window);
  ValueId ReadOnceAndExpand(StorageState& state, WindowId window);
  Piece PieceOf(ValueId value, WindowId window, const Clip& clip);

  WindowTable& windows() const { return emitter_.windows(); }
  const Window& Get(WindowId id) const { return windows().Get(id); }
  const Window& WindowOf(const Layer& layer) const {
    return Get(layer.definition.window);
  }

  PureEmitter& emitter_;
  OpId source_;
  int64_t time_;  // Of the newest read or write.
  int64_t forwarded_reads_ = 0;
  // Of Find() and Lay(): memory that is used again.
  mutable OpenBytes open_;
  std::vector<Clip> clips_;
  std::vector<Piece> pieces_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_WINDOW_READER_H_
