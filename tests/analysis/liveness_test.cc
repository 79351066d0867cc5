// Lifetimes, op by op.

#include "analysis/liveness.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/program.h"
#include "tests/ir/parsed.h"

namespace palimpsest {
namespace {

StorageId StorageNamed(const Function& function, const std::string& name) {
  for (size_t i = 0; i < function.storages.size(); ++i) {
    const StorageId id{static_cast<int32_t>(i)};
    if (function.TextOf(id) == name) return id;
  }
  ADD_FAILURE() << "no storage " << name;
  return StorageId{0};
}

ValueId ValueNamed(const Function& function, const std::string& name) {
  for (size_t i = 0; i < function.values.size(); ++i) {
    const ValueId id{static_cast<int32_t>(i)};
    if (function.TextOf(id) == name) return id;
  }
  ADD_FAILURE() << "no value " << name;
  return ValueId{0};
}

void ExpectLifetime(const Lifetime& lifetime, int32_t birth, int32_t death) {
  EXPECT_EQ(lifetime.birth, birth);
  EXPECT_EQ(lifetime.death, death);
}

TEST(LivenessTest, OfStorages) {
  const Function function = ParsedFunction(
      "func @f(%x: f32[4]) {\n"
      "  buffer @b : 16 bytes\n"
      "  buffer @unused : 16 bytes\n"
      "  %local = neg %x\n"                           // 0
      "  %y = neg %x : f32[4] into f32[4] in @b\n"    // 1
      "  %v = slice %local, dim=0, start=0, end=2\n"  // 2
      "  add_ %v, 1.0\n"                              // 3
      "  fill_ %v, 1.0\n"                             // 4
      "  %late = view %local : f32[1]\n"              // 5
      "  %out = neg %x\n"                             // 6
      "  %w = slice %out, dim=0, start=0, end=2\n"    // 7
      "  return %w\n}\n");
  const Liveness liveness = Liveness::Run(function);
  const auto of = [&](const std::string& name) {
    return liveness.Of(StorageNamed(function, name));
  };
  const auto last_read_of = [&](const std::string& name) {
    return liveness.LastReadOf(StorageNamed(function, name));
  };
  ExpectLifetime(of("@x"), Lifetime::kAtEntry, 8);
  ExpectLifetime(of("@b"), 1, 1);
  ExpectLifetime(of("@unused"), Lifetime::kAtEntry, Lifetime::kAtEntry);
  ExpectLifetime(of("@out"), 6, 8);
  // A view is no use, a write is.
  ExpectLifetime(of("@local"), 0, 4);
  EXPECT_EQ(last_read_of("@local"), 3);
  EXPECT_EQ(last_read_of("@b"), -1);
  EXPECT_EQ(last_read_of("@out"), 8);
  EXPECT_EQ(last_read_of("@x"), 8);
}

TEST(LivenessTest, OfValues) {
  const Function function = ParsedFunction(
      "pure func @f(%x: f32[4]) {\n"
      "  %a = neg %x : f32[4]\n"                  // 0
      "  %b = extract %a at offset 1 : f32[3]\n"  // 1
      "  %c = extract %b at offset 1 : f32[2]\n"  // 2
      "  %unused = neg %b : f32[3]\n"             // 3
      "  %d = neg %c : f32[2]\n"                  // 4
      "  %e = extract %x at : f32[2]\n"           // 5
      "  commit %d to f32[2] in @x\n"             // 6
      "  bind %e to f32[2] in @t\n"               // 7
      "  return %a, f32[2] in @t\n}\n");
  const Liveness liveness = Liveness::Run(function);
  const auto of = [&](const std::string& name) {
    return liveness.Of(ValueNamed(function, name));
  };
  ExpectLifetime(of("%x"), Lifetime::kAtEntry, 8);
  ExpectLifetime(of("%a"), 0, 8);
  // By way of its view.
  ExpectLifetime(of("%b"), 1, 4);
  ExpectLifetime(of("%c"), 2, 4);
  ExpectLifetime(of("%unused"), 3, 3);
  ExpectLifetime(of("%d"), 4, 6);
  ExpectLifetime(of("%e"), 5, 7);
  ExpectLifetime(liveness.Of(StorageNamed(function, "@x")), Lifetime::kAtEntry,
                 8);
  ExpectLifetime(liveness.Of(StorageNamed(function, "@t")), 7, 8);
}

}  // namespace
}  // namespace palimpsest
