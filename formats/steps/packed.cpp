// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/packed.hpp"

namespace tdz {

void PackedStep::write(std::vector<std::byte>& out) const {
  formats::put_le(out, static_cast<std::uint16_t>(tuple), std::uint16_t{0});
}

Result<PackedStep> PackedStep::read(formats::ParameterReader& in) {
  if (in.length() != 4) return in.wrong_length();
  return PackedStep{in.get<std::uint16_t>()};
}

formats::Flaw PackedStep::flaw(unsigned) const {
  return formats::flaw_of_side_tuple(tuple);
}

void PackedStep::list(formats::SubstreamList& out) const {
  const std::uint64_t groups = packed_groups(out.words, tuple);
  const bool any = groups != 0;
  out.out.push_back(
      {formats::SubstreamRole::packed_widths, out.column, any ? 1u : 0u, any ? kMostGroupWidths : 0, 1});
  out.exactly(formats::SubstreamRole::packed_codes, groups / 2 + groups % 2);
  out.exactly(formats::SubstreamRole::packed_places, 4 * packed_places(groups));
  out.at_most(formats::SubstreamRole::packed_bits, groups * packed_group_bytes(8 * unsigned(out.width)), 2);
}

}  // namespace tdz
