#include "cuda/mixing.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "cuda/kernel_registry.h"
#include "cuda/literal.h"
#include "ir/op.h"
#include "ir/type.h"

namespace palimpsest {
namespace {

constexpr uint64_t kOdd = 0x9E3779B97F4A7C15u;

// A bijection of 64 bits that spreads each over all (splitmix64).
uint64_t Spread(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

uint64_t Combine(uint64_t hash, uint64_t word) {
  return Spread(hash * kOdd + word);
}

// Four independent chains of words, each step a bijection of the chain's state,
// so any single change shows.
class ByteHash {
 public:
  explicit ByteHash(uint64_t seed) {
    for (int lane = 0; lane < 4; ++lane) lanes_[lane] = Combine(seed, lane);
  }

  // All but the last piece must be of a multiple of 32 bytes.
  void Add(const uint8_t* bytes, int64_t size) {
    size_ += size;
    for (; size >= 32; size -= 32, bytes += 32) AddBlock(bytes);
    if (size == 0) return;
    uint8_t rest[32] = {};
    std::memcpy(rest, bytes, size);
    AddBlock(rest);
  }

  uint64_t Finish() const {
    uint64_t hash = static_cast<uint64_t>(size_);
    for (uint64_t lane : lanes_) hash = Combine(hash, lane);
    return hash;
  }

 private:
  void AddBlock(const uint8_t* bytes) {
    for (int lane = 0; lane < 4; ++lane) {
      uint64_t word;
      std::memcpy(&word, bytes + 8 * lane, sizeof word);
      lanes_[lane] = (lanes_[lane] ^ word) * kOdd;
      lanes_[lane] ^= lanes_[lane] >> 29;
    }
  }

  uint64_t lanes_[4];
  int64_t size_ = 0;
};

// Copies elements, with one pattern for every NaN. Exponent: the mask of the
// exponent's bits; Quiet: of that and the first bit of the mantissa.
template <typename Word, Word kExponent, Word kQuiet>
void CopyWithoutPayloads(const uint8_t* from, int64_t bytes, uint8_t* to) {
  constexpr Word kMagnitude = static_cast<Word>(~Word{0}) >> 1;
  for (int64_t i = 0; i < bytes; i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, from + i, sizeof word);
    const bool is_nan = (word & kMagnitude) > kExponent;
    word = is_nan ? kQuiet : word;
    std::memcpy(to + i, &word, sizeof word);
  }
}

void CopyCanonical(DType dtype, const uint8_t* from, int64_t bytes,
                   uint8_t* to) {
  switch (dtype) {
    case DType::kF64:
    case DType::kC128:
      return CopyWithoutPayloads<uint64_t, 0x7FF0000000000000u,
                                 0x7FF8000000000000u>(from, bytes, to);
    case DType::kF32:
    case DType::kC64:
      return CopyWithoutPayloads<uint32_t, 0x7F800000u, 0x7FC00000u>(from,
                                                                     bytes, to);
    case DType::kF16:
      return CopyWithoutPayloads<uint16_t, 0x7C00u, 0x7E00u>(from, bytes, to);
    case DType::kBF16:
      return CopyWithoutPayloads<uint16_t, 0x7F80u, 0x7FC0u>(from, bytes, to);
    default:
      std::memcpy(to, from, bytes);
  }
}

// (No overloads of one name: Abseil has a HashOf() for everything.)
uint64_t HashOfOperand(const CallOperand& operand, uint64_t seed) {
  const int64_t size = ElementCount(operand.sizes) * WidthOf(operand.dtype);
  const uint8_t* bytes = static_cast<const uint8_t*>(operand.data);
  ByteHash hash(seed);
  uint8_t piece[4096];
  for (int64_t done = 0; done < size;) {
    const int64_t length = std::min<int64_t>(size - done, sizeof piece);
    CopyCanonical(operand.dtype, bytes + done, length, piece);
    hash.Add(piece, length);
    done += length;
  }
  return hash.Finish();
}

uint64_t HashOfText(absl::string_view text, uint64_t seed) {
  ByteHash hash(seed);
  hash.Add(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return hash.Finish();
}

uint64_t HashOfShape(DType dtype, const Dims& sizes, uint64_t seed) {
  uint64_t hash = HashOfText(InfoFor(dtype).text, seed);
  for (int64_t size : sizes) hash = Combine(hash, static_cast<uint64_t>(size));
  return Combine(hash, sizes.size());
}

}  // namespace

uint64_t DigestOf(const KernelCall& call) {
  uint64_t hash = HashOfText(call.name, 1);
  for (const auto& [key, value] : call.attributes) {
    hash = HashOfText(value, HashOfText(key, hash));
  }
  for (const CallOperand& operand : call.operands) {
    hash =
        HashOfOperand(operand, HashOfShape(operand.dtype, operand.sizes, hash));
  }
  return hash;
}

void MixCall(const KernelCall& call, uint64_t digest) {
  uint64_t number = 0;
  for (const CallOutput& output : call.outputs) {
    const uint64_t seed =
        HashOfShape(output.dtype, output.sizes, Combine(digest, number++));
    FillTame(output.dtype, seed, ElementCount(output.sizes), output.data);
  }
}

namespace {

// 256 tame values of a dtype, so that a random byte picks one.
class TameTable {
 public:
  explicit TameTable(DType dtype) : width_(WidthOf(dtype)) {
    for (int i = 0; i < 256; ++i) {
      EncodeLiteral(ValueOf(dtype, i), dtype, elements_ + i * width_);
    }
  }

  template <typename Word>
  void Fill(uint64_t seed, int64_t count, Word* elements) const {
    Word table[256];
    std::memcpy(table, elements_, sizeof table);
    uint64_t counter = seed;
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
      const uint64_t random = Spread(counter += kOdd);
      for (int k = 0; k < 8; ++k) {
        elements[i + k] = table[random >> 8 * k & 0xFF];
      }
    }
    const uint64_t random = Spread(counter + kOdd);
    for (int k = 0; i < count; ++k, ++i) {
      elements[i] = table[random >> 8 * k & 0xFF];
    }
  }

 private:
  static Literal ValueOf(DType dtype, int i) {
    const auto eighths = [](int k) { return (k % 65 - 32) / 8.0; };
    switch (InfoFor(dtype).dtype_class) {
      case DTypeClass::kBool:
        return Literal::Boolean(i % 2 != 0);
      case DTypeClass::kInteger:
        return Literal::Integer(InfoFor(dtype).text[0] == 'u' ? i % 9
                                                              : i % 17 - 8);
      case DTypeClass::kComplex:
        return Literal::Complex(eighths(i), eighths(i * 37 + 11));
      default:
        return Literal::Float(eighths(i));
    }
  }

  int64_t width_;
  uint8_t elements_[256 * 16];
};

struct TwoWords {
  uint64_t words[2];
};

}  // namespace

void FillTame(DType dtype, uint64_t seed, int64_t count, void* elements) {
  const TameTable table(dtype);
  switch (WidthOf(dtype)) {
    case 1:
      return table.Fill(seed, count, static_cast<uint8_t*>(elements));
    case 2:
      return table.Fill(seed, count, static_cast<uint16_t*>(elements));
    case 4:
      return table.Fill(seed, count, static_cast<uint32_t*>(elements));
    case 8:
      return table.Fill(seed, count, static_cast<uint64_t*>(elements));
    default:
      return table.Fill(seed, count, static_cast<TwoWords*>(elements));
  }
}

}  // namespace palimpsest
