// A statement is drawn at large and offered to the builder, which takes it or
// not; shapes are few and small, so that it often does.

#include "tests/ir/random_function.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/builder.h"
#include "ir/check.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

class Generator {
 public:
  Generator(FunctionKind kind, uint64_t seed)
      : random_(seed),
        pure_(kind == FunctionKind::kPure),
        b_(absl::StrCat("f", seed % 100), kind) {}

  Function Generate();

 private:
  int64_t Draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }
  bool OneIn(int64_t n) { return Draw(1, n) == 1; }
  template <typename T>
  T Pick(const std::vector<T>& from) {
    return from[Draw(0, static_cast<int64_t>(from.size()) - 1)];
  }

  DType RandomDType();
  Dims RandomSizes();
  TypeDraft RandomType();
  Name RandomStorage();
  Literal RandomLiteral(DType dtype);
  ValueId RandomValue();
  ValueId RandomValueOf(DType dtype);
  ValueId RandomIndex();

  void AddParameters();
  void AddStatement(OpKind kind);
  void AddOperands(const OpInfo& info, OpDraft& draft);
  void AddOperand(OperandRole role, DType dtype, OpDraft& draft);
  void AddAttributes(const OpInfo& info, OpDraft& draft);
  void AddTypes(const OpInfo& info, OpDraft& draft);
  void AddCall(OpDraft& draft);
  void AddEpilogue();
  void AddReturns();

  std::mt19937_64 random_;
  const bool pure_;
  FunctionBuilder b_;
};

DType Generator::RandomDType() {
  const absl::Span<const DType> all = AllDTypes();
  // Few, so that operands agree.
  const std::vector<DType> common = {DType::kF32, DType::kI64, DType::kBool};
  return OneIn(4) ? all[Draw(0, static_cast<int64_t>(all.size()) - 1)]
                  : Pick(common);
}

Dims Generator::RandomSizes() {
  const std::vector<Dims> common = {{},     {2},    {2, 2},   {2, 2},
                                    {2, 3}, {1, 2}, {2, 2, 2}};
  if (!OneIn(4)) return Pick(common);
  Dims sizes;
  for (int64_t rank = Draw(0, 4); rank > 0; --rank) sizes.push_back(Draw(0, 3));
  return sizes;
}

TypeDraft Generator::RandomType() {
  TypeDraft type{RandomDType(), RandomSizes()};
  if (pure_ || !OneIn(3)) return type;
  type.offset = Draw(0, 8);
  if (!OneIn(2)) return type;
  type.strides = Dims();
  for (size_t i = 0; i < type.sizes.size(); ++i) {
    type.strides->push_back(Draw(-1, 6));
  }
  return type;
}

Name Generator::RandomStorage() {
  const auto& storages = b_.function().storages;
  if (OneIn(3)) return b_.Intern(absl::StrCat("new", Draw(0, 99)));
  return storages[Draw(0, static_cast<int64_t>(storages.size()) - 1)].name;
}

Literal Generator::RandomLiteral(DType dtype) {
  switch (InfoFor(dtype).dtype_class) {
    case DTypeClass::kBool:
      return Literal::Boolean(OneIn(2));
    case DTypeClass::kInteger:
      return OneIn(3) ? Literal::Float(static_cast<double>(Draw(0, 9)))
                      : Literal::Integer(Draw(-1, 127));
    case DTypeClass::kComplex:
      if (OneIn(2)) return Literal::Complex(Draw(-9, 9) / 7.0, -INFINITY);
      break;
    default:
      break;
  }
  if (OneIn(4)) return Literal::Integer(static_cast<int64_t>(random_()));
  if (OneIn(8)) return Literal::Float(OneIn(2) ? INFINITY : NAN);
  return Literal::Float(std::ldexp(Draw(-1000, 1000), Draw(-300, 300)));
}

ValueId Generator::RandomValue() {
  const int64_t count = static_cast<int64_t>(b_.function().values.size());
  return ValueId{static_cast<int32_t>(Draw(0, count - 1))};
}

ValueId Generator::RandomValueOf(DType dtype) {
  ValueId value = RandomValue();
  for (int i = 0; i < 20 && b_.function().LayoutOf(value).dtype != dtype; ++i) {
    value = RandomValue();
  }
  return value;
}

ValueId Generator::RandomIndex() {
  return RandomValueOf(OneIn(5) ? DType::kU8 : DType::kI64);
}

void Generator::AddParameters() {
  const int64_t count = Draw(5, 9);
  for (int64_t i = 0; i < count; ++i) {
    TypeDraft type = RandomType();
    if (OneIn(3)) type.storage = b_.Intern(absl::StrCat("s", Draw(0, 2)));
    (void)b_.AddParameter(b_.Intern(absl::StrCat(OneIn(2) ? "" : "p", i)),
                          type);
  }
  // Something that most ops take.
  for (DType dtype : {DType::kF32, DType::kI64, DType::kBool}) {
    for (const Dims& sizes : {Dims{2}, Dims{2, 2}}) {
      const std::string name = absl::StrCat("q", b_.function().values.size());
      PALIMPSEST_CHECK(b_.AddParameter(name, {dtype, sizes}).ok());
    }
  }
  const Storage& first = b_.function().storages[0];
  if (OneIn(3)) (void)b_.DeclareStorage(first.name, first.bytes + Draw(0, 64));
  if (!pure_) (void)b_.AddBuffer(b_.Intern("buffer"), 256);
}

void Generator::AddOperand(OperandRole role, DType dtype, OpDraft& draft) {
  switch (role) {
    case OperandRole::kTensor:
      return draft.AddValue(RandomValueOf(dtype));
    case OperandRole::kOperand:
      if (OneIn(3)) return draft.AddLiteral(RandomLiteral(dtype));
      return draft.AddValue(RandomValueOf(dtype));
    case OperandRole::kScalar:
      if (OneIn(3)) return draft.AddValue(RandomValueOf(dtype));
      return draft.AddLiteral(RandomLiteral(dtype));
    case OperandRole::kIndex:
      return draft.AddValue(RandomIndex());
    case OperandRole::kMask:
      return draft.AddValue(RandomValueOf(DType::kBool));
    case OperandRole::kIndices:
      for (int64_t n = Draw(1, 3); n > 0; --n) {
        OneIn(3) ? draft.AddNone() : draft.AddValue(RandomIndex());
      }
      return;
    case OperandRole::kTensors:
      for (int64_t n = Draw(1, 3); n > 0; --n) {
        draft.AddValue(RandomValueOf(dtype));
      }
      return;
    case OperandRole::kLiterals:
      for (int64_t n = ElementCount(draft.types[0].sizes); n > 0; --n) {
        draft.AddLiteral(RandomLiteral(dtype));
      }
      return;
    case OperandRole::kWindow:
      return draft.AddWindow(RandomValue(), {Draw(0, 3), {}});
    case OperandRole::kPieces:
      if (!OneIn(3)) draft.AddValue(RandomValueOf(dtype));
      for (int64_t n = Draw(0, 3); n > 0; --n) {
        draft.AddWindow(RandomValue(), {Draw(0, 2), {}});
      }
      return;
    case OperandRole::kStorage:
      return draft.AddStorage(StorageId{0});
  }
}

void Generator::AddOperands(const OpInfo& info, OpDraft& draft) {
  DType dtype = RandomDType();
  if (!draft.types.empty() && info.rule != InferenceRule::kCast) {
    dtype = draft.types[0].dtype;
  }
  for (const OpInfo::Operand& operand : info.operands) {
    AddOperand(operand.role, dtype, draft);
  }
}

void Generator::AddAttributes(const OpInfo& info, OpDraft& draft) {
  for (AttributeKey key : info.attributes) {
    AttributeDraft attribute;
    attribute.key = key;
    switch (TypeOf(key)) {
      case AttributeType::kInteger:
        attribute.integers = {Draw(-2, 1)};
        break;
      case AttributeType::kBoolean:
        attribute.integers = {Draw(0, 1)};
        break;
      case AttributeType::kList:
        for (int64_t dim = -2; dim < 0; ++dim) {
          if (OneIn(2)) attribute.integers.push_back(dim);
        }
        break;
      case AttributeType::kLiteral:
        attribute.literal = RandomLiteral(draft.types[0].dtype);
        break;
    }
    const bool may_be_left_out = TypeOf(key) == AttributeType::kBoolean ||
                                 TypeOf(key) == AttributeType::kLiteral;
    if (!may_be_left_out || OneIn(2)) draft.attributes.push_back(attribute);
  }
}

void Generator::AddTypes(const OpInfo& info, OpDraft& draft) {
  const bool needed = info.rule == InferenceRule::kDeclared ||
                      info.rule == InferenceRule::kCast ||
                      info.rule == InferenceRule::kView ||
                      info.rule == InferenceRule::kExtract ||
                      info.rule == InferenceRule::kAssemble;
  if (!needed) return;
  draft.types.push_back(RandomType());
  if (!pure_ && OneIn(3) && info.rule != InferenceRule::kView) {
    draft.types[0].storage = RandomStorage();
  }
}

void Generator::AddCall(OpDraft& draft) {
  draft.call.emplace();
  draft.call->name = b_.Intern(absl::StrCat("outside.\"op\"\n", Draw(0, 3)));
  draft.call->pure = OneIn(3);
  if (OneIn(2)) draft.call->attributes = {{b_.Intern("k"), "\\ \x01 \xC3\xBC"}};
  for (int64_t n = Draw(0, 3); n > 0; --n) {
    const Access write = pure_ ? Access::kUpd : Access::kMut;
    draft.AddValue(RandomValue(), OneIn(3) ? write : Access::kRead);
  }
  for (int64_t n = Draw(0, 2); n > 0; --n) {
    draft.types.push_back(RandomType());
    if (!pure_ && OneIn(2)) draft.types.back().storage = RandomStorage();
  }
}

void Generator::AddStatement(OpKind kind) {
  const OpInfo& info = InfoFor(kind);
  if (info.rule == InferenceRule::kEpilogue) return;
  for (int attempt = 0; attempt < 30; ++attempt) {
    OpDraft draft;
    draft.kind = kind;
    if (kind == OpKind::kCall) {
      AddCall(draft);
    } else {
      const bool in_place = info.forms == OpForms::kInPlace ||
                            (info.HasInPlaceForm() && !pure_ && OneIn(2));
      if (in_place) draft.form = OpForm::kInPlace;
      AddTypes(info, draft);
      AddOperands(info, draft);
      AddAttributes(info, draft);
      if (!in_place && !pure_ && OneIn(8)) {
        TypeDraft target = RandomType();
        target.storage = RandomStorage();
        draft.target = target;
      }
    }
    if (OneIn(8)) draft.tag = Draw(-9, 9);
    if (b_.Append(draft).ok()) return;
  }
}

void Generator::AddEpilogue() {
  for (int64_t n = Draw(0, 4); n > 0; --n) {
    const ValueId value = RandomValue();
    const StridedWindow window = b_.WindowOf(value);
    TypeDraft to{window.dtype, window.sizes, RandomStorage(), Draw(0, 3), {}};
    if (OneIn(3)) to.strides = window.strides;
    (void)(OneIn(2) ? b_.Commit(value, to) : b_.Bind(value, to));
  }
}

void Generator::AddReturns() {
  for (int64_t n = Draw(0, 4); n > 0; --n) {
    if (!pure_ || OneIn(2)) {
      (void)b_.Return(RandomValue());
    } else {
      TypeDraft window = RandomType();
      window.storage = RandomStorage();
      (void)b_.ReturnWindow(window);
    }
  }
}

Function Generator::Generate() {
  AddParameters();
  const absl::Span<const OpInfo> ops = AllOps();
  for (int64_t n = Draw(0, 40); n > 0; --n) {
    AddStatement(ops[Draw(0, static_cast<int64_t>(ops.size()) - 1)].kind);
  }
  if (pure_) AddEpilogue();
  AddReturns();
  return std::move(b_).FinishUnverified();
}

}  // namespace

Function RandomFunction(FunctionKind kind, uint64_t seed) {
  return Generator(kind, seed).Generate();
}

}  // namespace palimpsest
