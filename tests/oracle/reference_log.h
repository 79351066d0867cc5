// One storage as a log that forgets nothing, and what it takes to read from it:
// every definition with the place of each of its bytes, and for each byte the
// definition that wrote it last.
//
// A read of a window V costs
//
//   1. nothing where V was read before and no byte of it written since, or
//      where its base (the newest definition in whose value V is one window,
//      found by looking at every byte) is all that it sees, and V itself;
//   2. one extract where its base is all that it sees; two where V's elements
//      are not whole or not aligned in the base's buffer, though its bytes are
//      a strided window there;
//   3. else one assemble: of the definitions newer than the base that wrote
//      some byte of V last, over V's part of the base if that shows (or over
//      `empty`). A definition whose whole value is one window of V is laid as
//      it is. Of any other there is one extract for each strided box of what it
//      shares with V;
//   4. where V overlaps itself, or its dimensions interleave, and it takes an
//      assemble: a read of the elements that broadcasting repeats, or else of
//      the row that spans V, and one extract of that.
//
// Extracts of one value that are alike, the contents of a storage at entry, and
// `empty` of a type are made once. Assembled values are no definitions: only a
// read of the same window finds them again.

#ifndef PALIMPSEST_TESTS_ORACLE_REFERENCE_LOG_H_
#define PALIMPSEST_TESTS_ORACLE_REFERENCE_LOG_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "ir/type.h"
#include "tests/oracle/op_graph.h"

namespace palimpsest {

// A window with its own layout.
struct StridedWindow {
  DType dtype;
  Dims sizes;
  Dims strides;
  int64_t offset = 0;  // In elements.

  static StridedWindow Of(const Layout& layout, int64_t offset);
  static StridedWindow Row(DType dtype, int64_t offset, int64_t count);
  Layout layout() const { return {dtype, sizes, strides}; }
};

// Whether each stride reaches beyond all that smaller ones reach.
bool IsNested(const Layout& layout);

// A row-major value.
struct ReferenceValue {
  OpGraph::Node node;
  DType dtype;
  Dims sizes;
};

// The window of the value's buffer: the value itself, or an extract.
ReferenceValue ExtractOf(const ReferenceValue& value,
                         const StridedWindow& window, OpGraph& graph);

class ReferenceLog {
 public:
  ReferenceLog(int64_t bytes, OpGraph& graph)
      : bytes_(bytes), last_writer_(bytes, kNobody), graph_(&graph) {}

  // What the storage holds at entry, the first in front.
  // Precondition: no write so far.
  void AddInitial(const StridedWindow& window, const ReferenceValue& value);

  ReferenceValue Read(const StridedWindow& window);
  void Write(const StridedWindow& window, const ReferenceValue& value);

  // That the caller sees the bytes that were written: every value that shows,
  // or, where those have more than twice the bytes that were written, an
  // extract for each strided box of what shows of it.
  void NeedWrites();

  int64_t bytes() const { return bytes_; }
  // Whether a row was read that spans a window.
  bool has_spans() const { return has_spans_; }

 private:
  static constexpr int kNobody = -1;

  struct Definition {
    StridedWindow window;
    ReferenceValue value;
    // Of each byte of the storage, in the value's buffer; kNowhere outside.
    std::vector<int64_t> places;
  };
  static constexpr int64_t kNowhere = -1;

  // A window in a value's buffer, in bytes, a step for each dimension.
  struct Walk {
    int64_t start;
    Dims steps;  // The last goes through the bytes of an element.

    // Whether it goes through whole elements of this width.
    bool IsOfElements(int64_t width) const;
  };
  // A byte of one value laid in another.
  struct Move {
    int64_t from;
    int64_t to;
  };

  static absl::optional<Walk> WalkOf(const StridedWindow& window,
                                     const std::vector<int64_t>& places);
  // The moves as strided boxes, greedily: each the places that it takes.
  static std::vector<OpGraph::Key> BoxesOf(const std::vector<Move>& moves);

  std::vector<int64_t> PlacesOf(const StridedWindow& window) const;
  int FindBase(const StridedWindow& window) const;
  ReferenceValue Find(const StridedWindow& window);
  ReferenceValue ReadBase(int base, const StridedWindow& window);
  ReferenceValue ReadIrregular(const StridedWindow& window);
  ReferenceValue EmptyOf(const StridedWindow& window);
  void LayPiece(const Definition& definition, const StridedWindow& window,
                std::vector<OpGraph::Node>& operands);

  // A read's value, and how many definitions there were.
  using Memory = std::pair<ReferenceValue, int>;

  int64_t bytes_;
  int initial_ = 0;  // The first definitions, the last of them in front.
  std::vector<Definition> definitions_;
  std::vector<int> last_writer_;  // By byte; what is initial is nobody's.
  std::map<OpGraph::Key, Memory> reads_;
  bool has_spans_ = false;
  OpGraph* graph_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_REFERENCE_LOG_H_
