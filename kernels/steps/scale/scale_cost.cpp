// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/scale/scale_cost.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "formats/bytes.hpp"
#include "kernels/scale.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kBitsOfTurn = 4;  ///< where holes begin or end
constexpr std::uint64_t kBitsOfHole = 3;  ///< beside its word

/// Calls use() with a word of this width.
template <class Use>
std::uint64_t with_word(std::size_t width, const Use& use) {
  switch (width) {
    case 1:
      return use(std::uint8_t{});
    case 2:
      return use(std::uint16_t{});
    case 4:
      return use(std::uint32_t{});
    default:
      return use(std::uint64_t{});
  }
}

template <class Word>
Word word_at(std::span<const std::byte> words, std::size_t i) {
  return formats::get_le<Word>(words.subspan(i * sizeof(Word), sizeof(Word)));
}

/// How far a residual is from zero, either way, in bits.
template <class Word>
unsigned length_of(Word residual) {
  const Word sign = static_cast<Word>(Word{0} - (residual >> (8 * sizeof(Word) - 1)));
  return static_cast<unsigned>(std::bit_width(static_cast<Word>((residual << 1) ^ sign)));
}

/// The better of three orders.
template <class Word>
std::uint64_t difference_bits(std::span<const std::byte> words) {
  std::array<std::uint64_t, 3> bits{};
  Word before = 0, difference_before = 0;
  for (std::size_t i = 0; i < words.size() / sizeof(Word); ++i) {
    const Word x = word_at<Word>(words, i), difference = static_cast<Word>(x - before);
    bits[0] += length_of<Word>(x);
    bits[1] += length_of<Word>(difference);
    bits[2] += length_of<Word>(static_cast<Word>(difference - difference_before));
    before = x;
    difference_before = difference;
  }
  return *std::ranges::min_element(bits);
}

/// The fill itself is one word for a whole chunk.
template <class Word>
std::uint64_t hole_bits(std::span<const std::byte> words, std::span<const std::byte> bitmap, Word fill) {
  std::uint64_t bits = 0;
  bool hole_before = false;
  Word word_before = fill;
  for (std::size_t i = 0; i < words.size() / sizeof(Word); ++i) {
    const bool hole = (std::to_integer<unsigned>(bitmap[i / 8]) >> (i % 8) & 1) != 0;
    if (hole != hole_before) bits += kBitsOfTurn;
    hole_before = hole;
    if (!hole) continue;
    const Word word = word_at<Word>(words, i);
    if (word != word_before) bits += 8 * sizeof(Word) + kBitsOfHole;
    word_before = word;
  }
  return bits;
}

}  // namespace

std::uint64_t plain_bits(const ScaleShape& shape, std::span<const std::byte> words) {
  return with_word(shape.word, [&](auto word) { return difference_bits<decltype(word)>(words); });
}

std::uint64_t scaled_bits(const ScaleShape& shape, std::span<const std::byte> words, const ScalePair* pair,
                          std::optional<std::uint64_t> fill, bool unsigned_words, std::size_t most_holes) {
  std::array<std::byte, kScaleGroup * 8> memory;
  std::array<std::byte, kScaleGroup / 8> bitmap;
  words = words.first(std::min(words.size(), kScaleGroup * shape.word));
  const auto scaled = std::span(memory).first(words.size());
  const ScaleShape lane{shape.word, shape.kind, 1};
  const ScaleChoice choice{
      {pair, pair == nullptr ? std::size_t{0} : std::size_t{1}}, {}, fill, unsigned_words};
  const auto holes = std::span(bitmap).first(bitmap_bytes(words.size() / shape.word));
  if (encode_scale(lane, choice, words, scaled, holes, most_holes) > most_holes) return kTooManyHoles;
  return with_word(shape.word, [&](auto word) {
    return difference_bits<decltype(word)>(scaled) +
           hole_bits<decltype(word)>(words, bitmap, static_cast<decltype(word)>(fill.value_or(0)));
  });
}

std::size_t count_word(const ScaleShape& shape, std::span<const std::byte> words, std::uint64_t wanted) {
  return static_cast<std::size_t>(with_word(shape.word, [&](auto word) {
    using Word = decltype(word);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < words.size() / sizeof(Word); ++i) {
      count += word_at<Word>(words, i) == static_cast<Word>(wanted);
    }
    return count;
  }));
}

}  // namespace tdz
