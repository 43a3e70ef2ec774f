// SPDX-License-Identifier: Apache-2.0
// The step `difference` (delta coding): r = (1 - B^tuple)^order x, mod 2^w. Its inverse is the prefix sum of
// the same order over tuples of the same length. FORMAT.md, section 3.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

inline constexpr unsigned kMaxOrder = 8;  ///< order of one difference; higher orders only amplify noise

struct DifferenceStep {
  static constexpr std::uint16_t kId = 2;
  static constexpr std::string_view kName = "difference";
  static constexpr bool kIsLayout = false;
  static constexpr std::size_t kSubstreams = 0;

  std::uint32_t tuple = 1;  ///< in words: how far back the word lies that is subtracted
  std::uint8_t order = 1;   ///< 1 to kMaxOrder
  std::uint32_t run = 0;    ///< words of a lane after which the difference starts anew (0: never)

  std::string name() const;
  void write(std::vector<std::byte>& out) const;
  static Result<DifferenceStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList&) const {}

  friend constexpr bool operator==(const DifferenceStep&, const DifferenceStep&) = default;
};

}  // namespace tdz
