// SPDX-License-Identifier: Apache-2.0
// The layouts that move bytes or bits of words together: byte shuffle (planes, tuple-planes) and bit shuffle
// (bit-planes). FORMAT.md, section 3.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

/// The order in which zstd gets the bytes of the words.
enum class Layout : std::uint8_t { interleaved, planes, tuple_planes, bit_planes };

/// Byte b of every word together.
struct PlanesStep {
  static constexpr std::uint16_t kId = 4;
  static constexpr std::string_view kName = "planes";
  static constexpr Layout kLayout = Layout::planes;
  static constexpr bool kIsLayout = true;
  static constexpr std::size_t kSubstreams = 1;

  std::string name() const { return std::string(kName); }
  void write(std::vector<std::byte>&) const {}
  static Result<PlanesStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned) const { return {}; }
  void list(formats::SubstreamList& out) const {
    out.exactly(formats::SubstreamRole::words, out.words * out.width);
  }

  friend constexpr bool operator==(const PlanesStep&, const PlanesStep&) = default;
};

/// Byte b of every word of one lane together; lane after lane.
struct TuplePlanesStep {
  static constexpr std::uint16_t kId = 5;
  static constexpr std::string_view kName = "tuple-planes";
  static constexpr Layout kLayout = Layout::tuple_planes;
  static constexpr bool kIsLayout = true;
  static constexpr std::size_t kSubstreams = 1;

  std::uint32_t tuple = 1;  ///< in words

  std::string name() const { return formats::name_with_tuple(kName, tuple); }
  void write(std::vector<std::byte>& out) const { formats::put_le(out, tuple); }
  static Result<TuplePlanesStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList& out) const {
    out.exactly(formats::SubstreamRole::words, out.words * out.width);
  }

  friend constexpr bool operator==(const TuplePlanesStep&, const TuplePlanesStep&) = default;
};

/// Bit b of every word together.
struct BitPlanesStep {
  static constexpr std::uint16_t kId = 6;
  static constexpr std::string_view kName = "bit-planes";
  static constexpr Layout kLayout = Layout::bit_planes;
  static constexpr bool kIsLayout = true;
  static constexpr std::size_t kSubstreams = 1;

  std::string name() const { return std::string(kName); }
  void write(std::vector<std::byte>&) const {}
  static Result<BitPlanesStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned) const { return {}; }
  void list(formats::SubstreamList& out) const {
    out.exactly(formats::SubstreamRole::words, out.words * out.width);
  }

  friend constexpr bool operator==(const BitPlanesStep&, const BitPlanesStep&) = default;
};

}  // namespace tdz
