#include "cuda/compare.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "cuda/buffer.h"
#include "cuda/element_text.h"
#include "cuda/interpreter.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

using MaybeDifference = absl::optional<Difference>;

bool IsPoison(const Buffer& buffer, int64_t byte) {
  return buffer.poison() != nullptr && buffer.poison()[byte] != 0;
}

// Some byte of the element at `byte` is poison in `b`, but not in `a`.
bool GainsPoison(const Buffer& a, int64_t at_a, const Buffer& b, int64_t at_b,
                 int64_t width) {
  for (int64_t i = 0; i < width; ++i) {
    if (IsPoison(b, at_b + i) && !IsPoison(a, at_a + i)) return true;
  }
  return false;
}

// Bytes that are not poison in `a` are the same in `b`.
bool SameBytes(const Buffer& a, int64_t at_a, const Buffer& b, int64_t at_b,
               int64_t width) {
  if (std::memcmp(a.data() + at_a, b.data() + at_b, width) == 0) return true;
  for (int64_t i = 0; i < width; ++i) {
    if (!IsPoison(a, at_a + i) && a.data()[at_a + i] != b.data()[at_b + i]) {
      return false;
    }
  }
  return true;
}

bool BothNan(DType dtype, const uint8_t* a, const uint8_t* b) {
  return IsNanElement(dtype, a) && IsNanElement(dtype, b);
}

// How the elements of `dtype` at these bytes differ, or nothing.
std::string ElementDifference(DType dtype, const Buffer& a, int64_t at_a,
                              const Buffer& b, int64_t at_b) {
  const int64_t width = WidthOf(dtype);
  if (GainsPoison(a, at_a, b, at_b, width)) {
    return absl::StrCat(ElementText(dtype, a.data() + at_a), " and poison");
  }
  if (SameBytes(a, at_a, b, at_b, width)) return "";
  if (BothNan(dtype, a.data() + at_a, b.data() + at_b)) return "";
  return absl::StrCat(ElementText(dtype, a.data() + at_a), " and ",
                      ElementText(dtype, b.data() + at_b));
}

bool IsFloat(DType dtype) {
  const DTypeClass dtype_class = InfoFor(dtype).dtype_class;
  return dtype_class != DTypeClass::kInteger &&
         dtype_class != DTypeClass::kBool;
}

class StorageComparison {
 public:
  // `dtypes`: of the parameters in the storage; the first one shows it.
  StorageComparison(absl::Span<const DType> dtypes, const Buffer& a,
                    const Buffer& b)
      : dtypes_(dtypes), a_(a), b_(b) {}

  MaybeDifference Find(const std::string& name) const {
    if (a_.same_memory(b_)) return absl::nullopt;
    if (a_.size() != b_.size()) {
      return Difference{absl::StrCat("storage @", name, " has ", a_.size(),
                                     " and ", b_.size(), " bytes"),
                        absl::nullopt};
    }
    if (b_.poison() == nullptr &&
        std::memcmp(a_.data(), b_.data(), a_.size()) == 0) {
      return absl::nullopt;
    }
    for (int64_t byte = 0; byte < a_.size(); ++byte) {
      if (IsSame(byte)) continue;
      return Difference{
          absl::StrCat("storage @", name, ": byte ", byte, TextAt(byte)),
          BytePlace{BytePlace::Of::kStorage, 0, byte}};
    }
    return absl::nullopt;
  }

 private:
  bool IsSame(int64_t byte) const {
    if (GainsPoison(a_, byte, b_, byte, 1)) return false;
    if (SameBytes(a_, byte, b_, byte, 1)) return true;
    for (DType dtype : dtypes_) {
      if (!IsFloat(dtype)) continue;
      const int64_t first = byte - byte % WidthOf(dtype);
      if (first + WidthOf(dtype) <= a_.size() &&
          BothNan(dtype, a_.data() + first, b_.data() + first)) {
        return true;
      }
    }
    return false;
  }

  std::string TextAt(int64_t byte) const {
    const DType dtype = dtypes_.empty() ? DType::kU8 : dtypes_[0];
    const int64_t width = WidthOf(dtype);
    const int64_t first = byte - byte % width;
    if (first + width > a_.size()) {
      return absl::StrCat(": ", a_.data()[byte], " and ", b_.data()[byte]);
    }
    return absl::StrCat(" (", InfoFor(dtype).text, " element ", byte / width,
                        "): ", ElementDifference(dtype, a_, first, b_, first));
  }

  const absl::Span<const DType> dtypes_;
  const Buffer& a_;
  const Buffer& b_;
};

std::string TypeText(const RunResult& result) {
  return absl::StrCat(
      InfoFor(result.dtype).text, "[", absl::StrJoin(result.sizes, ","), "]",
      result.storage.empty()
          ? ""
          : absl::StrCat(" in @", result.storage, " offset ", result.offset),
      " strides [", absl::StrJoin(result.strides, ","), "]");
}

bool SameWindow(const RunResult& a, const RunResult& b) {
  const bool offset_matters = !a.storage.empty() && ElementCount(a.sizes) != 0;
  return a.storage == b.storage && a.dtype == b.dtype && a.sizes == b.sizes &&
         SamePlaces(a.sizes, a.strides, b.strides) &&
         (!offset_matters || a.offset == b.offset);
}

int64_t FirstByteOf(const RunResult& result) {
  return result.offset * WidthOf(result.dtype);
}

MaybeDifference CompareElements(const RunResult& a, const RunResult& b) {
  const int64_t count = ElementCount(a.sizes);
  const int64_t width = WidthOf(a.dtype);
  if (b.bytes.poison() == nullptr && a.strides == b.strides &&
      IsRowMajor({a.dtype, a.sizes, a.strides}) &&
      (count == 0 ||
       std::memcmp(a.bytes.data() + FirstByteOf(a),
                   b.bytes.data() + FirstByteOf(b), count * width) == 0)) {
    return absl::nullopt;
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at_a = a.offset + ElementPlace(a.sizes, a.strides, i);
    const int64_t at_b = b.offset + ElementPlace(b.sizes, b.strides, i);
    const std::string text = ElementDifference(a.dtype, a.bytes, at_a * width,
                                               b.bytes, at_b * width);
    if (!text.empty()) {
      return Difference{absl::StrCat("element ", i, " (byte ", at_a * width,
                                     " of its storage): ", text),
                        BytePlace{BytePlace::Of::kResult, 0, i * width}};
    }
  }
  return absl::nullopt;
}

class ResultComparison {
 public:
  MaybeDifference Find(const RunResult& a, const RunResult& b) {
    if (!SameWindow(a, b)) {
      return Difference{absl::StrCat(TypeText(a), " and ", TypeText(b)),
                        absl::nullopt};
    }
    if (!a.storage.empty()) return absl::nullopt;  // Storages are compared.
    const auto first_of_a = first_of_a_.try_emplace(a.group, Pair{&a, &b});
    const bool is_first_of_b = groups_of_b_.insert(b.group).second;
    Pair& twin = first_of_a.first->second;
    if (first_of_a.second != is_first_of_b || twin.b->group != b.group) {
      return Difference{"shares its storage with other results", absl::nullopt};
    }
    if (ElementCount(a.sizes) == 0) return absl::nullopt;
    if (ElementCount(twin.a->sizes) == 0) twin = {&a, &b};
    if (FirstByteOf(a) - FirstByteOf(*twin.a) !=
        FirstByteOf(b) - FirstByteOf(*twin.b)) {
      return Difference{
          "lies elsewhere from the results that share its storage",
          absl::nullopt};
    }
    return CompareElements(a, b);
  }

 private:
  struct Pair {
    const RunResult* a;
    const RunResult* b;
  };
  // By group of a: its first results, the first that have elements if any have.
  absl::flat_hash_map<int, Pair> first_of_a_;
  absl::flat_hash_set<int> groups_of_b_;
};

MaybeDifference CompareEffects(absl::Span<const CallEffect> a,
                               absl::Span<const CallEffect> b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const std::string which = absl::StrCat("call ", i + 1, " with effects ");
    if (a[i].call != b[i].call) {
      return Difference{
          absl::StrCat(which, "is \"", a[i].call, "\" and \"", b[i].call, "\""),
          absl::nullopt};
    }
    if (a[i].digest && a[i].digest != b[i].digest) {
      return Difference{absl::StrCat(which, "(\"", a[i].call,
                                     "\") has other attributes or reads other "
                                     "values"),
                        absl::nullopt};
    }
  }
  if (a.size() == b.size()) return absl::nullopt;
  return Difference{
      absl::StrCat(a.size(), " and ", b.size(), " calls with effects are made"),
      absl::nullopt};
}

}  // namespace

MaybeDifference FindDifference(const Function& function,
                               const RunOutputs& original,
                               const RunOutputs& resolved) {
  if (original.results.size() != resolved.results.size()) {
    return Difference{absl::StrCat(original.results.size(), " and ",
                                   resolved.results.size(), " results"),
                      absl::nullopt};
  }
  MaybeDifference of_effects =
      CompareEffects(original.effects, resolved.effects);
  if (of_effects) return of_effects;
  ResultComparison results;
  for (size_t i = 0; i < original.results.size(); ++i) {
    MaybeDifference difference =
        results.Find(original.results[i], resolved.results[i]);
    if (difference) {
      difference->text = absl::StrCat("result ", i, ": ", difference->text);
      if (difference->place) difference->place->index = static_cast<int>(i);
      return difference;
    }
  }
  const auto dtypes = ParameterDTypes(function);
  absl::flat_hash_set<StorageId> compared;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const StorageId id = function.Get(function.parameters[i]).type.storage;
    if (!compared.insert(id).second) continue;
    const std::string name = function.names.Text(function.Get(id).name);
    const auto a = original.storages.find(name);
    const auto b = resolved.storages.find(name);
    if (a == original.storages.end() || b == resolved.storages.end()) {
      return Difference{absl::StrCat("storage @", name, " is in one only"),
                        absl::nullopt};
    }
    MaybeDifference difference =
        StorageComparison(dtypes[id.value], a->second, b->second).Find(name);
    if (!difference) continue;
    if (difference->place) difference->place->index = static_cast<int>(i);
    return difference;
  }
  return absl::nullopt;
}

}  // namespace palimpsest
