// Boxes that come and go, found by whom they may meet. Private to
// analysis/proof*.

#ifndef PALIMPSEST_ANALYSIS_PROOF_BOX_INDEX_H_
#define PALIMPSEST_ANALYSIS_PROOF_BOX_INDEX_H_

#include <cstdint>
#include <vector>

#include "absl/container/btree_set.h"
#include "analysis/proof_box.h"

namespace palimpsest {
namespace proof {

class BoxIndex {
 public:
  void Insert(int32_t id, const Reach& reach);
  void Erase(int32_t id, const Reach& reach);

  // Appends the ids of all boxes that may meet one that reaches so, in no
  // order.
  void AppendMeeting(const Reach& reach, std::vector<int32_t>& ids) const;

 private:
  struct Entry {
    int64_t key;  // Where it begins, or its blocks do modulo the class's step.
    int32_t id;
    Reach reach;

    friend bool operator<(const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key < b.key : a.id < b.id;
    }
  };
  // Boxes that step alike and are about as long.
  struct Class {
    int64_t step;    // 0: intervals and points, taken as a whole.
    int64_t length;  // A power of two, or INT64_MAX; theirs are at most that.
    absl::btree_set<Entry> entries;
  };

  static Class ClassOf(const Reach& reach);
  static Entry EntryOf(int32_t id, const Reach& reach);
  Class* Find(const Class& like);
  static void AppendRange(const Class& boxes, int64_t first, int64_t last,
                          const Reach& reach, std::vector<int32_t>& ids);
  static void AppendIntervals(const Class& boxes, const Reach& reach,
                              std::vector<int32_t>& ids);
  static void AppendMeeting(const Class& boxes, const Reach& reach,
                            std::vector<int32_t>& ids);

  std::vector<Class> classes_;
};

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_ANALYSIS_PROOF_BOX_INDEX_H_
