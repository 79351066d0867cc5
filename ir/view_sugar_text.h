// View sugar as the text has it: names of the ops and of their attributes.

#ifndef PALIMPSEST_IR_VIEW_SUGAR_TEXT_H_
#define PALIMPSEST_IR_VIEW_SUGAR_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/type.h"
#include "ir/view_sugar.h"

namespace palimpsest {

enum class SugarKind : uint8_t {
  kSlice,
  kSelect,
  kPermute,
  kTranspose,
  kReshape,
  kExpand,
  kDiagonal,
  kUnfold,
  kSqueeze,
  kUnsqueeze,
  kFlipView,
  kBitcast,
  kReal,
  kImag,
};

enum class SugarKey : uint8_t {
  kDim,
  kDim0,
  kDim1,
  kDim2,
  kIndex,
  kStart,
  kEnd,
  kStep,
  kOffset,
  kSize,
  kDims,
  kSizes,  // Lists.
  kDType,  // A dtype.
};
constexpr int kSugarKeys = static_cast<int>(SugarKey::kDType) + 1;

absl::string_view TextOf(SugarKey key);

struct SugarInfo {
  SugarKind kind;
  absl::string_view text;
  std::vector<SugarKey> keys;
};
absl::Span<const SugarInfo> AllSugar();
const SugarInfo* SugarFromText(absl::string_view text);  // Null for none.

// The attributes as written.
struct SugarArguments {
  absl::optional<int64_t> numbers[kSugarKeys];
  absl::optional<Dims> lists[kSugarKeys];
  absl::optional<DType> dtype;
};

// The window that the op makes of x; what is left out has torch's default.
absl::StatusOr<StridedWindow> ApplySugar(SugarKind kind, const StridedWindow& x,
                                         const SugarArguments& arguments);

}  // namespace palimpsest

#endif  // PALIMPSEST_IR_VIEW_SUGAR_TEXT_H_
