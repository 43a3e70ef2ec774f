// SPDX-License-Identifier: Apache-2.0
#include "tests/oracle/scale.hpp"

#include <cmath>
#include <cstring>

namespace tdz::oracle {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint64_t get(const Bytes& bytes, std::size_t w, std::size_t i) {
  std::uint64_t word = 0;
  for (std::size_t b = 0; b < w; ++b) word |= std::uint64_t{bytes[i * w + b]} << (8 * b);
  return word;
}

void put(Bytes& bytes, std::size_t w, std::size_t i, std::uint64_t word) {
  for (std::size_t b = 0; b < w; ++b) bytes[i * w + b] = static_cast<std::uint8_t>(word >> (8 * b));
}

std::int64_t signed_of(std::uint64_t word, std::size_t w) {
  const std::uint64_t top = std::uint64_t{1} << (8 * w - 1), low = word & (top - 1);
  return static_cast<std::int64_t>((word & top) != 0 ? low - top : low);
}

const ScalePair& pair_of(const ScaleShape& shape, const ScaleLists& lists, std::size_t words, std::size_t i) {
  if (lists.pair.size() == 1) return lists.pair[0];
  std::size_t place = i / shape.tuple / 1024;
  for (std::size_t lane = 0; lane < i % shape.tuple; ++lane) {
    place += ((words - lane + shape.tuple - 1) / shape.tuple + 1023) / 1024;
  }
  return lists.pair[lists.selector[place]];
}

/// The word of q, or nothing where the format calls it corrupt.
std::optional<std::uint64_t> inverse_word(const ScaleShape& shape, const ScalePair& pair, std::int64_t q) {
  if (q > 9007199254740992 || q < -9007199254740992) return {};
  double t = static_cast<double>(q);
  if (pair.num != 1) t = t * pair.num;
  if (pair.den != 1) t = t / pair.den;
  std::uint64_t word = 0;
  if (shape.kind == ScaleKind::integer) {
    if (std::fabs(t) >= 9223372036854775808.0) return {};
    word = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(t)));
    if (shape.word < 8) word &= (std::uint64_t{1} << (8 * shape.word)) - 1;
  } else if (shape.word == 4) {
    const float x = static_cast<float>(t);
    if (std::isinf(x) || (t != 0 && std::fabs(t) < std::ldexp(1.0, -126))) return {};
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, 4);
    word = bits;
  } else {
    if (std::isinf(t) || (t != 0 && std::fabs(t) < std::ldexp(1.0, -1022))) return {};
    std::memcpy(&word, &t, 8);
  }
  return word;
}

double read_number(const ScaleShape& shape, bool unsigned_words, std::uint64_t word) {
  if (shape.kind == ScaleKind::integer) {
    if (unsigned_words && shape.word < 8) return static_cast<double>(word);
    return static_cast<double>(signed_of(word, shape.word));
  }
  double x = 0;
  if (shape.word == 8) {
    std::memcpy(&x, &word, 8);
  } else {
    const auto bits = static_cast<std::uint32_t>(word);
    float narrow = 0;
    std::memcpy(&narrow, &bits, 4);
    x = double{narrow};
  }
  return x;
}

std::optional<std::int64_t> forward_word(const ScaleShape& shape, const ScalePair& pair, bool unsigned_words,
                                         std::uint64_t word) {
  double v = read_number(shape, unsigned_words, word);
  if (pair.den != 1) v = v * pair.den;
  if (pair.num != 1) v = v / pair.num;
  v = std::nearbyint(v);
  if (!(std::fabs(v) <= 9007199254740992.0)) return {};
  const auto q = static_cast<std::int64_t>(v);
  if (signed_of(static_cast<std::uint64_t>(q), shape.word) != q) return {};
  if (inverse_word(shape, pair, q) != word) return {};
  return q;
}

}  // namespace

Bytes scale_forward(const ScaleShape& shape, bool unsigned_words, std::optional<std::uint64_t> fill,
                    ScaleLists& lists, Bytes bytes) {
  const std::size_t w = shape.word, words = bytes.size() / w;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t word = get(bytes, w, i);
    std::optional<std::int64_t> q;
    if (lists.pair.empty()) q = signed_of(word, w);
    if (!lists.pair.empty()) q = forward_word(shape, pair_of(shape, lists, words, i), unsigned_words, word);
    if (word == fill) q.reset();
    lists.hole.push_back(!q.has_value());
    if (!q) lists.word.push_back(word);
    if (!q) q = i < shape.tuple ? 0 : signed_of(get(bytes, w, i - shape.tuple), w);
    put(bytes, w, i, static_cast<std::uint64_t>(*q));
  }
  return bytes;
}

std::optional<Bytes> scale_inverse(const ScaleShape& shape, const ScaleLists& lists, Bytes bytes) {
  const std::size_t w = shape.word, words = bytes.size() / w;
  std::size_t holes = 0;
  for (std::size_t i = 0; i < words; ++i) {
    if (!lists.hole.empty() && lists.hole[i]) {
      put(bytes, w, i, lists.word[holes++]);
    } else if (!lists.pair.empty()) {
      const auto word = inverse_word(shape, pair_of(shape, lists, words, i), signed_of(get(bytes, w, i), w));
      if (!word) return {};
      put(bytes, w, i, *word);
    }
  }
  return bytes;
}

}  // namespace tdz::oracle
