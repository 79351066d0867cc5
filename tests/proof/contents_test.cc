// Boxes and contents against byte-by-byte enumeration.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/proof_box.h"
#include "analysis/proof_box_index.h"
#include "analysis/proof_compare.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_field.h"
#include "analysis/proof_route.h"
#include "analysis/proof_terms.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/proof/contents_fixture.h"
#include "tests/proof/random_boxes.h"

namespace palimpsest {
namespace proof {
namespace {

std::vector<int64_t> AddressesOf(const Layout& layout, int64_t offset) {
  const int64_t width = WidthOf(layout.dtype);
  std::vector<int64_t> elements = {offset};
  for (int i = 0; i < layout.rank(); ++i) {
    std::vector<int64_t> next;
    for (int64_t element : elements) {
      for (int64_t k = 0; k < layout.sizes[i]; ++k) {
        next.push_back(element + k * layout.strides[i]);
      }
    }
    elements = std::move(next);
  }
  std::vector<int64_t> addresses;
  for (int64_t element : elements) {
    for (int64_t b = 0; b < width; ++b)
      addresses.push_back(element * width + b);
  }
  return addresses;
}

TEST_F(ContentsTest, SplitPartsPartitionTheBox) {
  for (int i = 0; i < 20000; ++i) {
    const Box a = DrawBox();
    const Box b = DrawBox();
    Parts parts;
    Split(a, b, budget_, parts);

    std::map<int64_t, int64_t> of_a;
    std::map<int64_t, int64_t> of_b;
    for (const auto& point : PointsOf(a)) of_a[point[0]] = point[1];
    for (const auto& point : PointsOf(b)) of_b[point[0]] = point[1];
    size_t points = 0;
    for (const Box& inside : parts.inside) {
      ASSERT_TRUE(inside.IsNested());
      for (const auto& point : PointsOf(inside)) {
        ++points;
        ASSERT_EQ(of_a.at(point[0]), point[1]);
        ASSERT_EQ(of_b.at(point[0]), point[2]);
        of_a.erase(point[0]);
      }
    }
    for (const Box& outside : parts.outside) {
      ASSERT_TRUE(outside.IsNested());
      for (const auto& point : PointsOf(outside)) {
        ++points;
        ASSERT_EQ(of_a.at(point[0]), point[1]);
        ASSERT_EQ(of_b.count(point[0]), 0u);
        of_a.erase(point[0]);
      }
    }
    ASSERT_TRUE(of_a.empty());
    ASSERT_EQ(points, static_cast<size_t>(a.count()));
  }
}

// The box with each of its bytes taken for that many.
Box Scaled(const Box& box, int64_t scale) {
  Box scaled(1);
  scaled.base(0) = box.base(0) * scale;
  for (int row = 0; row < box.rank(); ++row) {
    scaled.AddRow(box.size(row), {box.step(row, 0) * scale});
  }
  scaled.AddRow(scale, {1});
  scaled.Normalize();
  return scaled;
}

// The last one takes a buffer's end to that of int64_t.
constexpr int64_t kScales[] = {1, 3, int64_t{1} << 50, INT64_MAX / kBytes};

TEST_F(ContentsTest, MayMeetIsFalseOnlyForDisjointBoxes) {
  int disjoint = 0;
  for (int i = 0; i < 20000; ++i) {
    const Box a = DrawBox();
    const Box b = DrawBox();
    std::set<int64_t> addresses;
    for (const auto& point : PointsOf(a)) addresses.insert(point[0]);
    bool meet = false;
    for (const auto& point : PointsOf(b)) meet |= addresses.count(point[0]) > 0;
    for (int64_t scale : kScales) {
      const bool may_meet =
          MayMeet(Reach(Scaled(a, scale)), Reach(Scaled(b, scale)));
      ASSERT_TRUE(may_meet || !meet) << scale;
      disjoint += !may_meet;
    }
  }
  EXPECT_GT(disjoint, 4000);
}

TEST_F(ContentsTest, TheBudgetsBoxesAreThoseThatAreLeft) {
  for (int i = 0; i < 3000; ++i) {
    const Box a = DrawBox();
    const Box b = DrawBox();
    Contents contents = DrawContents();
    const Contents other = DrawContents();
    Parts parts;
    budget_.SetBoxes(7);
    Split(a, b, budget_, parts);
    ASSERT_EQ(budget_.boxes(), 7 + parts.size());
    comparer_.FindDifference(contents, other, Relation::kEqual);
    ASSERT_EQ(budget_.boxes(), 7 + parts.size());

    const OwnedLayout window = DrawWindow(random_, kBytes);
    budget_.SetBoxes(contents.box_count());
    const Contents value =
        contents.Read(window.layout(), window.offset, budget_);
    ASSERT_EQ(budget_.boxes(), contents.box_count() + value.box_count());
    const WriteRoute route =
        RouteOfWrite(window.layout(), window.offset, budget_);
    const int64_t of_route = static_cast<int64_t>(route.boxes.size());
    ASSERT_EQ(budget_.boxes(),
              contents.box_count() + value.box_count() + of_route);
    contents.Write(value, route, budget_);
    ASSERT_EQ(budget_.boxes(),
              contents.box_count() + value.box_count() + of_route);
  }
}

TEST_F(ContentsTest, AnIndexFindsAllThatMeetAtAnyScale) {
  for (int64_t scale : kScales) {
    BoxIndex index;
    std::map<int32_t, Box> boxes;
    for (int32_t id = 0; id < 300; ++id) {
      boxes.emplace(id, DrawBox());
      index.Insert(id, Reach(Scaled(boxes.at(id), scale)));
    }
    for (int i = 0; i < 300; ++i) {
      const Box window = DrawBox();
      std::vector<int32_t> found;
      index.AppendMeeting(Reach(Scaled(window, scale)), found);
      const std::set<int32_t> ids(found.begin(), found.end());
      ASSERT_EQ(ids.size(), found.size());
      for (const auto& [id, box] : boxes) {
        Parts parts;
        Split(box, window, budget_, parts);
        ASSERT_TRUE(parts.inside.empty() || ids.count(id) > 0) << scale;
      }
    }
  }
}

TEST_F(ContentsTest, AnIndexFindsAllThatMeet) {
  BoxIndex index;
  std::map<int32_t, Box> boxes;
  for (int32_t id = 0; id < 3000; ++id) {
    const Box drawn = DrawBox();
    index.Insert(id, Reach(drawn));
    boxes.emplace(id, drawn);
    if (id % 3 == 0) {
      const auto gone = boxes.begin();
      index.Erase(gone->first, Reach(gone->second));
      boxes.erase(gone);
    }
    if (id % 10 != 0) continue;
    const Box window = DrawBox();
    std::vector<int32_t> found;
    index.AppendMeeting(Reach(window), found);
    const std::set<int32_t> ids(found.begin(), found.end());
    ASSERT_EQ(ids.size(), found.size());
    for (const auto& [other, box] : boxes) {
      Parts parts;
      Split(box, window, budget_, parts);
      ASSERT_TRUE(parts.inside.empty() || ids.count(other) > 0);
      ASSERT_TRUE(MayMeet(Reach(box), Reach(window)) || ids.count(other) == 0);
    }
  }
}

TEST_F(ContentsTest, ManyColumnsAreFoundAmongThousands) {
  // Enough boxes to be indexed; each column is written twice.
  constexpr int64_t kColumns = 300;
  Contents matrix = Contents::OfTerm(terms_.Input(0), kColumns * 5 * 4);
  const Dims sizes = {5};
  const Dims strides = {kColumns};
  for (int64_t i = 0; i < 2 * kColumns; ++i) {
    matrix.Write(
        Contents::OfTerm(terms_.Input(static_cast<int32_t>(1 + i)), 20),
        RouteOfWrite({DType::kF32, sizes, strides}, i * 7 % kColumns, budget_),
        budget_);
  }
  EXPECT_EQ(matrix.boxes().size(), static_cast<size_t>(kColumns));
  EXPECT_EQ(matrix.defined(), matrix.bytes());
  for (int64_t i = kColumns; i < 2 * kColumns; ++i) {
    const Contents column =
        matrix.Read({DType::kF32, sizes, strides}, i * 7 % kColumns, budget_);
    ASSERT_EQ(column.boxes().size(), 1u);
    ASSERT_EQ(column.boxes()[0].term(),
              terms_.Input(static_cast<int32_t>(1 + i)));
  }
}

TEST_F(ContentsTest, ReadsAreTheWindowsBytes) {
  for (int i = 0; i < 5000; ++i) {
    const Contents contents = DrawContents();
    const Bytes bytes = BytesOf(contents);
    ASSERT_EQ(static_cast<int64_t>(bytes.size()), contents.defined());
    const OwnedLayout window = DrawWindow(random_, kBytes);
    const Contents value =
        contents.Read(window.layout(), window.offset, budget_);
    Bytes expected;
    int64_t position = 0;
    for (int64_t address : AddressesOf(window.layout(), window.offset)) {
      const auto found = bytes.find(address);
      if (found != bytes.end()) expected[position] = found->second;
      ++position;
    }
    ASSERT_EQ(value.bytes(), position);
    ASSERT_EQ(BytesOf(value), expected);
  }
}

TEST_F(ContentsTest, WritesGoInRowMajorOrderAndTheLastWins) {
  for (int i = 0; i < 5000; ++i) {
    Contents contents = DrawContents();
    Bytes expected = BytesOf(contents);
    const OwnedLayout window = DrawWindow(random_, kBytes);
    Contents value =
        DrawContents().Read(window.layout(), window.offset, budget_);
    const Bytes written = BytesOf(value);
    const WriteRoute route =
        RouteOfWrite(window.layout(), window.offset, budget_);
    contents.Write(value, route, budget_);
    int64_t position = 0;
    std::set<int64_t> touched;
    bool twice = false;
    for (int64_t address : AddressesOf(window.layout(), window.offset)) {
      const auto found = written.find(position++);
      expected.erase(address);
      if (found != written.end()) expected[address] = found->second;
      twice |= !touched.insert(address).second;
    }
    ASSERT_EQ(BytesOf(contents), expected);
    ASSERT_EQ(route.may_overlap, twice);
  }
}

TEST_F(ContentsTest, FillsTouchTheWindowsBytes) {
  for (int i = 0; i < 5000; ++i) {
    const OwnedLayout window = DrawWindow(random_, kBytes);
    Contents contents(kBytes);
    const int64_t bytes = ElementCount(window.sizes) * WidthOf(window.dtype);
    contents.Write(Contents::OfTerm(terms_.Input(0), bytes),
                   RouteOfFill(window.layout(), window.offset, budget_),
                   budget_);
    std::set<int64_t> touched;
    for (const auto& byte : BytesOf(contents)) touched.insert(byte.first);
    const std::vector<int64_t> addresses =
        AddressesOf(window.layout(), window.offset);
    ASSERT_EQ(touched, std::set<int64_t>(addresses.begin(), addresses.end()));
  }
}

TEST_F(ContentsTest, EqualContentsAreEqualInAnyBoxes) {
  for (int i = 0; i < 5000; ++i) {
    const Contents contents = DrawContents();
    const Contents same = Reshuffled(Reshuffled(contents));
    ASSERT_EQ(BytesOf(contents), BytesOf(same));
    ASSERT_EQ(FingerprintOf(contents), FingerprintOf(same));
    ASSERT_FALSE(comparer_.FindDifference(contents, same, Relation::kEqual));
  }
}

TEST_F(ContentsTest, DifferencesAreFoundExactly) {
  int differences = 0;
  for (int i = 0; i < 5000; ++i) {
    const Contents a = DrawContents();
    Contents b = Reshuffled(a);
    WriteAtRandom(b, terms_.Input(static_cast<int32_t>(Draw(random_, 0, 2))));
    const Bytes of_a = BytesOf(a);
    const Bytes of_b = BytesOf(b);
    const bool equal = of_a == of_b;
    bool refines = true;
    for (const auto& [address, place] : of_a) {
      const auto found = of_b.find(address);
      refines &= found != of_b.end() && found->second == place;
    }
    const auto difference = comparer_.FindDifference(a, b, Relation::kEqual);
    ASSERT_EQ(!difference, equal);
    ASSERT_EQ(!comparer_.FindDifference(a, b, Relation::kRefines), refines);
    if (equal) {
      ASSERT_EQ(FingerprintOf(a), FingerprintOf(b));
    } else {
      ASSERT_NE(FingerprintOf(a), FingerprintOf(b));
      const auto place_in = [](const Bytes& bytes, int64_t address) {
        const auto found = bytes.find(address);
        return found == bytes.end()
                   ? Place()
                   : Place{found->second.first, found->second.second};
      };
      const Place at_a = place_in(of_a, difference->address);
      const Place at_b = place_in(of_b, difference->address);
      ASSERT_EQ(difference->a.coordinates, at_a.coordinates);
      ASSERT_EQ(difference->b.coordinates, at_b.coordinates);
      ASSERT_TRUE(at_a.term != at_b.term ||
                  at_a.coordinates != at_b.coordinates);
      ++differences;
    }
  }
  EXPECT_GT(differences, 1000);
}

TEST_F(ContentsTest, AWeightTransposedIsOneBox) {
  const Contents weight =
      Contents::OfTerm(terms_.Input(0), int64_t{2} * 128256 * 2048);
  const Contents transposed =
      weight.Read({DType::kBF16, {2048, 128256}, {1, 2048}}, 0, budget_);
  EXPECT_EQ(transposed.boxes().size(), 1u);
}

TEST_F(ContentsTest, HalfACacheTransposedIsOneBox) {
  Contents cache =
      Contents::OfTerm(terms_.Input(0), int64_t{2} * 16 * 8 * 65536);
  const Dims sizes = {8, 1024, 16, 64};
  const Dims strides = {65536, 64, 524288, 1};
  const Layout half = {DType::kBF16, sizes, strides};
  EXPECT_EQ(cache.Read(half, 0, budget_).boxes().size(), 1u);
  cache.Write(Contents::OfTerm(terms_.Input(1), int64_t{2} * 16 * 8 * 65536),
              RouteOfWrite(half, 0, budget_), budget_);
  EXPECT_EQ(cache.boxes().size(), 1u);
}

TEST_F(ContentsTest, ColumnsLeaveFewBoxes) {
  Contents matrix = Contents::OfTerm(terms_.Input(0), int64_t{4} * 1000 * 1000);
  matrix.Write(Contents::OfTerm(terms_.Input(1), 4000),
               RouteOfWrite({DType::kF32, {1000}, {1000}}, 500, budget_),
               budget_);
  EXPECT_LE(matrix.boxes().size(), 4u);
}

TEST(FieldTest, PowersAndSumsAreThoseOfTheirDefinition) {
  for (uint64_t x : {uint64_t{1}, uint64_t{2}, kPrime - 1, kPrime / 3}) {
    uint64_t power = 1;
    uint64_t sum = 0;
    for (int64_t n = 0; n < 100; ++n) {
      ASSERT_EQ(Power(x, n), power);
      ASSERT_EQ(Multiply(Power(x, -n), power), 1u);
      ASSERT_EQ(GeometricSum(x, n), sum);
      sum = Add(sum, power);
      power = Multiply(power, x);
    }
  }
}

}  // namespace
}  // namespace proof
}  // namespace palimpsest
