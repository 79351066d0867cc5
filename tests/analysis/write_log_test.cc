#include "analysis/write_log.h"

#include <cstdint>

#include "analysis/window_table.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

class WriteLogTest : public testing::Test {
 protected:
  static constexpr int64_t kRows = 2000;

  WindowId Intern(const Dims& sizes, const Dims& strides, int64_t offset) {
    return windows_.Intern(layouts_.Intern(DType::kF32, sizes, strides),
                           offset);
  }
  void Write(WindowId window) {
    ++time_;
    log_.Add({time_, window, ValueId{static_cast<int32_t>(time_)}, OpId(),
              DefinitionKind::kWrite});
  }

  LayoutTable layouts_;
  WindowTable windows_{layouts_};
  WriteLog log_{windows_, 4 * 64 * kRows};
  int64_t time_ = 0;
};

TEST_F(WriteLogTest, AWindowReadsAsWhatWasLastFoundThere) {
  const WindowId row = Intern({64}, {1}, 0);
  EXPECT_FALSE(log_.Recall(row));
  Write(row);
  Write(Intern({64}, {1}, 64));
  ASSERT_TRUE(log_.Recall(row));
  EXPECT_EQ(log_.Recall(row)->value.value, 1);
  EXPECT_EQ(log_.Recall(row)->time, 1);
  EXPECT_TRUE(log_.Recall(row)->definition.valid());
  EXPECT_FALSE(log_.HasWriteSince(1, windows_.Get(row)));

  const WindowId half = Intern({32}, {1}, 0);
  log_.Remember(half, ValueId{9}, 2);
  EXPECT_EQ(log_.Recall(half)->value.value, 9);
  EXPECT_FALSE(log_.Recall(half)->definition.valid());
  Write(row);
  EXPECT_TRUE(log_.HasWriteSince(2, windows_.Get(half)));
}

// The only write that touches the column is the oldest of many between which
// the index cannot tell.
TEST_F(WriteLogTest, WhatTakesLongToKnowMayHaveBeenWritten) {
  Write(Intern({64}, {1}, 0));
  for (int64_t i = 1; i < kRows; ++i) Write(Intern({32}, {1}, 64 * i));
  const Window& column = windows_.Get(Intern({kRows}, {64}, 40));
  EXPECT_TRUE(log_.HasWriteSince(0, column));
  EXPECT_FALSE(log_.HasWriteSince(kRows - 4, column));
}

}  // namespace
}  // namespace palimpsest
