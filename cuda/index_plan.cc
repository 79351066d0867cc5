#include "cuda/index_plan.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/backend.h"
#include "cuda/executor.h"
#include "cuda/view.h"
#include "ir/type.h"

namespace palimpsest {

View AtLeastRankOne(View view) {
  if (view.rank() != 0) return view;
  view.sizes = {1};
  view.strides = {1};
  return view;
}

IndexPlan PlanAlong(const View& x, const View& index, int64_t dim) {
  IndexPlan plan;
  const View vector = AtLeastRankOne(index);
  plan.sizes = x.sizes;
  plan.sizes[dim] = vector.sizes[0];
  for (int d = 0; d < x.rank(); ++d) plan.dims_of_x.push_back(d);
  plan.dims_of_x[dim] = -1;
  plan.places = vector.sizes;
  plan.front = static_cast<int>(dim);
  plan.indices.push_back({vector, static_cast<int>(dim)});
  return plan;
}

IndexPlan PlanPointwise(const View& x, const View& index, int64_t dim) {
  IndexPlan plan;
  const View places = AtLeastRankOne(index);
  plan.sizes = places.sizes;
  for (int d = 0; d < x.rank(); ++d) plan.dims_of_x.push_back(d);
  plan.dims_of_x[dim] = -1;
  plan.places = places.sizes;
  plan.indices.push_back({places, static_cast<int>(dim)});
  return plan;
}

namespace {

// numpy's rule for sizes that broadcast.
Dims JointSizes(const Dims& a, const Dims& b) {
  Dims joint = a.size() < b.size() ? b : a;
  const Dims& other = a.size() < b.size() ? a : b;
  const size_t shift = joint.size() - other.size();
  for (size_t d = 0; d < other.size(); ++d) {
    if (joint[shift + d] == 1) joint[shift + d] = other[d];
  }
  return joint;
}

}  // namespace

IndexPlan PlanAdvanced(const View& x,
                       absl::Span<const absl::optional<View>> indices) {
  IndexPlan plan;
  plan.negative = kernels::NegativeIndex::kFromTheEnd;
  int first = -1;
  int last = -1;
  bool parted = false;
  for (int d = 0; d < x.rank(); ++d) {
    if (d < static_cast<int>(indices.size()) && indices[d]) {
      plan.places = JointSizes(plan.places, indices[d]->sizes);
      plan.indices.push_back({*indices[d], d});
      parted |= last >= 0 && last != d - 1;
      if (first < 0) first = d;
      last = d;
    } else {
      plan.sizes.push_back(x.sizes[d]);
      plan.dims_of_x.push_back(d);
    }
  }
  // The places stand where the indexed dimensions were, or in front where
  // others part them.
  plan.front = parted ? 0 : std::max(first, 0);
  plan.sizes.insert(plan.sizes.begin() + plan.front, plan.places.begin(),
                    plan.places.end());
  plan.dims_of_x.insert(plan.dims_of_x.begin() + plan.front, plan.places.size(),
                        -1);
  return plan;
}

}  // namespace palimpsest
