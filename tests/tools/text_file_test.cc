// Files are written whole or not at all.

#include "tools/text_file.h"

#include <stdlib.h>  // mkdtemp
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

class TextFileTest : public testing::Test {
 protected:
  TextFileTest() : directory_(testing::TempDir() + "/text_file.XXXXXX") {
    EXPECT_NE(mkdtemp(directory_.data()), nullptr);
  }
  ~TextFileTest() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const {
    return directory_ + "/" + name;
  }
  int Files() const {
    const fs::directory_iterator files(directory_);
    return static_cast<int>(std::distance(begin(files), end(files)));
  }

 private:
  std::string directory_;
};

TEST_F(TextFileTest, WhatIsWrittenReadsBackAndNothingElseIsLeft) {
  ASSERT_TRUE(WriteText(Path("a"), "first").ok());
  ASSERT_TRUE(WriteText(Path("a"), std::string("sec\0nd", 6)).ok());
  EXPECT_EQ(ReadText(Path("a")).value_or(""), std::string("sec\0nd", 6));
  EXPECT_EQ(Files(), 1);
}

TEST_F(TextFileTest, ThePermissionsStay) {
  ASSERT_TRUE(WriteText(Path("a"), "first").ok());
  ASSERT_EQ(chmod(Path("a").c_str(), 0640), 0);
  ASSERT_TRUE(WriteText(Path("a"), "second").ok());
  struct stat info;
  ASSERT_EQ(stat(Path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640);
}

TEST_F(TextFileTest, ALinkStaysALink) {
  ASSERT_TRUE(WriteText(Path("a"), "first").ok());
  fs::create_symlink(Path("a"), Path("link"));
  ASSERT_TRUE(WriteText(Path("link"), "second").ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(ReadText(Path("a")).value_or(""), "second");
}

TEST_F(TextFileTest, WhatCannotBeWrittenSaysWhy) {
  EXPECT_EQ(WriteText(Path(""), "text").message(),
            Path("") + ": error: Is a directory");
  EXPECT_EQ(WriteText(Path("no/where"), "text").message(),
            Path("no/where") + ": error: No such file or directory");
  EXPECT_EQ(WriteText("/dev/full", "text").message(),
            "/dev/full: error: No space left on device");
}

TEST_F(TextFileTest, WhatCannotBeReadSaysWhy) {
  EXPECT_EQ(ReadText(Path("")).status().message(),
            Path("") + ": error: Is a directory");
  EXPECT_EQ(ReadText(Path("nothing")).status().message(),
            Path("nothing") + ": error: No such file or directory");
}

TEST_F(TextFileTest, WhatIsTooLargeIsNotRead) {
  ASSERT_TRUE(WriteText(Path("sparse"), "").ok());
  fs::resize_file(Path("sparse"), (uint64_t{1} << 30) + 1);
  EXPECT_EQ(ReadText(Path("sparse")).status().message(),
            Path("sparse") + ": error: larger than 1 GiB");
}

}  // namespace
}  // namespace palimpsest
