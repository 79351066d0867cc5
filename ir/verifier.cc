// CheckArrays() comes first, so that the rest may follow ids without a second
// thought. Then one walk over the ops keeps what was made so far.

#include "ir/verifier.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/infer.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"
#include "ir/verifier_arrays.h"

namespace palimpsest {
namespace {

class Verifier {
 public:
  explicit Verifier(const Function& function)
      : f_(function), storage_made_(function.storages.size(), false) {}

  absl::Status Run();

 private:
  absl::Status CheckParameters();  // Rules 7, 10.
  absl::Status CheckOp(OpId id);   // Rules 4 to 9, 11.
  absl::Status CheckUses(OpId id) const;
  absl::Status CheckAttributes(const Op& op) const;
  absl::Status CheckSimple(const Op& op);
  absl::Status CheckCall(const Op& op);
  absl::Status CheckEpilogue(const Op& op);
  absl::Status CheckPureResult(ValueId id) const;
  absl::Status CheckViewResult(const Op& op) const;
  absl::Status CheckIntoResult(const Op& op) const;
  absl::Status CheckWindow(const Type& type) const;  // Rule 7.
  // Rules 8, 11: the type is the first in its storage, of the smallest size.
  absl::Status MakeStorage(const Type& type, StorageKind kind);
  absl::Status CheckStorages() const;  // Rule 10.
  absl::Status CheckReturns() const;   // Rule 12.

  absl::Status Broken(int rule, const Op& op, const absl::Status& why) const {
    return BrokenRule(rule, Describe(op), ": ", why.message());
  }
  std::string Describe(const Op& op) const { return DescribeOp(f_, op); }

  const Function& f_;
  std::vector<bool> storage_made_;
  bool in_epilogue_ = false;
};

absl::Status Verifier::Run() {
  RETURN_IF_ERROR(CheckArrays(f_));
  RETURN_IF_ERROR(CheckParameters());
  for (size_t i = 0; i < f_.ops.size(); ++i) {
    RETURN_IF_ERROR(CheckOp(OpId{static_cast<int32_t>(i)}));
  }
  RETURN_IF_ERROR(CheckStorages());
  return CheckReturns();
}

absl::Status Verifier::CheckWindow(const Type& type) const {
  if (!type.storage.valid()) {
    return BrokenRule(7, "a window names no storage");
  }
  const absl::optional<int64_t> bytes =
      BytesToHold(f_.LayoutOf(type), type.offset);
  const Storage& storage = f_.Get(type.storage);
  if (bytes && *bytes <= storage.bytes) return absl::OkStatus();
  return BrokenRule(7, "a window lies outside ", f_.TextOf(type.storage),
                    ", which has ", storage.bytes, " bytes");
}

absl::Status Verifier::CheckParameters() {
  std::vector<int64_t> smallest(f_.storages.size(), 0);
  for (ValueId id : f_.parameters) {
    const Type& type = f_.Get(id).type;
    RETURN_IF_ERROR(CheckWindow(type));
    if (f_.Get(type.storage).kind != StorageKind::kParameter) {
      return BrokenRule(10, f_.TextOf(type.storage),
                        " holds a parameter, but is no parameter's");
    }
    storage_made_[type.storage.value] = true;
    int64_t& bytes = smallest[type.storage.value];
    bytes = std::max(bytes, *BytesToHold(f_.LayoutOf(type), type.offset));
  }
  for (size_t i = 0; i < f_.storages.size(); ++i) {
    const Storage& storage = f_.storages[i];
    if (storage.kind == StorageKind::kBuffer) {
      if (f_.is_pure() || storage.bytes < 0) {
        return BrokenRule(10, "a pure func has no buffers");
      }
      storage_made_[i] = true;
    } else if (storage.kind == StorageKind::kParameter && !storage.declared &&
               storage.bytes != smallest[i]) {
      return BrokenRule(10, "@", f_.names.Text(storage.name), " has ",
                        storage.bytes, " bytes, undeclared; ", smallest[i],
                        " would do");
    }
  }
  return absl::OkStatus();
}

absl::Status Verifier::CheckOp(OpId id) {
  const Op& op = f_.Get(id);
  RETURN_IF_ERROR(CheckUses(id));
  const absl::Status form = CheckForm(f_, op);
  if (!form.ok()) return Broken(5, op, form);
  RETURN_IF_ERROR(CheckAttributes(op));
  const bool epilogue = InfoFor(op.kind).rule == InferenceRule::kEpilogue;
  if (in_epilogue_ && !epilogue) {
    return BrokenRule(11, Describe(op), ": stands after the epilogue");
  }
  in_epilogue_ |= epilogue;
  const absl::Status status = epilogue                   ? CheckEpilogue(op)
                              : op.kind == OpKind::kCall ? CheckCall(op)
                                                         : CheckSimple(op);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      absl::StrCat(status.message(), " (", Describe(op), ")"));
}

absl::Status Verifier::CheckUses(OpId id) const {
  const Op& op = f_.Get(id);
  for (const Operand& operand : f_.OperandsOf(op)) {
    if (operand.is_value() && !(f_.Get(operand.value()).definition < id)) {
      return BrokenRule(4, Describe(op), ": uses ", f_.TextOf(operand.value()),
                        " before its definition");
    }
    if (operand.kind == OperandKind::kStorage &&
        !storage_made_[operand.storage().value]) {
      return BrokenRule(4, Describe(op), ": uses ",
                        f_.TextOf(operand.storage()), " too early");
    }
  }
  return absl::OkStatus();
}

absl::Status Verifier::CheckAttributes(const Op& op) const {
  const std::vector<AttributeKey>& wanted = InfoFor(op.kind).attributes;
  const absl::Span<const Attribute> attributes = f_.AttributesOf(op);
  bool same = attributes.size() == wanted.size();
  for (size_t i = 0; same && i < wanted.size(); ++i) {
    same = attributes[i].key == wanted[i];
  }
  if (same) return absl::OkStatus();
  return BrokenRule(5, Describe(op),
                    ": must have its row's attributes, in order");
}

absl::Status Verifier::CheckSimple(const Op& op) {
  const int wanted = op.in_place() ? 0 : 1;
  if (op.results.count != wanted) {
    return BrokenRule(6, "must have ", wanted, " results");
  }
  absl::optional<Layout> declared;
  if (!op.in_place()) declared = f_.LayoutOf(f_.Result(op));
  Shape shape;
  const absl::Status fits = InferShape(f_, op, declared, shape);
  if (!fits.ok()) return BrokenRule(6, fits.message());
  if (op.in_place()) return absl::OkStatus();
  if (shape.dtype != declared->dtype || shape.sizes != declared->sizes) {
    return BrokenRule(6, "gives ", TextOf(shape.dtype, shape.sizes), ", not ",
                      TextOf(declared->dtype, declared->sizes));
  }
  if (f_.is_pure()) return CheckPureResult(f_.Result(op));
  if (op.kind == OpKind::kView) return CheckViewResult(op);
  if (op.target >= 0) return CheckIntoResult(op);
  return MakeStorage(f_.Get(f_.Result(op)).type, StorageKind::kLocal);
}

absl::Status Verifier::CheckPureResult(ValueId id) const {
  const Type& type = f_.Get(id).type;
  const Layout layout = f_.LayoutOf(type);
  if (!type.storage.valid() && type.offset == 0 &&
      layout.strides ==
          absl::Span<const int64_t>(RowMajorStrides(layout.sizes))) {
    return absl::OkStatus();
  }
  return BrokenRule(9, f_.TextOf(id), " must be a row-major value");
}

absl::Status Verifier::CheckViewResult(const Op& op) const {
  const Type& type = f_.Get(f_.Result(op)).type;
  if (type.storage != f_.Get(f_.OperandsOf(op)[0].value()).type.storage) {
    return BrokenRule(8, "lies in another storage than its operand");
  }
  return CheckWindow(type);
}

absl::Status Verifier::CheckIntoResult(const Op& op) const {
  const Type& type = f_.Get(f_.Result(op)).type;
  if (type != f_.targets[op.target]) {
    return BrokenRule(8,
                      "its result is not the window it is written "
                      "into");
  }
  RETURN_IF_ERROR(CheckWindow(type));
  if (storage_made_[type.storage.value]) return absl::OkStatus();
  return BrokenRule(4, "writes into ", f_.TextOf(type.storage), " too early");
}

absl::Status Verifier::MakeStorage(const Type& type, StorageKind kind) {
  RETURN_IF_ERROR(CheckWindow(type));
  const Storage& storage = f_.Get(type.storage);
  if (storage.kind != kind || storage_made_[type.storage.value]) {
    return BrokenRule(kind == StorageKind::kLocal ? 8 : 11,
                      f_.TextOf(type.storage),
                      " must be a new storage of its own");
  }
  if (storage.bytes != *BytesToHold(f_.LayoutOf(type), type.offset)) {
    return BrokenRule(kind == StorageKind::kLocal ? 8 : 11,
                      f_.TextOf(type.storage),
                      " must have the smallest size that will do");
  }
  storage_made_[type.storage.value] = true;
  return absl::OkStatus();
}

absl::Status Verifier::CheckCall(const Op& op) {
  const Call& call = f_.calls[op.call];
  int updated = 0;
  absl::flat_hash_set<StorageId> storages;
  for (const Operand& operand : f_.OperandsOf(op)) {
    updated += operand.access == Access::kUpd;
    storages.insert(f_.Get(operand.value()).type.storage);
  }
  if (call.declared_results < 0 ||
      op.results.count - updated != call.declared_results) {
    return BrokenRule(6,
                      "must have a result per declared type and per "
                      "`upd`");
  }
  for (int i = 0; i < op.results.count; ++i) {
    const ValueId result = f_.Result(op, i);
    const Type& type = f_.Get(result).type;
    if (!f_.is_pure()) {
      const bool view = type.storage.valid() && storages.contains(type.storage);
      RETURN_IF_ERROR(view ? CheckWindow(type)
                           : MakeStorage(type, StorageKind::kLocal));
      continue;
    }
    RETURN_IF_ERROR(CheckPureResult(result));
    const int from = UpdatedOperand(f_, op, i);
    if (from < 0) continue;
    const Layout layout = f_.LayoutOf(type);
    const Layout like = f_.LayoutOf(f_.OperandsOf(op)[from].value());
    if (layout.dtype != like.dtype || layout.sizes != like.sizes) {
      return BrokenRule(6, f_.TextOf(result),
                        " must have the type of its `upd` operand");
    }
  }
  return absl::OkStatus();
}

absl::Status Verifier::CheckEpilogue(const Op& op) {
  if (op.results.count != 0) return BrokenRule(6, "gives no result");
  const Type& target = f_.targets[op.target];
  const Layout from = f_.LayoutOf(f_.OperandsOf(op)[0].value());
  const Layout to = f_.LayoutOf(target);
  if (from.dtype != to.dtype || from.sizes != to.sizes) {
    return BrokenRule(6, "the window has another type than the value");
  }
  if (op.kind == OpKind::kBind)
    return MakeStorage(target, StorageKind::kResult);
  RETURN_IF_ERROR(CheckWindow(target));
  if (f_.Get(target.storage).kind == StorageKind::kParameter) {
    return absl::OkStatus();
  }
  return BrokenRule(11, "commits to ", f_.TextOf(target.storage),
                    ", which is no parameter's");
}

absl::Status Verifier::CheckStorages() const {
  for (size_t i = 0; i < storage_made_.size(); ++i) {
    if (storage_made_[i]) continue;
    return BrokenRule(10, "nothing makes @",
                      f_.names.Text(f_.storages[i].name));
  }
  return absl::OkStatus();
}

absl::Status Verifier::CheckReturns() const {
  for (const Return& result : f_.returns) {
    if (result.value.valid()) continue;
    if (!f_.is_pure()) {
      return BrokenRule(12, "a func returns a window, not a value");
    }
    RETURN_IF_ERROR(CheckWindow(result.window));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Verify(const Function& function) {
  return Verifier(function).Run();
}

}  // namespace palimpsest
