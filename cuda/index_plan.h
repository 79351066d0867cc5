// How each index op walks (see IndexPlan). Rank 0 counts as one dimension of
// one element, for data and for index, as in torch.

#ifndef PALIMPSEST_CUDA_INDEX_PLAN_H_
#define PALIMPSEST_CUDA_INDEX_PLAN_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/executor.h"
#include "cuda/view.h"

namespace palimpsest {

// The same elements, with rank 1 for rank 0.
View AtLeastRankOne(View view);

// index_select, index_copy, index_add, index_fill: x of rank 1 or more.
IndexPlan PlanAlong(const View& x, const View& index, int64_t dim);

// gather, scatter, scatter_add: x of rank 1 or more.
IndexPlan PlanPointwise(const View& x, const View& index, int64_t dim);

// index, index_put: numpy's advanced indexing; nullopt is `none`.
IndexPlan PlanAdvanced(const View& x,
                       absl::Span<const absl::optional<View>> indices);

}  // namespace palimpsest

#endif  // PALIMPSEST_CUDA_INDEX_PLAN_H_
