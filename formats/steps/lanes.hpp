// SPDX-License-Identifier: Apache-2.0
// The step `lanes`: to each lane of a tuple a difference of its own order, and one lane minus another.
// FORMAT.md, section 3. Pure functions, thread-safe.
//
// Lane l becomes x_l[i] - m_p[i - lag] wherever lane p has that element; m_p is lane p as it enters the step.
// The subtraction stands before or after lane l's own differences; zigzag comes last.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

inline constexpr unsigned kHighestLaneOrder = 8;
inline constexpr unsigned kDeepestSource = 8;  ///< sources in a row that a lane may depend on

/// What the step does to one lane.
struct LaneRule {
  static constexpr std::uint16_t kNoSource = 0xFFFF;

  std::uint8_t order = 0;  ///< 0 to 8
  bool zigzag = false;
  std::uint16_t source = kNoSource;
  std::uint8_t lag = 0;  ///< 0 or 1
  bool after = false;    ///< the source is subtracted after the differences, not before them

  constexpr bool has_source() const { return source != kNoSource; }
  friend constexpr bool operator==(const LaneRule&, const LaneRule&) = default;
};

/// A rule for each lane of the tuple, and the run of words after which differences start anew.
struct LanesStep {
  static constexpr formats::StepTraits kTraits{
      .id = 8,
      .name = "lanes",
      .help = {30, "lanes(T)",
               "each column (lane) of tuples of T numbers has its own order; another column may be "
               "subtracted"},
      .once = true,
      .by_lanes = true};

  std::vector<LaneRule> lanes;
  std::uint32_t run = 0;

  std::string name() const {
    return formats::name_with_tuple(kTraits.name, lanes.size()) + formats::run_name(run);
  }
  std::string words() const;
  std::uint32_t tuple_length() const { return static_cast<std::uint32_t>(lanes.size()); }
  void write(std::vector<std::byte>& out) const;
  static Result<LanesStep> read(formats::ParameterReader& in);
  /// A tuple or a value out of range, lag or after without a source, a circle of sources, more than 8 in a
  /// row.
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList&) const {}

  friend bool operator==(const LanesStep&, const LanesStep&) = default;
};

/// The lanes, each one after its source. Precondition: the step has no flaw.
std::vector<std::uint32_t> decoding_order(std::span<const LaneRule> rules);

}  // namespace tdz
