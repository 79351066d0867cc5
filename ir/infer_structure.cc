// Rules for the ops that have a syntax of their own, and for `constant`.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/coverage.h"
#include "ir/fault.h"
#include "ir/op.h"
#include "ir/op_view.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

int64_t BytesOf(const Layout& layout) {
  return ElementCount(layout.sizes) * WidthOf(layout.dtype);
}

// The window after `at` of operand `i`: shaped like `part`, and inside a
// row-major buffer of `bytes` bytes.
absl::Status CheckWindow(const OpView& view, int i, const Layout& part,
                         int64_t bytes) {
  const BufferWindow& window = view.function.windows[view.operands[i].window];
  const Layout layout = view.function.layouts.Get(window.layout);
  if (layout.dtype != part.dtype || layout.sizes != part.sizes) {
    return Fault(
        {Place::Part::kWindow, i},
        absl::StrCat("the window has type ", TextOf(layout.dtype, layout.sizes),
                     ", not ", TextOf(part.dtype, part.sizes)));
  }
  const absl::optional<int64_t> needed = BytesToHold(layout, window.offset);
  if (needed && *needed <= bytes) return absl::OkStatus();
  return Fault({Place::Part::kWindow, i},
               absl::StrCat("the window of ", TextOf(part.dtype, part.sizes),
                            " at offset ", window.offset, ", strides ",
                            TextOf(layout.strides), ", lies outside the ",
                            bytes, " bytes of the value"));
}

}  // namespace

absl::Status CheckView(const OpView&) { return absl::OkStatus(); }

absl::Status CheckExtract(const OpView& view) {
  return CheckWindow(view, 0, *view.declared, BytesOf(view.layout(0)));
}

absl::Status CheckAssemble(const OpView& view) {
  const Layout& whole = *view.declared;
  const int64_t bytes = BytesOf(whole);
  std::vector<CoverWindow> windows;
  const bool has_base = view.operands[0].window < 0;
  if (has_base &&
      (view.dtype(0) != whole.dtype || view.sizes(0) != whole.sizes)) {
    return Fault(Place::Operand(0),
                 absl::StrCat(view.Text(0),
                              ", is the base, so it must have the "
                              "type of the result, ",
                              TextOf(whole.dtype, whole.sizes)));
  }
  for (int i = has_base ? 1 : 0; i < view.count(); ++i) {
    RETURN_IF_ERROR(CheckWindow(view, i, view.layout(i), bytes));
    const BufferWindow& window = view.function.windows[view.operands[i].window];
    windows.push_back(
        {view.function.layouts.Get(window.layout), window.offset});
  }
  // What is unknown a run can still find: what no piece covers is poison there.
  if (!has_base && CoverageOf(windows, bytes) == Coverage::kIncomplete) {
    return Fault({}, absl::StrCat("the pieces do not cover all of ",
                                  TextOf(whole.dtype, whole.sizes),
                                  "; a base, `assemble %base, ..`, must"));
  }
  return absl::OkStatus();
}

absl::Status CheckContents(const OpView& view) {
  const StorageId id = view.operands[0].storage();
  const Storage& storage = view.function.Get(id);
  if (storage.kind != StorageKind::kParameter) {
    return Fault(Place::Operand(0),
                 absl::StrCat(view.function.TextOf(id),
                              " is no storage of a parameter; only such have "
                              "contents at entry"));
  }
  if (BytesOf(*view.declared) <= storage.bytes) return absl::OkStatus();
  return Fault(Place::Type(0),
               absl::StrCat(TextOf(view.declared->dtype, view.declared->sizes),
                            " is larger than the ", storage.bytes, " bytes of ",
                            view.function.TextOf(id)));
}

absl::Status CheckConstant(const OpView& view) {
  if (view.op.kind != OpKind::kConstant) return absl::OkStatus();
  const int64_t wanted = ElementCount(view.declared->sizes);
  if (view.count() == wanted) return absl::OkStatus();
  return Fault(
      Place::Type(0),
      absl::StrCat(TextOf(view.declared->dtype, view.declared->sizes), " has ",
                   wanted, " elements, but ", view.count(), " are listed"));
}

}  // namespace palimpsest
