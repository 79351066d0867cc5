#include "transforms/pure_emitter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Reads that need the same extract come soon after each other; their table is
// to stay in a processor's cache, however long the program is.
constexpr size_t kRememberedExtracts = 8192;

// What is expected comes out a little short now and then.
constexpr size_t kSpareShare = 32;
constexpr size_t kSpareItems = 64;

size_t CountSteps(const Function& function, OpId begin, OpId end) {
  return std::count_if(function.ops.begin() + begin.value,
                       function.ops.begin() + end.value,
                       [](const Op& op) { return op.kind != OpKind::kView; });
}

// Room for an op for each of the source's, and some for an epilogue.
void Reserve(size_t steps, size_t parameters, Function& function) {
  const size_t ops = kSpareItems + 2 * parameters + steps;
  function.ops.reserve(ops);
  function.sources.reserve(ops);
  function.operands.reserve(2 * ops);
  function.values.reserve(ops + parameters);
}

// What a pure version of `source` shares with it: signature and tables.
Function SignatureOf(const Function& source, size_t steps) {
  Function function;
  function.name = source.name;
  function.kind = FunctionKind::kPure;
  function.location = source.location;
  function.layouts = source.layouts;
  function.names = source.names;
  function.integers = source.integers;
  function.literals = source.literals;
  function.attributes = source.attributes;
  Reserve(steps, source.parameters.size(), function);
  std::vector<StorageId> storages(source.storages.size());
  for (size_t i = 0; i < source.storages.size(); ++i) {
    if (source.storages[i].kind != StorageKind::kParameter) continue;
    storages[i] = {static_cast<int32_t>(function.storages.size())};
    function.storages.push_back(source.storages[i]);
  }
  for (ValueId parameter : source.parameters) {
    Value value = source.Get(parameter);
    value.type.storage = storages[value.type.storage.value];
    function.parameters.push_back(
        {static_cast<int32_t>(function.values.size())});
    function.values.push_back(value);
  }
  function.blocks.push_back(
      {{}, {0, static_cast<int32_t>(function.parameters.size())}});
  return function;
}

}  // namespace

PureEmitter::PureEmitter(const Function& source,
                         NegativeStrides negative_strides)
    : given_(source),
      steps_(CountSteps(source, OpId{0},
                        OpId{static_cast<int32_t>(source.ops.size())})),
      function_(SignatureOf(source, steps_)),
      windows_(function_.layouts),
      negative_strides_(negative_strides) {}

void PureEmitter::SetSource(OpId source, SourceLocation location) {
  source_ = source;
  location_ = location;
}

// By what the steps done so far have made: an op in place may take many ops, or
// none, and most programs go on as they begin. Twice as many are the most, and
// no source, as in the epilogue, means that little is to come.
size_t PureEmitter::Expected(size_t items) {
  const size_t spare = kSpareItems + items / 8;
  if (counted_to_ < source_) {
    steps_done_ += CountSteps(given_, counted_to_, source_);
    counted_to_ = source_;
  }
  if (!source_.valid() || steps_done_ == 0) return items + spare;
  const double growth =
      static_cast<double>(steps_) / static_cast<double>(steps_done_);
  const auto all = static_cast<size_t>(static_cast<double>(items) * growth);
  return std::min(std::max(all + all / kSpareShare, items + spare),
                  2 * items + spare);
}

Op& PureEmitter::Append(OpKind kind, absl::Span<const Operand> operands,
                        absl::Span<const LayoutId> results) {
  MakeRoom(1, function_.ops);
  MakeRoom(1, function_.sources);
  MakeRoom(operands.size(), function_.operands);
  MakeRoom(results.size(), function_.values);
  const OpId id{static_cast<int32_t>(function_.ops.size())};
  Op& op = function_.ops.emplace_back();
  op.kind = kind;
  op.location = location_;
  op.operands = {static_cast<int32_t>(function_.operands.size()),
                 static_cast<int32_t>(operands.size())};
  function_.operands.insert(function_.operands.end(), operands.begin(),
                            operands.end());
  op.results = {static_cast<int32_t>(function_.values.size()),
                static_cast<int32_t>(results.size())};
  for (LayoutId layout : results) {
    function_.values.push_back({Type{layout, StorageId(), 0}, Name(), id});
  }
  if (source_.valid()) {
    op.sources = {static_cast<int32_t>(function_.sources.size()), 1};
    function_.sources.push_back(source_);
  }
  return op;
}

ValueId PureEmitter::AppendOne(OpKind kind, absl::Span<const Operand> operands,
                               LayoutId result) {
  return function_.Result(Append(kind, operands, {result}));
}

void PureEmitter::ReserveTargets(size_t count) {
  function_.ops.reserve(function_.ops.size() + count);
  function_.sources.reserve(function_.sources.size() + count);
  function_.operands.reserve(function_.operands.size() + count);
  function_.targets.reserve(function_.targets.size() + count);
}

int32_t PureEmitter::AddWindow(LayoutId layout, int64_t offset) {
  MakeRoom(1, function_.windows);
  function_.windows.push_back({layout, offset});
  return static_cast<int32_t>(function_.windows.size()) - 1;
}

ValueId PureEmitter::Flip(ValueId x, absl::Span<const int64_t> dims) {
  const ValueId flipped = AppendOne(OpKind::kFlip, {Operand::Value(x)},
                                    RowMajorOf(function_.Get(x).type.layout));
  Op& op = function_.ops.back();
  op.attributes = {static_cast<int32_t>(function_.attributes.size()), 1};
  function_.attributes.push_back(
      {AttributeKey::kDims,
       {static_cast<int32_t>(function_.integers.size()),
        static_cast<int32_t>(dims.size())}});
  function_.integers.insert(function_.integers.end(), dims.begin(), dims.end());
  return flipped;
}

Dims PureEmitter::TurnForward(absl::Span<const int64_t> sizes, int64_t& offset,
                              Dims& strides) const {
  Dims turned;
  if (negative_strides_ == NegativeStrides::kAllow) return turned;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] >= 0 || sizes[i] == 1) continue;
    offset += (sizes[i] - 1) * strides[i];
    strides[i] = -strides[i];
    turned.push_back(static_cast<int64_t>(i));
  }
  return turned;
}

ValueId PureEmitter::Unflip(ValueId value, int64_t& offset, LayoutId& layout) {
  if (negative_strides_ == NegativeStrides::kAllow) return value;
  const Layout laid = function_.layouts.Get(layout);
  Dims strides(laid.strides.begin(), laid.strides.end());
  const Dims turned = TurnForward(laid.sizes, offset, strides);
  if (turned.empty()) return value;
  layout = function_.layouts.Intern(laid.dtype, laid.sizes, strides);
  return Flip(value, turned);
}

ValueId PureEmitter::Extract(ValueId x, const Layout& layout, int64_t offset) {
  Dims strides(layout.strides.begin(), layout.strides.end());
  const Dims row_major = RowMajorStrides(layout.sizes);
  for (int i = 0; i < layout.rank(); ++i) {
    // As in a window's canonical layout, so that equal extracts are found
    // equal.
    if (layout.sizes[i] == 1) strides[i] = row_major[i];
  }
  return Extract(
      x, function_.layouts.Intern(layout.dtype, layout.sizes, strides), offset);
}

ValueId PureEmitter::Extract(ValueId x, LayoutId laid, int64_t offset) {
  if (offset == 0 && RowMajorOf(function_.Get(x).type.layout) == laid) return x;
  if (extracts_.size() == kRememberedExtracts) extracts_.clear();
  auto [slot, is_new] = extracts_.try_emplace({x, laid, offset}, ValueId());
  if (!is_new) return slot->second;

  const LayoutId result = RowMajorOf(laid);
  Operand operand = Operand::Value(x);
  Dims turned;
  if (negative_strides_ == NegativeStrides::kFlip) {
    const Layout layout = function_.layouts.Get(laid);
    const DType dtype = layout.dtype;
    const Dims sizes(layout.sizes.begin(), layout.sizes.end());
    Dims strides(layout.strides.begin(), layout.strides.end());
    turned = TurnForward(sizes, offset, strides);
    if (!turned.empty()) laid = function_.layouts.Intern(dtype, sizes, strides);
  }
  operand.window = AddWindow(laid, offset);
  ValueId value = AppendOne(OpKind::kExtract, {operand}, result);
  if (!turned.empty()) value = Flip(value, turned);
  return slot->second = value;
}

ValueId PureEmitter::Empty(DType dtype, absl::Span<const int64_t> sizes) {
  const LayoutId layout = RowMajor(dtype, sizes);
  auto [slot, is_new] = empties_.try_emplace(layout, ValueId());
  if (is_new) slot->second = AppendOne(OpKind::kEmpty, {}, layout);
  return slot->second;
}

ValueId PureEmitter::Contents(StorageId storage, DType dtype, int64_t count) {
  auto [slot, is_new] = contents_.try_emplace(storage, ValueId());
  if (is_new) {
    slot->second = AppendOne(OpKind::kContents, {Operand::Storage(storage)},
                             RowMajor(dtype, {count}));
  }
  return slot->second;
}

ValueId PureEmitter::Assemble(LayoutId result, absl::optional<ValueId> base,
                              absl::Span<const Piece> pieces) {
  operands_.clear();
  if (base) operands_.push_back(Operand::Value(*base));
  for (const Piece& piece : pieces) {
    int64_t offset = piece.offset;
    LayoutId layout = piece.layout;
    Operand operand = Operand::Value(Unflip(piece.value, offset, layout));
    operand.window = AddWindow(layout, offset);
    operands_.push_back(operand);
  }
  return AppendOne(OpKind::kAssemble, operands_, result);
}

}  // namespace palimpsest
