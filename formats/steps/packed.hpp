// SPDX-License-Identifier: Apache-2.0
// The layout `packed`: words in groups of 16, each with as many bits as the widest of its group needs. No
// entropy coder reads or writes it. FORMAT.md, section 3. Pure functions, thread-safe.
//
// The words are cut in blocks of 16 rows of the tuple. A block holds a group for each lane: the lane's 16
// words of these rows. So a stream is packed and restored in one sweep, whatever the tuple. What is missing
// in the last rows counts as words of 0.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

inline constexpr std::size_t kGroupWords = 16;
/// So many widths may occur in a chunk: half a byte names the width of a group.
inline constexpr std::size_t kMostGroupWidths = 16;
/// So many groups have a place of their own: a device begins at each of them.
inline constexpr std::size_t kGroupsOfPlace = 256;

/// Groups of words packed with one width each.
struct PackedStep {
  static constexpr formats::StepTraits kTraits{
      .id = 11,
      .name = "packed",
      .help = {110, "packed(T)",
               "groups of 16 numbers of a column, each with as many bits as its widest needs"},
      .substreams = 4,
      .is_layout = true,
      .minor_version = 1};

  std::uint32_t tuple = 1;  ///< in words

  static constexpr auto numbers() {
    return std::tuple{formats::number_parameter("tuple", &PackedStep::tuple, 1, kMaxSideTuple)};
  }

  std::string name() const { return formats::name_with_tuple(kTraits.name, tuple); }
  std::string words() const { return "groups of 16 numbers, each with the bits of its widest"; }
  std::uint32_t tuple_length() const { return tuple; }
  void write(std::vector<std::byte>& out) const;
  static Result<PackedStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList& out) const;

  friend constexpr bool operator==(const PackedStep&, const PackedStep&) = default;
};

/// How many groups `words` words have. No loop, because a tuple may be longer than the words.
constexpr std::uint64_t packed_groups(std::uint64_t words, std::uint64_t tuple) {
  const std::uint64_t block = kGroupWords * tuple;
  return words / block * tuple + std::min(words % block, tuple);
}
/// The bytes of a group with this width.
constexpr std::size_t packed_group_bytes(unsigned width) {
  return width * kGroupWords / 8;
}
constexpr std::uint64_t packed_places(std::uint64_t groups) {
  return (groups + kGroupsOfPlace - 1) / kGroupsOfPlace;
}

}  // namespace tdz
