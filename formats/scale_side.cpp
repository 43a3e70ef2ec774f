// SPDX-License-Identifier: Apache-2.0
#include "formats/scale_side.hpp"

#include <algorithm>
#include <bit>

#include "formats/bytes.hpp"
#include "formats/fault.hpp"

namespace tdz::formats {
namespace {

constexpr std::size_t kFixedBytes = 4;
constexpr std::size_t kPairBytes = 16;

bool is_scale_number(double x) {
  return x >= 0x1p-300 && x <= 0x1p300;  // false for what is not a number
}

Error corrupt_side(const char* what) {
  return corrupt(Error::kNowhere, what);
}

std::uint64_t get_word(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t b = 0; b < bytes.size(); ++b) word |= std::to_integer<std::uint64_t>(bytes[b]) << (8 * b);
  return word;
}

std::uint64_t count_ones(std::span<const std::byte> bytes) {
  std::uint64_t ones = 0;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    ones += static_cast<unsigned>(std::popcount(get_le<std::uint64_t>(bytes)));
  }
  return ones + static_cast<unsigned>(std::popcount(get_word(bytes)));
}

/// What the head says, its spans and counts; the pairs' values are not judged here.
Result<ScaleSide> read_head(const ScaleShape& shape, std::size_t words, ByteReader head) {
  ScaleSide side;
  side.pair_count = head.get<std::uint8_t>();
  const auto mode = head.get<std::uint8_t>();
  const auto zero = head.get<std::uint16_t>();
  if (side.pair_count > kMaxScalePairs) return corrupt_side("scale: more than 16 pairs");
  if (mode > 2 || zero != 0) return corrupt_side("scale: unknown hole mode");
  side.holes = HoleMode{mode};
  for (std::size_t k = 0; k < side.pair_count; ++k) {
    side.storage[k].num = std::bit_cast<double>(head.get<std::uint64_t>());
    side.storage[k].den = std::bit_cast<double>(head.get<std::uint64_t>());
  }
  if (side.holes == HoleMode::constant) side.constant = get_word(head.take(shape.word));
  if (side.pair_count > 1) side.selectors = head.take(selector_count(words, shape.tuple));
  if (head.overran() || head.left() != 0) return corrupt_side("scale: the head has the wrong length");
  return side;
}

Fault fault_of_pairs(const ScaleSide& side) {
  if (!std::ranges::all_of(side.pairs(), is_scale_pair)) return corrupt_side("scale: a number is out of range");
  const auto beyond = [&](std::byte selector) { return std::to_integer<unsigned>(selector) >= side.pair_count; };
  if (std::ranges::any_of(side.selectors, beyond)) return corrupt_side("scale: a selector has no pair");
  return {};
}

Fault fault_of_holes(const ScaleShape& shape, std::size_t words, const ScaleSide& side) {
  const std::size_t expected = side.holes == HoleMode::none ? 0 : bitmap_bytes(words);
  if (side.bitmap.size() != expected) return corrupt_side("scale: the bitmap has the wrong length");
  if (expected != 0 && words % 8 != 0 && std::to_integer<unsigned>(side.bitmap.back()) >> (words % 8) != 0) {
    return corrupt_side("scale: the bitmap's padding is not zero");
  }
  const std::uint64_t raw = side.holes == HoleMode::raw ? count_ones(side.bitmap) : 0;
  if (side.raw.size() != raw * shape.word) return corrupt_side("scale: the holes' words have the wrong length");
  return {};
}

}  // namespace

bool is_scale_pair(const ScalePair& pair) {
  return is_scale_number(pair.num) && is_scale_number(pair.den);
}

std::size_t scale_head_bytes(const ScaleShape& shape, const ScaleSide& side) {
  const std::size_t constant = side.holes == HoleMode::constant ? shape.word : 0;
  return kFixedBytes + side.pair_count * kPairBytes + constant + side.selectors.size();
}

void write_scale_head(const ScaleShape& shape, const ScaleSide& side, std::span<std::byte> head) {
  head[0] = std::byte{side.pair_count};
  head[1] = static_cast<std::byte>(side.holes);
  head[2] = head[3] = std::byte{0};
  head = head.subspan(kFixedBytes);
  for (const ScalePair& pair : side.pairs()) {
    set_le(head, std::bit_cast<std::uint64_t>(pair.num));
    set_le(head.subspan(8), std::bit_cast<std::uint64_t>(pair.den));
    head = head.subspan(kPairBytes);
  }
  for (std::size_t b = 0; b < shape.word && side.holes == HoleMode::constant; ++b, head = head.subspan(1)) {
    head[0] = static_cast<std::byte>(side.constant >> (8 * b));
  }
  std::ranges::copy(side.selectors, head.begin());
}

Result<ScaleSide> read_scale_side(const ScaleShape& shape, std::size_t words, const ScaleStreams& streams) {
  auto side = read_head(shape, words, ByteReader(streams.head));
  if (!side) return side;
  side->bitmap = streams.bitmap;
  side->raw = streams.raw;
  if (auto fault = fault_of_pairs(*side)) return *std::move(fault);
  if (auto fault = fault_of_holes(shape, words, *side)) return *std::move(fault);
  return side;
}

}  // namespace tdz::formats
