// SPDX-License-Identifier: Apache-2.0
// The steps that run in passes. byteswap and zigzag change each word by itself; difference subtracts a word
// before it; the layouts planes, tuple-planes (byte shuffle) and bit-planes (bit shuffle) move bytes or bits
// of words together. FORMAT.md, section 3.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

/// Big-endian words to little-endian words. It is its own inverse.
struct ByteswapStep : formats::StepWithoutParameters<ByteswapStep> {
  static constexpr formats::StepTraits kTraits{
      .id = 1,
      .name = "byteswap",
      .help = {10, "byteswap", "the bytes of each big-endian number are reversed"}};

  std::string words() const { return "big-endian"; }

  friend constexpr bool operator==(const ByteswapStep&, const ByteswapStep&) = default;
};

inline constexpr unsigned kMaxOrder = 8;  ///< order of one difference; higher orders only amplify noise

/// Delta coding: r = (1 - B^tuple)^order x, mod 2^w. Its inverse is the prefix sum of the same order over
/// tuples of the same length.
struct DifferenceStep {
  static constexpr formats::StepTraits kTraits{
      .id = 2,
      .name = "difference",
      .help = {40, "difference(T, N)",
               "from each number the number T places before it is subtracted (delta), N times: order N"}};

  std::uint32_t tuple = 1;  ///< in words: how far back the word lies that is subtracted
  std::uint8_t order = 1;   ///< 1 to kMaxOrder
  std::uint32_t run = 0;    ///< words of a lane after which the difference starts anew (0: never)

  std::string name() const;
  std::string words() const;
  std::uint32_t tuple_length() const { return tuple; }
  void write(std::vector<std::byte>& out) const;
  static Result<DifferenceStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList&) const {}

  friend constexpr bool operator==(const DifferenceStep&, const DifferenceStep&) = default;
};

/// r -> (r << 1) ^ (r >> w-1, arithmetic): small magnitudes of either sign become small words.
struct ZigzagStep : formats::StepWithoutParameters<ZigzagStep> {
  static constexpr formats::StepTraits kTraits{
      .id = 3,
      .name = "zigzag",
      .help = {60, "zigzag",
               "small numbers of either sign become small codes: 0, -1, 1, -2 become 0, 1, 2, 3"}};

  std::string words() const { return "zigzag"; }

  friend constexpr bool operator==(const ZigzagStep&, const ZigzagStep&) = default;
};

/// Byte b of every word together.
struct PlanesStep : formats::StepWithoutParameters<PlanesStep> {
  static constexpr formats::StepTraits kTraits{
      .id = 4,
      .name = "planes",
      .help = {70, "planes", "byte shuffle: the lowest bytes of all numbers, then the next bytes, and so on"},
      .substreams = 1,
      .is_layout = true,
      .word_layout = Layout::planes};

  std::string words() const { return "byte shuffle"; }

  friend constexpr bool operator==(const PlanesStep&, const PlanesStep&) = default;
};

/// Byte b of every word of one lane together; lane after lane.
struct TuplePlanesStep {
  static constexpr formats::StepTraits kTraits{
      .id = 5,
      .name = "tuple-planes",
      .help = {80, "tuple-planes(T)", "the same for each column of tuples of T numbers"},
      .substreams = 1,
      .is_layout = true,
      .word_layout = Layout::tuple_planes};

  std::uint32_t tuple = 1;  ///< in words

  static constexpr auto numbers() {
    return std::tuple{formats::number_parameter("tuple", &TuplePlanesStep::tuple, 1, 0xFFFFFFFF)};
  }

  std::string name() const { return formats::name_with_tuple(kTraits.name, tuple); }
  std::string words() const { return "byte shuffle of each of " + std::to_string(tuple) + " columns"; }
  std::uint32_t tuple_length() const { return tuple; }
  void write(std::vector<std::byte>& out) const { formats::put_le(out, tuple); }
  static Result<TuplePlanesStep> read(formats::ParameterReader& in) {
    if (in.length() != 4) return in.wrong_length();
    return TuplePlanesStep{in.get<std::uint32_t>()};
  }
  formats::Flaw flaw(unsigned) const {
    if (tuple == 0) return "a step with a tuple of 0, or an order outside 1 to 8";
    return {};
  }
  void list(formats::SubstreamList&) const {}

  friend constexpr bool operator==(const TuplePlanesStep&, const TuplePlanesStep&) = default;
};

/// Bit b of every word together.
struct BitPlanesStep : formats::StepWithoutParameters<BitPlanesStep> {
  static constexpr formats::StepTraits kTraits{
      .id = 6,
      .name = "bit-planes",
      .help = {90, "bit-planes", "bit shuffle: the same for single bits"},
      .substreams = 1,
      .is_layout = true,
      .word_layout = Layout::bit_planes};

  std::string words() const { return "bit shuffle"; }

  friend constexpr bool operator==(const BitPlanesStep&, const BitPlanesStep&) = default;
};

}  // namespace tdz
