// Each rule of the verifier is seen to fail, on a function that was well formed
// until its arrays were edited.

#include "ir/verifier.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/ir/parsed.h"

namespace palimpsest {
namespace {

constexpr absl::string_view kInPlace =
    "func @f(%x: f32[4,2] in @s, %y: f32[2] in @s offset 1, %i: i64[2]) {\n"
    "  buffer @b : 64 bytes\n"                                // @2
    "  %v = view %x : f32[2] in @s offset 2\n"                // op 0
    "  %n = neg %v : f32[2]\n"                                // op 1
    "  %d = neg %x : f32[4,2] into f32[4,2] in @b\n"          // op 2
    "  index_fill_ %x, %i, 1.0, dim=1\n"                      // op 3
    "  %c, %w = call \"g\"(mut %x) : f32[2], f32[2] in @s\n"  // op 4
    "  %r = sum %x, dims=[0,1], keepdim=false : f32[]\n"      // op 5
    "  return %n, %c\n}\n";

constexpr absl::string_view kPure =
    "pure func @f(%x: f32[4,2] in @s, %i: i64[2]) {\n"
    "  %e = extract %x at offset 2 : f32[2]\n"         // op 0
    "  %n = neg %e : f32[2]\n"                         // op 1
    "  %a = assemble %x, %n at offset 2 : f32[4,2]\n"  // op 2
    "  %u = call \"g\"(upd %x)\n"                      // op 3
    "  commit %n to f32[2] in @s offset 2\n"           // op 4
    "  bind %n to f32[2] in @t strides [3]\n"          // op 5
    "  return f32[2] in @t, %a, %u\n}\n";

struct Edit {
  int rule;
  absl::string_view what;
  std::function<void(Function&)> edit;
};

Storage MakeStorage(Function& f, absl::string_view name, StorageKind kind,
                    int64_t bytes) {
  Storage storage;
  storage.name = f.names.Intern(name);
  storage.kind = kind;
  storage.bytes = bytes;
  return storage;
}

const std::vector<Edit>& InPlaceEdits() {
  static const auto& edits = *new std::vector<Edit>{
      {1, "operand range", [](Function& f) { f.ops[1].operands.count = 99; }},
      {1, "negative range", [](Function& f) { f.ops[1].operands.begin = -1; }},
      {1, "operand id", [](Function& f) { f.operands[0].ref = 99; }},
      {1, "layout id", [](Function& f) { f.values[0].type.layout.value = 99; }},
      {1, "storage id",
       [](Function& f) { f.values[0].type.storage.value = 9; }},
      {1, "target", [](Function& f) { f.ops[2].target = 9; }},
      {1, "call", [](Function& f) { f.ops[4].call = -1; }},
      {1, "call of another op", [](Function& f) { f.ops[1].call = 0; }},
      {1, "parameter", [](Function& f) { f.parameters[0].value = 99; }},
      {1, "attribute",
       [](Function& f) { f.attributes[0].integers.begin = 99; }},
      {1, "return", [](Function& f) { f.returns[0].value.value = 99; }},
      {1, "name", [](Function& f) { f.values[3].name = Name{}; }},
      {2, "value's name",
       [](Function& f) { f.values[3].name = f.values[0].name; }},
      {2, "storage's name",
       [](Function& f) { f.storages[1].name = f.storages[0].name; }},
      {2, "a name of two words",
       [](Function& f) { f.values[3].name = f.names.Intern("a b"); }},
      {2, "an empty name",
       [](Function& f) { f.storages[1].name = f.names.Intern(""); }},
      {2, "function's name", [](Function& f) { f.name = "f()"; }},
      {2, "attribute's key",
       [](Function& f) {
         f.calls[0].attributes = {{f.names.Intern("1k"), "v"}};
       }},
      {2, "storage's name, none",
       [](Function& f) { f.storages[1].name = Name{}; }},
      {3, "parameter's order",
       [](Function& f) { std::swap(f.parameters[0], f.parameters[1]); }},
      {3, "definition", [](Function& f) { f.values[3].definition.value = 1; }},
      {3, "result", [](Function& f) { f.ops[1].results.begin = 3; }},
      {3, "a value too many",
       [](Function& f) {
         f.values.push_back(f.values[3]);
         f.values.back().name = f.names.Intern("z");
       }},
      {3, "no block", [](Function& f) { f.blocks.clear(); }},
      {3, "a short block", [](Function& f) { --f.blocks[0].ops.count; }},
      {4, "use before definition", [](Function& f) { f.operands[1].ref = 5; }},
      {4, "use of itself", [](Function& f) { f.operands[1].ref = 4; }},
      {5, "form", [](Function& f) { f.ops[1].form = OpForm::kInPlace; }},
      {5, "kind", [](Function& f) { f.ops[1].kind = OpKind::kAdd; }},
      {5, "commit", [](Function& f) { f.ops[1].kind = OpKind::kCommit; }},
      {5, "no destination",
       [](Function& f) {
         f.operands[f.ops[3].operands.begin].access = Access::kRead;
       }},
      {5, "attributes", [](Function& f) { f.ops[3].attributes.count = 0; }},
      {5, "attribute of another op",
       [](Function& f) {
         f.attributes[f.ops[3].attributes.begin].key = AttributeKey::kKeepDim;
       }},
      {10, "buffer of pure", [](Function& f) { f.kind = FunctionKind::kPure; }},
      {6, "sizes",
       [](Function& f) {
         f.values[4].type.layout =
             f.layouts.InternRowMajor(DType::kF32, {1, 2});
       }},
      {6, "dtype",
       [](Function& f) {
         f.values[4].type.layout = f.layouts.InternRowMajor(DType::kI32, {2});
       }},
      {6, "dimension", [](Function& f) { f.integers[0] = 2; }},
      {6, "dimensions not sorted",
       [](Function& f) {
         const Range dims = f.attributes[f.ops[5].attributes.begin].integers;
         f.integers[dims.begin] = 1;
       }},
      {6, "literal",
       [](Function& f) { f.literals[0] = Literal::Boolean(true); }},
      {6, "call's results",
       [](Function& f) { f.calls[0].declared_results = 1; }},
      {7, "view", [](Function& f) { f.values[3].type.offset = 7; }},
      {7, "view, before", [](Function& f) { f.values[3].type.offset = -1; }},
      {7, "parameter", [](Function& f) { f.values[1].type.offset = 7; }},
      {7, "call's view", [](Function& f) { f.values[7].type.offset = 7; }},
      {8, "view's storage",
       [](Function& f) { f.values[3].type.storage = StorageId{2}; }},
      {8, "into", [](Function& f) { f.values[5].type.offset = 1; }},
      {8, "a result in another's storage",
       [](Function& f) { f.values[4].type.storage = StorageId{2}; }},
      {8, "size", [](Function& f) { ++f.storages[3].bytes; }},
      {8, "kind",
       [](Function& f) { f.storages[3].kind = StorageKind::kResult; }},
      {10, "parameter's storage",
       [](Function& f) { f.storages[0].kind = StorageKind::kBuffer; }},
      {10, "size, undeclared", [](Function& f) { ++f.storages[0].bytes; }},
      {10, "made by nothing",
       [](Function& f) {
         f.storages.push_back(MakeStorage(f, "z", StorageKind::kLocal, 0));
       }},
      {10, "parameter's, without one",
       [](Function& f) {
         f.storages.push_back(MakeStorage(f, "z", StorageKind::kParameter, 0));
       }},
      {12, "window",
       [](Function& f) {
         f.returns[0] = {ValueId{}, f.values[0].type};
       }},
  };
  return edits;
}

const std::vector<Edit>& PureEdits() {
  static const auto& edits = *new std::vector<Edit>{
      {1, "window", [](Function& f) { f.operands[0].window = 99; }},
      {1, "returned window",
       [](Function& f) { f.returns[0].window.storage.value = 99; }},
      {5, "no window", [](Function& f) { f.operands[0].window = -1; }},
      {5, "access",
       [](Function& f) {
         f.operands[f.ops[3].operands.begin].access = Access::kMut;
       }},
      {5, "no target", [](Function& f) { f.ops[4].target = -1; }},
      {5, "into", [](Function& f) { f.ops[1].target = 0; }},
      {5, "view",
       [](Function& f) {
         f.ops[0].kind = OpKind::kView;
         f.operands[0].window = -1;
       }},
      {6, "window outside", [](Function& f) { f.windows[0].offset = 7; }},
      {6, "window's layout",
       [](Function& f) {
         f.windows[1].layout = f.layouts.InternRowMajor(DType::kF32, {1});
       }},
      {6, "updated operand",
       [](Function& f) {
         f.values[5].type.layout = f.layouts.InternRowMajor(DType::kF32, {2});
       }},
      {6, "committed sizes",
       [](Function& f) {
         f.targets[0].layout = f.layouts.InternRowMajor(DType::kF32, {1});
       }},
      {7, "committed window", [](Function& f) { f.targets[0].offset = 7; }},
      {7, "returned window",
       [](Function& f) { f.returns[0].window.offset = 9; }},
      {7, "returned without storage",
       [](Function& f) { f.returns[0].window.storage = StorageId{}; }},
      {9, "storage",
       [](Function& f) { f.values[3].type.storage = StorageId{0}; }},
      {9, "offset", [](Function& f) { f.values[3].type.offset = 1; }},
      {9, "strides",
       [](Function& f) {
         f.values[3].type.layout = f.layouts.Intern(DType::kF32, {2}, {2});
       }},
      {10, "buffer",
       [](Function& f) {
         f.storages.push_back(MakeStorage(f, "z", StorageKind::kBuffer, 8));
       }},
      {11, "commit first",
       [](Function& f) {
         std::swap(f.ops[3], f.ops[4]);
         f.values[5].definition.value = 4;
       }},
      {11, "commit to a bound storage",
       [](Function& f) {
         std::swap(f.ops[4], f.ops[5]);
         f.targets[0].storage = StorageId{2};
         f.targets[0].offset = 0;
       }},
      {11, "bind to a known storage",
       [](Function& f) {
         f.targets[1].storage = StorageId{0};
         f.storages.pop_back();
         f.returns[0].window.storage = StorageId{0};
       }},
      {11, "bind's size", [](Function& f) { ++f.storages[2].bytes; }},
  };
  return edits;
}

void ExpectCaught(absl::string_view text, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    Function function = ParsedFunction(text);
    edit.edit(function);
    const absl::Status status = Verify(function);
    EXPECT_TRUE(absl::StrContains(status.message(),
                                  absl::StrCat("rule ", edit.rule, ":")))
        << "rule " << edit.rule << ", " << edit.what << ": "
        << status.message();
  }
}

TEST(VerifierTest, RulesOfFunctionsInPlaceAreSeenToFail) {
  ExpectCaught(kInPlace, InPlaceEdits());
}

TEST(VerifierTest, RulesOfPureFunctionsAreSeenToFail) {
  ExpectCaught(kPure, PureEdits());
}

TEST(VerifierTest, ErrorsNameTheOp) {
  Function function = ParsedFunction(kInPlace);
  function.integers[0] = 2;
  EXPECT_TRUE(
      absl::StrContains(Verify(function).message(), "op 3, `index_fill_`"));
}

}  // namespace
}  // namespace palimpsest
