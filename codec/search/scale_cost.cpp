// SPDX-License-Identifier: Apache-2.0
#include "codec/search/scale_cost.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/scale.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kBitsOfTurn = 6;  ///< where holes begin or end
constexpr std::uint64_t kBitsOfHole = 3;  ///< beside its word

std::int64_t get_signed(std::span<const std::byte> bytes, std::size_t width, std::size_t i) {
  std::uint64_t word = 0;
  for (std::size_t b = 0; b < width; ++b) word |= std::to_integer<std::uint64_t>(bytes[i * width + b]) << (8 * b);
  const unsigned unused = static_cast<unsigned>(64 - 8 * width);
  return static_cast<std::int64_t>(word << unused) >> unused;
}

/// A residual mod 2^8w, as its distance from zero.
std::uint64_t length_of(std::uint64_t residual, unsigned unused) {
  const auto r = static_cast<std::int64_t>(residual << unused) >> unused;
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>((r << 1) ^ (r >> 63))));
}

/// The better of three orders.
std::uint64_t difference_bits(std::span<const std::byte> words, std::size_t width) {
  std::array<std::uint64_t, 3> bits{};
  const unsigned unused = static_cast<unsigned>(64 - 8 * width);
  std::uint64_t before = 0, difference_before = 0;
  for (std::size_t i = 0; i < words.size() / width; ++i) {
    const auto x = static_cast<std::uint64_t>(get_signed(words, width, i));
    const std::uint64_t difference = x - before;
    bits[0] += length_of(x, unused);
    bits[1] += length_of(difference, unused);
    bits[2] += length_of(difference - difference_before, unused);
    before = x;
    difference_before = difference;
  }
  return *std::ranges::min_element(bits);
}

std::uint64_t hole_bits(std::span<const std::byte> words, std::span<const std::byte> bitmap, std::size_t width) {
  std::uint64_t bits = 0;
  bool hole_before = false;
  std::int64_t word_before = 0;
  for (std::size_t i = 0; i < words.size() / width; ++i) {
    const bool hole = (std::to_integer<unsigned>(bitmap[i / 8]) >> (i % 8) & 1) != 0;
    if (hole != hole_before) bits += kBitsOfTurn;
    hole_before = hole;
    if (!hole) continue;
    const std::int64_t word = get_signed(words, width, i);
    if (word != word_before) bits += 8 * width + kBitsOfHole;
    word_before = word;
  }
  return bits;
}

}  // namespace

std::uint64_t plain_bits(const ScaleShape& shape, std::span<const std::byte> words) {
  return difference_bits(words, shape.word);
}

std::uint64_t scaled_bits(const ScaleShape& shape, std::span<const std::byte> words, const ScalePair* pair,
                          std::optional<std::uint64_t> fill, bool unsigned_words) {
  std::array<std::byte, kScaleGroup * 8> memory;
  std::array<std::byte, kScaleGroup / 8> bitmap;
  words = words.first(std::min(words.size(), kScaleGroup * shape.word));
  const auto scaled = std::span(memory).first(words.size());
  const ScaleShape lane{shape.word, shape.kind, 1};
  const ScaleChoice choice{{pair, pair == nullptr ? std::size_t{0} : std::size_t{1}}, {}, fill, unsigned_words};
  const auto holes = std::span(bitmap).first(bitmap_bytes(words.size() / shape.word));
  encode_scale(lane, choice, words, scaled, holes);
  return difference_bits(scaled, shape.word) + hole_bits(words, bitmap, shape.word);
}

}  // namespace tdz
