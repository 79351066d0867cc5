// Mutations that keep a text close to a program: numbers change, names change
// places, lines move. Half of the time bytes change as the fuzzer pleases.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace palimpsest {
namespace {

struct Token {
  size_t begin;
  size_t size;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOfName(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_';
}

class Mutation {
 public:
  Mutation(std::string text, unsigned seed)
      : text_(std::move(text)), random_(seed) {}

  std::string Run() {
    switch (Below(5)) {
      case 0:
      case 1:
        ChangeNumber();
        break;
      case 2:
        ExchangeName();
        break;
      case 3:
        RepeatLine();
        break;
      default:
        DropLine();
    }
    return text_;
  }

 private:
  size_t Below(size_t count) { return random_() % count; }

  // Runs of characters of a name that start after one of `before`.
  std::vector<Token> Tokens(const char* before, bool (*belongs)(char)) const {
    std::vector<Token> tokens;
    for (size_t i = 1; i < text_.size(); ++i) {
      if (std::strchr(before, text_[i - 1]) == nullptr) continue;
      size_t end = i;
      while (end < text_.size() && belongs(text_[end])) ++end;
      if (end > i) tokens.push_back({i, end - i});
    }
    return tokens;
  }

  void ChangeNumber() {
    static const char* const kNumbers[] = {"0",
                                           "1",
                                           "2",
                                           "3",
                                           "4",
                                           "7",
                                           "8",
                                           "16",
                                           "-1",
                                           "-2",
                                           "64",
                                           "4095",
                                           "2147483648",
                                           "4611686018427387904",
                                           "9223372036854775807"};
    const std::vector<Token> numbers = Tokens("[,= -", IsDigit);
    if (numbers.empty()) return;
    const Token at = numbers[Below(numbers.size())];
    const size_t count = sizeof(kNumbers) / sizeof(kNumbers[0]);
    const size_t known = Below(8) == 0 ? count : 9;
    text_.replace(at.begin, at.size, kNumbers[Below(known)]);
  }

  void ExchangeName() {
    const std::vector<Token> names =
        Tokens(Below(2) == 0 ? "%" : "@", IsOfName);
    if (names.empty()) return;
    const Token from = names[Below(names.size())];
    const Token to = names[Below(names.size())];
    text_.replace(to.begin, to.size, text_.substr(from.begin, from.size));
  }

  std::vector<Token> Lines() const {
    std::vector<Token> lines;
    size_t begin = 0;
    for (size_t end = text_.find('\n'); end != std::string::npos;
         end = text_.find('\n', begin)) {
      lines.push_back({begin, end + 1 - begin});
      begin = end + 1;
    }
    return lines;
  }

  void RepeatLine() {
    const std::vector<Token> lines = Lines();
    if (lines.empty()) return;
    const Token line = lines[Below(lines.size())];
    const Token before = lines[Below(lines.size())];
    text_.insert(before.begin, text_.substr(line.begin, line.size));
  }

  void DropLine() {
    const std::vector<Token> lines = Lines();
    if (lines.empty()) return;
    const Token line = lines[Below(lines.size())];
    text_.erase(line.begin, line.size);
  }

  std::string text_;
  std::minstd_rand random_;
};

}  // namespace
}  // namespace palimpsest

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  text = palimpsest::Mutation(std::move(text), seed / 2).Run();
  if (text.size() > max_size) text.resize(max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
