// SPDX-License-Identifier: Apache-2.0
// The step `difference` (delta coding): r = (1 - B^tuple)^order x, mod 2^w. Its inverse is the prefix sum of
// the same order over tuples of the same length. FORMAT.md, section 3.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

inline constexpr unsigned kMaxOrder = 8;  ///< order of one difference; higher orders only amplify noise

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

}  // namespace tdz
