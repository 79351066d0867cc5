#include "ir/literal_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "ir/lexer.h"
#include "ir/op.h"

namespace palimpsest {
namespace {

// Whether `value` is the double next to a number of thousandths below 1e5, and
// so its shortest text is that number; appends it then. to_chars() says the
// same, but looks for it.
bool AppendShortDecimal(std::string& out, double value) {
  constexpr double kThousand = 1000;
  if (!(value < 1e5) || std::signbit(value)) return false;
  const int64_t thousandths = static_cast<int64_t>(value * kThousand + 0.5);
  if (static_cast<double>(thousandths) / kThousand != value) return false;
  char text[16];
  char* end = std::to_chars(text, text + sizeof(text), thousandths / 1000).ptr;
  *end++ = '.';
  int64_t rest = thousandths % 1000;
  do {
    *end++ = static_cast<char>('0' + rest / 100);
    rest = rest % 100 * 10;
  } while (rest != 0);
  out.append(text, end - text);
  return true;
}

void AppendDouble(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
    return;
  }
  if (AppendShortDecimal(out, value)) return;
  char digits[32];
  const char* end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  const absl::string_view text(digits, end - digits);
  absl::StrAppend(&out, text);
  if (text.find_first_of(".e") == text.npos) out += ".0";
}

template <typename Number>
absl::optional<Number> NumberFromText(absl::string_view text) {
  Number number;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return absl::nullopt;
  return number;
}

// The value of `DIGITS.DIGITS` where there are so few that it is one division
// of numbers that a double holds exactly, which rounds as it must.
absl::optional<double> ShortDecimal(absl::string_view text) {
  constexpr double kPowersOfTen[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5,
                                     1e6, 1e7, 1e8, 1e9, 1e10};
  if (text.size() > std::size(kPowersOfTen) || text.size() < 3) {
    return absl::nullopt;
  }
  int64_t digits = 0;
  size_t point = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    if (absl::ascii_isdigit(text[i])) {
      digits = 10 * digits + (text[i] - '0');
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return absl::nullopt;
    }
  }
  if (point == 0 || point + 1 >= text.size()) return absl::nullopt;
  return static_cast<double>(digits) / kPowersOfTen[text.size() - 1 - point];
}

int HexDigit(char c) {
  if (absl::ascii_isdigit(c)) return c - '0';
  const char lower = absl::ascii_tolower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

void AppendLiteral(std::string& out, const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::kInteger:
      absl::StrAppend(&out, literal.integer);
      return;
    case Literal::Kind::kUnsigned:
      absl::StrAppend(&out, static_cast<uint64_t>(literal.integer));
      return;
    case Literal::Kind::kFloat:
      AppendDouble(out, literal.real);
      return;
    case Literal::Kind::kBoolean:
      out += literal.integer != 0 ? "true" : "false";
      return;
    case Literal::Kind::kComplex:
      out += '(';
      AppendDouble(out, literal.real);
      out += ',';
      AppendDouble(out, literal.imaginary);
      out += ')';
      return;
  }
}

absl::optional<int64_t> Int64FromText(absl::string_view digits) {
  return NumberFromText<int64_t>(digits);
}

absl::optional<Literal> IntegerFromText(absl::string_view digits) {
  if (auto number = NumberFromText<int64_t>(digits)) {
    return Literal::Integer(*number);
  }
  if (auto number = NumberFromText<uint64_t>(digits)) {
    return Literal::Unsigned(*number);
  }
  return absl::nullopt;
}

absl::optional<double> DoubleFromText(absl::string_view text) {
  if (const absl::optional<double> exact = ShortDecimal(text)) return exact;
  double number;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end) return absl::nullopt;
  if (error == std::errc()) return number;
  // from_chars does not tell what is too large from what rounds to zero.
  number = std::strtod(std::string(text).c_str(), nullptr);
  if (std::isinf(number)) return absl::nullopt;
  return number;
}

void AppendQuoted(std::string& out, absl::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  // A text of ours may hold any bytes; one that is read, UTF-8 alone.
  const bool is_readable = !FindBadByte(text).has_value();
  out += '"';
  for (char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (absl::ascii_iscntrl(c) ||
            (!is_readable && !absl::ascii_isascii(c))) {
          out += "\\x";
          out += kHex[(c >> 4) & 15];
          out += kHex[c & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

absl::optional<std::string> Unescape(absl::string_view escaped) {
  std::string text;
  for (size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '\\') {
      text += escaped[i];
      continue;
    }
    if (++i == escaped.size()) return absl::nullopt;
    switch (escaped[i]) {
      case '"':
      case '\\':
        text += escaped[i];
        break;
      case 'n':
        text += '\n';
        break;
      case 'r':
        text += '\r';
        break;
      case 't':
        text += '\t';
        break;
      case 'x': {
        if (i + 2 >= escaped.size()) return absl::nullopt;
        const int high = HexDigit(escaped[i + 1]);
        const int low = HexDigit(escaped[i + 2]);
        if (high < 0 || low < 0) return absl::nullopt;
        text += static_cast<char>(16 * high + low);
        i += 2;
        break;
      }
      default:
        return absl::nullopt;
    }
  }
  return text;
}

}  // namespace palimpsest
