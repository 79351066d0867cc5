// What a run leaves, element by element.

#ifndef PALIMPSEST_TOOLS_OUTPUT_ELEMENTS_H_
#define PALIMPSEST_TOOLS_OUTPUT_ELEMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "cuda/buffer.h"
#include "cuda/interpreter.h"
#include "ir/type.h"

namespace palimpsest {

// Elements one after the other. `poison` has a byte for each of their bytes, 1
// where nothing ever wrote it, or none at all.
struct Elements {
  DType dtype = DType::kU8;
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> poison;

  int64_t count() const {
    return static_cast<int64_t>(bytes.size()) / WidthOf(dtype);
  }
};

// In row-major order.
Elements ElementsOf(const RunResult& result);
// All of a storage. Precondition: it holds whole elements.
Elements ElementsOf(const Buffer& storage, DType dtype);

// The dtype that shows a caller's storage of so many bytes best: the first of
// those of its parameters of which it holds whole elements, or u8.
DType StorageDType(absl::Span<const DType> of_parameters, int64_t bytes);

// Appends "\"values\": [..]", with "poison" for an element that nothing wrote;
// or for more elements than `limit` their digest and the first eight:
// "\"elements\": N, \"digest\": \"..\", \"first\": [..]".
void AppendValues(std::string& out, const Elements& elements, int64_t limit);

}  // namespace palimpsest

#endif  // PALIMPSEST_TOOLS_OUTPUT_ELEMENTS_H_
