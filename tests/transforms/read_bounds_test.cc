// The read rule's bounds: families of programs for which ops, pieces and moved
// bytes must grow with the program, not with the pairs of its writes and reads.
//
// A family makes a program of size n. Bytes are compared with those that the
// program's own ops read and write, since those may grow faster than n.

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ir/op.h"
#include "ir/program.h"
#include "ir/type.h"
#include "tests/transforms/resolved.h"
#include "transforms/resolve_inplace.h"

namespace palimpsest {
namespace {

// What ops in place read, and what they write.
int64_t BytesOfSource(const Function& function) {
  int64_t bytes = 0;
  for (const Op& op : function.ops) {
    if (op.kind == OpKind::kView) continue;
    for (const Operand& operand : function.OperandsOf(op)) {
      if (!operand.is_value()) continue;
      const Layout layout = function.LayoutOf(operand.value());
      bytes += ElementCount(layout.sizes) * WidthOf(layout.dtype);
    }
  }
  return bytes;
}

// Statements of a program text with names that count up.
class Text {
 public:
  explicit Text(const std::string& parameters)
      : text_(absl::StrCat("func @f(", parameters, ") {\n")) {}

  std::string View(const std::string& of, const std::string& type) {
    absl::StrAppend(&text_, "  %", ++names_, " = view ", of, " : ", type, "\n");
    return absl::StrCat("%", names_);
  }
  void Write(const std::string& view) {
    absl::StrAppend(&text_, "  add_ ", view, ", 1.0\n");
  }
  void Overwrite(const std::string& view) {
    absl::StrAppend(&text_, "  fill_ ", view, ", 1.0\n");
  }
  void Read(const std::string& view) {
    absl::StrAppend(&text_, "  call \"read\"(", view, ")\n");
  }
  std::string Finish() const { return absl::StrCat(text_, "  return\n}\n"); }

 private:
  std::string text_;
  int names_ = 0;
};

std::string Row(Text& text, int64_t size, int64_t row) {
  return text.View("%m", absl::StrCat("f32[", size, "] offset ", row * size));
}

std::string Column(Text& text, int64_t rows, int64_t columns, int64_t column) {
  return text.View("%m", absl::StrCat("f32[", rows, "] offset ", column,
                                      " strides [", columns, "]"));
}

std::string RowsThenColumns(int64_t n) {
  Text text(absl::StrCat("%m: f32[", n, ",", n, "]"));
  for (int64_t i = 0; i < n; ++i) text.Write(Row(text, n, i));
  for (int64_t i = 0; i < n; ++i) text.Read(Column(text, n, n, i));
  return text.Finish();
}

std::string OverwrittenRowsThenColumns(int64_t n) {
  Text text(absl::StrCat("%m: f32[", n, ",", n, "]"));
  for (int64_t i = 0; i < n; ++i) text.Overwrite(Row(text, n, i));
  for (int64_t i = 0; i < n; ++i) text.Read(Column(text, n, n, i));
  return text.Finish();
}

std::string PingPong(int64_t n) {
  Text text("%m: f32[16,16]");
  for (int64_t i = 0; i < n; ++i) {
    text.Write(Row(text, 16, i % 16));
    text.Read("%m");
  }
  return text.Finish();
}

std::string PingPongOfColumns(int64_t n) {
  Text text("%m: f32[64,16]");
  for (int64_t i = 0; i < n; ++i) {
    text.Write(Row(text, 16, i % 64));
    text.Read(Column(text, 64, 16, i % 16));
  }
  return text.Finish();
}

std::string Staircase(int64_t n) {
  Text text(absl::StrCat("%m: f32[", 4 * n + 64, "]"));
  for (int64_t i = 0; i < n; ++i) {
    text.Write(text.View("%m", absl::StrCat("f32[64] offset ", 4 * i)));
  }
  return text.Finish();
}

std::string StaircaseDownThenUp(int64_t n) {
  Text text(absl::StrCat("%m: f32[", 4 * n + 64, "]"));
  for (int64_t i = n; i-- > 0;) {
    text.Overwrite(text.View("%m", absl::StrCat("f32[64] offset ", 4 * i)));
  }
  for (int64_t i = 0; i < n; ++i) {
    text.Read(text.View("%m", absl::StrCat("f32[64] offset ", 4 * i + 2)));
  }
  return text.Finish();
}

std::string DiagonalsThenRows(int64_t n) {
  Text text(absl::StrCat("%m: f32[", n + 16, ",16]"));
  for (int64_t i = 0; i < n; ++i) {
    text.Write(text.View(
        "%m", absl::StrCat("f32[16] offset ", 16 * i, " strides [17]")));
  }
  for (int64_t i = 0; i < n; ++i) text.Read(Row(text, 16, i));
  return text.Finish();
}

// Four colours; each is written, and read after the next one is.
std::string Checkerboard(int64_t n) {
  Text text("%m: f32[16,16]");
  std::string colours[4];
  for (int i = 0; i < 4; ++i) {
    colours[i] =
        text.View("%m", absl::StrCat("f32[8,8] offset ", i / 2 * 16 + i % 2,
                                     " strides [32,2]"));
  }
  for (int64_t i = 0; i < n; ++i) {
    text.Write(colours[i % 4]);
    text.Read(colours[(i + 3) % 4]);
  }
  return text.Finish();
}

std::string WholeReadsOfColours(int64_t n) {
  Text text("%m: f32[16,16]");
  for (int64_t i = 0; i < n; ++i) {
    text.Write(
        text.View("%m", absl::StrCat("f32[8,8] offset ", i % 4 / 2 * 16 + i % 2,
                                     " strides [32,2]")));
    if (i % 16 == 15) text.Read("%m");
  }
  return text.Finish();
}

struct Family {
  const char* name;
  std::string (*make)(int64_t n);
};

void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

class ReadBoundsTest : public testing::TestWithParam<Family> {};

// The program's bytes, those of its reads, and statements and pieces.
struct Size {
  double source_bytes = 0;
  double read_bytes = 0;
  double parts = 0;
};

Size SizeOf(const Family& family, int64_t n) {
  const Function function = Parsed(family.make(n));
  const Function pure = Resolved(function).function;
  const ReadCost cost = ReadCostOf(pure);
  Size size;
  size.source_bytes = static_cast<double>(BytesOfSource(function));
  size.read_bytes = static_cast<double>(cost.bytes);
  size.parts = static_cast<double>(cost.parts + OpsIn(pure) +
                                   CountOf(pure, OpKind::kCommit));
  return size;
}

TEST_P(ReadBoundsTest, OpsAndPiecesAreLinear) {
  const Size once = SizeOf(GetParam(), 256);
  const Size twice = SizeOf(GetParam(), 512);
  EXPECT_LE(twice.parts, 2.2 * once.parts);
}

TEST_P(ReadBoundsTest, MovedBytesGrowAsThoseOfTheProgram) {
  const Size once = SizeOf(GetParam(), 256);
  const Size twice = SizeOf(GetParam(), 512);
  const double growth = twice.source_bytes / once.source_bytes;
  EXPECT_LE(twice.read_bytes, 1.1 * growth * once.read_bytes);
}

TEST_P(ReadBoundsTest, BothProgramsDoTheSame) {
  ResolvedAndRun(Parsed(GetParam().make(24)));
  ResolvedAndRun(Parsed(GetParam().make(96)));
}

INSTANTIATE_TEST_SUITE_P(
    Families, ReadBoundsTest,
    testing::Values(Family{"RowsThenColumns", RowsThenColumns},
                    Family{"OverwrittenRowsThenColumns",
                           OverwrittenRowsThenColumns},
                    Family{"PingPong", PingPong},
                    Family{"PingPongOfColumns", PingPongOfColumns},
                    Family{"Staircase", Staircase},
                    Family{"StaircaseDownThenUp", StaircaseDownThenUp},
                    Family{"DiagonalsThenRows", DiagonalsThenRows},
                    Family{"Checkerboard", Checkerboard},
                    Family{"WholeReadsOfColours", WholeReadsOfColours}),
    [](const testing::TestParamInfo<Family>& info) {
      return std::string(info.param.name);
    });

TEST(ReadBoundsTest, ColoursThatNeverMeetNeedNoAssemble) {
  const Function pure = Resolved(Parsed(Checkerboard(64))).function;
  EXPECT_EQ(CountOf(pure, OpKind::kAssemble), 0);
  EXPECT_EQ(CountOf(pure, OpKind::kCommit), 4);
}

}  // namespace
}  // namespace palimpsest
