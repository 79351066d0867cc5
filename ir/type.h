// Types: a dtype, sizes and strides (a layout, interned), and where the window
// lies: its storage and offset. Offset and strides count elements of the dtype;
// the offset counts from the storage's start.

#ifndef PALIMPSEST_IR_TYPE_H_
#define PALIMPSEST_IR_TYPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"

namespace palimpsest {

enum class DType : uint8_t {
#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) enumerator,
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE
};

enum class DTypeClass : uint8_t { kFloat, kFloat8, kInteger, kBool, kComplex };

struct DTypeInfo {
  absl::string_view text;
  int64_t width;  // In bytes.
  DTypeClass dtype_class;
};

inline constexpr DTypeInfo kDTypes[] = {
#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) \
  {text, width, DTypeClass::dtype_class},
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE
};

inline const DTypeInfo& InfoFor(DType dtype) {
  return kDTypes[static_cast<int>(dtype)];
}
absl::Span<const DType> AllDTypes();
absl::optional<DType> DTypeFromText(absl::string_view text);
inline int64_t WidthOf(DType dtype) { return InfoFor(dtype).width; }

using Dims = absl::InlinedVector<int64_t, 8>;

// A view into a LayoutTable, or of arrays of the caller's.
struct Layout {
  DType dtype;
  absl::Span<const int64_t> sizes;
  absl::Span<const int64_t> strides;  // In elements.

  int rank() const { return static_cast<int>(sizes.size()); }
};

constexpr int kMaxRank = 64;

// An error unless the rank is at most kMaxRank, no size is negative, and the
// bytes that they come to fit int64_t, sizes of 0 taken for 1.
absl::Status CheckSizes(DType dtype, absl::Span<const int64_t> sizes);

// Precondition of these: CheckSizes().
int64_t ElementCount(absl::Span<const int64_t> sizes);
Dims RowMajorStrides(absl::Span<const int64_t> sizes);

// Whether elements lie in row-major order without gaps; strides of dimensions
// of one element, and all strides where there is no element, do not matter.
bool IsRowMajor(const Layout& layout);

// How many elements behind element 0 the element of that row-major number lies.
int64_t ElementPlace(absl::Span<const int64_t> sizes,
                     absl::Span<const int64_t> strides, int64_t number);

// Whether both strides give each element the same place: those of dimensions of
// one element, and all where there is no element, do not matter.
bool SamePlaces(absl::Span<const int64_t> sizes, absl::Span<const int64_t> a,
                absl::Span<const int64_t> b);

// Whether a dimension of more than one element has stride 0.
bool HasBroadcast(const Layout& layout);

// The elements that a window spans: [first, first + count), relative to its
// offset. Empty windows span nothing. Nullopt where int64_t does not hold it.
struct Extent {
  int64_t first = 0;
  int64_t count = 0;
};
absl::optional<Extent> ExtentOf(const Layout& layout);

// The bytes that a storage needs to hold a window at `offset`: none for one
// without elements. Nullopt where the window begins before the storage's start
// or int64_t does not hold its end.
absl::optional<int64_t> BytesToHold(const Layout& layout, int64_t offset);
absl::optional<int64_t> BytesToHold(const Extent& extent, DType dtype,
                                    int64_t offset);

// "f32[2,3]", and "[2,3]".
std::string TextOf(DType dtype, absl::Span<const int64_t> sizes);
std::string TextOf(absl::Span<const int64_t> numbers);
void AppendList(std::string& out, absl::Span<const int64_t> numbers);

// A window of a storage. In a pure function a result has no storage.
struct Type {
  LayoutId layout;
  StorageId storage;
  int64_t offset = 0;

  friend bool operator==(const Type& a, const Type& b) {
    return a.layout == b.layout && a.storage == b.storage &&
           a.offset == b.offset;
  }
  friend bool operator!=(const Type& a, const Type& b) { return !(a == b); }
};

// Interned layouts: equal layouts have equal ids. Spans that Get() returns live
// as long as the table.
class LayoutTable {
 public:
  LayoutId Intern(DType dtype, absl::Span<const int64_t> sizes,
                  absl::Span<const int64_t> strides);
  LayoutId InternRowMajor(DType dtype, absl::Span<const int64_t> sizes) {
    return Intern(dtype, sizes, RowMajorStrides(sizes));
  }
  // The row-major layout of the same dtype and sizes.
  LayoutId RowMajorOf(LayoutId id) {
    if (!entries_[id.value].row_major.valid()) {
      const Layout layout = Get(id);
      const LayoutId row_major = InternRowMajor(layout.dtype, layout.sizes);
      entries_[id.value].row_major = row_major;
    }
    return entries_[id.value].row_major;
  }
  Layout Get(LayoutId id) const {
    const Entry& entry = entries_[id.value];
    const int64_t* sizes = pages_[entry.page].data() + entry.begin;
    return {entry.dtype,
            {sizes, static_cast<size_t>(entry.rank)},
            {sizes + entry.rank, static_cast<size_t>(entry.rank)}};
  }
  DType DTypeOf(LayoutId id) const { return entries_[id.value].dtype; }
  int RankOf(LayoutId id) const { return entries_[id.value].rank; }
  int size() const { return static_cast<int>(entries_.size()); }
  bool Contains(LayoutId id) const { return id.valid() && id.value < size(); }

 private:
  struct Entry {
    int32_t page;
    int32_t begin;  // In the page: sizes, then strides.
    int32_t rank;
    DType dtype;
    int32_t next;        // Another layout with the same hash, or -1.
    LayoutId row_major;  // Once known.
  };

  // Never grown beyond their capacity, so that spans stay where they are.
  std::vector<std::vector<int64_t>> pages_;
  std::vector<Entry> entries_;
  absl::flat_hash_map<uint64_t, int32_t> first_with_hash_;
};

// Interned names (see Name).
class NameTable {
 public:
  // The name that is a number; nullopt where the text is not the canonical form
  // of one that a Name holds.
  static absl::optional<Name> NumberNamed(absl::string_view text) {
    constexpr size_t kDigits = 9;
    if (text.empty() || text.size() > kDigits) return absl::nullopt;
    if (text[0] == '0' && text.size() > 1) return absl::nullopt;
    uint32_t number = 0;
    for (char c : text) {
      const uint32_t digit = static_cast<unsigned char>(c) - uint32_t{'0'};
      if (digit > 9) return absl::nullopt;
      number = number * 10 + digit;
    }
    return Name::Number(static_cast<int32_t>(number));
  }
  Name Intern(absl::string_view text);
  absl::optional<Name> Find(absl::string_view text) const;
  bool Contains(Name name) const {
    return name.is_number() ||
           (name.valid() && name.value < static_cast<int32_t>(entries_.size()));
  }
  // Precondition: the name is no number. Valid until the next Intern().
  absl::string_view View(Name name) const { return View(entries_[name.value]); }
  std::string Text(Name name) const;
  void AppendTo(std::string& out, Name name) const;

 private:
  struct Entry {
    int64_t begin;
    int32_t size;
    int32_t next;
  };
  absl::string_view View(const Entry& entry) const {
    return absl::string_view(chars_).substr(entry.begin, entry.size);
  }

  std::string chars_;
  std::vector<Entry> entries_;
  absl::flat_hash_map<uint64_t, int32_t> first_with_hash_;
};

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_TYPE_H_
