#include "analysis/footprint_bitset.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"

namespace palimpsest {
namespace footprint_internal {
namespace {

// A set of positions in [0, size).
class Bitset {
 public:
  // All sums of the dimensions, which have positive, falling strides, and
  // together reach `last`. Each dimension is laid out by doubling: O(last / 64)
  // words for each.
  Bitset(absl::Span<const ByteDim> dims, int64_t last) : words_(last / 64 + 1) {
    words_[0] = 1;
    size_ = 1;
    for (size_t i = dims.size(); i-- > 0;) {
      int64_t count = 1;
      while (count < dims[i].extent) {
        const int64_t more = std::min(count, dims[i].extent - count);
        OrShifted(more * dims[i].stride);
        count += more;
      }
    }
  }

  // The 64 positions from `position` on, which may lie outside.
  uint64_t WordAt(int64_t position) const {
    const int64_t index = position >> 6;
    const int shift = static_cast<int>(position & 63);
    uint64_t word = Get(index) >> shift;
    if (shift != 0) word |= Get(index + 1) << (64 - shift);
    return word;
  }

  int64_t Count() const {
    int64_t count = 0;
    for (const uint64_t word : words_) count += __builtin_popcountll(word);
    return count;
  }

 private:
  uint64_t Get(int64_t index) const {
    if (index < 0 || index >= static_cast<int64_t>(words_.size())) return 0;
    return words_[index];
  }

  // Adds every position moved up by `distance`. In place, from above: a word
  // takes from words that are not yet changed.
  void OrShifted(int64_t distance) {
    size_ += distance;
    const int64_t words = distance >> 6;
    const int shift = static_cast<int>(distance & 63);
    uint64_t* const data = words_.data();
    int64_t i = (size_ - 1) >> 6;
    if (shift == 0) {
      for (; i >= words; --i) data[i] |= data[i - words];
      return;
    }
    for (; i > words; --i) {
      data[i] |= data[i - words] << shift | data[i - words - 1] >> (64 - shift);
    }
    data[words] |= data[0] << shift;
  }

  std::vector<uint64_t> words_;
  int64_t size_;  // One past the largest position so far.
};

// A footprint in units of several bytes.
struct Grid {
  int64_t begin;
  int64_t last;  // From begin.
  ByteDims dims;

  int64_t end() const { return begin + last; }
};

// Where all starts of runs are multiples of a unit from each other, a run
// stands for itself if it is no longer than that. Else runs are cut into units.
enum class Runs { kWhole, kCut };

Grid GridOf(const FootprintShape& shape, int64_t begin, int64_t unit,
            Runs runs) {
  Grid grid = {begin / unit, (shape.last() - (shape.run() - 1)) / unit,
               shape.merged()};
  if (!grid.dims.empty() && grid.dims.back().stride == 1) grid.dims.pop_back();
  for (ByteDim& dim : grid.dims) dim.stride /= unit;
  if (runs == Runs::kCut) {
    grid.last += shape.run() / unit - 1;
    grid.dims.push_back({shape.run() / unit, 1});
  }
  return grid;
}

// Drops what lies outside of [low, high] from the largest dimensions. What is
// kept may still reach out of it; nothing inside is lost. False where nothing
// lies inside.
bool ClipTo(int64_t low, int64_t high, Grid& grid) {
  for (ByteDim& dim : grid.dims) {
    if (high < grid.begin || low > grid.end()) return false;
    // With index k the smaller dimensions start at begin + k*stride.
    const int64_t rest = grid.last - dim.stride * (dim.extent - 1);
    const int64_t before = std::max<int64_t>(low - rest - grid.begin, 0);
    const int64_t from = before / dim.stride + (before % dim.stride != 0);
    const int64_t to =
        std::min((high - grid.begin) / dim.stride, dim.extent - 1);
    if (from > to) return false;
    dim.extent = to - from + 1;
    grid.begin += from * dim.stride;
    grid.last = rest + dim.stride * (dim.extent - 1);
    if (dim.extent > 1) break;
  }
  return true;
}

// What two bitsets have in [0, count) of each, from their shifts on.
BitsetRelation CompareWords(const Bitset& a, int64_t a_shift, const Bitset& b,
                            int64_t b_shift, int64_t count) {
  BitsetRelation relation = {false, true, true};
  for (int64_t i = 0; i < count; i += 64) {
    uint64_t word_a = a.WordAt(a_shift + i);
    uint64_t word_b = b.WordAt(b_shift + i);
    if (count - i < 64) {
      const uint64_t inside = (uint64_t{1} << (count - i)) - 1;
      word_a &= inside;
      word_b &= inside;
    }
    if ((word_a & word_b) != 0) relation.overlap = true;
    if ((word_b & ~word_a) != 0) relation.a_covers_b = false;
    if ((word_a & ~word_b) != 0) relation.b_covers_a = false;
  }
  return relation;
}

// Two footprints in one unit, counted from the first byte of a.
struct Grids {
  Runs runs;
  Grid a;
  Grid b;
};

Grids GridsOf(FootprintRef a, FootprintRef b) {
  const int64_t a_run = a.shape().run();
  const int64_t b_run = b.shape().run();
  const int64_t delta = b.begin() - a.begin();
  int64_t unit = std::gcd(std::gcd(a.shape().step(), b.shape().step()), delta);
  Runs runs = Runs::kWhole;
  if (a_run > unit || b_run > unit) {
    runs = Runs::kCut;
    unit = std::gcd(std::gcd(a_run, b_run), unit);
  }
  return {runs, GridOf(a.shape(), 0, unit, runs),
          GridOf(b.shape(), delta, unit, runs)};
}

// The sums of dimensions with falling strides that lie in [low, high], from
// `begin` on; stops at the first that `visit` wants no more after, and says
// whether there was one. `last` is what the dimensions reach.
template <typename Visit>
bool VisitSums(absl::Span<const ByteDim> dims, int64_t begin, int64_t last,
               int64_t low, int64_t high, const Visit& visit) {
  if (dims.empty()) return low <= begin && begin <= high && visit(begin);
  const ByteDim dim = dims[0];
  const int64_t rest = last - dim.stride * (dim.extent - 1);
  const int64_t end = std::min(begin + dim.stride * (dim.extent - 1), high);
  if (dims.size() == 1) {
    for (int64_t sum = begin; sum <= end; sum += dim.stride) {
      if (sum >= low && visit(sum)) return true;
    }
    return false;
  }
  for (int64_t sum = begin; sum <= end; sum += dim.stride) {
    if (sum + rest < low) continue;
    if (VisitSums(dims.subspan(1), sum, rest, low, high, visit)) return true;
  }
  return false;
}

// How many bytes there are, counted as often as dimensions touch them, or a
// number above `most`.
int64_t CountUpTo(int64_t most, const FootprintShape& shape) {
  int64_t count = 1;
  for (const ByteDim dim : shape.merged()) {
    if (dim.extent > most) return dim.extent;
    count *= dim.extent;
    if (count > most) break;
  }
  return count;
}

// Bounds on marks and looks: where both have many, they mostly meet, and the
// search finds that at once.
constexpr int64_t kMostElements = 1 << 15;
constexpr int64_t kMostMarkedBytes = 1 << 19;

}  // namespace

bool HaveFewElements(const FootprintShape& a, const FootprintShape& b) {
  return a.last() < kMostMarkedBytes && b.last() < kMostMarkedBytes &&
         CountUpTo(kMostElements, a) <= kMostElements &&
         CountUpTo(kMostElements, b) <= kMostElements;
}

bool MeetByElements(FootprintRef a, FootprintRef b) {
  const bool a_is_smaller =
      CountUpTo(kMostElements, a.shape()) < CountUpTo(kMostElements, b.shape());
  const Grids grids = GridsOf(a, b);
  const Grid& marked = a_is_smaller ? grids.a : grids.b;
  const Grid& other = a_is_smaller ? grids.b : grids.a;
  const int64_t low = std::max(marked.begin, other.begin);
  const int64_t high = std::min(marked.end(), other.end());
  if (low > high) return false;
  std::vector<uint64_t> marks((high - low) / 64 + 1);
  VisitSums(marked.dims, marked.begin, marked.last, low, high,
            [&](int64_t sum) {
              const int64_t place = sum - low;
              marks[place >> 6] |= uint64_t{1} << (place & 63);
              return false;
            });
  return VisitSums(other.dims, other.begin, other.last, low, high,
                   [&](int64_t sum) {
                     const int64_t place = sum - low;
                     return (marks[place >> 6] >> (place & 63) & 1) != 0;
                   });
}

absl::optional<BitsetRelation> CompareBits(FootprintRef a, FootprintRef b,
                                           int64_t cap) {
  Grids grids = GridsOf(a, b);
  Grid& grid_a = grids.a;
  Grid& grid_b = grids.b;
  const int64_t low = std::max(grid_a.begin, grid_b.begin);
  const int64_t high = std::min(grid_a.end(), grid_b.end());
  const bool b_nests = grid_b.begin == low && grid_b.end() == high;
  const bool a_nests = grid_a.begin == low && grid_a.end() == high;

  // `low` and `high` are the bounds of one that nests, so it is not clipped
  // away.
  if (!ClipTo(low, high, grid_a) || !ClipTo(low, high, grid_b)) {
    return BitsetRelation{false, false, false};
  }
  if (grid_a.last >= cap || grid_b.last >= cap) return absl::nullopt;
  BitsetRelation relation = CompareWords(
      Bitset(grid_a.dims, grid_a.last), low - grid_a.begin,
      Bitset(grid_b.dims, grid_b.last), low - grid_b.begin, high - low + 1);
  const bool whole = grids.runs == Runs::kWhole;
  const int64_t a_run = a.shape().run();
  const int64_t b_run = b.shape().run();
  relation.a_covers_b &= b_nests && (!whole || a_run >= b_run);
  relation.b_covers_a &= a_nests && (!whole || b_run >= a_run);
  return relation;
}

absl::optional<int64_t> CountSums(absl::Span<const ByteDim> dims, int64_t cap) {
  int64_t last = 0;
  for (const ByteDim dim : dims) last += dim.stride * (dim.extent - 1);
  if (last >= cap) return absl::nullopt;
  return Bitset(dims, last).Count();
}

}  // namespace footprint_internal
}  // namespace palimpsest
