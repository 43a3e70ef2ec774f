// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/scale.hpp"

#include <algorithm>
#include <bit>

#include "formats/bytes.hpp"

namespace tdz {

void ScaleStep::write(std::vector<std::byte>& out) const {
  formats::put_le(out, static_cast<std::uint16_t>(tuple), static_cast<std::uint8_t>(kind), std::uint8_t{0});
}

Result<ScaleStep> ScaleStep::read(formats::ParameterReader& in) {
  if (in.length() != 4) return in.wrong_length();
  ScaleStep s;
  s.tuple = in.get<std::uint16_t>();
  s.kind = ScaleKind{in.get<std::uint8_t>()};
  return s;
}

formats::Flaw ScaleStep::flaw(unsigned width) const {
  if (auto flaw = formats::flaw_of_side_tuple(tuple)) return flaw;
  if (kind == ScaleKind::integer) return {};
  if (kind != ScaleKind::real) return "scale: a kind above 1";
  if (width != 4 && width != 8) return "scale: IEEE numbers of " + std::to_string(width) + " bytes";
  return {};
}

void ScaleStep::list(formats::SubstreamList& out) const {
  using formats::SubstreamRole, formats::kScalePairBytes;
  const std::uint64_t groups = formats::blocks_of_lanes(out.words, tuple, kScaleGroup),
                      bits = out.words / 8 + (out.words % 8 != 0);
  out.at_most(SubstreamRole::scale_pairs, out.words == 0 ? 0 : kMaxScalePairs * kScalePairBytes,
              kScalePairBytes);
  out.at_most(SubstreamRole::scale_selectors, groups, groups);
  out.at_most(SubstreamRole::scale_bitmap, bits, bits);
  out.at_most(SubstreamRole::scale_hole_words, out.words * out.width, out.width);
  out.must_fit(kTraits.substreams, formats::scale_lengths_fit);
}

namespace formats {
namespace {

bool is_scale_number(double x) {
  return x >= 0x1p-300 && x <= 0x1p300;  // false for what is not a number
}

Fault read_pairs(std::span<const std::byte> bytes, ScaleSide& side) {
  if (bytes.size() % kScalePairBytes != 0 || bytes.size() / kScalePairBytes > kMaxScalePairs) {
    return corrupt("scale: the pairs have the wrong length");
  }
  ByteReader reader(bytes);
  side.pair_count = static_cast<std::uint8_t>(bytes.size() / kScalePairBytes);
  for (std::size_t k = 0; k < side.pair_count; ++k) {
    side.storage[k].num = std::bit_cast<double>(reader.get<std::uint64_t>());
    side.storage[k].den = std::bit_cast<double>(reader.get<std::uint64_t>());
    if (!is_scale_pair(side.storage[k])) return corrupt("scale: a number is out of range");
  }
  return {};
}

Fault fault_of_selectors(const ScaleShape& shape, std::size_t words, const ScaleSide& side) {
  const std::size_t expected = side.pair_count > 1 ? selector_count(words, shape.tuple) : 0;
  if (side.selectors.size() != expected) return corrupt("scale: the selectors have the wrong length");
  const auto beyond = [&](std::byte s) { return std::to_integer<unsigned>(s) >= side.pair_count; };
  if (std::ranges::any_of(side.selectors, beyond)) return corrupt("scale: a selector has no pair");
  return {};
}

Fault fault_of_holes(const ScaleShape& shape, std::size_t words, const ScaleSide& side) {
  if (!side.bitmap.empty() && side.bitmap.size() != bitmap_bytes(words)) {
    return corrupt("scale: the bitmap has the wrong length");
  }
  if (!side.bitmap.empty() && words % 8 != 0 &&
      std::to_integer<unsigned>(side.bitmap.back()) >> (words % 8) != 0) {
    return corrupt("scale: the bitmap's padding is not zero");
  }
  const bool one_for_all = !side.bitmap.empty() && side.hole_words.size() == shape.word;
  if (!one_for_all && side.hole_words.size() != count_holes(side.bitmap) * shape.word) {
    return corrupt("scale: the hole words have the wrong length");
  }
  return {};
}

/// By sums of 2, 4 and 8 neighbouring bits: std::popcount is a call of a function where the oldest x86-64
/// must do.
constexpr unsigned count_ones(std::uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return static_cast<unsigned>(bits * 0x0101010101010101 >> 56);
}

}  // namespace

std::uint64_t count_holes(std::span<const std::byte> bitmap) {
  std::uint64_t holes = 0;
  for (; bitmap.size() >= 8; bitmap = bitmap.subspan(8)) holes += count_ones(get_le<std::uint64_t>(bitmap));
  for (const std::byte b : bitmap)
    holes += static_cast<unsigned>(std::popcount(std::to_integer<unsigned>(b)));
  return holes;
}

bool is_scale_pair(const ScalePair& pair) {
  return is_scale_number(pair.num) && is_scale_number(pair.den);
}

void write_scale_pairs(std::span<const ScalePair> pairs, std::span<std::byte> bytes) {
  for (const ScalePair& pair : pairs) {
    set_le(bytes, std::bit_cast<std::uint64_t>(pair.num));
    set_le(bytes.subspan(8), std::bit_cast<std::uint64_t>(pair.den));
    bytes = bytes.subspan(kScalePairBytes);
  }
}

bool scale_lengths_fit(std::span<const Substream> expected, std::span<const std::uint32_t> lengths) {
  const std::uint32_t pairs = lengths[0], selectors = lengths[1], bitmap = lengths[2],
                      hole_words = lengths[3];
  const bool two_pairs = pairs > kScalePairBytes;
  if (selectors != (two_pairs ? expected[1].most : 0)) return false;
  return bitmap != 0 || hole_words == 0;
}

Result<ScaleSide> read_scale_side(const ScaleShape& shape, std::size_t words, const ScaleStreams& streams) {
  ScaleSide side;
  side.selectors = streams.selectors;
  side.bitmap = streams.bitmap;
  side.hole_words = streams.hole_words;
  if (auto fault = read_pairs(streams.pairs, side)) return *std::move(fault);
  if (auto fault = fault_of_selectors(shape, words, side)) return *std::move(fault);
  if (auto fault = fault_of_holes(shape, words, side)) return *std::move(fault);
  return side;
}

}  // namespace formats
}  // namespace tdz
