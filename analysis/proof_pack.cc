// Numbers of seven bits a byte, small ones first; signed ones alternate. What
// changes little from box to box, the term and the first address, is kept as
// the difference to that of the box before.

#include "analysis/proof_pack.h"

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/proof_box.h"
#include "analysis/proof_contents.h"

namespace palimpsest {
namespace proof {
namespace {

void Append(std::string& text, int64_t number) {
  uint64_t left = static_cast<uint64_t>(number) << 1;
  if (number < 0) left = ~left;
  for (; left >= 128; left >>= 7) {
    text += static_cast<char>(left | 128);
  }
  text += static_cast<char>(left);
}

int64_t Take(absl::string_view& text) {
  uint64_t number = 0;
  size_t i = 0;
  for (;; ++i) {
    const uint64_t byte = static_cast<uint8_t>(text[i]);
    number |= (byte & 127) << (7 * i);
    if (byte < 128) break;
  }
  text.remove_prefix(i + 1);
  return static_cast<int64_t>((number & 1) != 0 ? ~(number >> 1) : number >> 1);
}

// Of the box before.
struct Before {
  int32_t term = 0;
  int64_t address = 0;
};

void Append(std::string& text, const Box& box, Before& before) {
  Append(text, box.term() - before.term);
  Append(text, box.lanes());
  Append(text, box.rank());
  Append(text, box.base(0) - before.address);
  for (int lane = 1; lane < box.lanes(); ++lane) Append(text, box.base(lane));
  for (int row = 0; row < box.rank(); ++row) {
    Append(text, box.size(row));
    for (int64_t step : box.steps(row)) Append(text, step);
  }
  before = {box.term(), box.base(0)};
}

Box TakeBox(absl::string_view& text, Before& before) {
  before.term += static_cast<int32_t>(Take(text));
  const int lanes = static_cast<int>(Take(text));
  const int64_t rank = Take(text);
  Box box(lanes, before.term);
  before.address += Take(text);
  box.base(0) = before.address;
  for (int lane = 1; lane < lanes; ++lane) box.base(lane) = Take(text);
  absl::InlinedVector<int64_t, 8> steps(lanes);
  for (int64_t row = 0; row < rank; ++row) {
    const int64_t size = Take(text);
    for (int64_t& step : steps) step = Take(text);
    box.AddRow(size, steps);
  }
  return box;
}

}  // namespace

std::string Pack(absl::Span<const Box> boxes) {
  std::string text;
  Before before;
  for (const Box& box : boxes) Append(text, box, before);
  text.shrink_to_fit();
  return text;
}

void Unpack(absl::string_view text, Contents& to) {
  Before before;
  while (!text.empty()) to.Add(TakeBox(text, before));
}

}  // namespace proof
}  // namespace palimpsest
