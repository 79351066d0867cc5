// A second opinion on windows that are too large to enumerate: isl, the integer
// set library, decides the same questions from the definition, written as text.

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "analysis/footprint.h"
#include "gtest/gtest.h"
#include "ir/type.h"
#include "tests/analysis/window_families.h"
#include "tests/analysis/window_oracle.h"

namespace palimpsest {
namespace {

using SetPtr = std::unique_ptr<isl_set, decltype(&isl_set_free)>;

using Question = isl_bool (*)(isl_set*, isl_set*);

SetPtr Own(isl_set* set) { return SetPtr(set, &isl_set_free); }

// "{ [x] : exists i0, t : x = 8 + 4 i0 + t and 0 <= i0 < 5 and 0 <= t < 2 }"
std::string FormulaOf(const Window& window) {
  const int64_t width = WidthOf(window.dtype);
  std::string names = "t";
  std::string sum = absl::StrCat(window.offset * width, " + t");
  std::string bounds = absl::StrCat("0 <= t < ", width);
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    absl::StrAppend(&names, ", i", i);
    absl::StrAppend(&sum, " + ", window.strides[i] * width, " i", i);
    absl::StrAppend(&bounds, " and 0 <= i", i, " < ", window.sizes[i]);
  }
  return absl::StrCat("{ [x] : exists ", names, " : x = ", sum, " and ", bounds,
                      " }");
}

// The same for what digits and normal forms make of it.
std::string FormulaOf(const Footprint& footprint) {
  Window window;
  window.offset = footprint.begin();
  for (const ByteDim dim : footprint.shape().dims()) {
    window.sizes.push_back(dim.extent);
    window.strides.push_back(dim.stride);
  }
  if (footprint.empty()) window.sizes = {0}, window.strides = {1};
  return FormulaOf(window);
}

class FootprintIslTest : public testing::Test {
 protected:
  FootprintIslTest() : context_(isl_ctx_alloc(), &isl_ctx_free) {
    // A question that takes more is left out.
    isl_ctx_set_max_operations(context_.get(), 20000);
    isl_options_set_on_error(context_.get(), ISL_ON_ERROR_CONTINUE);
  }

  SetPtr Read(const std::string& text) {
    return Own(isl_set_read_from_str(context_.get(), text.c_str()));
  }

  // Nullopt where isl gives up.
  absl::optional<bool> Ask(Question question, const SetPtr& a,
                           const SetPtr& b) {
    isl_ctx_reset_operations(context_.get());
    const isl_bool answer = question(a.get(), b.get());
    if (answer == isl_bool_error) {
      ++given_up_;
      return absl::nullopt;
    }
    ++answered_;
    return answer == isl_bool_true;
  }

  void Check(const Window& a, const Window& b) {
    const Footprint x = a.footprint();
    const Footprint y = b.footprint();
    const SetPtr set_x = Read(FormulaOf(a));
    const SetPtr set_y = Read(FormulaOf(b));
    const RelateResult related = Relate(x, y);
    counts_.Add(related.layer);
    const Relation relation = related.relation;
    ASSERT_NE(relation, Relation::kUnknown);
    if (const auto disjoint = Ask(isl_set_is_disjoint, set_x, set_y)) {
      ASSERT_EQ(relation == Relation::kDisjoint, *disjoint);
    }
    if (const auto inside = Ask(isl_set_is_subset, set_x, set_y)) {
      const bool expected =
          relation == Relation::kInside || relation == Relation::kEqual;
      ASSERT_EQ(expected || x.empty(), *inside);
    }
    if (const auto contains = Ask(isl_set_is_subset, set_y, set_x)) {
      const bool expected =
          relation == Relation::kContains || relation == Relation::kEqual;
      ASSERT_EQ(expected || y.empty(), *contains);
    }
    const absl::optional<Footprint> common = Intersection(x, y);
    if (!common) return;
    const SetPtr both = Own(isl_set_intersect(isl_set_copy(set_x.get()),
                                              isl_set_copy(set_y.get())));
    if (const auto equal =
            Ask(isl_set_is_equal, both, Read(FormulaOf(*common)))) {
      ASSERT_TRUE(*equal) << common->ToString();
    }
  }

  void CheckFamily(int pairs, Window (*make)(Random&)) {
    Random random(11);
    for (int i = 0; i < pairs; ++i) {
      const Window a = make(random);
      const Window b = make(random);
      Check(a, b);
      if (HasFatalFailure()) {
        ADD_FAILURE() << "pair " << i << ": " << a << " and " << b;
        break;
      }
    }
    std::cout << "isl answered " << answered_ << " questions and gave up on "
              << given_up_ << "\n";
    for (int i = 0; i < kLayers; ++i) {
      const Layer layer = static_cast<Layer>(i);
      std::cout << "  " << TextOf(layer) << ": " << counts_.Get(layer) << "\n";
    }
    EXPECT_GT(answered_, given_up_);
  }

 private:
  std::unique_ptr<isl_ctx, decltype(&isl_ctx_free)> context_;
  LayerCounts counts_;
  int64_t answered_ = 0;
  int64_t given_up_ = 0;
};

TEST_F(FootprintIslTest, SlicesOfOneLargeParent) {
  CheckFamily(300, [](Random& random) {
    return SliceOf(random, DType::kBF16, {16, 8, 1024, 64});
  });
}

TEST_F(FootprintIslTest, DTypeViewsOfALargeParent) {
  CheckFamily(300, [](Random& random) {
    const DType dtype =
        random.OneOf({DType::kI8, DType::kI16, DType::kI32, DType::kI64});
    return SliceOf(random, dtype, {16, 128, 4096 / WidthOf(dtype)});
  });
}

TEST_F(FootprintIslTest, SlicesOfReshapesOfALargeParent) {
  CheckFamily(300, [](Random& random) {
    switch (random.Between(0, 2)) {
      case 0:
        return SliceOf(random, DType::kF32, {96, 128, 60});
      case 1:
        return SliceOf(random, DType::kF32, {128, 5760});
      default:
        return SliceOf(random, DType::kF32, {48, 96, 160});
    }
  });
}

TEST_F(FootprintIslTest, FreeStridesOfManyBytes) {
  CheckFamily(300, [](Random& random) {
    Window window;
    window.dtype = random.OneOf({DType::kI8, DType::kI16, DType::kI32});
    window.offset = random.Between(0, 5000);
    for (int64_t rank = random.Between(1, 3); rank > 0; --rank) {
      window.sizes.push_back(random.Between(1, 40));
      window.strides.push_back(random.Between(-600, 600));
    }
    return window;
  });
}

}  // namespace
}  // namespace palimpsest
