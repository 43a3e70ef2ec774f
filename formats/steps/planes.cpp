// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/planes.hpp"

namespace tdz {

Result<TuplePlanesStep> TuplePlanesStep::read(formats::ParameterReader& in) {
  if (in.length() != 4) return in.wrong_length();
  return TuplePlanesStep{in.get<std::uint32_t>()};
}

formats::Flaw TuplePlanesStep::flaw(unsigned) const {
  if (tuple == 0) return "a step with a tuple of 0, or an order outside 1 to 8";
  return {};
}

}  // namespace tdz
