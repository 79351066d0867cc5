// Whether one footprint has all bytes of another.
//
// By digits (footprint_digits.h): every digit of b, wherever it starts, must be
// one of a. That takes a's digit to be one progression, and b's where it wraps.

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/int128.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"
#include "analysis/footprint_bitset.h"
#include "analysis/footprint_digits.h"
#include "analysis/footprint_search.h"

namespace palimpsest {
namespace {

using footprint_internal::BitsetRelation;
using footprint_internal::CompareBits;
using footprint_internal::Digit;
using footprint_internal::FitInt64;
using footprint_internal::FloorMod;
using footprint_internal::Level;
using footprint_internal::Levels;
using footprint_internal::SplitIntoLevels;
using footprint_internal::Wrap;
using footprint_internal::Wrapped;

Cover Both(Cover x, Cover y) {
  if (x == Cover::kNo || y == Cover::kNo) return Cover::kNo;
  return x == Cover::kUnknown ? x : y;
}

// Whether all of start + b is in a.
template <typename Int>
Cover DigitCovers(const Digit<Int>& a, Int start, const Digit<Int>& b) {
  if (start < 0 || start + b.reach > a.reach) return Cover::kNo;
  if (a.dims.empty()) return Cover::kYes;  // Both are 0.
  if (FloorMod(start, a.stride) != 0) return Cover::kNo;
  if (FloorMod(b.stride, a.stride) != 0) return Cover::kNo;
  if (a.is_progression()) return Cover::kYes;
  if (start == 0 && a.dims == b.dims) return Cover::kYes;
  return Cover::kUnknown;
}

template <typename Int>
using Carries = absl::InlinedVector<Int, 2>;

template <typename Int>
void AddOnce(Int carry, Carries<Int>& carries) {
  if (std::find(carries.begin(), carries.end(), carry) == carries.end()) {
    carries.push_back(carry);
  }
}

// One level of CoversByDigits: whether the level covers, and what it carries.
template <typename Int>
Cover LevelCovers(const Level<Int>& level, Int place, Carries<Int>& carries) {
  if (level.modulus == 0) return DigitCovers(level.a, place, level.b);
  const Int start = FloorMod(place, level.modulus);
  AddOnce<Int>(place - start, carries);
  if (start + level.b.reach < level.modulus) {
    return DigitCovers(level.a, start, level.b);
  }
  AddOnce<Int>(place - start + level.modulus, carries);
  if (!level.b.is_progression()) return Cover::kUnknown;
  const Wrapped<Int> b = Wrap(level.b, start, level.modulus);
  return Both(DigitCovers(level.a, start, b.low),
              DigitCovers(level.a, b.high_start, b.high));
}

template <typename Int>
Cover CoversByDigits(absl::Span<const ByteDim> a, absl::Span<const ByteDim> b,
                     Int delta) {
  const Levels<Int> levels = SplitIntoLevels<Int>(a, b);
  Carries<Int> places = {delta};
  Cover cover = Cover::kYes;
  for (size_t i = levels.size(); i-- > 0;) {
    Carries<Int> carries;
    for (const Int place : places) {
      cover = Both(cover, LevelCovers(levels[i], place, carries));
      // Every place has bytes of b behind it.
      if (cover == Cover::kNo) return Cover::kNo;
    }
    places = carries;
  }
  return cover;
}

// Tries the forms that may have more cuts, or simpler digits.
template <typename Int>
Cover CoversByAnyDigits(const FootprintShape& a, const FootprintShape& b,
                        Int delta) {
  Cover cover = CoversByDigits<Int>(a.dims(), b.dims(), delta);
  if (cover != Cover::kUnknown) return cover;
  cover = CoversByDigits<Int>(a.merged(), b.dims(), delta);
  if (cover != Cover::kUnknown) return cover;
  return CoversByDigits<Int>(a.merged(), b.merged(), delta);
}

Cover CoversByDigits(FootprintRef a, FootprintRef b) {
  const int64_t delta = b.begin() - a.begin();
  if (FitInt64(a.shape(), b.shape())) {
    return CoversByAnyDigits<int64_t>(a.shape(), b.shape(), delta);
  }
  return CoversByAnyDigits<absl::int128>(a.shape(), b.shape(), delta);
}

// The answer of layers 0 and 1, where they have one.
absl::optional<CoverResult> CoversByForm(FootprintRef a, FootprintRef b) {
  constexpr auto kTooLarge = FootprintShape::Kind::kTooLarge;
  if (b.empty()) return CoverResult{Cover::kYes, Layer::kBounds};
  if (b.shape().kind() == kTooLarge || a.shape().kind() == kTooLarge) {
    if (a.empty()) return CoverResult{Cover::kNo, Layer::kBounds};
    return CoverResult{Cover::kUnknown, Layer::kUndecided};
  }
  if (a.empty() || b.begin() < a.begin() || a.last() < b.last()) {
    return CoverResult{Cover::kNo, Layer::kBounds};
  }
  if (a.shape().is_interval() ||
      (a.begin() == b.begin() && a.shape().merged() == b.shape().merged())) {
    return CoverResult{Cover::kYes, Layer::kNormalForm};
  }
  const absl::optional<int64_t> a_bytes = a.shape().bytes();
  const absl::optional<int64_t> b_bytes = b.shape().bytes();
  if (a_bytes && b_bytes && *a_bytes < *b_bytes) {
    return CoverResult{Cover::kNo, Layer::kNormalForm};
  }
  return absl::nullopt;
}

}  // namespace

CoverResult Covers(FootprintRef a, FootprintRef b,
                   const FootprintLimits& limits) {
  if (const auto by_form = CoversByForm(a, b)) return *by_form;
  const Cover by_digits = CoversByDigits(a, b);
  if (by_digits != Cover::kUnknown) return {by_digits, Layer::kDigits};
  const absl::optional<BitsetRelation> bits =
      CompareBits(a, b, limits.bitset_bytes);
  if (!bits) return {Cover::kUnknown, Layer::kUndecided};
  return {bits->a_covers_b ? Cover::kYes : Cover::kNo, Layer::kBitset};
}

}  // namespace palimpsest
