// Boxes and contents at random, for tests that look at each byte.

#ifndef PALIMPSEST_TESTS_PROOF_CONTENTS_FIXTURE_H_
#define PALIMPSEST_TESTS_PROOF_CONTENTS_FIXTURE_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "analysis/proof_box.h"
#include "analysis/proof_compare.h"
#include "analysis/proof_contents.h"
#include "analysis/proof_field.h"
#include "analysis/proof_route.h"
#include "analysis/proof_terms.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/proof/random_boxes.h"

namespace palimpsest {
namespace proof {

constexpr int64_t kBytes = 64;

class ContentsTest : public testing::Test {
 protected:
  // A box of a window with a lane of coordinates that says more than the
  // address.
  Box DrawBox() {
    for (;;) {
      const OwnedLayout window = DrawWindow(random_, kBytes);
      const ReadRoute route =
          RouteOfRead(window.layout(), window.offset, budget_);
      if (route.boxes.empty()) continue;
      const Box& box = route.boxes[Draw(
          random_, 0, static_cast<int64_t>(route.boxes.size()) - 1)];
      return box;
    }
  }

  Contents DrawContents() {
    Contents contents = Draw(random_, 0, 1) == 0
                            ? Contents(kBytes)
                            : Contents::OfTerm(terms_.Input(0), kBytes);
    const int64_t writes = Draw(random_, 0, 4);
    for (int64_t i = 0; i < writes; ++i) {
      WriteAtRandom(contents, terms_.Input(static_cast<int32_t>(1 + i % 2)));
    }
    return contents;
  }

  void WriteAtRandom(Contents& contents, TermId term) {
    const OwnedLayout window = DrawWindow(random_, kBytes);
    const int64_t bytes = ElementCount(window.sizes) * WidthOf(window.dtype);
    contents.Write(Contents::OfTerm(term, bytes),
                   RouteOfWrite(window.layout(), window.offset, budget_),
                   budget_);
  }

  // The same contents in other boxes.
  Contents Reshuffled(const Contents& contents) {
    std::vector<Box> boxes(contents.boxes().begin(), contents.boxes().end());
    const Box by = DrawBox();
    Contents result(contents.bytes());
    std::shuffle(boxes.begin(), boxes.end(), random_);
    for (const Box& box : boxes) {
      Parts parts;
      Split(box, by, budget_, parts);
      for (Box& outside : parts.outside) {
        outside.Normalize();
        result.Add(std::move(outside));
      }
      for (const Box& inside : parts.inside) {
        std::vector<int> lanes;
        for (int lane = 0; lane < box.lanes(); ++lane) lanes.push_back(lane);
        Box part = inside.Select(lanes);
        part.Normalize();
        result.Add(std::move(part));
      }
    }
    return result;
  }

  uint64_t FingerprintOf(const Contents& contents) {
    uint64_t sum = 0;
    for (const Box& box : contents.boxes()) {
      sum = Add(sum, proof::FingerprintOf(box, terms_));
    }
    return sum;
  }

  std::mt19937 random_{17};
  Budget budget_{int64_t{1} << 40};
  TermTable terms_;
  // No op here has operands that poison could differ in.
  Comparer comparer_{terms_, budget_, [](int32_t) { return Contents(); }};
};

}  // namespace proof
}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_PROOF_CONTENTS_FIXTURE_H_
