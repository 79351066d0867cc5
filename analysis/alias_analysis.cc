#include "analysis/alias_analysis.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/footprint.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

std::string Plural(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

}  // namespace

AliasAnalysis AliasAnalysis::Run(const Function& function,
                                 const FootprintLimits& limits) {
  AliasAnalysis analysis(function, limits);
  analysis.shapes_.reserve(function.layouts.size());
  for (int i = 0; i < function.layouts.size(); ++i) {
    analysis.shapes_.push_back(
        FootprintShape::Of(function.layouts.Get(LayoutId{i})));
  }
  return analysis;
}

bool AliasAnalysis::HasStorage(ValueId id) const {
  return function_->Get(id).type.storage.valid();
}

FootprintRef AliasAnalysis::FootprintOf(ValueId id) const {
  const Type& type = function_->Get(id).type;
  const FootprintShape& shape = shapes_[type.layout.value];
  // The offset of a window without elements is anything at all.
  if (shape.kind() == FootprintShape::Kind::kEmpty) return shape.At(0);
  return shape.At(type.offset * WidthOf(function_->LayoutOf(type).dtype));
}

RelateResult AliasAnalysis::RelateOf(ValueId a, ValueId b) const {
  return Relate(FootprintOf(a), FootprintOf(b), limits_);
}

RelateResult AliasAnalysis::Query(ValueId a, ValueId b) const {
  if (!HasStorage(a) || !HasStorage(b) ||
      function_->Get(a).type.storage != function_->Get(b).type.storage) {
    return {Relation::kDisjoint, Layer::kBounds};
  }
  return RelateOf(a, b);
}

void AliasAnalysis::AddPairs(absl::Span<const ValueId> values,
                             Listing& listing) const {
  std::vector<ValueId> by_begin;
  for (const ValueId id : values) {
    if (!FootprintOf(id).empty()) by_begin.push_back(id);
  }
  std::sort(by_begin.begin(), by_begin.end(), [this](ValueId a, ValueId b) {
    return std::make_pair(FootprintOf(a).begin(), a) <
           std::make_pair(FootprintOf(b).begin(), b);
  });
  const size_t first = listing.pairs.size();
  const int64_t count = static_cast<int64_t>(values.size());
  int64_t apart = count * (count - 1) / 2;
  listing.possible_pairs += apart;
  std::vector<ValueId> reaching;  // Those that reach the place of the sweep.
  for (const ValueId id : by_begin) {
    const int64_t begin = FootprintOf(id).begin();
    reaching.erase(std::remove_if(reaching.begin(), reaching.end(),
                                  [&](ValueId other) {
                                    return FootprintOf(other).last() < begin;
                                  }),
                   reaching.end());
    for (const ValueId other : reaching) {
      const ValueId a = std::min(id, other);
      const ValueId b = std::max(id, other);
      const RelateResult result = RelateOf(a, b);
      listing.counts.Add(result.layer);
      --apart;
      if (result.relation != Relation::kDisjoint) {
        listing.pairs.push_back({a, b, result});
      }
    }
    reaching.push_back(id);
  }
  listing.counts.Add(Layer::kBounds, apart);
  std::sort(listing.pairs.begin() + first, listing.pairs.end(),
            [](const AliasPair& x, const AliasPair& y) {
              return std::make_pair(x.a, x.b) < std::make_pair(y.a, y.b);
            });
}

AliasAnalysis::Listing AliasAnalysis::ListPairs() const {
  std::vector<std::vector<ValueId>> by_storage(function_->storages.size());
  for (int32_t i = 0; i < static_cast<int32_t>(function_->values.size()); ++i) {
    const ValueId id{i};
    if (!HasStorage(id)) continue;
    by_storage[function_->Get(id).type.storage.value].push_back(id);
  }
  Listing listing;
  for (const std::vector<ValueId>& values : by_storage) {
    AddPairs(values, listing);
  }
  return listing;
}

std::string AliasAnalysis::ToString() const {
  const Listing listing = ListPairs();
  std::string text;
  for (const AliasPair& pair : listing.pairs) {
    const Type& a = function_->Get(pair.a).type;
    const Type& b = function_->Get(pair.b).type;
    const bool same_map = SameMap(function_->LayoutOf(a), a.offset,
                                  function_->LayoutOf(b), b.offset);
    absl::StrAppend(
        &text, function_->TextOf(pair.a), " ", function_->TextOf(pair.b), " ",
        TextOf(pair.result.relation), same_map ? ", the same map" : "",
        " (layer ", static_cast<int>(pair.result.layer), ": ",
        TextOf(pair.result.layer), ")\n");
  }
  absl::StrAppend(&text, listing.pairs.size(), " of ",
                  Plural(listing.possible_pairs, "pair"),
                  " of one storage may share bytes");
  absl::string_view separator = "; decided by ";
  for (int i = 0; i < kLayers; ++i) {
    const Layer layer = static_cast<Layer>(i);
    if (listing.counts.Get(layer) == 0) continue;
    absl::StrAppend(&text, separator, TextOf(layer), " ",
                    listing.counts.Get(layer));
    separator = ", ";
  }
  absl::StrAppend(&text, "\n");
  return text;
}

}  // namespace palimpsest
