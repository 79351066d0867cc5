#include "transforms/epilogue.h"

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "analysis/window_table.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "transforms/commit_plan.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {
namespace {

// `commit %v to ..` and `bind %v to ..`: collected first, since all values are
// read before the first of them writes.
struct Statement {
  OpKind kind;
  ValueId value;
  Type target;
  OpId source;
};

class EpilogueEmitter {
 public:
  EpilogueEmitter(const Function& source, absl::Span<StorageState> states,
                  WindowReader& reader, PureEmitter& emitter)
      : source_(source), states_(states), reader_(reader), emitter_(emitter) {}

  void Run() {
    absl::flat_hash_map<StorageId, std::vector<Type>> returned;
    for (const Return& item : source_.returns) {
      const Type& type = source_.Get(item.value).type;
      returned[type.storage].push_back(type);
    }
    for (const Return& item : source_.returns) {
      const Type& type = source_.Get(item.value).type;
      AddReturn(type, returned[type.storage]);
    }
    for (StorageState& state : states_) {
      if (state.contents.valid()) AddCommits(state);
      state.log.Release();
    }
    emitter_.ReserveTargets(commits_.size() + binds_.size());
    for (const auto* statements : {&commits_, &binds_}) {
      for (const Statement& statement : *statements) Append(statement);
    }
  }

 private:
  Function& function() { return emitter_.function(); }

  void AddReturn(const Type& type, const std::vector<Type>& twins) {
    const int32_t storage = type.storage.value;
    if (states_[storage].contents.valid()) {
      function().returns.push_back(
          {ValueId(), {type.layout, states_[storage].contents, type.offset}});
      return;
    }
    const bool is_alone = twins.size() == 1;
    const Layout layout = source_.LayoutOf(type);
    if (is_alone &&
        layout.strides == absl::MakeConstSpan(RowMajorStrides(layout.sizes))) {
      function().returns.push_back({Read(type), {}});
      return;
    }
    StorageId& target = result_storages_[type.storage];
    // A storage of its own holds no more than the result.
    const int64_t origin = is_alone ? type.offset + ExtentOf(layout)->first : 0;
    if (!target.valid()) {
      target = AddStorage(type.storage);
      Type bound = is_alone ? WithoutOverlap(type) : WholeStorage(type, twins);
      const ValueId value = Read(bound);
      if (is_alone) {
        function().storages[target.value].bytes =
            ExtentOf(layout)->count * WidthOf(layout.dtype);
      }
      bound.storage = target;
      bound.offset -= origin;
      binds_.push_back({OpKind::kBind, value, bound, OpId()});
    }
    function().returns.push_back(
        {ValueId(), {type.layout, target, type.offset - origin}});
  }

  ValueId Read(const Type& type) {
    return reader_.Read(states_[type.storage.value],
                        emitter_.windows().Intern(type));
  }

  // The window, or a row that spans it where it overlaps itself.
  Type WithoutOverlap(const Type& type) {
    const Window& window =
        emitter_.windows().Get(emitter_.windows().Intern(type));
    if (window.self_overlap() == Overlap::kNo) return type;
    const Layout layout = source_.LayoutOf(type);
    const Extent extent = *ExtentOf(layout);
    return {emitter_.RowMajor(layout.dtype, {extent.count}), type.storage,
            type.offset + extent.first};
  }

  StorageId AddStorage(StorageId source) {
    const StorageId id{static_cast<int32_t>(function().storages.size())};
    Storage storage = source_.Get(source);
    storage.kind = StorageKind::kResult;
    storage.declared = false;
    function().storages.push_back(storage);
    return id;
  }

  // A type for all of the storage: one of those returned, or else a row.
  Type WholeStorage(const Type& type, const std::vector<Type>& twins) {
    const int64_t bytes = states_[type.storage.value].log.bytes();
    for (const Type& twin : twins) {
      const Layout layout = source_.LayoutOf(twin);
      if (twin.offset == 0 && IsRowMajor(layout) &&
          ElementCount(layout.sizes) * WidthOf(layout.dtype) == bytes) {
        return twin;
      }
    }
    DType dtype = source_.LayoutOf(type).dtype;
    if (bytes % WidthOf(dtype) != 0) dtype = DType::kU8;
    return {emitter_.RowMajor(dtype, {bytes / WidthOf(dtype)}), type.storage,
            0};
  }

  void AddCommits(StorageState& state) {
    CommitPlan plan = PlanCommits(state, reader_, emitter_);
    state.dead_writes = state.log.dead_writes() + plan.dead_writes;
    for (PlannedCommit& commit : plan.commits) {
      const ValueId value =
          emitter_.Unflip(commit.value, commit.offset, commit.layout);
      commits_.push_back({OpKind::kCommit, value,
                          Type{commit.layout, state.contents, commit.offset},
                          commit.source});
    }
  }

  void Append(const Statement& statement) {
    emitter_.SetSource(statement.source,
                       statement.source.valid()
                           ? source_.Get(statement.source).location
                           : SourceLocation());
    const int32_t target = function().AddTarget(statement.target);
    emitter_.Append(statement.kind, {Operand::Value(statement.value)}, {})
        .target = target;
  }

  const Function& source_;
  absl::Span<StorageState> states_;
  WindowReader& reader_;
  PureEmitter& emitter_;
  absl::flat_hash_map<StorageId, StorageId>
      result_storages_;  // By the source's.
  std::vector<Statement> commits_;
  std::vector<Statement> binds_;
};

}  // namespace

void EmitEpilogue(const Function& source, absl::Span<StorageState> states,
                  WindowReader& reader, PureEmitter& emitter) {
  EpilogueEmitter(source, states, reader, emitter).Run();
}

}  // namespace palimpsest
