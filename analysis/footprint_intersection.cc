// What two footprints have in common, where that is one window.
//
// By digits (footprint_digits.h): the common digits of a level are one
// progression if both sides' are, so without wrapping the intersection is one
// box. Each wrap may make two of one, and most of those find nothing in common
// further up.

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/int128.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"
#include "analysis/footprint_digits.h"
#include "analysis/footprint_search.h"

namespace palimpsest {
namespace {

using footprint_internal::CeilDiv;
using footprint_internal::Congruences;
using footprint_internal::Digit;
using footprint_internal::FloorDiv;
using footprint_internal::FloorMod;
using footprint_internal::Level;
using footprint_internal::Levels;
using footprint_internal::Residue;
using footprint_internal::SplitIntoLevels;
using footprint_internal::Wrap;
using footprint_internal::Wrapped;

using Wide = absl::int128;

// A box of the bytes that both have, digit by digit; places count from a.begin.
struct CommonBox {
  Wide place;  // What is left of b for the levels above.
  Wide begin;
  ByteDims dims;
};
using CommonBoxes = absl::InlinedVector<CommonBox, 2>;

// Adds to `boxes` what a's digit and start + b have in common.
void AddCommon(CommonBox box, const Digit<Wide>& a, Wide start,
               const Digit<Wide>& b, CommonBoxes& boxes) {
  const Wide a_stride = a.dims.empty() ? Wide(1) : a.stride;
  const Wide b_stride = b.dims.empty() ? Wide(1) : b.stride;
  // The common numbers are a_stride*k.
  const Residue<Wide> residue =
      Congruences<Wide>(a_stride, b_stride).Solve(start);
  if (residue.step == 0) return;
  const Wide low = CeilDiv<Wide>(std::max<Wide>(start, 0), a_stride);
  const Wide high =
      FloorDiv<Wide>(std::min<Wide>(a.reach, start + b.reach), a_stride);
  const Wide first = low + FloorMod<Wide>(residue.first - low, residue.step);
  if (first > high) return;
  box.begin += first * a_stride;
  const Wide extent = FloorDiv<Wide>(high - first, residue.step) + 1;
  if (extent > 1) {
    box.dims.push_back({static_cast<int64_t>(extent),
                        static_cast<int64_t>(residue.step * a_stride)});
  }
  boxes.push_back(box);
}

// Nullopt where a level is no progression, or where there are several boxes.
absl::optional<Footprint> IntersectByDigits(absl::Span<const ByteDim> a,
                                            absl::Span<const ByteDim> b,
                                            int64_t a_begin, Wide delta) {
  constexpr size_t kMaxBoxes = 8;
  const Levels<Wide> levels = SplitIntoLevels<Wide>(a, b);
  CommonBoxes boxes = {{delta, 0, {}}};
  for (size_t i = levels.size(); i-- > 0;) {
    const Level<Wide>& level = levels[i];
    if (!level.a.is_progression() || !level.b.is_progression()) {
      return absl::nullopt;
    }
    CommonBoxes next;
    for (CommonBox& box : boxes) {
      const Wide place = box.place;
      const Wide start =
          level.modulus == 0 ? place : FloorMod(place, level.modulus);
      box.place = place - start;
      if (level.modulus == 0 || start + level.b.reach < level.modulus) {
        AddCommon(box, level.a, start, level.b, next);
        continue;
      }
      const Wrapped<Wide> wrapped = Wrap(level.b, start, level.modulus);
      AddCommon(box, level.a, start, wrapped.low, next);
      box.place += level.modulus;
      AddCommon(box, level.a, wrapped.high_start, wrapped.high, next);
    }
    if (next.size() > kMaxBoxes) return absl::nullopt;
    boxes = next;
  }
  if (boxes.empty()) return absl::make_optional<Footprint>();
  if (boxes.size() > 1) return absl::nullopt;
  return Footprint(FootprintShape::OfBytes(boxes[0].dims),
                   a_begin + static_cast<int64_t>(boxes[0].begin));
}

}  // namespace

absl::optional<Footprint> Intersection(FootprintRef a, FootprintRef b) {
  constexpr FootprintLimits kDigitsOnly = {0, 0};
  if (Overlaps(a, b, kDigitsOnly).overlap == Overlap::kNo) {
    return absl::make_optional<Footprint>();
  }
  if (Covers(a, b, kDigitsOnly).cover == Cover::kYes) {
    return Footprint(b.shape(), b.begin());
  }
  if (Covers(b, a, kDigitsOnly).cover == Cover::kYes) {
    return Footprint(a.shape(), a.begin());
  }
  constexpr auto kTooLarge = FootprintShape::Kind::kTooLarge;
  const FootprintShape& sa = a.shape();
  const FootprintShape& sb = b.shape();
  if (sa.kind() == kTooLarge || sb.kind() == kTooLarge) return absl::nullopt;
  const Wide delta = Wide(b.begin()) - a.begin();
  for (const ByteDims* dims_a : {&sa.dims(), &sa.merged()}) {
    for (const ByteDims* dims_b : {&sb.dims(), &sb.merged()}) {
      if (auto common = IntersectByDigits(*dims_a, *dims_b, a.begin(), delta)) {
        return common;
      }
    }
  }
  return absl::nullopt;
}

}  // namespace palimpsest
