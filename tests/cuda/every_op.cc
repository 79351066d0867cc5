#include "tests/cuda/every_op.h"

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "cuda/buffer.h"
#include "cuda/interpreter.h"
#include "cuda/random_inputs.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/status_macros.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

// Of tensors of sizes [7,50].
constexpr absl::string_view kLayouts[] = {"", " strides [1,7]",
                                          " offset 905 strides [-121,-2]",
                                          " offset 3 strides [120,2]"};
constexpr absl::string_view kOfOperands[] = {"",
                                             " strides [1,7]",
                                             " offset 905 strides [-121,-2]",
                                             " offset 3 strides [120,2]",
                                             " strides [0,1]",
                                             " strides [1,0]"};
constexpr absl::string_view kOverlappingItself = " strides [3,1]";

class Programs {
 public:
  Programs(OpKind op, DType dtype)
      : op_(op),
        name_(InfoFor(op).text),
        dtype_(InfoFor(dtype).text),
        one_(dtype == DType::kBool ? "true" : "1") {}

  std::vector<std::string> Take() && {
    switch (InfoFor(op_).family) {
      case KernelFamily::kElementwise:
        op_ == OpKind::kCast ? AddCasts() : AddElementwise();
        break;
      case KernelFamily::kCreate:
        AddCreations();
        break;
      case KernelFamily::kMove:
        AddMoves();
        break;
      case KernelFamily::kReduce:
        AddReductions();
        break;
      case KernelFamily::kMatmul:
        AddProducts();
        break;
      case KernelFamily::kIndex:
        AddIndexed();
        break;
      default:
        break;
    }
    return std::move(texts_);
  }

 private:
  // "%x: f32[7,50] in @x strides [1,7]".
  std::string Parameter(absl::string_view name, absl::string_view layout,
                        absl::string_view sizes = "7,50") const {
    return Parameter(name, layout, sizes, dtype_);
  }
  static std::string Parameter(absl::string_view name, absl::string_view layout,
                               absl::string_view sizes,
                               absl::string_view dtype) {
    return absl::StrCat("%", name, ": ", dtype, "[", sizes, "] in @", name,
                        layout);
  }

  void Add(absl::string_view parameters, absl::string_view body) {
    texts_.push_back(
        absl::StrCat("func @f(", parameters, ") {\n", body, "}\n"));
  }
  void AddValue(absl::string_view parameters, absl::string_view operands) {
    Add(parameters,
        absl::StrCat("  %r = ", name_, " ", operands, "\n  return %r\n"));
  }
  void AddInPlace(absl::string_view parameters, absl::string_view operands) {
    Add(parameters,
        absl::StrCat("  ", name_, "_ %x, ", operands, "\n  return %x\n"));
  }

  // In every layout of %x: both forms, where there are both.
  void AddUpdates(const std::string& parameters, const std::string& operands) {
    const std::string more =
        parameters.empty() ? "" : absl::StrCat(", ", parameters);
    std::vector<absl::string_view> layouts(std::begin(kLayouts),
                                           std::end(kLayouts));
    layouts.push_back(kOverlappingItself);
    for (absl::string_view layout : layouts) {
      AddInPlace(absl::StrCat(Parameter("x", layout), more), operands);
    }
    if (InfoFor(op_).forms == OpForms::kInPlace) return;
    for (absl::string_view layout : kOfOperands) {
      AddValue(absl::StrCat(Parameter("x", layout), more),
               absl::StrCat("%x, ", operands));
    }
  }

  void AddElementwise() {
    constexpr int kCount = std::size(kOfOperands);
    const bool is_where = op_ == OpKind::kWhere;
    const bool is_binary = InfoFor(op_).operands.size() == 2;
    for (int i = 0; i < kCount; ++i) {
      const std::string a = Parameter("a", kOfOperands[i]);
      const std::string b = Parameter("b", kOfOperands[(i + 1) % kCount]);
      const std::string m =
          Parameter("m", kOfOperands[(i + 2) % kCount], "7,50", "bool");
      if (is_where) {
        AddValue(absl::StrCat(m, ", ", a, ", ", b), "%m, %a, %b");
        AddValue(absl::StrCat(m, ", ", a), "%m, %a, " + one_);
      } else if (is_binary) {
        AddValue(absl::StrCat(a, ", ", b), "%a, %b");
        AddValue(a, "%a, " + one_);
      } else {
        AddValue(a, "%a");
      }
    }
    if (is_where) return;
    for (absl::string_view layout :
         {kLayouts[0], kLayouts[1], kLayouts[2], kOverlappingItself}) {
      const std::string x = Parameter("x", layout);
      if (is_binary) {
        AddInPlace(absl::StrCat(x, ", ", Parameter("b", kLayouts[1])), "%b");
        AddInPlace(absl::StrCat(x, ", %y: ", dtype_,
                                "[7,50] in @x offset 1 strides [2,3]"),
                   "%y");
        AddInPlace(x, "%x");
      } else {
        Add(x, absl::StrCat("  ", name_, "_ %x\n  return %x\n"));
      }
    }
  }

  void AddCasts() {
    for (DType to : AllDTypes()) {
      for (absl::string_view layout : {kOfOperands[0], kOfOperands[2]}) {
        AddValue(Parameter("a", layout),
                 absl::StrCat("%a : ", InfoFor(to).text, "[7,50]"));
      }
    }
  }

  void AddCreations() {
    switch (op_) {
      case OpKind::kFill:
        AddUpdates("", one_);
        AddUpdates(Parameter("v", "", ""), "%v");
        return;
      case OpKind::kFull:
        AddValue("", absl::StrCat(one_, " : ", dtype_, "[7,50]"));
        AddValue(Parameter("v", "", ""),
                 absl::StrCat("%v : ", dtype_, "[7,50]"));
        return;
      case OpKind::kIota:
        AddValue("", absl::StrCat("start=3, step=2 : ", dtype_, "[7,50]"));
        return;
      case OpKind::kConstant:
        AddValue("",
                 absl::StrCat("[", one_, ", ", one_, "] : ", dtype_, "[2]"));
        return;
      default:
        AddValue("", absl::StrCat(": ", dtype_, "[7,50]"));
    }
  }

  void AddMoves() {
    const std::string b = Parameter("b", kLayouts[1]);
    if (op_ == OpKind::kCopy) return AddUpdates(b, "%b");
    for (absl::string_view layout : kOfOperands) {
      const std::string a = Parameter("a", layout);
      switch (op_) {
        case OpKind::kClone:
          AddValue(a, "%a");
          break;
        case OpKind::kCat:
          AddValue(absl::StrCat(a, ", ", b), "[%a, %b, %a], dim=0");
          AddValue(absl::StrCat(a, ", ", b), "[%a, %b, %a], dim=1");
          break;
        case OpKind::kFlip:
          AddValue(a, "%a, dims=[0,1]");
          break;
        default:  // Structure, which recorded programs have in plenty.
          return;
      }
    }
  }

  void AddReductions() {
    for (absl::string_view layout : kOfOperands) {
      const std::string a = Parameter("a", layout);
      for (absl::string_view dims : {"0", "1", "0,1"}) {
        if (op_ != OpKind::kCumsum) {
          AddValue(a, absl::StrCat("%a, dims=[", dims, "], keepdim=false"));
        } else if (dims != "0,1") {
          AddValue(a, absl::StrCat("%a, dim=", dims));
        }
      }
    }
  }

  void AddProducts() {
    for (absl::string_view layout : {"", " strides [1,50]"}) {
      AddValue(absl::StrCat(Parameter("a", kLayouts[2]), ", ",
                            Parameter("b", layout, "50,61")),
               "%a, %b");
    }
    AddValue(absl::StrCat(Parameter("a", "", "3,7,5"), ", ",
                          Parameter("b", " strides [1,15,3]", "3,5,16")),
             "%a, %b");
  }

  void AddIndexed() {
    const std::string i = Parameter("i", "", "300", "i64");
    const std::string j = Parameter("j", " strides [1,7]", "7,41", "i32");
    const std::string k = Parameter("k", "", "300", "u8");
    const std::string m = Parameter("m", kLayouts[1], "7,50", "bool");
    const std::string v = Parameter("v", " strides [2]", "300");
    const auto together = [](const std::string& a, const std::string& b) {
      return absl::StrCat(a, ", ", b);
    };
    switch (op_) {
      case OpKind::kIndexSelect:
      case OpKind::kGather:
      case OpKind::kIndex:
        return AddIndexReads(i, j, k);
      case OpKind::kIndexCopy:
      case OpKind::kIndexAdd:
        AddUpdates(together(i, Parameter("s", "", "300,50")), "%i, %s, dim=0");
        AddUpdates(together(i, Parameter("s", " strides [1,7]", "7,300")),
                   "%i, %s, dim=1");
        return;
      case OpKind::kIndexFill:
        return AddUpdates(i, absl::StrCat("%i, ", one_, ", dim=1"));
      case OpKind::kIndexPut:
        for (absl::string_view accumulate : {"false", "true"}) {
          AddUpdates(absl::StrCat(i, ", ", k, ", ", v),
                     absl::StrCat("[%i, %k], %v, accumulate=", accumulate));
          AddUpdates(together(i, Parameter("s", "", "300,50")),
                     absl::StrCat("[%i], %s, accumulate=", accumulate));
          AddUpdates(together(k, Parameter("s", "", "1,300")),
                     absl::StrCat("[none, %k], %s, accumulate=", accumulate));
        }
        return;
      case OpKind::kScatter:
      case OpKind::kScatterAdd:
        for (absl::string_view dim : {"0", "1"}) {
          AddUpdates(together(j, Parameter("s", kLayouts[1])),
                     absl::StrCat("%j, %s, dim=", dim));
        }
        return;
      case OpKind::kMaskedFill:
        return AddUpdates(m, "%m, " + one_);
      case OpKind::kMaskedScatter:
        return AddUpdates(together(m, Parameter("s", kLayouts[1])), "%m, %s");
      default:
        return;
    }
  }

  void AddIndexReads(const std::string& i, const std::string& j,
                     const std::string& k) {
    for (absl::string_view layout : kOfOperands) {
      const std::string x = Parameter("x", layout);
      if (op_ == OpKind::kIndexSelect) {
        AddValue(absl::StrCat(x, ", ", i), "%x, %i, dim=0");
        AddValue(absl::StrCat(x, ", ", i), "%x, %i, dim=1");
      } else if (op_ == OpKind::kGather) {
        AddValue(absl::StrCat(x, ", ", j), "%x, %j, dim=0");
        AddValue(absl::StrCat(x, ", ", j), "%x, %j, dim=1");
      } else {
        AddValue(absl::StrCat(x, ", ", i, ", ", k), "%x, [%i, %k]");
        AddValue(absl::StrCat(x, ", ", k), "%x, [none, %k]");
      }
    }
  }

  OpKind op_;
  absl::string_view name_;
  absl::string_view dtype_;
  const std::string one_;
  std::vector<std::string> texts_;
};

}  // namespace

std::vector<std::string> ProgramsOf(OpKind op, DType dtype) {
  if (!InfoFor(op).Allows(dtype)) return {};
  return Programs(op, dtype).Take();
}

absl::StatusOr<RunInputs> InputsOf(const Function& function, Contents contents,
                                   uint64_t seed) {
  ASSIGN_OR_RETURN(RunInputs inputs, RandomInputs(function, seed));
  if (contents == Contents::kTame) return inputs;
  std::mt19937_64 random(seed);
  for (const Storage& storage : function.storages) {
    const std::string name = function.names.Text(storage.name);
    const auto given = inputs.storages.find(name);
    if (given == inputs.storages.end()) continue;
    if (name == "i" || name == "j" || name == "k") continue;
    Buffer& buffer = given->second;
    ASSIGN_OR_RETURN(buffer, Buffer::Allocate(buffer.size()));
    for (int64_t b = 0; b < buffer.size(); ++b) {
      buffer.mutable_data()[b] = static_cast<uint8_t>(random());
    }
  }
  return inputs;
}

}  // namespace palimpsest
