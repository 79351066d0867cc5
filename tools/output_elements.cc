#include "tools/output_elements.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cuda/buffer.h"
#include "cuda/interpreter.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tools/element_json.h"

namespace palimpsest {
namespace {

constexpr int64_t kShownOfMany = 8;

// Copies a window's elements, each of `width` bytes, in row-major order.
std::vector<uint8_t> Gather(const uint8_t* storage, const RunResult& window) {
  const int64_t width = WidthOf(window.dtype);
  const int64_t count = ElementCount(window.sizes);
  std::vector<uint8_t> bytes(count * width);
  const int rank = static_cast<int>(window.sizes.size());
  Dims index(rank, 0);
  int64_t place = window.offset;
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(bytes.data() + i * width, storage + place * width, width);
    for (int d = rank - 1; d >= 0; --d) {
      place += window.strides[d];
      if (++index[d] < window.sizes[d]) break;
      place -= window.strides[d] * window.sizes[d];
      index[d] = 0;
    }
  }
  return bytes;
}

Elements FirstOf(const Elements& elements, int64_t count) {
  const int64_t bytes = count * WidthOf(elements.dtype);
  Elements first;
  first.dtype = elements.dtype;
  first.bytes.assign(elements.bytes.begin(), elements.bytes.begin() + bytes);
  if (!elements.poison.empty()) {
    first.poison.assign(elements.poison.begin(),
                        elements.poison.begin() + bytes);
  }
  return first;
}

void AppendList(std::string& out, const Elements& elements) {
  if (elements.poison.empty()) {
    AppendElements(out, elements.dtype, elements.bytes);
    return;
  }
  const int64_t width = WidthOf(elements.dtype);
  out += '[';
  for (int64_t i = 0; i < elements.count(); ++i) {
    if (i > 0) out += ',';
    const auto poison = elements.poison.begin() + i * width;
    if (std::find(poison, poison + width, 1) != poison + width) {
      out += "\"poison\"";
      continue;
    }
    std::string element;
    AppendElements(
        element, elements.dtype,
        {elements.bytes.data() + i * width, static_cast<size_t>(width)});
    out.append(element, 1, element.size() - 2);
  }
  out += ']';
}

}  // namespace

Elements ElementsOf(const RunResult& result) {
  Elements elements;
  elements.dtype = result.dtype;
  if (ElementCount(result.sizes) == 0) return elements;
  elements.bytes = Gather(result.bytes.data(), result);
  if (result.bytes.poison() != nullptr) {
    elements.poison = Gather(result.bytes.poison(), result);
  }
  return elements;
}

Elements ElementsOf(const Buffer& storage, DType dtype) {
  Elements elements;
  elements.dtype = dtype;
  elements.bytes.assign(storage.data(), storage.data() + storage.size());
  if (storage.poison() != nullptr) {
    elements.poison.assign(storage.poison(), storage.poison() + storage.size());
  }
  return elements;
}

DType StorageDType(absl::Span<const DType> of_parameters, int64_t bytes) {
  for (const DType dtype : of_parameters) {
    if (bytes % WidthOf(dtype) == 0) return dtype;
  }
  return DType::kU8;
}

void AppendValues(std::string& out, const Elements& elements, int64_t limit) {
  if (elements.count() <= limit) {
    out += "\"values\": ";
    AppendList(out, elements);
    return;
  }
  absl::StrAppend(&out, "\"elements\": ", elements.count(), ", \"digest\": \"",
                  DigestOf(elements.bytes), "\", \"first\": ");
  AppendList(out, FirstOf(elements, kShownOfMany));
}

}  // namespace palimpsest
