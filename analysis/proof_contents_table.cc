// Most contents are those of another but for a few boxes. So boxes are kept in
// chunks, which begin at boxes whose first address says so: where two contents
// have the same boxes they have, nearly, the same chunks. A box that both have
// meets no other box of either, so only what is not in both is compared.
//
// Fingerprints only say what is worth comparing.

#include "analysis/proof_contents_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_compare.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_field.h"
#include "analysis/proof_pack.h"
#include "analysis/proof_terms.h"

namespace palimpsest {
namespace proof {
namespace {

constexpr uint64_t kBoxesPerChunk = 32;  // On average.

bool BeginsChunk(const Box& box) {
  return Scramble(static_cast<uint64_t>(box.begin()), 0) % kBoxesPerChunk == 0;
}

// Those of `a` that are not in `b`.
std::vector<int32_t> Without(std::vector<int32_t> a, std::vector<int32_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<int32_t> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::back_inserter(rest));
  return rest;
}

}  // namespace

int32_t ContentsTable::InternChunk(absl::Span<const Box> boxes) {
  std::string text = Pack(boxes);
  const auto found = chunk_ids_.find(text);
  if (found != chunk_ids_.end()) return found->second;
  uint64_t fingerprint = 0;
  for (const Box& box : boxes) {
    fingerprint = Add(fingerprint, FingerprintOf(box, terms_));
  }
  const int32_t id = static_cast<int32_t>(chunks_.size());
  memory_ += static_cast<int64_t>(2 * sizeof(Chunk) + text.capacity());
  chunks_.push_back({std::move(text), fingerprint});
  chunk_ids_.emplace(chunks_.back().text, id);
  return id;
}

std::vector<int32_t> ContentsTable::ChunksOf(const Contents& contents) {
  const absl::Span<const Box> boxes = contents.boxes();
  std::vector<int32_t> chunks;
  size_t begin = 0;
  for (size_t i = 1; i <= boxes.size(); ++i) {
    if (i < boxes.size() && !BeginsChunk(boxes[i])) continue;
    chunks.push_back(InternChunk(boxes.subspan(begin, i - begin)));
    begin = i;
  }
  chunks.shrink_to_fit();
  return chunks;
}

bool ContentsTable::Equal(const Entry& a, const Entry& b) {
  const Contents of_a = Unpacked(a.bytes, Without(a.chunks, b.chunks));
  const Contents of_b = Unpacked(b.bytes, Without(b.chunks, a.chunks));
  return !comparer_.FindDifference(of_a, of_b, Relation::kEqual);
}

int32_t ContentsTable::Intern(Contents& contents) {
  Entry entry{contents.bytes(), ChunksOf(contents)};
  uint64_t fingerprint = 0;
  for (int32_t id : entry.chunks) {
    fingerprint = Add(fingerprint, chunks_[id].fingerprint);
  }
  absl::InlinedVector<int32_t, 2>& ids = ids_[{entry.bytes, fingerprint}];
  for (int32_t id : ids) {
    if (entries_[id].chunks == entry.chunks) return id;
    if (!Equal(entries_[id], entry)) continue;
    contents = Get(id);
    return id;
  }
  ids.push_back(static_cast<int32_t>(entries_.size()));
  memory_ += static_cast<int64_t>(2 * sizeof(Entry) +
                                  entry.chunks.size() * sizeof(int32_t));
  entries_.push_back(std::move(entry));
  return ids.back();
}

Contents ContentsTable::Unpacked(int64_t bytes,
                                 absl::Span<const int32_t> chunks) const {
  Contents contents(bytes);
  for (int32_t id : chunks) Unpack(chunks_[id].text, contents);
  return contents;
}

Contents ContentsTable::Get(int32_t id) const {
  return Unpacked(entries_[id].bytes, entries_[id].chunks);
}

}  // namespace proof
}  // namespace palimpsest
