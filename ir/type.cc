#include "ir/type.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/hash/hash.h"
#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"

namespace palimpsest {
namespace {

constexpr size_t kPageSize = 512;  // Of a LayoutTable, in numbers.

constexpr DType kAllDTypes[] = {
#define PALIMPSEST_DTYPE(enumerator, text, width, dtype_class) \
  DType::enumerator,
#include "ir/dtypes.def"
#undef PALIMPSEST_DTYPE
};

}  // namespace

absl::Span<const DType> AllDTypes() { return kAllDTypes; }

absl::optional<DType> DTypeFromText(absl::string_view text) {
  for (DType dtype : kAllDTypes) {
    if (InfoFor(dtype).text == text) return dtype;
  }
  return absl::nullopt;
}

absl::Status CheckSizes(DType dtype, absl::Span<const int64_t> sizes) {
  if (sizes.size() > kMaxRank) {
    return absl::InvalidArgumentError(
        absl::StrCat("a rank of ", sizes.size(), " is too high; at most ",
                     kMaxRank, " dimensions are supported"));
  }
  int64_t bytes = WidthOf(dtype);
  for (int64_t size : sizes) {
    if (size < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("size ", size, " is negative; sizes start at 0"));
    }
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes)) {
      return absl::InvalidArgumentError(absl::StrCat(
          TextOf(dtype, sizes), " is too large; its bytes must fit 63 bits"));
    }
  }
  return absl::OkStatus();
}

int64_t ElementCount(absl::Span<const int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size == 0) return 0;
  }
  for (int64_t size : sizes) count *= size;
  return count;
}

Dims RowMajorStrides(absl::Span<const int64_t> sizes) {
  Dims strides(sizes.size());
  int64_t stride = 1;
  for (int i = static_cast<int>(sizes.size()) - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  return strides;
}

int64_t ElementPlace(absl::Span<const int64_t> sizes,
                     absl::Span<const int64_t> strides, int64_t number) {
  int64_t place = 0;
  for (size_t i = sizes.size(); i-- > 0;) {
    place += number % sizes[i] * strides[i];
    number /= sizes[i];
  }
  return place;
}

bool SamePlaces(absl::Span<const int64_t> sizes, absl::Span<const int64_t> a,
                absl::Span<const int64_t> b) {
  if (ElementCount(sizes) == 0) return true;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 1 && a[i] != b[i]) return false;
  }
  return true;
}

bool IsRowMajor(const Layout& layout) {
  int64_t stride = 1;
  for (int i = layout.rank() - 1; i >= 0; --i) {
    if (layout.sizes[i] == 0) return true;
    if (layout.sizes[i] != 1) {
      if (layout.strides[i] != stride) return ElementCount(layout.sizes) == 0;
      stride *= layout.sizes[i];
    }
  }
  return true;
}

bool HasBroadcast(const Layout& layout) {
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.strides[i] == 0 && layout.sizes[i] > 1) return true;
  }
  return false;
}

absl::optional<Extent> ExtentOf(const Layout& layout) {
  absl::int128 low = 0;
  absl::int128 high = 0;
  for (int i = 0; i < layout.rank(); ++i) {
    if (layout.sizes[i] == 0) return Extent{0, 0};
  }
  for (int i = 0; i < layout.rank(); ++i) {
    const absl::int128 reach =
        absl::int128(layout.strides[i]) * (layout.sizes[i] - 1);
    (reach < 0 ? low : high) += reach;
  }
  constexpr int64_t kMax = INT64_MAX;
  if (low < -kMax || high - low >= kMax) return absl::nullopt;
  return Extent{static_cast<int64_t>(low),
                static_cast<int64_t>(high - low + 1)};
}

absl::optional<int64_t> BytesToHold(const Layout& layout, int64_t offset) {
  const absl::optional<Extent> extent = ExtentOf(layout);
  if (!extent) return absl::nullopt;
  return BytesToHold(*extent, layout.dtype, offset);
}

absl::optional<int64_t> BytesToHold(const Extent& extent, DType dtype,
                                    int64_t offset) {
  if (extent.count == 0) return 0;
  int64_t first;
  int64_t bytes;
  if (__builtin_add_overflow(offset, extent.first, &first) || first < 0 ||
      __builtin_add_overflow(first, extent.count, &bytes) ||
      __builtin_mul_overflow(bytes, WidthOf(dtype), &bytes)) {
    return absl::nullopt;
  }
  return bytes;
}

std::string TextOf(DType dtype, absl::Span<const int64_t> sizes) {
  return absl::StrCat(InfoFor(dtype).text, TextOf(sizes));
}

std::string TextOf(absl::Span<const int64_t> numbers) {
  std::string text;
  AppendList(text, numbers);
  return text;
}

void AppendList(std::string& out, absl::Span<const int64_t> numbers) {
  out += '[';
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ',';
    absl::StrAppend(&out, numbers[i]);
  }
  out += ']';
}

LayoutId LayoutTable::Intern(DType dtype, absl::Span<const int64_t> sizes,
                             absl::Span<const int64_t> strides) {
  const uint64_t hash = absl::HashOf(static_cast<int>(dtype), sizes, strides);
  const int32_t id = static_cast<int32_t>(entries_.size());
  auto [slot, is_new] = first_with_hash_.try_emplace(hash, id);
  if (!is_new) {
    for (int32_t i = slot->second; i >= 0; i = entries_[i].next) {
      const Layout known = Get(LayoutId{i});
      if (known.dtype == dtype && known.sizes == sizes &&
          known.strides == strides) {
        return LayoutId{i};
      }
    }
  }
  const size_t count = sizes.size() + strides.size();
  if (pages_.empty() ||
      pages_.back().capacity() - pages_.back().size() < count) {
    pages_.emplace_back();
    pages_.back().reserve(std::max(kPageSize, count));
  }
  std::vector<int64_t>& page = pages_.back();
  entries_.push_back({static_cast<int32_t>(pages_.size()) - 1,
                      static_cast<int32_t>(page.size()),
                      static_cast<int32_t>(sizes.size()), dtype,
                      is_new ? -1 : slot->second, LayoutId()});
  // Not insert(): the arguments may be spans of this very page.
  for (int64_t size : sizes) page.push_back(size);
  for (int64_t stride : strides) page.push_back(stride);
  slot->second = id;
  return LayoutId{id};
}

Name NameTable::Intern(absl::string_view text) {
  if (const auto number = NumberNamed(text)) return *number;
  const uint64_t hash = absl::HashOf(text);
  const int32_t id = static_cast<int32_t>(entries_.size());
  auto [slot, is_new] = first_with_hash_.try_emplace(hash, id);
  if (!is_new) {
    for (int32_t i = slot->second; i >= 0; i = entries_[i].next) {
      if (View(entries_[i]) == text) return Name{i};
    }
  }
  const int64_t begin = static_cast<int64_t>(chars_.size());
  chars_.append(text.data(), text.size());
  entries_.push_back(
      {begin, static_cast<int32_t>(text.size()), is_new ? -1 : slot->second});
  slot->second = id;
  return Name{id};
}

absl::optional<Name> NameTable::Find(absl::string_view text) const {
  if (const auto number = NumberNamed(text)) return *number;
  auto slot = first_with_hash_.find(absl::HashOf(text));
  if (slot == first_with_hash_.end()) return absl::nullopt;
  for (int32_t i = slot->second; i >= 0; i = entries_[i].next) {
    if (View(entries_[i]) == text) return Name{i};
  }
  return absl::nullopt;
}

std::string NameTable::Text(Name name) const {
  std::string text;
  AppendTo(text, name);
  return text;
}

void NameTable::AppendTo(std::string& out, Name name) const {
  if (name.is_number()) {
    absl::StrAppend(&out, name.number());
  } else if (name.valid()) {
    const absl::string_view text = View(entries_[name.value]);
    out.append(text.data(), text.size());
  }
}

}  // namespace palimpsest
