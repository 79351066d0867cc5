// How the host runs a kernel's units, also as a device might: each once, in an
// order that the seed says, unless they must follow each other.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda/host_launcher.h"
#include "cuda/kernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace palimpsest::kernels {
namespace {

using testing::ElementsAre;

// Notes which unit ran when.
struct NotingKernel {
  std::vector<int64_t>* units;
  void operator()(int64_t unit) const { units->push_back(unit); }
};

std::vector<int64_t> UnitsRun(const HostLauncher& launcher, int64_t units,
                              Order order = Order::kAny) {
  std::vector<int64_t> run;
  EXPECT_EQ(launcher.Launch(NotingKernel{&run}, units, order), nullptr);
  return run;
}

std::vector<int64_t> EmulatedUnits(uint64_t seed, int64_t units,
                                   Order order = Order::kAny) {
  EmulatedThreads threads(seed);
  return UnitsRun(HostLauncher(&threads), units, order);
}

struct CountingKernel {
  uint8_t* counts;
  void operator()(int64_t unit) const { ++counts[unit]; }
};

TEST(LauncherTest, EveryUnitRunsOnce) {
  EmulatedThreads threads(0);
  // Less than a block, some, and more than a grid of one unit a thread.
  for (int64_t units : {0, 1, 255, 256, 257, 70000, 65536 * 256 + 5}) {
    std::vector<uint8_t> counts(units);
    HostLauncher(&threads).Launch(CountingKernel{counts.data()}, units);
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), units);
  }
}

TEST(LauncherTest, TheSeedSaysTheOrderOfBlocksAndThreads) {
  const std::vector<int64_t> units = EmulatedUnits(1, 600);
  EXPECT_EQ(units, EmulatedUnits(1, 600));
  EXPECT_NE(units, EmulatedUnits(2, 600));
  EXPECT_FALSE(std::is_sorted(units.begin(), units.end()));
  // Blocks run one after another.
  const auto block_of = [&](size_t i) { return units[i] / 256; };
  int changes = 0;
  for (size_t i = 1; i < units.size(); ++i) {
    changes += block_of(i) != block_of(i - 1) ? 1 : 0;
  }
  EXPECT_EQ(changes, 2);
}

TEST(LauncherTest, UnitsThatMustFollowEachOtherDo) {
  EXPECT_THAT(EmulatedUnits(1, 4, Order::kRowMajor), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(UnitsRun(HostLauncher(nullptr), 4), ElementsAre(0, 1, 2, 3));
}

TEST(LauncherTest, EqualKeysStayInOrder) {
  const std::vector<int64_t> keys = {3, -1, 3, 0, -1};
  const std::vector<int64_t> values = {0, 1, 2, 3, 4};
  std::vector<int64_t> sorted_keys(5), sorted_values(5);
  const HostLauncher launcher(nullptr);
  launcher.StableSort({5, keys.data(), sorted_keys.data(), values.data(),
                       sorted_values.data(), nullptr});
  EXPECT_THAT(sorted_keys, ElementsAre(-1, -1, 0, 3, 3));
  EXPECT_THAT(sorted_values, ElementsAre(1, 4, 3, 0, 2));
}

TEST(LauncherTest, SumsAreOfWhatIsBefore) {
  std::vector<int64_t> values = {1, 0, 1, 1, INT64_MAX};
  HostLauncher(nullptr).SumBefore(values.data(), 5, nullptr);
  EXPECT_THAT(values, ElementsAre(0, 1, 1, 2, 3));
}

}  // namespace
}  // namespace palimpsest::kernels
