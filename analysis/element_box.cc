#include "analysis/element_box.h"

#include <cstdint>
#include <numeric>

#include "absl/algorithm/container.h"
#include "absl/types/optional.h"
#include "analysis/partition.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

DType UnsignedOfWidth(int64_t width) {
  switch (width) {
    case 8:
      return DType::kU64;
    case 4:
      return DType::kU32;
    case 2:
      return DType::kU16;
    default:
      return DType::kU8;
  }
}

}  // namespace

ElementBox InElements(const Box& box, DType preferred) {
  BoxDim run = box.dims.back();
  const bool is_run = run.extent == 1 || (run.subject == 1 && run.target == 1);
  int64_t unit = std::gcd(box.subject, box.target);
  unit = std::gcd(unit, is_run ? run.extent : 1);
  for (size_t i = 0; i + 1 < box.dims.size(); ++i) {
    if (box.dims[i].extent == 1) continue;
    unit = std::gcd(unit, std::gcd(box.dims[i].subject, box.dims[i].target));
  }
  ElementBox elements;
  elements.dtype = unit % WidthOf(preferred) == 0
                       ? preferred
                       : UnsignedOfWidth(std::gcd<int64_t>(unit, 8));
  const int64_t width = WidthOf(elements.dtype);
  elements.subject = box.subject / width;
  elements.target = box.target / width;
  auto add = [&](int64_t size, int64_t subject, int64_t target) {
    elements.sizes.push_back(size);
    elements.subject_strides.push_back(subject);
    elements.target_strides.push_back(target);
  };
  for (size_t i = 0; i + 1 < box.dims.size(); ++i) {
    const BoxDim& dim = box.dims[i];
    if (dim.extent > 1)
      add(dim.extent, dim.subject / width, dim.target / width);
  }
  if (!is_run) {
    add(run.extent, run.subject, run.target);
  } else if (run.extent > width) {
    add(run.extent / width, 1, 1);
  }
  return elements;
}

absl::optional<Dims> TargetStrides(const Box& box, int64_t width) {
  const BoxDim& element = box.dims.back();
  if (element.extent > 1 && element.target != 1) return absl::nullopt;
  if (box.target % width != 0) return absl::nullopt;
  Dims strides;
  int64_t row_major = 1;
  for (int i = static_cast<int>(box.dims.size()) - 2; i >= 0; --i) {
    const BoxDim& dim = box.dims[i];
    if (dim.extent > 1 && dim.target % width != 0) return absl::nullopt;
    strides.push_back(dim.extent > 1 ? dim.target / width : row_major);
    row_major *= dim.extent;
  }
  absl::c_reverse(strides);
  return strides;
}

}  // namespace palimpsest
