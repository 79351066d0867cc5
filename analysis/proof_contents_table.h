// Contents by what they hold. Private to analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_CONTENTS_TABLE_H_
#define PALIMPSEST_ANALYSIS_PROOF_CONTENTS_TABLE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_compare.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_terms.h"

namespace palimpsest {
namespace proof {

// Equal contents have equal ids, whatever boxes they are kept in.
class ContentsTable {
 public:
  ContentsTable(const TermTable& terms, Comparer& comparer)
      : terms_(terms), comparer_(comparer) {}

  // Where equal contents are known already it may take over their boxes, so
  // that what is made of both differs little in its boxes, too.
  int32_t Intern(Contents& contents);
  Contents Get(int32_t id) const;
  // As many boxes as take the memory that the table takes.
  int64_t boxes() const { return memory_ / kMemoryOfBox; }

 private:
  // A stretch of boxes, each kept once.
  struct Chunk {
    std::string text;
    uint64_t fingerprint;
  };
  struct Entry {
    int64_t bytes;
    std::vector<int32_t> chunks;
  };
  static constexpr int64_t kMemoryOfBox = 512;  // In use; see ProofLimits.

  int32_t InternChunk(absl::Span<const Box> boxes);
  std::vector<int32_t> ChunksOf(const Contents& contents);
  bool Equal(const Entry& a, const Entry& b);
  Contents Unpacked(int64_t bytes, absl::Span<const int32_t> chunks) const;

  const TermTable& terms_;
  Comparer& comparer_;
  std::deque<Chunk> chunks_;
  absl::flat_hash_map<absl::string_view, int32_t> chunk_ids_;  // By their text.
  std::vector<Entry> entries_;
  // By bytes and fingerprint.
  absl::flat_hash_map<std::pair<int64_t, uint64_t>,
                      absl::InlinedVector<int32_t, 2>>
      ids_;
  int64_t memory_ = 0;
};

// "byte 3 of add f32 f32 -> f32(byte 16 of @x, byte 0 of literal 0000803f)",
// for messages. `inputs` are the texts of the caller's storages.
std::string TextOf(const Place& place, const TermTable& terms,
                   const ContentsTable& contents,
                   const std::vector<std::string>& inputs);

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_CONTENTS_TABLE_H_
