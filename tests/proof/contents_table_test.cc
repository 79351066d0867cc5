// Contents that are kept, against byte-by-byte enumeration.

#include <cstdint>
#include <map>
#include <set>

#include "analysis/proof_box.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_contents_table.h"
#include "analysis/proof_pack.h"
#include "analysis/proof_route.h"
#include "analysis/proof_terms.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/proof/contents_fixture.h"
#include "tests/proof/random_boxes.h"

namespace palimpsest {
namespace proof {
namespace {

using ContentsTableTest = ContentsTest;

TEST_F(ContentsTableTest, InterningSeesThroughBoxes) {
  ContentsTable table(terms_, comparer_);
  for (int i = 0; i < 1000; ++i) {
    Contents contents = DrawContents();
    const Bytes bytes = BytesOf(contents);
    Contents other = Reshuffled(contents);
    const int32_t id = table.Intern(contents);
    ASSERT_EQ(table.Intern(other), id);
    ASSERT_EQ(BytesOf(contents), bytes);
    ASSERT_EQ(BytesOf(other), bytes);
    ASSERT_EQ(BytesOf(table.Get(id)), bytes);
    WriteAtRandom(other, terms_.Input(7));
    const bool equal = BytesOf(other) == bytes;
    ASSERT_EQ(table.Intern(other) == id, equal);
  }
}

// In many chunks, most of which the next contents have too.
TEST_F(ContentsTableTest, ContentsOfManyBoxesAreKeptOnceAndExactly) {
  constexpr int64_t kElements = 2000;
  ContentsTable table(terms_, comparer_);
  Contents row = Contents::OfTerm(terms_.Input(0), kElements);
  Contents in_other_boxes = row;
  std::map<int32_t, Bytes> known;
  std::set<Bytes> seen;
  for (int64_t i = 0; i < 400; ++i) {
    const int64_t size = Draw(random_, 1, 9);
    const int64_t at = Draw(random_, 0, kElements - 2 * size);
    const TermId term = terms_.Input(static_cast<int32_t>(Draw(random_, 0, 2)));
    const auto write = [&](int64_t first, int64_t count, Contents& to) {
      to.Write(
          Contents::OfTerm(term, 2 * size)
              .Read({DType::kU8, {count}, {1}}, first, budget_),
          RouteOfWrite({DType::kU8, {count}, {2}}, at + 2 * first, budget_),
          budget_);
    };
    write(0, size, row);
    for (int64_t first = 0; first < size; ++first) {
      write(first, 1, in_other_boxes);
    }
    row.SortBoxes();
    in_other_boxes.SortBoxes();
    const Bytes bytes = BytesOf(row);
    const int32_t id = table.Intern(row);
    ASSERT_EQ(known.count(id) == 0, seen.insert(bytes).second);
    known.emplace(id, bytes);
    Contents other = in_other_boxes;
    ASSERT_EQ(table.Intern(other), id);
    ASSERT_EQ(BytesOf(other), bytes);
  }
  EXPECT_GT(row.box_count(), 300);
  for (const auto& [id, bytes] : known) {
    ASSERT_EQ(BytesOf(table.Get(id)), bytes);
  }
  // 512 bytes a box: far fewer than 400 contents of hundreds of boxes each.
  EXPECT_LT(table.boxes(), 400 * 20);
}

TEST_F(ContentsTableTest, PackedBoxesAreTheSameBoxes) {
  Box largest(3, INT32_MAX);
  largest.base(0) = INT64_MAX - 1;  // Its end, too, is a number.
  largest.base(1) = INT64_MIN;
  largest.AddRow(INT64_MAX, {0, -1, INT64_MIN});
  for (int i = 0; i < 1000; ++i) {
    Contents contents = DrawContents();
    if (i % 10 == 0) contents.Add(largest);
    contents.Add(Box(2, 3));
    Contents unpacked(contents.bytes());
    Unpack(Pack(contents.boxes()), unpacked);
    ASSERT_EQ(contents.box_count(), unpacked.box_count());
    for (int64_t k = 0; k < contents.box_count(); ++k) {
      ASSERT_TRUE(contents.boxes()[k] == unpacked.boxes()[k]);
    }
  }
}

}  // namespace
}  // namespace proof
}  // namespace palimpsest
