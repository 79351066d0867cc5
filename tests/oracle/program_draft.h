// A random program under construction: the builder, the values made so far, and
// what a statement needs to find its operands.

#ifndef PALIMPSEST_TESTS_ORACLE_PROGRAM_DRAFT_H_
#define PALIMPSEST_TESTS_ORACLE_PROGRAM_DRAFT_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/builder.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "ir/type.h"
#include "ir/view_sugar.h"
#include "tests/oracle/gene.h"
#include "tests/oracle/program_generator.h"

namespace palimpsest {

enum class IndexOrigin : unsigned char { kStart, kEitherEnd };

class ProgramDraft {
 public:
  explicit ProgramDraft(const GeneratorProfile& profile)
      : profile_(profile), builder_("main", FunctionKind::kInPlace) {}

  const GeneratorProfile& profile() const { return profile_; }
  FunctionBuilder& builder() { return builder_; }
  const Function& function() const { return builder_.function(); }
  Layout LayoutOf(ValueId value) const { return function().LayoutOf(value); }
  StorageId StorageOf(ValueId value) const {
    return function().Get(value).type.storage;
  }
  int64_t CountOf(ValueId value) const {
    return ElementCount(LayoutOf(value).sizes);
  }

  // The gene whose statement comes next. Its values are known by it.
  void Begin(const Gene& gene);

  // Values that statements may use, in the order in which they were made.
  void Know(ValueId value);
  bool HasValues() const { return !known_.empty(); }

  // One of the known values for which `fits` holds, more often a new one. The
  // choice stays what it is when other values go.
  using Fits = std::function<bool(ValueId)>;
  absl::optional<ValueId> Pick(Choices& choices, const Fits& fits) const;
  ValueId PickAny(Choices& choices) const;

  // Appends the statement, tagged now and then, and knows its results.
  // Nothing happens where it is refused.
  absl::optional<OpId> Append(OpDraft draft);
  absl::optional<ValueId> AppendOne(OpDraft draft);

  // Operands. A made one comes from a new statement.
  absl::optional<ValueId> OperandFor(Choices& choices, DType dtype,
                                     absl::Span<const int64_t> sizes);
  // Of a storage in which a value that fits lies, most often one of that dtype.
  absl::optional<ValueId> FreshView(Choices& choices, DType dtype,
                                    absl::Span<const int64_t> sizes,
                                    const Fits& fits);
  absl::optional<ValueId> MaskFor(Choices& choices,
                                  absl::Span<const int64_t> sizes);
  // Indices in [0, range), or in [-range, range) where they may count from the
  // end. Precondition: range > 0, or no element is wanted.
  absl::optional<ValueId> IndexFor(Choices& choices,
                                   absl::Span<const int64_t> sizes,
                                   int64_t range,
                                   IndexOrigin origin = IndexOrigin::kStart);

  // Storages that may hold undefined bytes: no index or mask comes from them.
  bool MayBeUndefined(ValueId value) const {
    return undefined_.count(StorageOf(value).value) != 0;
  }
  void MarkUndefined(StorageId storage) { undefined_.insert(storage.value); }
  // Storages that hold indices and are never written.
  bool IsFrozen(ValueId value) const {
    return frozen_.count(StorageOf(value).value) != 0;
  }
  void Freeze(StorageId storage) { frozen_.insert(storage.value); }
  // Whether a statement may write through the value.
  bool IsWritable(ValueId value) const;
  // The dtype that the value's storage was made in.
  DType MadeIn(ValueId value) const;
  // Whether a value's storage may be seen in the dtype: where it is the
  // value's; one time in `pun_in`, if the profile has puns, also where what the
  // storage was made in stays finite; seldom in any case.
  Fits MaySeeAs(Choices& choices, DType dtype, int64_t pun_in) const;

  Name FreshStorageName();

 private:
  struct Known {
    ValueId value;
    uint64_t identity;
  };

  absl::optional<ValueId> MakeMask(Choices& choices,
                                   absl::Span<const int64_t> sizes);
  void TrackUndefined(const Op& op);

  const GeneratorProfile& profile_;
  FunctionBuilder builder_;
  std::vector<Known> known_;
  std::set<int32_t> undefined_;
  std::set<int32_t> frozen_;
  uint64_t gene_ = 0;
  int statement_ = 0;
  int storage_names_ = 0;
};

// Most elements that a value has.
constexpr int64_t kMostElements = 160;
constexpr int kMostDims = 6;

DType RandomDType(Choices& choices);
// Of so many puns one is of any dtype.
constexpr int64_t kWildPunIn = 24;
// Whether what one of the dtypes holds is finite in the other, most often. A
// small integer below zero is a NaN's bytes.
bool StaysFinite(DType a, DType b);
// For a storage that holds `made`; seldom one in which that does not stay
// finite.
DType RandomPun(Choices& choices, DType made);
// Of any class: an integral number in [-4, 4], or false or true.
Literal RandomLiteral(Choices& choices, DType dtype);
Dims RandomSizes(Choices& choices);

enum class Overlapping : unsigned char { kNever, kMaybe };
// Strides for the sizes, and an offset, so that the window lies within `bytes`
// bytes; nullopt where none does.
absl::optional<StridedWindow> RandomWindow(Choices& choices, DType dtype,
                                           absl::Span<const int64_t> sizes,
                                           int64_t bytes,
                                           Overlapping overlapping,
                                           const GeneratorProfile& profile);

// Sizes that broadcast to `sizes`.
Dims RandomBroadcast(Choices& choices, absl::Span<const int64_t> sizes);
bool BroadcastsTo(absl::Span<const int64_t> from, absl::Span<const int64_t> to);

TypeDraft DraftOf(const StridedWindow& window);

// One statement, or none where nothing fits.
void AddParameter(ProgramDraft& draft, Choices& choices);
void AddView(ProgramDraft& draft, Choices& choices);
void AddElementwise(ProgramDraft& draft, Choices& choices, OpForm form);
void AddUpdate(ProgramDraft& draft, Choices& choices, OpForm form);
void AddCopy(ProgramDraft& draft, Choices& choices);
void AddFill(ProgramDraft& draft, Choices& choices);
void AddNewValue(ProgramDraft& draft, Choices& choices);
void AddComputation(ProgramDraft& draft, Choices& choices);
void AddCall(ProgramDraft& draft, Choices& choices);

// Adds an operand that broadcasts to the sizes: a value, or now and then a
// literal.
void AddOperand(ProgramDraft& draft, Choices& choices, DType dtype,
                absl::Span<const int64_t> sizes, OpDraft& statement);

// A value to write through, or one to compute from, of a dtype that the op
// allows.
absl::optional<ValueId> PickFirst(ProgramDraft& draft, Choices& choices,
                                  OpForm form, const OpInfo& info);

// A place for a result of that type, now and then: a new storage that is not
// row-major, or `into` a window of one that is there.
void PlaceResult(ProgramDraft& draft, Choices& choices, DType dtype,
                 absl::Span<const int64_t> sizes, OpDraft& statement);

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_PROGRAM_DRAFT_H_
