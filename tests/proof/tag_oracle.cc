#include "tests/proof/tag_oracle.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/infer.h"
#include "ir/literal_text.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/proof/tags.h"

namespace palimpsest {
namespace {

class Oracle {
 public:
  explicit Oracle(const Function& function)
      : function_(function), values_(function.values.size()) {}

  TagOutcome Run() {
    for (const Storage& storage : function_.storages) {
      storages_.emplace_back(storage.bytes, 0);
    }
    for (ValueId parameter : function_.parameters) {
      const StorageId id = function_.Get(parameter).type.storage;
      if (std::find(callers_.begin(), callers_.end(), id) != callers_.end()) {
        continue;
      }
      callers_.push_back(id);
      for (size_t i = 0; i < storages_[id.value].size(); ++i) {
        storages_[id.value][i] = Mix(1000 + callers_.size(), i);
      }
    }
    entry_ = storages_;
    for (const Op& op : function_.ops) Step(op);
    for (const Return& item : function_.returns) AddResult(item);
    for (StorageId id : callers_) {
      outcome_.storages.push_back(storages_[id.value]);
    }
    return std::move(outcome_);
  }

 private:
  bool IsWindow(ValueId id) const {
    return function_.Get(id).type.storage.valid();
  }

  Tags Read(ValueId id) const {
    if (!IsWindow(id)) return values_[id.value];
    const Type& type = function_.Get(id).type;
    const std::vector<Tags>& from = function_.is_pure() ? entry_ : storages_;
    return ReadTags(from[type.storage.value], function_.LayoutOf(type),
                    type.offset);
  }

  void Write(const Type& type, const Tags& tags) {
    WriteTags(storages_[type.storage.value], function_.LayoutOf(type),
              type.offset, tags);
  }

  void SetResult(ValueId id, Tags tags) {
    if (IsWindow(id)) {
      Write(function_.Get(id).type, tags);
    } else {
      values_[id.value] = std::move(tags);
    }
  }

  void Step(const Op& op) {
    operands_ = function_.OperandsOf(op);
    reads_.clear();
    for (const Operand& operand : operands_) {
      reads_.push_back(operand.is_value() ? Read(operand.value()) : Tags());
    }
    if (op.kind == OpKind::kView) return;
    NoteFailure(op);
    if (op.kind == OpKind::kCall) return StepCall(op);
    if (op.kind == OpKind::kCommit || op.kind == OpKind::kBind) {
      Write(function_.targets[op.target], reads_[0]);
    } else if (op.in_place()) {
      Write(function_.Get(operands_[0].value()).type,
            Evaluate(op, function_.LayoutOf(operands_[0].value())));
    } else {
      const ValueId result = function_.Result(op);
      SetResult(result, Evaluate(op, function_.LayoutOf(result)));
    }
  }

  // An op on poisoned or bad indices, masks or conditions fails.
  void NoteFailure(const Op& op) {
    if (op.kind == OpKind::kCall) return;
    uint64_t hash = HashOfText(LabelOf(op));
    bool can_fail = false;
    for (size_t i = 0; i < operands_.size(); ++i) {
      hash = Mix(hash, 18);
      if (!operands_[i].is_value()) continue;
      const Layout layout = function_.LayoutOf(operands_[i].value());
      hash = Mix(hash, HashOfText(TextOf(layout.dtype, layout.sizes)));
      const OperandRole role = RoleOf(function_, op, static_cast<int>(i));
      if (role != OperandRole::kIndex && role != OperandRole::kIndices &&
          role != OperandRole::kMask) {
        continue;
      }
      can_fail = true;
      for (uint64_t tag : reads_[i]) hash = Mix(hash, tag);
    }
    if (can_fail) outcome_.failures.insert(hash);
  }

  // Of an element: a tag for each byte's value, where it is easily told.
  Tags TagsOfLiteral(int i, DType dtype) const {
    const Literal& literal = function_.literals[operands_[i].ref];
    const int64_t width = WidthOf(dtype);
    const bool is_whole = literal.kind != Literal::Kind::kFloat &&
                          literal.kind != Literal::Kind::kComplex;
    const double real =
        is_whole ? static_cast<double>(literal.integer) : literal.real;
    uint8_t bytes[16] = {};
    std::string text;
    if (InfoFor(dtype).dtype_class == DTypeClass::kInteger ||
        dtype == DType::kBool) {
      const int64_t value =
          is_whole ? literal.integer : static_cast<int64_t>(literal.real);
      std::memcpy(bytes, &value, sizeof value);
    } else if (dtype == DType::kF32 || dtype == DType::kC64) {
      const float parts[2] = {static_cast<float>(real),
                              static_cast<float>(literal.imaginary)};
      std::memcpy(bytes, parts, sizeof parts);
    } else if (dtype == DType::kF64 || dtype == DType::kC128) {
      const double parts[2] = {real, literal.imaginary};
      std::memcpy(bytes, parts, sizeof parts);
    } else if (real != 0) {
      AppendLiteral(text, Literal::Float(real));
    }
    Tags tags;
    for (int64_t b = 0; b < width; ++b) {
      tags.push_back(text.empty() ? Mix(0x11, bytes[b])
                                  : Mix(HashOfText(text), b));
    }
    return tags;
  }

  // The operand's tags, broadcast to these sizes.
  Tags Broadcast(int i, absl::Span<const int64_t> sizes, DType dtype) const {
    if (!operands_[i].is_value()) {
      const Tags element = TagsOfLiteral(i, dtype);
      Tags tags;
      for (int64_t k = 0; k < ElementCount(sizes); ++k) {
        tags.insert(tags.end(), element.begin(), element.end());
      }
      return tags;
    }
    const Layout layout = function_.LayoutOf(operands_[i].value());
    const Dims row_major = RowMajorStrides(layout.sizes);
    Dims strides(sizes.size(), 0);
    for (int k = 0; k < layout.rank(); ++k) {
      if (layout.sizes[k] == 1) continue;
      strides[sizes.size() - layout.rank() + k] = row_major[k];
    }
    return ReadTags(reads_[i], {layout.dtype, sizes, strides}, 0);
  }

  DType LiteralDType(const Op& op, const Layout& result) const {
    for (size_t i = op.kind == OpKind::kWhere && !op.in_place() ? 1 : 0;
         i < operands_.size(); ++i) {
      if (operands_[i].is_value()) {
        return function_.LayoutOf(operands_[i].value()).dtype;
      }
    }
    return result.dtype;
  }

  Tags Evaluate(const Op& op, const Layout& result) {
    if (InfoFor(op.kind).family == KernelFamily::kElementwise) {
      return Elements(op, result);
    }
    switch (op.kind) {
      case OpKind::kEmpty:
        return Tags(BytesOf(result), 0);
      case OpKind::kClone:
        return reads_[0];
      case OpKind::kConstant:
        return Constants(result);
      case OpKind::kCopy:
        return Broadcast(1, result.sizes, result.dtype);
      case OpKind::kFull:
        return Filled(0, result);
      case OpKind::kFill:
        return Filled(1, result);
      case OpKind::kContents: {
        const Tags& entry = entry_[operands_[0].storage().value];
        return Tags(entry.begin(), entry.begin() + BytesOf(result));
      }
      case OpKind::kExtract: {
        const BufferWindow& window = function_.windows[operands_[0].window];
        return ReadTags(reads_[0], function_.layouts.Get(window.layout),
                        window.offset);
      }
      case OpKind::kAssemble:
        return Assembled(Tags(BytesOf(result), 0));
      case OpKind::kCat:
        return Joined(op, result);
      case OpKind::kFlip:
        return Flipped(op, result);
      default:
        return Whole(op, result);
    }
  }

  Tags Constants(const Layout& result) const {
    Tags tags;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Tags element = TagsOfLiteral(static_cast<int>(i), result.dtype);
      tags.insert(tags.end(), element.begin(), element.end());
    }
    return tags;
  }

  Tags Filled(int i, const Layout& result) const {
    Tags tags = Broadcast(i, result.sizes, result.dtype);
    if (result.dtype == DType::kBool && operands_[i].is_value()) {
      for (uint64_t& tag : tags) tag = tag == 0 ? 0 : Mix(tag, 0xb001);
    }
    return tags;
  }

  Tags Assembled(Tags tags) const {
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (operands_[i].window < 0) {
        tags = reads_[i];
        continue;
      }
      const BufferWindow& window = function_.windows[operands_[i].window];
      WriteTags(tags, function_.layouts.Get(window.layout), window.offset,
                reads_[i]);
    }
    return tags;
  }

  Tags Joined(const Op& op, const Layout& result) const {
    const int64_t dim = function_.IntegerOf(op, AttributeKey::kDim);
    const Dims strides = RowMajorStrides(result.sizes);
    Tags tags(BytesOf(result), 0);
    int64_t at = 0;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Layout part = function_.LayoutOf(operands_[i].value());
      WriteTags(tags, {part.dtype, part.sizes, strides}, at * strides[dim],
                reads_[i]);
      at += part.sizes[dim];
    }
    return tags;
  }

  Tags Flipped(const Op& op, const Layout& result) const {
    Dims strides = RowMajorStrides(result.sizes);
    int64_t offset = 0;
    for (int64_t dim : function_.ListOf(op, AttributeKey::kDims)) {
      if (result.sizes.empty()) continue;
      offset += (result.sizes[dim] - 1) * strides[dim];
      strides[dim] *= -1;
    }
    return ReadTags(reads_[0], {result.dtype, result.sizes, strides}, offset);
  }

  std::string LabelOf(const Op& op) const {
    std::string label(InfoFor(op.kind).text);
    for (const Attribute& attribute : function_.AttributesOf(op)) {
      absl::StrAppend(&label, " ", TextOf(attribute.key), "=");
      if (TypeOf(attribute.key) == AttributeType::kLiteral) {
        AppendLiteral(label, function_.LiteralOf(op, attribute.key));
      } else {
        AppendList(label, function_.ListOf(op, attribute.key));
      }
    }
    return label;
  }

  Tags Elements(const Op& op, const Layout& result) {
    const bool is_predicate =
        InfoFor(op.kind).rule == InferenceRule::kPredicate;
    const DType made = is_predicate ? DType::kBool : result.dtype;
    const DType literal_dtype = LiteralDType(op, result);
    std::vector<Tags> operands;
    std::vector<int64_t> widths;
    std::string label = LabelOf(op);
    for (size_t i = 0; i < operands_.size(); ++i) {
      const DType dtype = operands_[i].is_value()
                              ? function_.LayoutOf(operands_[i].value()).dtype
                              : literal_dtype;
      absl::StrAppend(&label, " ", InfoFor(dtype).text);
      operands.push_back(Broadcast(static_cast<int>(i), result.sizes, dtype));
      widths.push_back(WidthOf(dtype));
    }
    absl::StrAppend(&label, " ", InfoFor(made).text);
    Tags tags;
    for (int64_t k = 0; k < ElementCount(result.sizes); ++k) {
      uint64_t tag = HashOfText(label);
      bool poison = false;
      Tags made_of;
      for (size_t i = 0; i < operands.size(); ++i) {
        for (int64_t b = 0; b < widths[i]; ++b) {
          const uint64_t byte = operands[i][k * widths[i] + b];
          poison |= byte == 0 && op.kind != OpKind::kWhere;
          tag = Mix(tag, byte);
          made_of.push_back(byte);
        }
      }
      if (made != result.dtype) {
        tag = Mix(
            HashOfText(absl::StrCat("cast bool ", InfoFor(result.dtype).text)),
            Mix(tag, 0));
      }
      const auto operand_tags = std::make_shared<Tags>(std::move(made_of));
      const std::string kind =
          absl::StrCat(label, " as ", InfoFor(result.dtype).text);
      for (int64_t b = 0; b < WidthOf(result.dtype); ++b) {
        tags.push_back(poison ? 0 : Mix(tag, b));
        if (!poison) NoteMade(tags.back(), kind, b, operand_tags);
      }
    }
    return tags;
  }

  void NoteMade(uint64_t tag, const std::string& label, int64_t byte,
                std::shared_ptr<const Tags> operands) {
    outcome_.made_of.try_emplace(
        tag, MadeOf{Mix(HashOfText(label), byte), std::move(operands)});
  }

  uint64_t HashOfOperands(uint64_t hash, DType literal_dtype) const {
    for (size_t i = 0; i < operands_.size(); ++i) {
      hash = Mix(hash, 17);
      if (operands_[i].is_value()) {
        const Layout layout = function_.LayoutOf(operands_[i].value());
        hash = Mix(hash, HashOfText(TextOf(layout.dtype, layout.sizes)));
        for (uint64_t tag : reads_[i]) hash = Mix(hash, tag);
      } else if (operands_[i].kind == OperandKind::kLiteral) {
        for (uint64_t tag : TagsOfLiteral(static_cast<int>(i), literal_dtype)) {
          hash = Mix(hash, tag);
        }
      }
    }
    return hash;
  }

  Tags Whole(const Op& op, const Layout& result) {
    const DType literal_dtype = LiteralDType(op, result);
    const uint64_t hash =
        HashOfOperands(HashOfText(LabelOf(op)), literal_dtype);
    std::string label = LabelOf(op);
    Tags made_of;
    for (size_t i = 0; i < operands_.size(); ++i) {
      Tags operand;
      if (operands_[i].is_value()) {
        const Layout layout = function_.LayoutOf(operands_[i].value());
        absl::StrAppend(&label, TextOf(layout.dtype, layout.sizes));
        operand = reads_[i];
      } else if (operands_[i].kind == OperandKind::kLiteral) {
        operand = TagsOfLiteral(static_cast<int>(i), literal_dtype);
      }
      absl::StrAppend(&label, " ", operand.size());
      made_of.insert(made_of.end(), operand.begin(), operand.end());
    }
    const auto operand_tags = std::make_shared<Tags>(std::move(made_of));
    Tags tags;
    for (int64_t b = 0; b < BytesOf(result); ++b) {
      tags.push_back(Mix(hash, b));
      NoteMade(tags.back(), label, b, operand_tags);
    }
    return tags;
  }

  void StepCall(const Op& op) {
    const Call& call = function_.calls[op.call];
    std::string label = function_.names.Text(call.name);
    for (const auto& [key, value] : call.attributes) {
      absl::StrAppend(&label, " ", function_.names.Text(key), "=", value);
    }
    for (const Operand& operand : operands_) {
      label += operand.access == Access::kRead ? " read" : " write";
    }
    uint64_t hash = HashOfOperands(HashOfText(label), DType::kU8);
    if (!call.pure) {
      hash = Mix(hash, outcome_.effects.size());
      outcome_.effects.push_back(hash);
    }
    uint64_t output = 0;
    const auto make = [&](ValueId like) {
      const Layout layout = function_.LayoutOf(like);
      const uint64_t tag = Mix(hash, ++output);
      Tags tags;
      for (int64_t b = 0; b < BytesOf(layout); ++b) tags.push_back(Mix(tag, b));
      return tags;
    };
    const int32_t declared = call.declared_results;
    for (int i = 0; i < declared; ++i) {
      const ValueId result = function_.Result(op, i);
      if (!IsViewOfOperand(result)) SetResult(result, make(result));
    }
    int next = declared;
    for (const Operand& operand : operands_) {
      if (operand.access == Access::kRead) continue;
      const ValueId written =
          function_.is_pure() ? function_.Result(op, next++) : operand.value();
      SetResult(written, make(written));
    }
  }

  bool IsViewOfOperand(ValueId result) const {
    if (!IsWindow(result)) return false;
    for (const Operand& operand : operands_) {
      if (function_.Get(operand.value()).type.storage ==
          function_.Get(result).type.storage) {
        return true;
      }
    }
    return false;
  }

  void AddResult(const Return& item) {
    const Type& type =
        item.value.valid() ? function_.Get(item.value).type : item.window;
    const Layout layout = function_.LayoutOf(type);
    std::string shape = TextOf(layout.dtype, layout.sizes);
    if (function_.is_pure() && item.value.valid()) {
      absl::StrAppend(&shape, TextOf(RowMajorStrides(layout.sizes)), " new ",
                      new_storages_++);
      if (ElementCount(layout.sizes) != 0) shape += " at 0";
      outcome_.results.push_back(Read(item.value));
    } else {
      absl::StrAppend(&shape, TextOf(layout.strides));
      AddPlace(type, layout, shape);
    }
    outcome_.shapes.push_back(shape);
  }

  void AddPlace(const Type& type, const Layout& layout, std::string& shape) {
    const bool is_empty = ElementCount(layout.sizes) == 0;
    const int64_t offset = is_empty ? 0 : type.offset * WidthOf(layout.dtype);
    const auto caller =
        std::find(callers_.begin(), callers_.end(), type.storage);
    if (caller != callers_.end()) {
      absl::StrAppend(&shape, " caller ", caller - callers_.begin(), " at ",
                      offset);
      return;
    }
    const auto [number, is_new] =
        new_storage_numbers_.try_emplace(type.storage.value, new_storages_);
    if (is_new) ++new_storages_;
    absl::StrAppend(&shape, " new ", number->second);
    if (!is_empty) {
      const auto first =
          first_offsets_.try_emplace(type.storage.value, offset).first;
      absl::StrAppend(&shape, " at ", offset - first->second);
    }
    outcome_.results.push_back(
        ReadTags(storages_[type.storage.value], layout, type.offset));
  }

  const Function& function_;
  std::vector<Tags> storages_;
  std::vector<Tags> entry_;
  std::vector<Tags> values_;
  std::vector<StorageId> callers_;
  std::map<int32_t, int> new_storage_numbers_;
  std::map<int32_t, int64_t> first_offsets_;  // Of results with elements.
  int new_storages_ = 0;
  absl::Span<const Operand> operands_;  // Of the op at hand,
  std::vector<Tags> reads_;             // and what those that are values hold.
  TagOutcome outcome_;
};

}  // namespace

TagOutcome RunOnTags(const Function& function) {
  return Oracle(function).Run();
}

}  // namespace palimpsest
