// SPDX-License-Identifier: Apache-2.0
// The steps that change each word by itself, and take no parameter: byteswap and zigzag. FORMAT.md,
// section 3.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

/// Big-endian words to little-endian words. It is its own inverse.
struct ByteswapStep {
  static constexpr std::uint16_t kId = 1;
  static constexpr std::string_view kName = "byteswap";
  static constexpr bool kIsLayout = false;
  static constexpr std::size_t kSubstreams = 0;

  std::string name() const { return std::string(kName); }
  void write(std::vector<std::byte>&) const {}
  static Result<ByteswapStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned) const { return {}; }
  void list(formats::SubstreamList&) const {}

  friend constexpr bool operator==(const ByteswapStep&, const ByteswapStep&) = default;
};

/// r -> (r << 1) ^ (r >> w-1, arithmetic): small magnitudes of either sign become small words.
struct ZigzagStep {
  static constexpr std::uint16_t kId = 3;
  static constexpr std::string_view kName = "zigzag";
  static constexpr bool kIsLayout = false;
  static constexpr std::size_t kSubstreams = 0;

  std::string name() const { return std::string(kName); }
  void write(std::vector<std::byte>&) const {}
  static Result<ZigzagStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned) const { return {}; }
  void list(formats::SubstreamList&) const {}

  friend constexpr bool operator==(const ZigzagStep&, const ZigzagStep&) = default;
};

}  // namespace tdz
